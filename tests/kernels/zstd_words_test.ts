/** Descriptions of Huffman codes in Zstandard as the specification has them (RFC 8878, 4.2.1.1), at the border between both kinds. */

import { assertEquals } from "@std/assert";
import { readWords } from "../oracles/twins/filters/zstd_codes.ts";

const job = {
  stop(reason: string): never {
    throw new Error(reason);
  },
} as never;

Deno.test("from 128 on, the first byte says how many weights of four bits follow", () => {
  assertEquals(readWords(job, Uint8Array.of(128, 0x10)).taken, 2); // one weight, and the last one that follows from it
  assertEquals(readWords(job, Uint8Array.of(129, 0x11, 99)).taken, 2);
  assertEquals(readWords(job, Uint8Array.of(130, 0x11, 0x20)).taken, 3);
});
