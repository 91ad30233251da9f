/**
 * Layouts of arrays wherever their samples are: in the file, in other data sets (virtual), in plain files (external), or
 * in the numbered files of a series.
 *
 * @module
 */

import { type FrameLayout, frameLayout, storedAs } from "../../../dataset/layout/layout.ts";
import { sizeOf } from "../../../space/shape.ts";
import { formatBytes } from "../../../space/size.ts";
import { type Hdf5Array, layoutOf } from "./arrays.ts";
import { type Beside, missingError, missingWarning } from "./beside.ts";
import { externalFrames } from "./external_files.ts";
import { libraryFilters, readByLibrary } from "./library.ts";
import { stackOf } from "./stack.ts";
import type { Part } from "./stack_groups.ts";
import { virtualParts } from "./virtual.ts";

/** A layout, and what the user should know of it. */
export interface Assembled {
  /** Where the samples are. */
  readonly layout: FrameLayout;
  /** Sources that are missing. */
  readonly warnings: readonly string[];
}

/** The layout of the array's frames: its last `sig` dimensions. */
export async function assemble(array: Hdf5Array, sig: number, beside: Beside): Promise<Assembled> {
  const { dataset, parts, shape, sample } = array;
  const name = `${dataset.path} of ${dataset.file.name}`;
  if (parts) {
    const layout = await stackOf({ name, shape, sample }, seriesParts(parts, sig), sig);
    return { layout, warnings: [] };
  }
  if (dataset.layout.kind === "virtual") return await virtual(array, name, sig, beside);
  return dataset.isExternal
    ? await external(array, name, sig, beside)
    : await own(array, name, sig, beside.signal);
}

/** In the file itself; read by the HDF5 library where it is the only one that knows how. */
async function own(array: Hdf5Array, name: string, sig: number, signal?: AbortSignal): Promise<Assembled> {
  const filters = libraryFilters(array);
  if (filters === undefined) return { layout: await layoutOf(array, sig), warnings: [] };
  const layout = await readByLibrary(array, sig, signal);
  const bytes = layout.files[0]!.end * layout.storedBytes;
  const text = `${name} was read into memory by the library h5wasm, all ${formatBytes(bytes)}: ` +
    `its filter ${filters} is not known here`;
  return { layout, warnings: [text] };
}

async function virtual(array: Hdf5Array, name: string, sig: number, beside: Beside): Promise<Assembled> {
  const { shape, sample, dataset: { fill, file } } = array;
  const { parts, missing } = await virtualParts(array, sig, beside.openSource);
  if (missing.length > 0 && !beside.allowMissing) throw missingError(name, file.name, missing);
  const layout = await stackOf({ name, shape, sample, ...(fill ? { fill } : {}) }, parts, sig);
  return { layout, warnings: missing.length > 0 ? [missingWarning(name, missing)] : [] };
}

async function external(array: Hdf5Array, name: string, sig: number, beside: Beside): Promise<Assembled> {
  const { shape, sample: { dtype, byteOrder }, dataset } = array;
  const { files, chunks, missing } = await externalFrames(array, sig, beside.openBytes);
  if (missing.length > 0 && !beside.allowMissing) throw missingError(name, dataset.file.name, missing);
  const sigShape = shape.slice(shape.length - sig);
  const frames = frameLayout({ files, sigShape, dtype, byteOrder });
  const layout = chunks ? storedAs(frames, { kind: "chunks", chunks }) : frames;
  return { layout, warnings: missing.length > 0 ? [missingWarning(name, missing)] : [] };
}

/** The arrays of a series one after another. */
function seriesParts(arrays: readonly Hdf5Array[], sig: number): Part[] {
  const parts: Part[] = [];
  let first = 0;
  for (const source of arrays) {
    const nav = source.shape.length - sig;
    const count = sizeOf(source.shape.slice(0, nav));
    const zeros = new Array(sig).fill(0);
    parts.push({
      source,
      images: Int32Array.from({ length: count }, (_, i) => first + i),
      sourceImages: Int32Array.from({ length: count }, (_, i) => i),
      at: zeros,
      from: zeros,
      shape: source.shape.slice(nav),
    });
    first += count;
  }
  return parts;
}
