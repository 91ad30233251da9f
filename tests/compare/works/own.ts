/**
 * UDFs of users: the same small ones in both languages, alone and several in one run.
 *
 * @module
 */

import { ndarray } from "../../../src/space/ndarray.ts";
import { sumFrames } from "../../../src/udf/builtin/sum_frames.ts";
import { sumPixels } from "../../../src/udf/builtin/sum_pixels.ts";
import { objectsOf } from "../../../src/udf/buffers/object_results.ts";
import { type ParamValue, udf, type UdfRef } from "../../../src/udf/interface/udf_ref.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { float64 } from "../data/arrays.ts";
import { gamma, perEntry, perPosition, roundoff, SINGLE, sumError } from "../verdict/bounds.ts";
import type { Expectations, Results } from "../compare.ts";
import { auxOf } from "../own/udfs.ts";
import type { Random } from "../data/random.ts";
import { isComplex, isInteger, type Params, type Subject } from "../data/spec.ts";
import { type AnyWork, compute, type Judged, type Opened, planOptions, work } from "../work.ts";
import { frameSumErrors } from "./reductions.ts";

/** How a UDF is compared: its parameters, what it gives, and how near that must be. */
interface Own {
  /** The export of `own/udfs.ts`. */
  readonly name: string;
  readonly suits?: (subject: Subject) => boolean;
  readonly params?: (random: Random) => Params;
  readonly ours?: (opened: Opened, ref: (more?: Record<string, ParamValue>) => UdfRef) => Promise<Results>;
  readonly expect: (judged: Judged<Params>) => Expectations;
}

function refOf(name: string, params: Readonly<Record<string, ParamValue>>): UdfRef {
  return udf(import.meta.resolve("../own/udfs.ts"), { export: name, params });
}

/** Frames of real numbers, without NaN. */
function isPlain({ data }: Subject): boolean {
  return !isComplex(data) && data.pattern !== "special";
}

/** Bounds of sums over frames, whatever weights of up to `weight` they have. */
function sums({ opened: { data, truth } }: Judged<Params>, weight = 1): Float64Array {
  const weights = new Float64Array(truth.pixels).fill(weight);
  return perPosition(truth, (position) => sumError(truth, position, { weights, unit: roundoff(data) }));
}

/** Bounds of sums over all frames, of the numbers and of their squares. */
function squares({ opened: { data, truth } }: Judged<Params>): Float64Array {
  const unit = roundoff(data);
  const found = new Float64Array(truth.pixels);
  for (const position of truth.present) truth.magnitudes(position).forEach((x, p) => found[p]! += x * x);
  return found.map((size) => (gamma(truth.present.length + 16, unit) + 3 * truth.sampleError) * size);
}

/** Samples as they are, moved by what corrections round. */
function samples({ opened: { truth } }: Judged<Params>): number {
  let largest = 0;
  for (const position of truth.present) largest = truth.magnitudes(position).reduce(greater, largest);
  return truth.sampleError * largest;
}

function greater(a: number, b: number): number {
  return Math.max(a, b);
}

function whenExact(judged: Judged<Params>, otherwise: number): number {
  return judged.opened.truth.sampleError > 0 ? Infinity : otherwise;
}

