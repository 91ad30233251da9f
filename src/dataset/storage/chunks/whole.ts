/**
 * Shards that are packed as a whole: unpacked in memory of their own before chunks are read from them. Writers avoid this, as
 * no part of such a shard can be read alone.
 *
 * @module
 */

import { chunkFilter, scratchBytes } from "../../../codecs/filters/registry.ts";
import { type ByteSource, readBytes } from "../../../io/source/source.ts";
import { TilewiseError } from "../../../errors.ts";
import { instantiateKernels } from "../../../kernels/wasm.ts";
import { ALIGNMENT, roundUp } from "../../../memory/arena.ts";
import { formatBytes } from "../../../space/size.ts";
import type { ChunkFilterSpec } from "../../layout/chunks.ts";

const PAGE = 65536;
/** Most bytes of a shard that is unpacked. */
const MOST_BYTES = 512 * 2 ** 20;

/** The bytes of `source` without `filters`, of which there are at most `most`. */
export async function unpackWhole(
  source: ByteSource,
  filters: readonly ChunkFilterSpec[],
  most: number,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const room = most + 1024;
  if (room > MOST_BYTES) {
    const text = `Cannot read the shard ${source.name}: it is packed as a whole and has up to ` +
      `${formatBytes(room)}; ${formatBytes(MOST_BYTES)} are unpacked`;
    throw new TilewiseError("unsupported", text, { file: source.name, expected: MOST_BYTES, found: room });
  }
  if (source.size > room) {
    const text = `Cannot read the shard ${source.name}: it has ${source.size} bytes; it may have ${room}`;
    throw new TilewiseError("malformed", text, { file: source.name, expected: room, found: source.size });
  }
  const scratch = roundUp(scratchBytes(filters, room), ALIGNMENT);
  const pass = roundUp(room, ALIGNMENT);
  const memory = new WebAssembly.Memory({ initial: Math.ceil((ALIGNMENT + scratch + 3 * pass) / PAGE) });
  const kernels = instantiateKernels(memory);
  const place = (n: number, length = room) =>
    new Uint8Array(memory.buffer, ALIGNMENT + scratch + (n % 3) * pass, length);
  place(0).set(await readBytes(source, 0, source.size, signal));
  let size = source.size;
  for (const [step, { name, values }] of filters.toReversed().entries()) {
    const undo = await chunkFilter(name);
    const [input, output, spare] = [place(step, size), place(step + 1), place(step + 2)];
    try {
      size = await undo({ kernels, input, output, values, scratch: ALIGNMENT, spare });
    } catch (error) {
      throw located(error, source.name);
    }
  }
  return place(filters.length, size).slice();
}

/** The error of a filter, with the name of the shard. */
function located(error: unknown, file: string): unknown {
  if (!(error instanceof TilewiseError)) return error;
  const text = `${error.message} (the shard ${file})`;
  return new TilewiseError(error.code, text, { ...error.details, file }, { cause: error });
}
