/**
 * The digest by which a result that is written for a long time knows what it belongs to.
 *
 * @module
 */

import { bytesOf } from "../../space/bytes.ts";
import { crc32c } from "../../space/crc32.ts";
import { sha256Of } from "../../io/hash.ts";
import { VERSION } from "../../version.ts";

/**
 * The digest of everything that decides the bytes of a result, and of the version of the code, as hexadecimal digits. Files
 * count by their path, size and times. Runtimes pack in different ways, so they count as well.
 */
export async function digestOf(decides: object): Promise<string> {
  const all = { version: VERSION, runtime: globalThis.navigator?.userAgent, ...decides };
  return await sha256Of([new TextEncoder().encode(JSON.stringify(all, plain))]);
}

/** Arrays in short, and what has no text in words. */
function plain(_key: string, value: unknown): unknown {
  if (ArrayBuffer.isView(value)) {
    return ["bytes", value.byteLength, crc32c(bytesOf(value))];
  }
  if (value instanceof Map) return [...value];
  if (typeof value === "bigint" || typeof value === "function") return String(value);
  if (value instanceof Blob) return ["blob", value.size, value.type];
  return value;
}
