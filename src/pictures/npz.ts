/**
 * The bytes of a `.npz` file: several named arrays in one zip archive, as `numpy.load` reads them.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { loadPackage } from "../packages.ts";
import type { NdArray } from "../space/ndarray.ts";
import { formatBytes } from "../space/size.ts";
import { encodeNpy } from "./npy.ts";

/** What of fflate is used here. */
interface Zip {
  zipSync(
    files: Readonly<Record<string, Uint8Array>>,
    options: { readonly level: 1; readonly mtime: string },
  ): Uint8Array;
}

/** A zip archive without 64-bit extensions ends here. */
const MOST_BYTES = 2 ** 32 - 1;

/**
 * A NumPy archive of `arrays`, packed with deflate as `numpy.savez_compressed` does.
 *
 * Errors: `invalid` (no array, or a name that is no file name), `overflow` (more than 4 GiB).
 *
 * @example
 * ```ts
 * import { ndarray } from "../space/ndarray.ts";
 * import { assertEquals } from "@std/assert";
 * const npz = await encodeNpz({ sum: ndarray(Uint8Array.of(7, 8), [2], "uint8") });
 * assertEquals(String.fromCharCode(npz[0]!, npz[1]!), "PK");
 * ```
 */
export async function encodeNpz(arrays: Readonly<Record<string, NdArray>>): Promise<Uint8Array> {
  const { zipSync } = await loadPackage<Zip>("fflate", "Cannot write a .npz");
  const names = Object.keys(arrays);
  if (names.length === 0) throw new TilewiseError("invalid", "Cannot write a .npz without arrays");
  for (const name of names) checkName(name);
  const files = names.map((name) => [`${name}.npy`, encodeNpy(arrays[name]!)] as const);
  const bytes = files.reduce((sum, [, { length }]) => sum + length, 0);
  if (bytes > MOST_BYTES) {
    const text = `Cannot write ${
      formatBytes(bytes)
    } as .npz: a zip archive has room for 4 GiB; use .npy files`;
    throw new TilewiseError("overflow", text, { expected: MOST_BYTES, found: bytes });
  }
  return zipSync(Object.fromEntries(files), { level: 1, mtime: EPOCH });
}

/** The first day that a zip archive can name: the same arrays give the same bytes on every day. */
const EPOCH = "1980-01-01T00:00:00";

function checkName(name: string): void {
  if (/^[^/\\\0]+$/.test(name) && !/^\.+$/.test(name)) return;
  throw new TilewiseError(
    "invalid",
    `Cannot name an array "${name}" in a .npz: it would not be a file name`,
    {
      found: name,
    },
  );
}
