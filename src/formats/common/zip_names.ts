/**
 * Names of entries at the start and the end of a zip archive, so that it can be recognised.
 *
 * @module
 */

import type { Probe } from "./format.ts";

/** How zip archives begin, with a file or empty. */
const ZIP_STARTS = ["PK\x03\x04", "PK\x05\x06"];

/** Bytes at the end of a zip archive that are searched for names, and names that are looked at. */
const ZIP_TAIL = 65536;
const MOST_NAMES = 1000;

/** Whether a source begins as a zip archive. */
export function isZip(head: Uint8Array): boolean {
  return ZIP_STARTS.includes(latin(head.subarray(0, 4)));
}

/** Some names in an archive; `undefined` if the source is not an archive. */
export async function namesInZip(probe: Probe): Promise<string[] | undefined> {
  const { head, size } = probe;
  if (!isZip(head)) return undefined;
  const tail = size > head.length ? await probe.bytesAt(Math.max(0, size - ZIP_TAIL), ZIP_TAIL) : head;
  return [...namesBehind(head, "PK\x03\x04", 26, 30), ...namesBehind(tail, "PK\x01\x02", 28, 46)];
}

/** Names behind headers that begin with `magic`, with the length of the name and the name at these places. */
function namesBehind(bytes: Uint8Array, magic: string, lengthAt: number, nameAt: number): string[] {
  const text = latin(bytes);
  const names: string[] = [];
  for (let at = text.indexOf(magic); at >= 0 && names.length < MOST_NAMES; at = text.indexOf(magic, at + 4)) {
    const length = (bytes[at + lengthAt] ?? 0) + 256 * (bytes[at + lengthAt + 1] ?? 0);
    names.push(text.slice(at + nameAt, at + nameAt + length));
  }
  return names;
}

function latin(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes.slice());
}
