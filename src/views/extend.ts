/**
 * Samples outside of an array, made from those inside, which are in memory already.
 *
 * A run of dimension d is, for every position of the dimensions before d, a row of `count` samples of dimension d, each
 * with all that lies behind it:
 *
 * ```text
 *   view of 3 × 6, run of 2 samples of dimension 1:    . . . . x x     3 rows of 2 samples, 6 apart
 *                  run of 1 sample of dimension 0:     x x x x x x     1 row of 1 sample of 6
 * ```
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { wholeUrl } from "../executor/module_url.ts";
import { type CopyRows, copyView } from "../memory/copy_box.ts";
import { type StridedView, stridedView } from "../memory/strided.ts";
import { checkOptionNames, type OptionNames } from "../options.ts";
import { text } from "../options/rules.ts";
import { reasonOf } from "../reason.ts";
import { functionAt } from "../runner/import_export.ts";
import { type AxisBorder, type BorderMap, BORDERS, type CustomBorder } from "../space/border.ts";
import { type DType, dtypeInfo, type TypedArray, zeros } from "../space/dtype.ts";
import type { AxisRun } from "./geometry.ts";

/**
 * Makes the samples of one run of dimension `d` of a dense `view` from other samples of it, for all positions of the other
 * dimensions. `copyRows` copies within the memory of the view.
 */
export function extendRun(
  view: StridedView,
  run: AxisRun,
  d: number,
  constant: StridedView,
  copyRows: CopyRows,
): void {
  const bytes = view.strides[d]!;
  const rows = view.shape.slice(0, d).reduce((product, n) => product * n, 1);
  const place = { at: view.pointer + run.at * bytes, bytes, rows, apart: view.shape[d]! * bytes };
  if (run.kind === "fill") return fillRows(view, run.count, place, constant, copyRows);
  const from = view.pointer + run.from * bytes;
  const { at, apart } = place;
  if (run.step === 1) return copyRows(at, from, run.count * bytes, rows, apart, apart);
  if (run.count <= rows) {
    for (let i = 0; i < run.count; i++) {
      copyRows(at + i * bytes, from + i * run.step * bytes, bytes, rows, apart, apart);
    }
    return;
  }
  for (let row = 0; row < rows; row++) {
    copyRows(at + row * apart, from + row * apart, bytes, run.count, bytes, run.step * bytes);
  }
}

/** Rows of a view that are made. */
interface Rows {
  /** Address of the first one. */
  readonly at: number;
  /** Bytes of one sample of the dimension, with all that lies behind it. */
  readonly bytes: number;
  readonly rows: number;
  /** Bytes from one row to the next. */
  readonly apart: number;
}

/** Fills the first row, and copies it to the others. */
function fillRows(
  { buffer, dtype }: StridedView,
  count: number,
  { at, bytes, rows, apart }: Rows,
  constant: StridedView,
  copyRows: CopyRows,
): void {
  const samples = count * bytes / dtypeInfo(dtype).itemSize;
  const row = stridedView(buffer, at, dtype, [samples]);
  copyView({ ...constant, shape: [1], strides: [0] }, { ...row, shape: [1] });
  for (let made = 1; made < samples;) { // twice as many each time
    const more = Math.min(made, samples - made), size = dtypeInfo(dtype).itemSize;
    copyRows(at + made * size, at, more * size, 1, 0, 0);
    made += more;
  }
  if (rows > 1) copyRows(at + apart, at, count * bytes, rows - 1, apart, 0);
}

/**
 * The fill value of each dimension as a view of one sample, in a separate memory. Uninitialised samples are zero: that
 * costs little, shows nobody what the memory held before, and gives the same bits in every run.
 */
export function constantViews(
  dtype: DType,
  { borders, fill }: { readonly borders: readonly AxisBorder[]; readonly fill: number },
): StridedView[] {
  const [constant, zero] = [constantView(dtype, fill), constantView(dtype, 0)];
  return borders.map((border) => border === "uninitialised" ? zero : constant);
}

