/**
 * How files of Merlin detectors are recognised.
 *
 * @module
 */

import type { Format } from "../common/format.ts";

/** Merlin. */
export const mib: Format = {
  id: "mib",
  title: "Quantum Detectors Merlin MIB",
  extensions: ["mib", "hdr"],
  detect({ head }) {
    if (isMib(head)) return { claim: "yes", why: "begins with a MIB frame header, MQ1" };
    if (isMibHdr(head)) {
      return { claim: "yes", why: "text that begins with HDR, the description of MIB files" };
    }
    return { claim: "no", why: "begins with neither MQ1 nor HDR" };
  },
};

/** Whether `head` begins as a MIB frame does. */
export function isMib(head: Uint8Array): boolean {
  return head[0] === 0x4d && head[1] === 0x51 && head[2] === 0x31 && head[3] === 0x2c; // "MQ1,"
}

/** Whether `head` begins as the `.hdr` beside MIB files does. */
export function isMibHdr(head: Uint8Array): boolean {
  return /^HDR[,\s]/.test(new TextDecoder("latin1").decode(head.subarray(0, 4)));
}
