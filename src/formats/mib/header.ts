/**
 * The text header before every frame of a MIB file, and what it means for the bytes after it; the `.hdr` beside the file.
 *
 * ```text
 * MQ1,000001,00384,01,0256,0256,U08,   1x1,01,2021-05-07 18:51:10.905800, … ,MQ1A,2021-05-07T16:51:10.905800928Z,100000000ns,6,
 *     number header chips width height type layout                                 time                        exposure counter bits
 * ```
 *
 * @module
 */

import { mibRawBytes, mibRawDepth } from "../../codecs/mib_raw.ts";
import type { CodecSpec } from "../../dataset/layout/storage.ts";
import { cannot, TilewiseError } from "../../errors.ts";
import { type DType, dtypeInfo } from "../../space/dtype.ts";
import type { Shape } from "../../space/shape.ts";
import { isMib } from "./format.ts";

/** Bytes in which a header's fields must lie; the longest real ones take 768. */
export const MOST_MIB_HEADER = 4096;

/** More pixels along one side than any detector of this kind has. */
const MOST_SIDE = 65536;

/** What the first header of a file says. */
export interface MibHeader {
  /** Number of the frame in its acquisition, from 1. */
  readonly sequence: number;
  /** Bytes of the header. */
  readonly headerBytes: number;
  /** Chips of the detector. */
  readonly chips: number;
  /** Width as written; raw mode counts the chips side by side. */
  readonly width: number;
  /** Height as written. */
  readonly height: number;
  /** `U08`, `U16`, `U32` (big-endian samples) or `R64` (raw mode). */
  readonly type: string;
  /** How the chips are mounted: `1x1`, `2x2`, `2x2G`. */
  readonly sensor: string;
  /** Bits of the counters, if the header tells. */
  readonly bits?: number;
  /** Time of the exposure, if the header tells. */
  readonly time?: string;
  /** Length of the exposure as written, such as `1000000ns`, if the header tells. */
  readonly exposure?: string;
  /** Whether pixels of several thresholds lie side by side, if the header tells. */
  readonly isColour?: boolean;
  /** Energies from which photons or electrons count, in keV, if the header tells. */
  readonly thresholds?: readonly number[];
}

/** What follows a header: one frame. */
export interface MibImage {
  /** Rows and columns after decoding. */
  readonly sigShape: readonly [number, number];
  /** Type of the samples after decoding. */
  readonly dtype: DType;
  /** Stored bytes. */
  readonly storedBytes: number;
  /** How they become samples; absent for big-endian samples. */
  readonly codec?: CodecSpec;
}

/**
 * Parses the header that begins at byte `at` of `file`; `head` are its bytes and some more.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const text = "MQ1,000007,00384,01,0256,0128,U16,   1x1,01,".padEnd(384, "\0");
 * const header = parseMibHeader(new TextEncoder().encode(text), "scan.mib");
 * assertEquals([header.sequence, header.width, header.height, header.type], [7, 256, 128, "U16"]);
 * ```
 */
export function parseMibHeader(head: Uint8Array, file: string, at = 0): MibHeader {
  if (!isMib(head)) {
    const found = JSON.stringify(latin1(head.subarray(0, 4)));
    throw new TilewiseError("malformed", `Cannot read ${file}: no MIB header at byte ${at}`, {
      file,
      offset: at,
      expected: "MQ1,",
      found,
    });
  }
  const fields = new Fields(latin1(head.subarray(0, MOST_MIB_HEADER)), file, at);
  const headerBytes = fields.count(2, "header size", 64, MOST_MIB_HEADER);
  fields.end = headerBytes;
  const extra = fields.extra();
  return {
    sequence: fields.count(1, "frame number", 0, 2 ** 31),
    headerBytes,
    chips: fields.count(3, "number of chips", 1, 64),
    width: fields.count(4, "width", 1, MOST_SIDE),
    height: fields.count(5, "height", 1, MOST_SIDE),
    type: fields.oneOf(6, "pixel type", ["U08", "U16", "U32", "R64"]),
    sensor: fields.text(7).trim(),
    ...extra,
  };
}