function constantView(dtype: DType, fill: number): StridedView {
  const sample: TypedArray = zeros(dtype, 1);
  const wide = sample instanceof BigInt64Array || sample instanceof BigUint64Array;
  if (wide) sample[0] = BigInt(Math.trunc(fill));
  else sample[0] = fill;
  return stridedView(sample.buffer, 0, dtype, [1]);
}

// Borders of users: functions from a position to the index that is seen there.

/**
 * Options of {@link borderFunction}.
 * @category Views
 */
export interface BorderFunctionOptions {
  /** The export of the module. Default `default`. */
  readonly export?: string;
}

const OPTIONS: OptionNames<BorderFunctionOptions> = { export: text };

/**
 * A border of your own, for arrays of any size: an export of a module, which workers import, or a function, which runs on
 * the calling thread. The function gets a position outside of `n` samples, and returns the index from 0 to `n - 1` of the
 * sample that is seen there, or -1 for the fill value. It must return the same for the same arguments.
 *
 * Errors: `udf` if the function throws, or returns anything else.
 *
 * @example The other end of the array, mirrored
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { borderFunction } from "@tilewise/tilewise/unstable/views";
 * import { localMaximum, mapViews } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const border = borderFunction((i, n) => (i < 0 ? n + i : i - n));
 * const row = await open({ data: Uint8Array.of(1, 2, 9), shape: [3] });
 * await using context = createContext({ workers: 0 });
 * assertEquals((await mapViews(row, localMaximum(), { border, context })).data, Uint8Array.of(9, 9, 9));
 * ```
 * @category Views
 */
export function borderFunction(
  source: string | URL | BorderMap,
  options: BorderFunctionOptions = {},
): CustomBorder {
  checkOptionNames("borderFunction()", options, OPTIONS);
  if (typeof source === "function") return { export: source.name || "borderFunction", function: source };
  return { module: wholeUrl(source, "use the border"), export: options.export ?? "default" };
}

/** Whether a border contains a function that cannot travel, so that views are loaded on the calling thread. */
export function staysHere(borders: readonly AxisBorder[]): boolean {
  return borders.some((border) => typeof border === "object" && border.function !== undefined);
}

/** URLs of the modules that borders need. */
export function borderModules(borders: readonly AxisBorder[]): string[] {
  const modules = borders.map((border) => typeof border === "object" ? border.module : undefined);
  return [...new Set(modules)].filter((module) => module !== undefined);
}

/** The maps of the borders of all dimensions; imports those of users. */
export async function borderMaps(borders: readonly AxisBorder[]): Promise<readonly BorderMap[]> {
  return await Promise.all(borders.map(async (border) => {
    if (border === "uninitialised") return BORDERS.constant;
    if (typeof border === "string") return BORDERS[border];
    return checked(border, await functionAt<BorderMap>(border, "border", "as a border"));
  }));
}

/** The map, whose results are checked: a wrong index would read samples of something else. */
function checked({ export: name }: CustomBorder, map: BorderMap): BorderMap {
  return (i, n) => {
    const found = called(name, map, i, n);
    if (Number.isSafeInteger(found) && found >= -1 && found < n) return found;
    const text = `Border "${name}" shows ${String(found)} at position ${i} of ${n} samples; it must be ` +
      `a whole number from 0 to ${n - 1}, or -1 for the fill value`;
    throw new TilewiseError("udf", text, {
      option: "border",
      expected: `-1 to ${n - 1}`,
      found: String(found),
    });
  };
}

function called(name: string, map: BorderMap, i: number, n: number): number {
  try {
    return map(i, n);
  } catch (cause) {
    const text = `Border "${name}" failed at position ${i} of ${n} samples: ${reasonOf(cause)}`;
    throw new TilewiseError("udf", text, { option: "border" }, { cause });
  }
}
