/**
 * Digests: SHA-256 of arrays, of the ends of files, and of any JSON value.
 *
 * @module
 */

import { discard } from "../../portable.ts";
import { bytesOf } from "../../space/bytes.ts";
import { checkArray } from "../../space/check_array.ts";
import { sha256, sha256Of } from "../../io/hash.ts";
import { openSpec } from "../../io/open.ts";
import { readUpTo, type SourceSpec } from "../../io/source/source.ts";
import { denseData } from "../../sinks/arrays/numbers.ts";
import type { NDArray } from "../../space/ndarray.ts";
import { VERSION } from "../../version.ts";
import type { ObjectArray } from "../interface/buffer_types.ts";

/**
 * SHA-256 of the samples in row-major order, little endian, and of the mask, if there is one.
 *
 * @param array the samples, which may be strided
 * @returns the digest, as 64 hexadecimal digits
 *
 * @example
 * ```ts
 * import { ndarray } from "@tilewise/tilewise/arrays";
 * import { arrayDigest } from "@tilewise/tilewise/results";
 * import { assertEquals } from "@std/assert";
 * const digest = await arrayDigest(ndarray(Uint8Array.of(1, 2), [2], "uint8"));
 * assertEquals(digest.slice(0, 8), "a12871fe");
 * ```
 * @category Results
 */
export async function arrayDigest(array: NDArray): Promise<string> {
  checkArray("arrayDigest()", array);
  return await sha256Of([bytesOf(denseData(array)), array.valid ?? new Uint8Array(0)]);
}

/** SHA-256 of JSON values as text, of their shape, and of the mask, if there is one. */
export async function objectDigest({ data, shape, valid }: ObjectArray): Promise<string> {
  return await sha256(new TextEncoder().encode(JSON.stringify([shape, data, valid ? [...valid] : null])));
}

/**
 * Quick facts about a source: its name, its size, and a digest of both ends.
 * @category Results
 */
export interface Glance {
  /** Path, URL or name. */
  readonly name: string;
  /** Bytes in it. */
  readonly bytes: number;
  /** SHA-256 of its first and last {@link GLANCE_BYTES} bytes: enough to tell files of any size apart. */
  readonly ends: string;
}

/** Bytes at each end that a {@link Glance} reads. */
const GLANCE_BYTES = 65536;

/** Reads both ends of a source. */
export async function glance(spec: SourceSpec): Promise<Glance> {
  await using source = await openSpec(spec);
  const { size } = source;
  const { name } = spec.kind === "unpacked" ? spec : source; // instead of the name of a temporary file
  const head = await readUpTo(source, 0, GLANCE_BYTES);
  const tail = await readUpTo(source, Math.max(head.length, size - GLANCE_BYTES), GLANCE_BYTES);
  source.recheck?.();
  const ends = await sha256Of([head, tail]);
  for (const end of [head, tail]) discard(end); // or those of many files would wait to be collected
  return { name, bytes: size, ends };
}

/** What every manifest begins with: its kind, what made it, when, and what was read. */
export interface ManifestHead<K extends string> {
  /** Kind and version of the record. */
  readonly manifest: K;
  /** The version of Tilewise. */
  readonly version: string;
  /** SHA-256 of the kernels. */
  readonly kernels: string;
  /** When it was made, as ISO 8601. */
  readonly created: string;
  /** The files that were read. */
  readonly inputs: readonly Glance[];
}

/** The beginning of a manifest that is made now. */
export function manifestHead<K extends string>(
  manifest: K,
  kernels: string,
  inputs: readonly Glance[],
): ManifestHead<K> {
  return { manifest, version: VERSION, kernels, created: new Date().toISOString(), inputs };
}
