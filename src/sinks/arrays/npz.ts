/**
 * The bytes of a `.npz` file: several named arrays in one zip archive, as `numpy.load` reads them.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { loadPackage } from "../../packages.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import type { NDArray } from "../../space/ndarray.ts";
import { sizeOf } from "../../space/shape.ts";
import { formatBytes } from "../../space/size.ts";
import { Turns } from "../../turns.ts";
import { npyHeader } from "../npy/npy_header.ts";
import { npyTarget } from "../rows/npy.ts";
import { arrayPieces } from "./pieces.ts";

/** The part of fflate that is used here. */
interface Fflate {
  readonly Zip: new (take: (error: Error | null, bytes: Uint8Array) => void) => {
    add(file: ZipEntry): void;
    end(): void;
  };
  readonly ZipDeflate: new (name: string, options: { readonly level: 1 }) => ZipEntry;
}

/** A file of the archive while it is packed. */
interface ZipEntry {
  mtime?: string;
  push(bytes: Uint8Array, isLast?: boolean): void;
}

/** Largest size of a zip archive without 64-bit extensions. */
const MOST_BYTES = 2 ** 32 - 1;

/**
 * The bytes of a NumPy archive of `arrays`, packed with deflate as `numpy.savez_compressed` does: samples are compressed when
 * the pieces are requested.
 *
 * Errors: `invalid` (no array, or a name that is not a file name), `overflow` (more than 4 GiB).
 */
export async function* npzPieces(arrays: Readonly<Record<string, NDArray>>): AsyncGenerator<Uint8Array> {
  const { Zip, ZipDeflate } = await loadPackage<Fflate>("fflate", "Cannot write a .npz");
  checkArrays(arrays);
  let packed: Uint8Array[] = [];
  const zip = new Zip((error, bytes) => {
    if (error) throw error;
    packed.push(bytes);
  });
  const turns = new Turns();
  for (const [name, array] of Object.entries(arrays)) {
    const file = new ZipDeflate(`${name}.npy`, { level: 1 });
    file.mtime = EPOCH;
    zip.add(file);
    for (const piece of arrayPieces(npyTarget, array)) {
      file.push(piece);
      yield* packed;
      packed = [];
      if (turns.due) await turns.give();
    }
    file.push(new Uint8Array(), true);
  }
  zip.end();
  yield* packed;
}

function checkArrays(arrays: Readonly<Record<string, NDArray>>): void {
  const names = Object.keys(arrays);
  if (names.length === 0) throw new TilewiseError("invalid", "Cannot write a .npz without arrays");
  for (const name of names) checkName(name);
  const bytes = Object.values(arrays).reduce(
    (sum, { dtype, shape }) =>
      sum + npyHeader(dtype, shape).length + sizeOf(shape) * dtypeInfo(dtype).itemSize,
    0,
  );
  if (bytes <= MOST_BYTES) return;
  const text = `Cannot write ${formatBytes(bytes)} as .npz: a zip archive has room for 4 GiB; use .npy files`;
  throw new TilewiseError("overflow", text, { expected: MOST_BYTES, found: bytes });
}

/** The first date that a zip archive can store: with a fixed date, the same arrays always give the same bytes. */
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
