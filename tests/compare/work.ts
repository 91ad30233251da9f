/**
 * A piece of work that both sides can do: on which data, with which parameters, how we do it, and how near the peer's
 * results must be. The peer knows it by the same word, see `peers/`.
 *
 * @module
 */

import type { StoredDataset } from "../../src/dataset/dataset.ts";
import * as roi from "../../src/dataset/roi/region.ts";
import type { RoiInput } from "../../src/dataset/roi/roi.ts";
import type { Corrections } from "../../src/dataset/corrections.ts";
import type { UdfResult } from "../../src/udf/interface/buffer_types.ts";
import type { Context } from "../../src/runner/context.ts";
import type { PlanOptions } from "../../src/udf/plan/plan.ts";
import { udfPlan as plan } from "../../src/udf/run/plan.ts";
import { run } from "../../src/run.ts";
import type { UdfRef } from "../../src/udf/interface/udf_ref.ts";
import type { Expectations, Results } from "./compare.ts";
import type { Random } from "./data/random.ts";
import {
  type CorrectionSpec,
  type DataSpec,
  type Params,
  product,
  type RoiSpec,
  type Subject,
} from "./data/spec.ts";
import { correctionMaps, type Truth } from "./data/truth.ts";

/** A data set that is open, and what is known of it. */
export interface Opened extends Subject {
  /** Ours. */
  readonly dataset: StoredDataset;
  /** What both should see. */
  readonly truth: Truth;
  /** Where ours runs. */
  readonly context: Context;
  /** A folder for files. */
  readonly folder: string;
}

/** What a comparison is told. */
export interface Judged<P extends Params> {
  /** The data. */
  readonly opened: Opened;
  /** The parameters. */
  readonly params: P;
  /** Ours. */
  readonly ours: Results;
  /** The peer's. */
  readonly theirs: Results;
}

/** A piece of work. */
export interface Work<P extends Params = Params> {
  /** Its name in the table and in requests. */
  readonly word: string;
  /** The UDFs of `src/udf/worker/builtins.ts` that it compares. */
  readonly covers?: readonly string[];
  /** It needs no data set, only its parameters. */
  readonly alone?: boolean;
  /** Whether both can do it, or ought to refuse it, on such data. Default: always. */
  suits?(subject: Subject): boolean;
  /** Random parameters. */
  params(random: Random, subject: Subject): P;
  /** Ours. */
  ours(opened: Opened, params: P): Promise<Results>;
  /** Results of ours that are made from those of the peer, so that one step is compared by itself. */
  derive?(judged: Judged<P>): Results | Promise<Results>;
  /** How near the results must be. */
  expect(judged: Judged<P>): Expectations;
}

/** A list of works of any parameters. */
export type AnyWork = Work<Params>;

/** A work whose parameters are known to itself alone. */
export function work<P extends Params>(one: Work<P>): AnyWork {
  return one as unknown as AnyWork;
}

/** Runs a UDF on an open data set, as its run says. */
export async function compute(opened: Opened, it: UdfRef, options: PlanOptions = {}): Promise<UdfResult> {
  const planned = await plan(opened.dataset, { it }, { ...planOptions(opened), ...options });
  return (await run(planned)).it!;
}

/** The run of a subject as options of ours. */
export function planOptions(
  { data, run: { roi, corrections, partitions, tileBytes }, context }: Opened,
): PlanOptions {
  return {
    context,
    ...(roi ? { roi: roiInput(roi, data.nav) } : {}),
    ...(corrections ? { corrections: correctionInput(corrections, data) } : {}),
    ...(partitions === undefined ? {} : { partitions }),
    ...(tileBytes === undefined ? {} : { tileBytes }),
  };
}

/** A region of interest as a user of ours would write it. */
export function roiInput({ selected, form }: RoiSpec, nav: readonly number[]): RoiInput {
  const coordinates = selected.map((flat) => coordinatesOf(flat, nav));
  const mask = new Uint8Array(product(nav));
  for (const flat of selected) mask[flat] = 1;
  if (form === "single" || form === "coordinates") return coordinateInput(coordinates, form);
  if (form === "toggles") return toggles(selected, nav);
  if (form === "sparse") return { shape: nav, indices: selected };
  if (form === "nested") return nested(mask, nav) as RoiInput;
  return { data: mask, shape: nav };
}

/** Coordinates in a plain list; where their numbers could also be those of a mask, by `roi.positions`. */
function coordinateInput(coordinates: readonly number[][], form: "single" | "coordinates"): RoiInput {
  if (coordinates.flat().every((at) => at <= 1)) return roi.positions(coordinates);
  return form === "single" ? coordinates[0]! : coordinates;
}

/** What is not selected, each position with `false`. */
function toggles(selected: readonly number[], nav: readonly number[]): RoiInput {
  const others = Array.from({ length: product(nav) }, (_, i) => i).filter((i) => !selected.includes(i));
  return others.map((flat) => [coordinatesOf(flat, nav), false] as const);
}

function nested(mask: Uint8Array, [n = 1, ...rest]: readonly number[]): unknown {
  const size = product(rest);
  return Array.from({ length: n }, (_, i) => {
    const part = mask.subarray(i * size, (i + 1) * size);
    return rest.length === 0 ? part[0] === 1 : nested(part, rest);
  });
}

/** Coordinates of a flat position. */
export function coordinatesOf(flat: number, nav: readonly number[]): number[] {
  let rest = flat;
  return nav.toReversed().map((n) => {
    const at = rest % n;
    rest = Math.floor(rest / n);
    return at;
  }).toReversed();
}

/** Corrections as a user of ours would write them. */
export function correctionInput(spec: CorrectionSpec, data: DataSpec): Corrections {
  const { excluded, allowEmpty } = spec;
  return { ...correctionMaps(spec, data), ...(excluded.length > 0 ? { excluded } : {}), allowEmpty };
}
