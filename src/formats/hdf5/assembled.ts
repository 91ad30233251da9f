/**
 * Layouts of arrays wherever their samples are: in the file, in other data sets (virtual), in plain files (external), or
 * in the numbered files of a series.
 *
 * @module
 */

import { frameBytes, type FrameLayout } from "../../dataset/layout.ts";
import { sizeOf } from "../../space/shape.ts";
import { formatBytes } from "../../space/size.ts";
import { type Hdf5Array, layoutOf } from "./arrays.ts";
import { externalSpans, type OpenBytes } from "./external_files.ts";
import { libraryFilters, readByLibrary } from "./library.ts";
import type { OpenExternal } from "./objects.ts";
import { type Part, stackOf } from "./stack.ts";
import { virtualParts } from "./virtual.ts";
import type { OpenSource } from "./virtual_sources.ts";

/** Ways to other files. */
export interface Beside {
  /** Opens an HDF5 file; nothing where it is missing. */
  readonly openExternal: OpenExternal;
  /** Opens a source of virtual data sets. */
  readonly openSource: OpenSource;
  /** Opens any file. */
  readonly openBytes: OpenBytes;
  /** Ends it early. */
  readonly signal: AbortSignal | undefined;
}

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
  if (dataset.layout.kind === "virtual") return await virtual(array, name, sig, beside.openSource);
  if (!dataset.isExternal) return await own(array, name, sig, beside.signal);
  const sigShape = shape.slice(shape.length - sig);
  const layout: FrameLayout = {
    files: await externalSpans(array, sig, beside.openBytes),
    sigShape,
    dtype: sample.dtype,
    byteOrder: sample.byteOrder,
    frameHeaderBytes: 0,
    frameFooterBytes: 0,
    storedBytes: frameBytes(sigShape, sample.dtype),
    order: "C",
  };
  return { layout, warnings: [] };
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

async function virtual(
  array: Hdf5Array,
  name: string,
  sig: number,
  openSource: OpenSource,
): Promise<Assembled> {
  const { shape, sample, dataset: { fill } } = array;
  const { parts, missing } = await virtualParts(array, sig, openSource);
  const layout = await stackOf({ name, shape, sample, ...(fill ? { fill } : {}) }, parts, sig);
  const some = missing.slice(0, 5).join(", ") + (missing.length > 5 ? ` and ${missing.length - 5} more` : "");
  const text = `${name} shows ${some}, which cannot be found: samples from there read as the fill value`;
  return { layout, warnings: missing.length > 0 ? [text] : [] };
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
