/**
 * The registry of frame codecs: their names, and the files that hold them. Those of chunks are in `filters/registry.ts`.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import type { FrameDecoder } from "./codec.ts";
import type { ChunkFilter } from "./filters/common/filter.ts";

/** Loads a codec when it is first needed. */
const CODECS: Readonly<Record<string, () => Promise<FrameDecoder>>> = {
  bits: async () => (await import("./bits.ts")).bitsDecoder,
  flip_rows: async () => (await import("./flip_rows.ts")).flipRowsDecoder,
  half_plane: async () => (await import("./half_plane.ts")).halfPlaneDecoder,
  linear: async () => (await import("./linear.ts")).linearDecoder,
  frms6: async () => (await import("./frms6.ts")).frms6Decoder,
  frms6_dark: async () => (await import("./frms6.ts")).frms6DarkDecoder,
  mib_raw: async () => (await import("./mib_raw.ts")).mibRawDecoder,
};

/** The names of all codecs. */
export const CODEC_IDS: readonly string[] = Object.keys(CODECS);

/**
 * The decoder of the codec `id`.
 *
 * @example
 * ```ts
 * import { assert, assertRejects } from "@std/assert";
 * assert((await frameDecoder("bits")).decode);
 * await assertRejects(() => frameDecoder("morse"), Error, "morse");
 * ```
 */
export async function frameDecoder(id: string): Promise<FrameDecoder> {
  const load = Object.hasOwn(CODECS, id) ? CODECS[id] : undefined;
  if (load) return await load();
  const text = `There is no frame codec "${id}"; there are ${CODEC_IDS.join(", ")}`;
  throw new TilewiseError("unsupported", text, { found: id });
}

/** The chunk filter `name`, which must be known; the table of filters is loaded with the first one. */
export async function filterOf(name: string): Promise<ChunkFilter> {
  const { chunkFilter } = await import("./filters/registry.ts");
  return await chunkFilter(name);
}
