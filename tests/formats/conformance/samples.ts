/**
 * The sample files with independently computed values that lie in `../shared/data` beside the checkout: which of them
 * this registry should read, how they are opened, and what they hold.
 *
 * @module
 */

import { fromFileUrl } from "@std/path";
import type { OpenOptions } from "../../../src/formats/open.ts";
import { FORMATS } from "../../../src/formats/registry.ts";

/** A number as the expectations have it: NaN, infinities and large integers are texts. */
export type Figure = number | string | { readonly re: number; readonly im: number };

/** What one array of a file holds. */
export interface ExpectedArray {
  readonly name: string;
  readonly shape: number[];
  readonly nav_shape?: number[];
  readonly sig_shape?: number[];
  readonly dtype: string;
  readonly file_byte_order?: string;
  readonly zarr_format?: number;
  readonly reader_error?: string;
  readonly empty?: boolean;
  readonly sum?: Figure;
  readonly min?: number | string;
  readonly max?: number | string;
  readonly sha256_first_frame?: string;
  readonly sha256_last_frame?: string;
  readonly sha256_all?: string;
}

/** One file, or the main one of several. */
export interface Entry {
  readonly file: string;
  readonly format: string;
  readonly expect: string;
  readonly files?: { readonly file: string }[];
  readonly arrays?: ExpectedArray[];
  readonly open_with?: {
    readonly dtype: string;
    readonly nav_shape: number[];
    readonly sig_shape: number[];
    readonly byte_order: "little" | "big";
    readonly header_bytes: number;
  };
}

/** Where the files lie. */
export const FOLDER = new URL("../../../../shared/data/", import.meta.url);

/** Ids of ours for kinds of files that are flavours of another format. */
const FLAVOURS: Readonly<Record<string, string>> = {
  nexus: "hdf5",
  hspy: "hdf5",
  emd: "hdf5",
  ripple: "ripple",
};

/** All entries; none where the files are not at hand. */
export const ENTRIES: readonly Entry[] = load();

function load(): Entry[] {
  try {
    return JSON.parse(Deno.readTextFileSync(new URL("expectations.json", FOLDER))).entries;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** Says in the report that tests are missing, where the sample files do not lie beside this checkout. */
export function needSamples(what: string): void {
  if (ENTRIES.length > 0) return;
  Deno.test({ name: `${what}: the sample files do not lie beside this checkout`, ignore: true, fn() {} });
}

/** The format that should read a file: by what kind it is, or by its ending where the kind is a field of science. */
export function formatIdOf({ file, format }: Entry): string {
  if (file.endsWith(".rpl")) return "ripple";
  if (format === "radio") return file.endsWith(".h5") ? "hdf5" : file.endsWith(".npy") ? "npy" : "casacore";
  return FLAVOURS[format] ?? format;
}

const OURS = new Set(FORMATS.map(({ id }) => id));

/** Entries of TIFF files, some of which hold samples only within a tolerance: `tests/formats/tiff/` compares them. */
export const TIFFS: readonly Entry[] = ENTRIES.filter(({ format }) => format === "tiff");

/** Entries of the other formats in the registry that hold arrays. */
export const READABLE: readonly Entry[] = ENTRIES.filter((entry) =>
  !["malformed", "tiff"].includes(entry.format) && OURS.has(formatIdOf(entry))
);

/** Damaged files of formats in the registry. */
export const MALFORMED: readonly Entry[] = ENTRIES.filter(({ file, format }) =>
  format === "malformed" && (OURS.has("tiff") || !/\.tiff?$/.test(file)) &&
  (OURS.has("zarr") || !/zarr/.test(file))
);

/** The path of a sample file. */
export function pathOf({ file }: Pick<Entry, "file">): string {
  return fromFileUrl(new URL(file, FOLDER));
}

/** All files of an entry, the one to open first; of a folder, those in it. */
export function filesOf(entry: Entry): string[] {
  const { file, files = [] } = entry;
  if (isFolder(entry)) return files.map((one) => one.file);
  return [file, ...files.map((one) => one.file).filter((name) => name !== file)];
}

/** Whether an entry is a folder that is opened itself. */
export function isFolder({ file, files = [] }: Entry): boolean {
  return files.length > 0 && files.every((one) => one.file.startsWith(`${file}/`));
}

/** What must be said to open damaged files of which nothing can be recognised. */
const SPOKEN: Readonly<Record<string, OpenOptions>> = {
  "malformed/raw_too_short.raw": { dtype: "float32", nav: [3, 5], sig: [96, 112] },
};

/** What must be said to open it. */
export function optionsOf({ file, open_with: given }: Entry): OpenOptions {
  if (!given) return SPOKEN[file] ?? {};
  const { dtype, nav_shape: nav, sig_shape: sig, byte_order: byteOrder, header_bytes: headerBytes } = given;
  return { dtype, nav, sig, byteOrder, headerBytes };
}

/** The same as flags of the command line. */
export function flagsOf(entry: Entry): string[] {
  const { dtype, nav, sig, byteOrder, headerBytes } = optionsOf(entry);
  return [
    ...(dtype ? ["--dtype", dtype] : []),
    ...(nav ? ["--nav", nav.join("x")] : []),
    ...(sig ? ["--sig", sig.join("x")] : []),
    ...(byteOrder ? ["--byte-order", byteOrder] : []),
    ...(headerBytes ? ["--header-bytes", String(headerBytes)] : []),
  ];
}

const KINDS: Readonly<Record<string, string>> = {
  b: "bool",
  u: "uint",
  i: "int",
  f: "float",
  c: "complex",
};

/** Our name for a dtype of NumPy; `undefined` for those that are not numbers. */
export function dtypeName(numpy: string): string | undefined {
  const [, kind, size] = /^[<|]([buifc])(\d+)$/.exec(numpy) ?? [];
  if (!kind) return undefined;
  return kind === "b" ? "bool" : `${KINDS[kind]}${8 * Number(size)}`;
}

/** The arrays of numbers that a file should have (texts and the like are left out), in order. */
export function numericArrays({ arrays = [] }: Entry): readonly ExpectedArray[] {
  return arrays.filter((array) => array.sha256_all !== undefined || (array.empty && array.nav_shape));
}

/**
 * The array of a file that an expectation speaks of: that of its name, else the one at its place. Expectations may
 * also list what lies in files beside it, or what can be derived from it: those have no array.
 */
export function arrayFor<T extends { readonly array: string }>(
  arrays: readonly T[],
  { name }: ExpectedArray,
  place: number,
): T | undefined {
  const named = name === "" ? undefined : arrays.find(({ array }) => array === name);
  if (named) return named;
  if (name.startsWith("/")) throw new Error(`there is no array ${name}`);
  return arrays[place];
}
