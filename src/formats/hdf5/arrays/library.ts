/**
 * Arrays that only the HDF5 library itself can read, through h5wasm: those behind its filters szip and N-bit. The whole
 * array is read into memory when it is opened.
 *
 * @module
 */

import { defined } from "../../../options.ts";
import { type FrameLayout, frameLayout } from "../../../dataset/layout/layout.ts";
import { throwIfAborted, TilewiseError } from "../../../errors.ts";
import { loadPackage } from "../../../packages.ts";
import { readBytes } from "../../../io/source/source.ts";
import { dtypeInfo } from "../../../space/dtype.ts";
import { sizeOf } from "../../../space/shape.ts";
import { formatBytes } from "../../../space/size.ts";
import type { Hdf5Array } from "./arrays.ts";

/** Filters that are part of the library, by number; those without a name are undone here. */
const BUILT_IN: Readonly<Record<number, string>> = { 1: "", 2: "", 3: "", 4: "szip", 5: "N-bit", 6: "" };

/** Largest file that is loaded, and largest array that is unpacked. */
const MOST_FILE_BYTES = 512 * 2 ** 20;
const MOST_ARRAY_BYTES = 256 * 2 ** 20;

/** What of h5wasm is used here. */
interface Library {
  readonly ready: Promise<{
    readonly FS: { writeFile(path: string, bytes: Uint8Array): void; unlink(path: string): void };
    /** Without it, samples that could not be read come back as they were in memory. */
    activate_throwing_error_handler(): number;
  }>;
  readonly File: new (path: string, mode: "r") => {
    get(path: string): { readonly value?: unknown } | null;
    close(): unknown;
  };
}

/** The filters that need the library, in words; `undefined` if it is not needed or does not know all of them. */
export function libraryFilters({ dataset: { filters } }: Hdf5Array): string | undefined {
  if (!filters.every(({ id }) => BUILT_IN[id] !== undefined)) return undefined;
  return filters.map(({ id }) => BUILT_IN[id]).filter((name) => name).join(", ") || undefined;
}

/**
 * The array, read into memory. Errors: `unsupported` (too large, or the library is not there), `malformed` (whatever
 * the library says).
 */
export async function readByLibrary(
  array: Hdf5Array,
  sig: number,
  signal?: AbortSignal,
): Promise<FrameLayout> {
  const { dataset: { file, path }, shape, sample: { dtype } } = array;
  const bytes = sizeOf(shape) * dtypeInfo(dtype).itemSize;
  checkLimits(array, bytes);
  const library = await loadPackage<Library>("h5wasm", `Cannot read ${path} of ${file.name}`);
  const stored = await readBytes(file.source, 0, file.source.size, signal);
  throwIfAborted(signal);
  const samples = await attempt(array, () => valueOf(library, stored, path));
  if (!ArrayBuffer.isView(samples) || samples.byteLength !== bytes) {
    throw failed(array, "malformed", `it does not give the ${bytes} bytes of its samples`);
  }
  const own = new Uint8Array(samples.buffer as ArrayBuffer, samples.byteOffset, bytes).slice();
  const sigShape = shape.slice(shape.length - sig);
  const images = sizeOf(shape.slice(0, shape.length - sig));
  const source = { kind: "bytes", name: file.name, bytes: own } as const;
  return frameLayout({ files: [{ source, start: 0, end: images, headerBytes: 0 }], sigShape, dtype });
}

let files = 0;

async function valueOf(library: Library, stored: Uint8Array, path: string): Promise<unknown> {
  const module = await library.ready;
  module.activate_throwing_error_handler();
  const name = `/tilewise-${files++}.h5`;
  module.FS.writeFile(name, stored);
  try {
    const file = new library.File(name, "r");
    try {
      return file.get(path)?.value;
    } finally {
      file.close();
    }
  } finally {
    module.FS.unlink(name);
  }
}

async function attempt<T>(array: Hdf5Array, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const [first] = String(cause instanceof Error ? cause.message : cause).split("\n", 1);
    throw failed(array, "malformed", `h5wasm says: ${first}`, cause);
  }
}

function checkLimits(array: Hdf5Array, bytes: number): void {
  const { size } = array.dataset.file.source;
  if (size <= MOST_FILE_BYTES && bytes <= MOST_ARRAY_BYTES) return;
  const text = `its filter ${libraryFilters(array)} needs h5wasm, which reads whole files: up to ` +
    `${formatBytes(MOST_FILE_BYTES)} with arrays of ${formatBytes(MOST_ARRAY_BYTES)}, not ` +
    `${formatBytes(size)} with ${formatBytes(bytes)}`;
  throw failed(array, "unsupported", text);
}

function failed(
  { dataset: { file, path } }: Hdf5Array,
  code: "unsupported" | "malformed",
  why: string,
  cause?: unknown,
): TilewiseError {
  const text = `Cannot read ${path} of ${file.name}: ${why}`;
  return new TilewiseError(code, text, { file: file.name }, defined({ cause }));
}
