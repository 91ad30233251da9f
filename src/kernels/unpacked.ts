/**
 * Undoes raw deflate where the platform does not: with the plain twin of the kernel that does it.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { inflate } from "./reference/filters/inflate.ts";

/** Where the twin puts its status, and where the packed bytes begin. */
const [STATUS, PACKED] = [0, 64];

/** The `bytes` bytes that `packed` stands for. */
export function unpackedPlainly(packed: Uint8Array, bytes: number): Uint8Array {
  const end = PACKED + packed.length + bytes;
  const memory = new WebAssembly.Memory({ initial: Math.ceil(end / 65536) });
  new Uint8Array(memory.buffer).set(packed, PACKED);
  const from = PACKED + packed.length;
  inflate(memory)(STATUS, from, bytes, PACKED, packed.length, 0);
  const [written] = new Int32Array(memory.buffer, STATUS, 1); // negative: why it stopped
  if (written === bytes) return new Uint8Array(memory.buffer).slice(from, from + bytes);
  throw new TilewiseError("corrupt", `its bytes cannot be unpacked (${written})`, {
    expected: bytes,
    found: written!,
  });
}
