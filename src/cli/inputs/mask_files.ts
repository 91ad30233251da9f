/**
 * Masks from files: arrays, and the two archives that Python's sparse libraries write.
 *
 * - `scipy.sparse.save_npz`: a matrix of masks × pixels as CSR, CSC or COO, by its members `format`, `shape`, `data` and
 *   `indptr` + `indices` or `row` + `col`;
 * - `sparse.save_npz`: `coords` (dimensions, weights), `data`, `shape` of a stack of masks.
 *
 * @module
 */

import { isTilewiseError, TilewiseError } from "../../errors.ts";
import { openStored } from "../../formats/open.ts";
import { openSource } from "../../io/open.ts";
import { readBytes } from "../../io/source/source.ts";
import { unlessChanged } from "../../io/unchanged.ts";
import { sparseMasks } from "../../masks/sparse.ts";
import { loadPackage } from "../../packages.ts";
import { wholeBox } from "../../space/box.ts";
import type { NDArray } from "../../space/ndarray.ts";
import { isKind } from "../../sinks/registry.ts";
import { asNumbers } from "../../space/numbers.ts";
import { ravel, type Shape, showShape, sizeOf } from "../../space/shape.ts";
import type { Mask } from "../../udf/builtin/masks/mask.ts";
import { readBox } from "./frames.ts";
import { readArray } from "./sources.ts";

/** The masks of a file, for frames of `sigShape`. */
export async function readMasks(path: string, sigShape: Shape): Promise<Mask> {
  if (!isKind(path, "npz")) {
    const { data, shape, stride, dtype } = await readArray(path);
    return { data, shape, stride, dtype };
  }
  const members = await unpacked(path);
  const list = async (name: string) => numbers(await member(members, name, path));
  const data = await member(members, "data", path);
  const shape = await list("shape");
  const weights = { data: data.data, dtype: data.dtype };
  if (members["coords.npy"]) {
    const { data: coords, shape: [, count] } = await member(members, "coords", path);
    const at = (d: number, i: number) => Number(coords[d * count! + i]);
    const stack = shape.length > sigShape.length ? shape : [1, ...shape];
    const first = stack.length - shape.length;
    const pixel = (i: number) => ravel(stack.slice(1).map((_, d) => at(d + 1 - first, i)), stack.slice(1));
    const entries = Array.from({ length: count! }, (_, i) => [first ? 0 : at(0, i), pixel(i)] as const);
    return masksOf(path, stack, entries, weights, sigShape);
  }
  const stack = [shape[0]!, ...sigShape];
  if (shape.length !== 2 || shape[1] !== sizeOf(sigShape)) throw misfit(path, shape, sigShape);
  return masksOf(path, stack, await matrixEntries(members, path), weights, sigShape);
}

type Members = Readonly<Record<string, Uint8Array>>;

/** The part of fflate that is used here. */
interface Zip {
  unzipSync(bytes: Uint8Array): Members;
}

/** Row and column of every entry of a matrix. */
async function matrixEntries(members: Members, path: string): Promise<(readonly [number, number])[]> {
  const list = async (name: string) => numbers(await member(members, name, path));
  const format = formatOf(members);
  if (format === "coo") {
    const [rows, columns] = [await list("row"), await list("col")];
    return rows.map((row, i) => [row, columns[i]!]);
  }
  if (format !== "csr" && format !== "csc") {
    const text = `Cannot read masks from ${path}: its format is "${format}"; known are csr, csc and coo`;
    throw new TilewiseError("unsupported", text, { file: path, found: format });
  }
  const [indptr, indices] = [await list("indptr"), await list("indices")];
  return indptr.slice(1).flatMap((end, line) =>
    indices.slice(indptr[line], end).map((index): readonly [number, number] =>
      format === "csr" ? [line, index] : [index, line]
    )
  );
}

function masksOf(
  path: string,
  stack: Shape,
  entries: readonly (readonly [mask: number, pixel: number])[],
  { data, dtype }: Pick<NDArray, "data" | "dtype">,
  sigShape: Shape,
): Mask {
  if (showShape(stack.slice(1)) !== showShape(sigShape)) throw misfit(path, stack, sigShape);
  return sparseMasks(stack, entries.map(([mask]) => mask), entries.map(([, pixel]) => pixel), data, dtype);
}

async function unpacked(path: string): Promise<Members> {
  const { unzipSync } = await loadPackage<Zip>("fflate", `Cannot read masks from ${path}`);
  await using source = await openSource(path);
  try {
    const members = unzipSync(await readBytes(source, 0, source.size));
    source.recheck?.();
    return members;
  } catch (cause) {
    throw unlessChanged(isTilewiseError(cause) ? cause : noArchive(path, cause), () => source.recheck?.());
  }
}

function noArchive(path: string, cause: unknown): TilewiseError {
  const text = `Cannot read masks from ${path}: it is not a zip archive`;
  return new TilewiseError("malformed", text, { file: path }, { cause });
}

async function member(members: Members, name: string, path: string): Promise<NDArray> {
  const bytes = members[`${name}.npy`];
  if (!bytes) {
    const text =
      `Cannot read masks from ${path}: it has no array "${name}", as scipy.sparse and sparse write it`;
    throw new TilewiseError("malformed", text, {
      file: path,
      expected: name,
      found: Object.keys(members).join(", "),
    });
  }
  const dataset = await openStored(bytes, { format: "npy" });
  return await readBox(dataset, wholeBox(dataset.shape));
}

/** The name of the matrix format: three letters after the header. */
function formatOf(members: Members): string {
  const bytes = members["format.npy"] ?? new Uint8Array();
  return new TextDecoder().decode(bytes.subarray(-3));
}

function numbers({ data }: NDArray): number[] {
  return Array.from(asNumbers(data));
}

function misfit(path: string, shape: Shape, sigShape: Shape): TilewiseError {
  const text =
    `Cannot use the masks in ${path}, ${showShape(shape)}: frames are ${showShape(sigShape)}, so it needs ` +
    `masks × ${sizeOf(sigShape)}, or a stack of them`;
  return new TilewiseError("invalid", text, {
    file: path,
    expected: showShape(sigShape),
    found: showShape(shape),
  });
}
