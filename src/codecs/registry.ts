/**
 * The registry of frame codecs: their names, and the files that hold them. Those of chunks are in `filters/registry.ts`.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { loadPacks } from "../kernels/code.ts";
import type { KernelFamily } from "../kernels/families/families.ts";
import { packsOf } from "../kernels/pack_names.ts";
import type { FrameDecoder } from "./codec.ts";

/** Where a codec is, and the families of kernels that it calls. */
interface Entry {
  readonly load: () => Promise<FrameDecoder>;
  readonly kernels?: readonly KernelFamily[];
}

/** Loads a codec when it is first needed. */
const CODECS: Readonly<Record<string, Entry>> = {
  bgra: { load: async () => (await import("./bgra.ts")).bgraDecoder },
  bits: { load: async () => (await import("./bits.ts")).bitsDecoder, kernels: ["bits_lsb", "bits_msb"] },
  flip_rows: { load: async () => (await import("./flip_rows.ts")).flipRowsDecoder },
  half_plane: { load: async () => (await import("./half_plane.ts")).halfPlaneDecoder },
  linear: { load: async () => (await import("./linear.ts")).linearDecoder },
  frms6: { load: async () => (await import("./frms6.ts")).frms6Decoder, kernels: ["unfold"] },
  frms6_dark: {
    load: async () => (await import("./frms6.ts")).frms6DarkDecoder,
    kernels: ["unfold", "mean_frames"],
  },
  mib_raw: {
    load: async () => (await import("./mib_raw.ts")).mibRawDecoder,
    kernels: ["mib_r1", "mib_r6", "mib_r12", "mib_r24", "reverse"],
  },
};

/** The names of all codecs. */
export const CODEC_IDS: readonly string[] = Object.keys(CODECS);

/** The families of kernels that the codec `id` calls. */
export function codecKernels(id: string): readonly KernelFamily[] {
  return (Object.hasOwn(CODECS, id) ? CODECS[id]?.kernels : undefined) ?? [];
}

/**
 * The decoder of the codec `id`; with its kernels, unless this is a worker, which has those of its run.
 *
 * @example
 * ```ts
 * import { assert, assertRejects } from "@std/assert";
 * assert((await frameDecoder("bits")).decode);
 * await assertRejects(() => frameDecoder("morse"), Error, "morse");
 * ```
 */
export async function frameDecoder(id: string): Promise<FrameDecoder> {
  const entry = Object.hasOwn(CODECS, id) ? CODECS[id] : undefined;
  if (entry) {
    const [decoder] = await Promise.all([entry.load(), loadPacks(packsOf(codecKernels(id)))]);
    return decoder;
  }
  const text = `There is no frame codec "${id}"; there are ${CODEC_IDS.join(", ")}`;
  throw new TilewiseError("unsupported", text, { found: id });
}
