/** Zstandard's Huffman codes against libzstd of Node: bytes of camera samples, of which many words have the same length. */

import { assert } from "@std/assert";
import { zstdCompressSync } from "node:zlib";
import { chunkFilter } from "../../../src/codecs/filters/registry.ts";
import { Random } from "../../compare/data/random.ts";
import { undo } from "./undo.ts";

/** Samples of 12 bits that are even: lower bytes have words of nine bits, upper ones of five, in streams of any length. */
function samples(random: Random, count: number): Uint8Array {
  return new Uint8Array(Uint16Array.from({ length: count }, () => random.int(0, 4095)).buffer);
}

Deno.test("samples of 12 bits come out of Zstandard as they were, wherever its streams begin", async () => {
  const filter = await chunkFilter("Zstandard");
  for (let seed = 0; seed < 60; seed++) {
    const random = new Random("zstd", seed);
    const plain = samples(random, random.int(33_000, 36_000));
    const stored = new Uint8Array(zstdCompressSync(plain));
    const way = { name: `${seed}`, filter: "Zstandard", values: [], stored: "", plain: "" };
    const found = await undo(filter, way, stored, plain.length);
    assert(found.length === plain.length && found.every((byte, i) => byte === plain[i]), `seed ${seed}`);
  }
});