/** What the header means for the bytes that follow it; `unsupported` for layouts that we cannot assemble. */
export function mibImage(header: MibHeader, file: string): MibImage {
  const { type, width, height } = header;
  if (type === "R64") return rawImage(header, file);
  const dtype: DType = type === "U08" ? "uint8" : type === "U16" ? "uint16" : "uint32";
  return { sigShape: [height, width], dtype, storedBytes: width * height * dtypeInfo(dtype).itemSize };
}

function rawImage(header: MibHeader, file: string): MibImage {
  const { chips, sensor, width, height, bits = 0 } = header;
  const depth = mibRawDepth(bits);
  const quad = chips === 4 && (sensor === "2x2" || sensor === "2x2G");
  if (!depth || !(quad || (chips === 1 && sensor === "1x1")) || (quad && bits === 24)) {
    const text = `raw mode (R64) of ${bits} bits, ${chips} chips, layout ${sensor}; we read ` +
      "1, 6, 12 and 24 bits of one chip, 1, 6 and 12 bits of 2x2 and 2x2G; U08, U16 and U32 of any layout";
    throw cannot("read", file, "unsupported", text, { found: `${bits} bits, ${chips} chips, ${sensor}` });
  }
  const columns = width / depth.planes; // 24 bits: the width counts both images
  const [rows, line] = quad ? [2 * height, columns / 2] : [height, columns];
  const unit = quad ? line / 2 : rows * line; // what is read out in one piece
  if (!Number.isInteger(unit / depth.group)) {
    const text = `${width} × ${height} pixels of ${bits} bits are no whole 64-bit words`;
    throw cannot("read", file, "malformed", text, { expected: depth.group, found: unit });
  }
  return {
    sigShape: [rows, line],
    dtype: depth.dtype,
    storedBytes: mibRawBytes(rows * line, bits),
    codec: { id: "mib_raw", params: { bits, chips: quad ? 4 : 1, width: line } },
  };
}

/** The comma-separated fields of a header, each with its place in the file. */
class Fields {
  readonly #fields: readonly string[];
  /** The byte after the header, counted from its start; fields are not looked for beyond it. */
  end: number = MOST_MIB_HEADER;

  constructor(private readonly all: string, private readonly file: string, private readonly at: number) {
    this.#fields = all.split(",", 9);
  }

  /** Field `n`; empty if there is none. */
  text(n: number): string {
    return this.#fields[n] ?? "";
  }

  /** Field `n` as a number from `least` to `most`. */
  count(n: number, what: string, least: number, most: number): number {
    const found = this.text(n);
    const value = /^ *\d+ *$/.test(found) ? Number(found) : NaN;
    if (value >= least && value <= most) return value;
    throw this.#wrong(n, what, `${least} to ${most}`);
  }

  /** Field `n`, which must be one of `known`. */
  oneOf(n: number, what: string, known: readonly string[]): string {
    const found = this.text(n).trim();
    if (known.includes(found)) return found;
    throw this.#wrong(n, what, known.join(", "));
  }

  /** Time, exposure and counter bits: the extension at the end, or just the last number. */
  extra(): Pick<MibHeader, "bits" | "time" | "exposure" | "isColour" | "thresholds"> {
    const fields = this.all.slice(0, this.end).replace(/[\0 ,]+$/, "").split(",");
    const extension = fields.indexOf("MQ1A");
    const last = extension < 0 ? fields.at(-1) : fields[extension + 3];
    const bits = /^ *\d{1,2} *$/.test(last ?? "") && fields.length > 9 ? { bits: Number(last) } : {};
    if (extension < 0) return bits;
    const [time, exposure] = [fields[extension + 1] ?? "", fields[extension + 2] ?? ""];
    const thresholds = fields.slice(14, 22).map(Number);
    const isTold = extension >= 22 && thresholds.every(Number.isFinite);
    return { ...bits, time, exposure, isColour: fields[12] === "1", ...(isTold ? { thresholds } : {}) };
  }

  #wrong(n: number, what: string, expected: string): TilewiseError {
    const offset = this.at + this.#fields.slice(0, n).join(",").length + 1;
    const found = this.text(n).slice(0, 40);
    const text = `the ${what} in the header at byte ${offset} is ` +
      `${JSON.stringify(found)}, expected ${expected}`;
    return cannot("read", this.file, "malformed", text, { offset, expected, found });
  }
}

function latin1(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}

// The `.hdr` file beside MIB files: facts of the acquisition, a `key:<tab>value` a line, the scan among them.

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
