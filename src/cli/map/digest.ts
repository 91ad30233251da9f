/**
 * The digest of a result that may be larger than memory: SHA-256 of its samples in C order, little endian, as `stats --sha256`
 * has it. It does not depend on tiles, workers, or the file that the result is in.
 *
 * @module
 */

import { createHash } from "node:crypto";
import type { MapBlock } from "../../views/map/blocks.ts";
import { mapViews, type MapViewsOptions } from "../../views/map/map_views.ts";
import type { MapSink } from "../../views/map/sink.ts";
import type { ViewOperation } from "../../views/operations/operation.ts";
import type { Dataset } from "../../dataset/dataset.ts";
import { unshared } from "../../space/unshared.ts";

/** Takes whole rows from the first to the last. */
export class SampleDigest {
  readonly #hash = createHash("sha256");

  /** Adds the next rows. */
  add({ data: { buffer, byteOffset, byteLength } }: MapBlock): void {
    this.#hash.update(unshared(new Uint8Array(buffer, byteOffset, byteLength)));
  }

  /** The digest of all rows. */
  hex(): string {
    return this.#hash.digest("hex");
  }
}

/** The sink, with all that it takes added to a digest. */
export function digested(sink: MapSink, digest: SampleDigest): MapSink {
  const added = async function* (blocks: AsyncIterable<MapBlock>) {
    for await (const block of blocks) {
      digest.add(block);
      yield block;
    }
  };
  return { takes: "bands", write: (facts, blocks) => sink.write(facts, added(blocks)) };
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
