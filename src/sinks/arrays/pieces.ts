/**
 * The bytes of a file for an array in memory, piece by piece, without a copy of all samples.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { type DType, dtypeInfo, typedArray } from "../../space/dtype.ts";
import { type NDArray, ndarray } from "../../space/ndarray.ts";
import { fillNumbers } from "../../space/numbers.ts";
import { showShape, sizeOf } from "../../space/shape.ts";
import { discard } from "../../portable.ts";
import { unshared } from "../../space/bytes.ts";
import { framesOf, type RowTarget, storedBytes, type WrittenLayout } from "../rows/layout.ts";
import { RowStream } from "../rows/stream.ts";
import { denseData, numberReader, validity } from "./numbers.ts";

/** Bytes per piece: a multiple of the size of every sample type. */
const PIECE = 2 ** 20;

/**
 * The file of `target` for an array. Entries that are not valid are NaN; whole numbers of which some are not valid become
 * float64, unless the target has a mask beside them.
 *
 * Errors: `unsupported` for what the target cannot hold, `invalid` for an array that reaches beyond its numbers.
 */
export function* arrayPieces(
  target: RowTarget,
  array: NDArray,
  stem: string = "array",
): Generator<Uint8Array<ArrayBuffer>> {
  const { written, frames } = asFrames(target, array, stem);
  const layout = target.layout(frames);
  const stream = new RowStream(layout, frames);
  yield Uint8Array.from(layout.head);
  for (const piece of samplePieces(written)) yield* stream.put(piece);
  if (layout.tailBytes) yield new Uint8Array(layout.tailBytes);
}

/** The array as `target` holds it, and its description. */
function asFrames(target: RowTarget, array: NDArray, stem: string) {
  const { shape, axes, values } = array;
  const written = hasHolesIn(array) && !target.hasMask && !isFloat(array.dtype) ? asNumbers(array) : array;
  const { dtype } = written;
  if (sizeOf(shape) === 0 && !target.takesNothing) throw noSamples(target, array);
  return { written, frames: framesOf({ shape, dtype, axes, ...(values ? { values } : {}), stem }) };
}

/** Refuses an array that `target` cannot hold, by its facts alone; of several arrays in one file those that are like this one. */
export function mustHold(target: RowTarget, array: Pick<NDArray, "shape" | "dtype" | "axes">): void {
  if (sizeOf(array.shape) === 0 && !target.takesNothing) throw noSamples(target, array);
  target.layout(framesOf({ ...array, stem: "array" }));
}

/** The file of `target` for several arrays, by name. Errors: those of {@link arrayPieces}. */
export function* severalPieces(
  target: RowTarget,
  arrays: Readonly<Record<string, NDArray>>,
): Generator<Uint8Array<ArrayBuffer>> {
  const all = Object.entries(arrays).map(([name, array]) => asFrames(target, array, name));
  const { unit, head } = target.together!;
  yield Uint8Array.from(head(all.map(({ frames }) => frames)));
  for (const { written: { shape, dtype }, written } of all) {
    yield* samplePieces(written);
    const rest = sizeOf([...shape, dtypeInfo(dtype).itemSize]) % unit;
    if (rest > 0) yield new Uint8Array(unit - rest);
  }
}

/**
 * The file of floats in arrays that are made one after another; the first says how all of them lie. A piece is valid until the
 * next one is asked for.
 */
export async function* stackPieces(
  arrays: AsyncIterable<NDArray>,
  layoutOf: (first: NDArray) => WrittenLayout,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let layout: WrittenLayout | undefined;
  for await (const array of arrays) {
    if (!layout) yield Uint8Array.from((layout = layoutOf(array)).head);
    for (const piece of samplePieces(array)) {
      const stored = storedBytes(piece, layout, array.dtype);
      yield stored;
      if (stored !== piece) discard(stored); // or 64 MiB of them would wait to be collected
    }
  }
  if (layout?.tailBytes) yield new Uint8Array(layout.tailBytes);
}

/** Whether an entry of the array is not valid. */
export function hasHolesIn({ valid }: Pick<NDArray, "valid">): boolean {
  return valid?.some((v) => v === 0) ?? false;
}

/** Whether NaN can stand for what is not valid. */
export function isFloat(dtype: DType): boolean {
  return "fc".includes(dtypeInfo(dtype).kind);
}

/** The samples one after another; floats that are not valid are NaN. */
function* samplePieces(array: NDArray): Generator<Uint8Array<ArrayBuffer>> {
  const { dtype } = array, data = denseData(array), count = sizeOf(array.shape);
  const isValid = isFloat(dtype) && hasHolesIn(array) ? validity(array) : undefined;
  const { itemSize, unitSize } = dtypeInfo(dtype);
  const [most, units] = [PIECE / itemSize, itemSize / unitSize];
  for (let at = 0, size = 0; at < count; at += size) {
    size = Math.min(most, count - at);
    const bytes = new Uint8Array(data.buffer, data.byteOffset + at * itemSize, size * itemSize);
    if (!isValid) {
      yield unshared(bytes);
      continue;
    }
    const own = bytes.slice();
    const samples = typedArray(dtype, own.buffer, 0, size);
    for (let i = 0; i < size; i++) {
      if (!isValid(at + i)) fillNumbers(samples, NaN, i * units, (i + 1) * units);
    }
    yield own;
  }
}

/** The samples as float64, NaN where they are not valid. */
function asNumbers(array: NDArray): NDArray {
  const numbers = new Float64Array(sizeOf(array.shape));
  numberReader(array)(0, numbers);
  return { ...array, ...ndarray(numbers, array.shape, "float64") };
}

function noSamples({ title }: RowTarget, { shape }: Pick<NDArray, "shape">): TilewiseError {
  const text = `Cannot write an array of ${showShape(shape)} as ${title}: it has no samples; .npy takes it`;
  return new TilewiseError("unsupported", text, { found: showShape(shape) });
}
