/**
 * The digest of a result that may be larger than memory: SHA-256 of its samples in C order, little endian, as `stats --sha256`
 * has it. It does not depend on tiles, workers, or the file that the result is in.
 *
 * @module
 */

import { createHash } from "node:crypto";
import type { MapBlock } from "../../views/map/blocks.ts";
import { mapViews, type MapViewsOptions } from "../../views/map/map_views.ts";
import type { ViewOperation } from "../../views/operations/operation.ts";
import type { NDArray } from "../../space/ndarray.ts";
import type { Dataset } from "../../dataset/dataset.ts";

/** Bytes that are hashed at a time. */
const PIECE = 2 ** 18;

/** Takes whole rows from the first to the last. */
export class SampleDigest {
  readonly #hash = createHash("sha256");

  readonly #piece = new Uint8Array(PIECE);

  /** Adds the next rows. */
  add({ data: { buffer, byteOffset, byteLength } }: MapBlock): void {
    this.addBytes(new Uint8Array(buffer, byteOffset, byteLength));
  }

  /** Adds the next samples, which may lie in shared memory: hashes take no such bytes. */
  addBytes(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += PIECE) {
      const part = bytes.subarray(at, at + PIECE);
      this.#piece.set(part);
      this.#hash.update(this.#piece.subarray(0, part.length));
    }
  }

  /** The digest of all rows. */
  hex(): string {
    return this.#hash.digest("hex");
  }
}

/** The digest of a result in memory. */
export function digestOfArray({ data: { buffer, byteOffset, byteLength } }: NDArray): string {
  const digest = new SampleDigest();
  digest.addBytes(new Uint8Array(buffer, byteOffset, byteLength));
  return digest.hex();
}

/** The digest of what an operation makes, which is not kept. */
export async function digestOf(
  dataset: Dataset,
  operation: ViewOperation,
  options: MapViewsOptions,
): Promise<string> {
  const digest = new SampleDigest();
  await mapViews(dataset, operation, { ...options, sink: (block) => digest.add(block) });
  return digest.hex();
}
