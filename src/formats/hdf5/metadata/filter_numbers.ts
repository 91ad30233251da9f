/**
 * The numbers that filters have in the registry of HDF5.
 *
 * @module
 */

const NAMES: Readonly<Record<number, string>> = {
  1: "deflate",
  2: "shuffle",
  3: "Fletcher32",
  6: "scale-offset",
  307: "bzip2",
  32000: "LZF",
  32001: "Blosc",
  32004: "LZ4",
  32008: "bitshuffle",
  32015: "Zstandard",
};

/** The name of the filter `id`; `undefined` for one that cannot be undone. */
export function filterName(id: number): string | undefined {
  return NAMES[id];
}
