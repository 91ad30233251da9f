/**
 * The `.hdr` file beside MIB files: facts of the acquisition, a `key:<tab>value` a line, the scan among them.
 *
 * @module
 */

import type { Shape } from "../../space/shape.ts";

/** Maximum size of such a file. */
export const MOST_HDR_BYTES = 65536;

/** A parsed `.hdr`. */
export interface MibHdr {
  /** All lines by their key, without the explanation in brackets. */
  readonly fields: ReadonlyMap<string, string>;
  /** Shape of the scan, if the file tells. */
  readonly navShape?: Shape;
  /** Which lines told it. */
  readonly why?: string;
}

/**
 * Parses the text of a `.hdr`; nothing unless its first line starts with `HDR`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const hdr = parseMibHdr("HDR,\t\r\nScanX:\t4\r\nScanY:\t2\r\nEnd\t");
 * assertEquals(hdr?.navShape, [2, 4]);
 * ```
 */
export function parseMibHdr(text: string): MibHdr | undefined {
  if (!/^HDR[,\s]/.test(text)) return undefined;
  const fields = new Map<string, string>();
  for (const line of text.split(/\r?\n/).slice(1)) {
    if (/^End\b/.test(line)) break;
    const at = line.indexOf(":\t");
    if (at < 0 || line.indexOf("\t") < at) continue;
    const key = line.slice(0, at);
    const bracket = key.endsWith(")") ? key.indexOf("(") : -1;
    fields.set(bracket < 0 ? key : key.slice(0, bracket).trimEnd(), line.slice(at + 2).trim());
  }
  return { fields, ...scanOf(fields) };
}

/** The scan; acquisitions of one line, or of one frame a trigger, say nothing of it. */
function scanOf(fields: ReadonlyMap<string, string>): Pick<MibHdr, "navShape" | "why"> {
  const [x, y] = [count(fields, "ScanX"), count(fields, "ScanY")];
  if (x && y) return { navShape: [y, x], why: `ScanX ${x}, ScanY ${y}` };
  const [frames, line] = [count(fields, "Frames in Acquisition"), count(fields, "Frames per Trigger")];
  if (!frames || !line || line === 1 || line === frames || frames % line !== 0) return {};
  return { navShape: [frames / line, line], why: `${frames} frames, ${line} per trigger` };
}

function count(fields: ReadonlyMap<string, string>, key: string): number {
  return Number(/^\d{1,9}$/.exec(fields.get(key) ?? "")?.[0] ?? 0);
}
