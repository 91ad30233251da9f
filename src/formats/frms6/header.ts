/**
 * The headers of FRMS6: a text file for the measurement, and 1024 bytes before the frames of every data file.
 *
 * @module
 */

import { FILE_HEADER, FRAME_HEADER } from "./format.ts";
import { TilewiseError } from "../../errors.ts";
import type { ByteSource } from "../../io/source/source.ts";
import { Fields, MOST_PIXELS } from "../common/fields.ts";

/** What the text file says. */
export interface Frms6Info {
  /** How often rows are shown. */
  readonly bin: number;
  /** Rows and columns of the scan, if it says so. */
  readonly scan?: readonly [number, number];
  /** Frames of the scan. */
  readonly signalFrames?: number;
  /** Seconds a frame. */
  readonly exposure?: number;
  /** All of it, as it is written. */
  readonly fields: Readonly<Record<string, string>>;
}

/** The lines of the section `measurementInfo`, if the text has one. */
function section(text: string): Map<string, string> | undefined {
  let fields: Map<string, string> | undefined;
  for (const line of text.split(/\r?\n/).map((raw) => raw.trim())) {
    const isHead = line.startsWith("[") && line.endsWith("]");
    if (isHead && fields) break;
    if (isHead) fields = line.slice(1, -1).trim() === "measurementInfo" ? new Map() : undefined;
    const at = /^[[;#]/.test(line) ? -1 : line.search(/[=:]/);
    if (at > 0 && fields) fields.set(line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim());
  }
  return fields;
}

/** What the text says. Errors: `malformed`, `unsupported`. */
export function parseFrms6Info(text: string, file: string): Frms6Info {
  const fields = section(text);
  if (!fields) throw malformed(file, "it has no section [measurementInfo]");
  const mode = fields.get("readoutmode") ?? "";
  const [, bin, ...window] = /^"?bin:\s*(\d+),\s*windowing:\s*(\d+)\s*x\s*(\d+)\s*"?$/.exec(mode) ?? [];
  if (window.length < 2) {
    throw malformed(file, `readoutMode is ${mode || "missing"}; expected "bin: 1, windowing: 264 x 264"`);
  }
  if (![1, 2, 4].includes(Number(bin))) {
    throw new TilewiseError("unsupported", `Cannot read ${file}: binning is ${bin}; 1, 2 and 4 are known`, {
      file,
      found: bin!,
    });
  }
  const size = /^(\d+)\s*x\s*(\d+)$/.exec(fields.get("stemimagesize") ?? "")?.slice(1).map(Number);
  const isScan = size?.every((n) => n > 0 && Number.isSafeInteger(n));
  const signalFrames = count(fields.get("signalframes"));
  const dwell = Number(fields.get("dwelltimemicroseconds") ?? NaN);
  return {
    bin: Number(bin),
    ...(isScan ? { scan: [size![1]!, size![0]!] as const } : {}),
    ...(signalFrames === undefined ? {} : { signalFrames }),
    ...(dwell > 0 ? { exposure: dwell / 1e6 } : {}),
    fields: Object.fromEntries(fields),
  };
}

function count(text: string | undefined): number | undefined {
  return /^\d{1,15}$/.test(text ?? "") ? Number(text) : undefined;
}

/** What the header of a data file says. */
export interface Frms6Header {
  /** Samples of a stored row. */
  readonly width: number;
  /** Stored rows. */
  readonly rows: number;
  /** Frames that the header promises; 0: all frames in the file. */
  readonly frames: number;
}

/** The header of a data file. Errors: `malformed`, `truncated`. */
export async function readFrms6Header(source: ByteSource, signal?: AbortSignal): Promise<Frms6Header> {
  const fields = await Fields.read(source, 0, FILE_HEADER, "little", signal);
  fields.within(fields.u16(0), FILE_HEADER, FILE_HEADER, "the size of the file header", 0);
  fields.within(fields.u16(2), FRAME_HEADER, FRAME_HEADER, "the size of a frame header", 2);
  fields.within(fields.u8(7), 6, 6, "the version", 7);
  const width = fields.within(fields.u16(88), 2, MOST_PIXELS, "the width", 88);
  const rows = fields.within(fields.u16(90), 1, MOST_PIXELS, "the height", 90);
  if (width % 2 === 1) throw fields.error("malformed", `rows of ${width} samples cannot be two halves`, 88);
  return { width, rows, frames: fields.u32(1020) };
}

function malformed(file: string, problem: string): TilewiseError {
  return new TilewiseError("malformed", `Cannot read ${file}: ${problem}`, { file, offset: 0 });
}
