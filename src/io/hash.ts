/**
 * SHA-256 piece by piece, where the platform can: what pages have takes a copy of everything at once.
 *
 * @module
 */

import { discard, nodeModule } from "../portable.ts";
import { joinedBytes, unshared } from "../space/bytes.ts";
import { Turns } from "../turns.ts";

/** Bytes that are hashed at once. */
const PIECE = 2 ** 20;

/** A hash that takes bytes piece by piece. */
export interface Sha256 {
  /** Takes the next bytes. */
  update(bytes: Uint8Array): unknown;
  /** The hash of all, as hexadecimal digits. */
  digest(form: "hex"): string;
}

/** A hash that takes bytes piece by piece; only commands have one. */
export function startSha256(): Sha256 {
  return nodeCrypto()!.createHash("sha256");
}

/**
 * SHA-256 of `parts`, one after another, as hexadecimal digits.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const [a, bc] = [Uint8Array.of(97), Uint8Array.of(98, 99)];
 * assertEquals((await sha256Of([a, bc])).slice(0, 8), "ba7816bf");
 * ```
 */
export async function sha256Of(parts: readonly Uint8Array[]): Promise<string> {
  const isSmall = parts.reduce((sum, { length }) => sum + length, 0) <= PIECE;
  const hash = isSmall ? undefined : nodeCrypto()?.createHash("sha256");
  if (!hash) return await hashedAtOnce(parts);
  const turns = new Turns();
  for (const part of parts) {
    for (let at = 0; at < part.length; at += PIECE) {
      if (turns.due) await turns.give();
      hash.update(unshared(part.subarray(at, at + PIECE)));
    }
  }
  return hash.digest("hex");
}

/** In Deno it takes megabytes, so it is loaded for what is large. */
function nodeCrypto() {
  return nodeModule("node:crypto");
}

async function hashedAtOnce(parts: readonly Uint8Array[]): Promise<string> {
  const all = joinedBytes(parts), digest = new Uint8Array(await crypto.subtle.digest("SHA-256", all));
  discard(all); // or those of many files would wait to be collected
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** SHA-256 of `bytes` as hexadecimal digits. */
export async function sha256(bytes: Uint8Array): Promise<string> {
  return await sha256Of([bytes]);
}
