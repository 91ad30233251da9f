/**
 * The centre of mass of every frame: where the electric field deflects the beam to.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { kernel } from "../../kernels/registry.ts";
import { type Box, box } from "../../space/box.ts";
import { type Shape, showShape } from "../../space/shape.ts";
import { lowerBound } from "../../space/search.ts";
import type { Udf, UdfMeta } from "../udf.ts";
import { builtin, type UdfRef } from "../udf_ref.ts";

/** Parameters of {@link centreOfMass}, in pixels. */
export interface CentreOfMassOptions {
  /** Row of the reference centre. Default: half the height, rounded down. */
  readonly cy?: number;
  /** Column of the reference centre. Default: half the width, rounded down. */
  readonly cx?: number;
  /** Only pixels with `r' ≤ r` around the reference centre count. Default: all. */
  readonly r?: number;
  /** Only pixels with `r' > ri` count. Default: all. */
  readonly ri?: number;
}

/**
 * Centre of mass of every frame. Results over the scan, float64, in pixels, y before x: `raw_com` (…scan, 2) the
 * centre itself, `raw_shifts` (…scan, 2) its distance from the reference centre, `field_y`, `field_x` its components,
 * `magnitude` its length. A frame without counts has the reference centre.
 *
 * @example
 * ```ts
 * import { open, plan, run } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const scan = await open(Uint8Array.of(0, 1, 0, 3), { format: "raw", dtype: "uint8", nav: [1], sig: [2, 2] });
 * const { com } = await run(await plan(scan, { com: centreOfMass() }));
 * assertEquals([...com!.raw_com!.data], [0.75, 1]);
 * ```
 */
export function centreOfMass(options: CentreOfMassOptions = {}): UdfRef {
  return builtin("com", { ...options });
}

type Names = "sums" | "raw_com" | "raw_shifts" | "field_y" | "field_x" | "magnitude";

/** The UDF behind {@link centreOfMass}. */
export function com(options: CentreOfMassOptions = {}): Udf<Names> {
  const result = { kind: "nav", dtype: "float64", use: "result" } as const;
  return {
    name: "com",
    buffers: {
      sums: { kind: "nav", dtype: "float64", extraShape: [3], use: "private" },
      raw_com: { ...result, extraShape: [2] },
      raw_shifts: { ...result, extraShape: [2] },
      field_y: result,
      field_x: result,
      magnitude: result,
    },
    inputDType: "native",
    raw: true,
    tiling: { contiguous: true },
    pixels: ({ sigShape }) =>
      options.r === undefined ? undefined : rowsWith(runsOf(options, sigShape), sigShape),
    constants: ({ sigShape }) => ({ runs: runsOf(options, sigShape) }),
    taskData: ({ constants }) =>
      Uint32Array.from({ length: constants.runs!.length / 3 }, (_, i) => Number(constants.runs![3 * i])),
    processTile({ raw, frames, box, rowLength }, { sums }, { kernels, constants, taskData }) {
      const first = box.origin[0]!;
      const rows = taskData as Uint32Array; // the row of each run, ascending
      const from = lowerBound(rows, first);
      const count = lowerBound(rows, first + box.shape[0]!) - from;
      const add = kernel(kernels, "com", raw.dtype, raw.byteOrder);
      const runs = constants.runs!.byteOffset + 12 * from;
      add(sums.byteOffset, 24, raw.pointer, frames, raw.frameStride, rowLength, first, runs, count);
    },
    results: ({ sums }, meta) => centres(sums as Float64Array, centreFor(options, meta.sigShape), meta),
  };
}

function centreFor({ cy, cx }: CentreOfMassOptions, sigShape: Shape): [number, number] {
  if (sigShape.length !== 2) {
    const text = `Cannot find the centre of mass of frames of ${showShape(sigShape)}: they need 2 dimensions`;
    throw new TilewiseError("invalid", text);
  }
  return [cy ?? Math.floor(sigShape[0]! / 2), cx ?? Math.floor(sigShape[1]! / 2)];
}

/** The pixels that count, as runs (y, x0, x1): all, a disk, or a ring. */
function runsOf(options: CentreOfMassOptions, sigShape: Shape): Int32Array {
  const [cy, cx] = centreFor(options, sigShape);
  const { r = Infinity, ri } = options;
  const [height, width] = sigShape as [number, number];
  const inside = (y: number, x: number) => {
    const square = (y - cy) ** 2 + (x - cx) ** 2;
    return square <= r * r && !(ri !== undefined && square <= ri * ri);
  };
  const runs: number[] = [];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (!inside(y, x)) continue;
      const start = x;
      while (x < width && inside(y, x)) x++;
      runs.push(y, start, x);
    }
  }
  return Int32Array.from(runs);
}

/** The rows that have runs. */
function rowsWith(runs: Int32Array, [, width]: Shape): Box {
  const first = runs[0] ?? 0;
  const last = runs.at(-3) ?? first;
  return box([first, 0], [last + 1 - first, width!]);
}

function centres(
  sums: Float64Array,
  [cy, cx]: [number, number],
  { frames }: UdfMeta,
): Record<string, Float64Array> {
  const make = (perFrame: number) => new Float64Array(frames * perFrame);
  const [raw_com, raw_shifts, field_y, field_x, magnitude] = [make(2), make(2), make(1), make(1), make(1)];
  for (let f = 0; f < frames; f++) {
    const [s, sy, sx] = [sums[3 * f]!, sums[3 * f + 1]!, sums[3 * f + 2]!];
    const y = s === 0 ? cy : sy / s;
    const x = s === 0 ? cx : sx / s;
    raw_com.set([y, x], 2 * f);
    raw_shifts.set([y - cy, x - cx], 2 * f);
    field_y[f] = y - cy;
    field_x[f] = x - cx;
    magnitude[f] = Math.hypot(y - cy, x - cx);
  }
  return { raw_com, raw_shifts, field_y, field_x, magnitude };
}
