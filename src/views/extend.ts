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

import { type CopyRows, copyView } from "../memory/copy_box.ts";
import { type StridedView, stridedView } from "../memory/strided.ts";
import type { AxisBorder } from "../space/border.ts";
import { type DType, dtypeInfo, type TypedArray, zeros } from "../space/dtype.ts";
import type { AxisRun } from "./axis.ts";

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