const OWN: readonly Own[] = [
  {
    name: "moments",
    params: (random) => ({
      ...(random.chance(0.5) ? { depth: random.int(1, 40) } : {}),
      ...(random.chance(0.5) ? { totalBytes: random.int(500, 100000) } : {}),
    }),
    expect: (judged) => ({ sum: sums(judged), squares: squares(judged), frames: 0 }),
  },
  {
    name: "brightest",
    expect: (judged) => ({ most: samples(judged), at: whenExact(judged, 0), image: samples(judged) }),
  },
  {
    name: "wholePartitions",
    expect: (judged) => ({
      edge: sums(judged, 2),
      total: frameSumErrors(judged.opened.truth, roundoff(judged.opened.data)),
    }),
  },
  {
    name: "entries",
    expect: (judged) => {
      const { truth, data } = judged.opened;
      const pair = frameSumErrors(truth, roundoff(data));
      return {
        matrix: sums(judged),
        pair: Float64Array.from(
          { length: 2 * pair.length },
          (_, i) => i % 2 ? whenExact(judged, 0) : pair[i >> 1]!,
        ),
      };
    },
  },
  {
    name: "auxiliary",
    ours: async (opened, ref) => {
      const { frames, pixels } = opened.truth;
      return await compute(opened, ref(auxOf(frames, pixels) as unknown as Record<string, ParamValue>));
    },
    expect: (judged) => ({ dosed: sums(judged, 6 * 8) }),
  },
  { name: "means", expect: (judged) => ({ mean: sums(judged) }) },
  {
    name: "masked",
    params: (random) => ({ limit: random.int(-5, 40) }),
    expect: (judged) => {
      const { truth, data } = judged.opened;
      return { half: sums(judged), image: frameSumErrors(truth, roundoff(data)) };
    },
  },
  {
    name: "places",
    expect: () => ({ place: 0, pixel: 0 }),
  },
  {
    name: "lists",
    params: (random) => ({ limit: random.int(0, 40) }),
    ours: async (opened, ref) => {
      const { bright } = objectsOf(await compute(opened, ref()));
      const rows = bright!.data.map((value) => value as readonly number[] | null);
      return {
        count: float64(rows.map((row) => row?.length ?? -1), opened.data.nav),
        sum: float64(rows.map((row) => row?.reduce((sum, p) => sum + p, 0) ?? -1), opened.data.nav),
      };
    },
    expect: (judged) => ({ count: whenExact(judged, 0), sum: whenExact(judged, 0) }),
  },
  {
    name: "wave",
    expect: (judged) => ({ first: sums(judged, 2).map((error, i) => error + waveError(judged, i)) }),
  },
  {
    name: "histogram",
    suits: ({ data, run: { corrections } }) => isInteger(data) && !corrections,
    expect: () => ({ counts: 0 }),
  },
  {
    name: "choosing",
    params: (random) => ({ method: random.pick(["tile", "frame", "partition"]) }),
    expect: (judged) => ({ sum: sums(judged) }),
  },
];

/** What rounded cosines make of a frame. */
function waveError({ opened: { truth } }: Judged<Params>, position: number): number {
  if (!truth.present.includes(position)) return 0;
  return 8 * SINGLE * truth.magnitudes(position).reduce((sum, x) => sum + x, 0);
}

function ownWork({ name, suits, params, ours, expect }: Own): AnyWork {
  return work<Params>({
    word: `own-${name}`,
    suits: (subject) => isPlain(subject) && (suits?.(subject) ?? true),
    params: (random) => params?.(random) ?? {},
    ours: async (opened, given) => {
      const ref = (more = {}) => refOf(name, { ...given as Record<string, ParamValue>, ...more });
      return await (ours ? ours(opened, ref) : compute(opened, ref()));
    },
    expect,
  });
}

/** Several UDFs in one run, some of which want other tiles and other types. */
const TOGETHER: AnyWork = work<Params>({
  word: "together",
  suits: isPlain,
  params: (random) => ({ depth: random.int(1, 40), method: random.pick(["tile", "frame", "partition"]) }),
  ours: async (opened, { depth, method }) => {
    const { sum, sumsig, moments, choosing, brightest } = await run(
      await plan(opened.dataset, {
        sum: sumFrames(),
        sumsig: sumPixels(),
        moments: refOf("moments", { depth: Number(depth) }),
        choosing: refOf("choosing", { method: String(method) }),
        brightest: refOf("brightest", {}),
      }, planOptions(opened)),
    );
    return {
      sum: sum!.intensity!,
      sumsig: sumsig!.intensity!,
      squares: moments!.squares!,
      choosing: choosing!.sum!,
      image: brightest!.image!,
    };
  },
  expect: (judged) => ({
    sum: frameSumErrors(judged.opened.truth, roundoff(judged.opened.data)),
    sumsig: sums(judged),
    squares: squares(judged),
    choosing: sums(judged),
    image: samples(judged),
  }),
});

/** Samples after corrections, and nothing else. */
const CORRECTED: AnyWork = work<Params>({
  word: "corrections",
  suits: ({ run: { corrections } }) => corrections !== undefined,
  params: () => ({}),
  ours: async (opened) => {
    const { frames } = { frames: (await compute(opened, refOf("copies", {}))).frame! };
    const { data, shape, dtype, valid } = frames;
    return { frame: ndarray(data, shape, dtype, valid) };
  },
  expect: ({ opened: { truth } }) => ({
    frame: perEntry(
      truth,
      truth.units * truth.pixels,
      (position) =>
        truth.magnitudes(position).map((magnitude) => truth.sampleError * magnitude + Number.MIN_VALUE),
    ),
  }),
});

/** The works. */
export const OWN_UDFS: readonly AnyWork[] = [...OWN.map(ownWork), TOGETHER, CORRECTED];
