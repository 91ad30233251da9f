/**
 * Runs filters on stored bytes with guard bytes around their output.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import type { ChunkFilter } from "../../../src/codecs/filters/common/filter.ts";
import { filterKernels, scratchBytes } from "../../../src/codecs/filters/registry.ts";
import { packsOf } from "../../../src/kernels/pack_names.ts";
import { instantiateKernels, kernelCode, type Kernels, loadKernels } from "../../../src/kernels/wasm.ts";

await loadKernels();

/** What a library stored. */
export interface Case {
  readonly name: string;
  readonly filter: string;
  readonly values: readonly number[];
  readonly stored: string;
  readonly plain: string;
}

/** All of them, by `make_filters.py`, `make_packed.py`, `make_webp.py` and `make_sums.py`. */
export const CASES: readonly Case[] = ["filters.json", "packed.json", "webp.json", "sums.json"].flatMap((
  file,
) => JSON.parse(Deno.readTextFileSync(new URL(file, import.meta.url))) as readonly Case[]);
const bound = new Map<string, Kernels>();
const GUARD = 64, FILL = 0xa5;

/** The kernels that the registry says the filter calls, and no others. */
function kernelsOf(name: string): Kernels {
  const packs = packsOf(filterKernels(name));
  const known = bound.get(packs.join());
  if (known) return known;
  const memory = new WebAssembly.Memory({ initial: 40, maximum: 40, shared: true });
  const kernels = instantiateKernels(memory, kernelCode(memory, false, packs));
  bound.set(packs.join(), kernels);
  return kernels;
}

/** What a filter makes of stored bytes, at odd addresses; fails if it writes outside of its output. */
export async function undo(
  filter: ChunkFilter,
  { filter: name, values }: Case,
  stored: Uint8Array,
  room: number,
): Promise<Uint8Array> {
  const kernels = kernelsOf(name), { memory } = kernels;
  const bytes = new Uint8Array(memory.buffer);
  const scratch = 1024;
  const own = scratch + scratchBytes([{ name, values }], room + 1024);
  const from = Math.ceil(own / 64) * 64 + GUARD + 1;
  const to = from + stored.length + GUARD + 2, spare = to + room + GUARD;
  bytes.fill(FILL, 0, spare + room + 2048);
  bytes.set(stored, from);
  const output = new Uint8Array(memory.buffer, to, room);
  const input = new Uint8Array(memory.buffer, from, stored.length);
  const spared = new Uint8Array(memory.buffer, spare, room + 1024);
  try {
    const written = await filter({ kernels, input, output, values, scratch, spare: spared });
    return output.slice(0, written);
  } finally {
    for (const guard of [own, to - GUARD, to + room]) {
      assertEquals(bytes.subarray(guard, guard + GUARD).every((byte) => byte === FILL), true, "a guard byte");
    }
    assertEquals(input.every((byte, i) => byte === stored[i]), true, "the input was written to");
  }
}
