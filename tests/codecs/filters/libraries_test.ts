/** Filters against what libraries of others stored: `make_filters.py` says which. */

import { assertEquals, assertRejects } from "@std/assert";
import type { ChunkFilter } from "../../../src/codecs/filters/common/filter.ts";
import { chunkFilter, scratchBytes } from "../../../src/codecs/filters/registry.ts";
import { isTilewiseError } from "../../../src/errors.ts";
import { instantiateKernels } from "../../../src/kernels/wasm.ts";

interface Case {
  readonly name: string;
  readonly filter: string;
  readonly values: readonly number[];
  readonly stored: string;
  readonly plain: string;
}

const CASES: readonly Case[] = JSON.parse(
  Deno.readTextFileSync(new URL("filters.json", import.meta.url)),
);
const memory = new WebAssembly.Memory({ initial: 40, maximum: 40, shared: true });
const kernels = instantiateKernels(memory);
const GUARD = 64, FILL = 0xa5;

/** What a filter makes of stored bytes, at odd addresses; fails if it writes outside of its output. */
async function undo(
  filter: ChunkFilter,
  { filter: name, values }: Case,
  stored: Uint8Array,
  room: number,
): Promise<Uint8Array> {
  const bytes = new Uint8Array(memory.buffer);
  const scratch = 1024;
  const from = Math.ceil((scratch + scratchBytes([name], room)) / 64) * 64 + 1;
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
    for (const guard of [to - GUARD, to + room]) {
      assertEquals(bytes.subarray(guard, guard + GUARD).every((byte) => byte === FILL), true, "a guard byte");
    }
    assertEquals(input.every((byte, i) => byte === stored[i]), true, "the input was written to");
  }
}

Deno.test("each filter gives what the libraries stored", async () => {
  for (const one of CASES) {
    const filter = await chunkFilter(one.filter);
    const [stored, plain] = [Uint8Array.fromBase64(one.stored), Uint8Array.fromBase64(one.plain)];
    for (const more of [0, 100]) {
      assertEquals(await undo(filter, one, stored, plain.length + more), plain, one.name);
    }
  }
});

Deno.test("damaged chunks end in bytes or in a typed error, and write nothing outside", async () => {
  const kinds = new Map(CASES.map((one) => [one.filter, one]));
  for (const one of kinds.values()) {
    const filter = await chunkFilter(one.filter);
    const stored = Uint8Array.fromBase64(one.stored), room = Uint8Array.fromBase64(one.plain).length;
    for (let n = 0; n < 40; n++) {
      const cut = n < 20 ? stored.slice(0, Math.floor(n * stored.length / 20)) : stored.slice();
      if (n >= 20 && cut.length > 0) cut[Math.floor((n - 20) / 20 * cut.length)]! ^= 1 << n % 8;
      await undo(filter, one, cut, room - Math.min(room, n % 3)).catch((error) => {
        assertEquals(isTilewiseError(error) && error.code, "malformed", `${one.name} ${n}: ${error.stack}`);
      });
    }
  }
});

Deno.test("parameters that make no sense are refused", async () => {
  const wrong: readonly [string, readonly number[]][] = [
    ["predictor-2", [2, 0, 0, 1]],
    ["predictor-2", [3, 0, 5, 1]],
    ["predictor-3", [16, 0, 5, 1]],
    ["predictor-3", [4, 0, 2 ** 28, 4]],
    ["unpack-bits", [9, 1, 5, 0]],
    ["unpack-bits", [0, 1, 5, 0]],
    ["widen-float", [5]],
    ["transpose", [2, 2, 5, 5, 1, 1]],
    ["transpose", [2, 2, 5, 5, 1, 0]],
    ["delta", [3, 0]],
    ["astype", [2, 0, 2, 7]],
  ];
  for (const [filter, values] of wrong) {
    const one = { name: filter, filter, values, stored: "", plain: "" };
    const undone = async () => await undo(await chunkFilter(filter), one, new Uint8Array(96), 96);
    const error = await assertRejects(undone, Error);
    assertEquals(isTilewiseError(error), true, `${filter} ${values}: ${error}`);
  }
});
