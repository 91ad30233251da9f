/**
 * NumPy's `.npy` files, versions 1 to 3: all numeric types, both byte orders, C and Fortran order.
 *
 * The last `sigDims` dimensions (2, or all if there are fewer) are the frame, the others the scan.
 *
 * @module
 */

import type { StoredDataset } from "../../dataset/dataset.ts";
import { frameBytes } from "../../dataset/layout/layout.ts";
import { cannot, TilewiseError } from "../../errors.ts";
import { readUpTo } from "../../io/source/source.ts";
import { type ByteOrder, type DType, dtypeInfo, DTYPES } from "../../space/dtype.ts";
import { type Shape, sizeOf } from "../../space/shape.ts";
import { fileDataset, splitShape } from "../common/arrange.ts";
import { cutOff } from "../common/complete.ts";
import type { FormatInput } from "../common/format.ts";
import type { OpenOptions } from "../common/options.ts";
import { isNpy } from "./format.ts";

// The header of a `.npy` file: a Python dictionary as text, read without evaluating anything.
//
// ```text
// 93 'NUMPY' major minor length {'descr': '<u2', 'fortran_order': False, 'shape': (5, 96, 112), } … \n
// ```
//
// `length` has two bytes in version 1 and four in versions 2 and 3; the text is Latin-1, in version 3 UTF-8.

/** Longer headers are not headers: the text of any numeric array needs less than 1 KiB. */
const MOST_NPY_HEADER = 2 ** 20;

/** NumPy has no arrays of more dimensions. */
const MOST_DIMENSIONS = 64;

/** A parsed header. */
interface NpyHeader {
  /** Type of the samples. */
  readonly dtype: DType;
  /** Their byte order. */
  readonly byteOrder: ByteOrder;
  /** Whether the first dimension is the fastest. */
  readonly fortranOrder: boolean;
  /** Sizes, first dimension first. */
  readonly shape: Shape;
}

/** Version and extent of the header, from the first 12 bytes of a file. */
function npyExtent(head: Uint8Array, file: string): { version: number; start: number; end: number } {
  const [version, minor] = [head[6], head[7]];
  if (version === undefined || version < 1 || version > 3 || minor !== 0) {
    const text = `it is npy version ${version}.${minor}; known are 1.0, 2.0 and 3.0`;
    throw cannot("read", file, "unsupported", text, { offset: 6, found: `${version}.${minor}` });
  }
  const start = version === 1 ? 10 : 12;
  if (head.length < start) {
    throw new TilewiseError("truncated", `Cannot read ${file}: it ends inside its header`, {
      file,
      offset: 8,
      expected: start,
      found: head.length,
    });
  }
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const length = version === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  if (length > MOST_NPY_HEADER) {
    const text = `Cannot read ${file}: its header claims ${length} bytes, more than ${MOST_NPY_HEADER}`;
    throw malformed(file, text, { offset: 8, expected: MOST_NPY_HEADER, found: length });
  }
  return { version, start, end: start + length };
}

/**
 * Parses the text of a header.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const header = parseNpyHeader("{'descr': '>i2', 'fortran_order': False, 'shape': (3,), }", "a.npy");
 * assertEquals(header, { dtype: "int16", byteOrder: "big", fortranOrder: false, shape: [3] });
 * ```
 */
export function parseNpyHeader(text: string, file: string): NpyHeader {
  const [open, rest] = [/^\s*\{/.exec(text), /\}\s*$/.exec(text)];
  if (!open || !rest) {
    throw malformed(file, `Cannot read ${file}: its header is not a dictionary`, { offset: 10 });
  }
  const entries = parseEntries(text.slice(open[0].length, rest.index), file);
  const keys = [...entries.keys()].sort().join();
  if (keys !== "descr,fortran_order,shape") {
    const wrong = `Cannot read ${file}: its header has the keys ${keys || "(none)"}`;
    throw malformed(file, wrong, { expected: "descr,fortran_order,shape", found: keys });
  }
  return {
    ...parseDescr(entries.get("descr")!, file),
    fortranOrder: parseBool(entries.get("fortran_order")!, file),
    shape: parseTuple(entries.get("shape")!, file),
  };
}

/** One `'key': value` pair; values are text in quotes, a list, a tuple of numbers or a word. */
const ENTRY = /\s*(?:'(\w+)'|"(\w+)")\s*:\s*('[^']*'|"[^"]*"|\[[^]*\]|\([\dLl,\s]*\)|\w+)\s*(,|$)/y;

function parseEntries(text: string, file: string): Map<string, string> {
  const entries = new Map<string, string>();
  ENTRY.lastIndex = 0;
  while (text.slice(ENTRY.lastIndex).trim() !== "") {
    const at = ENTRY.lastIndex;
    const match = ENTRY.exec(text);
    const key = match?.[1] ?? match?.[2];
    if (!match || key === undefined || entries.has(key) || entries.size > 8) {
      const found = text.slice(at, at + 40).trim();
      throw malformed(file, `Cannot read ${file}: its header makes no sense at "${found}"`, { found });
    }
    entries.set(key, match[3]!);
  }
  return entries;
}

function parseDescr(text: string, file: string): { dtype: DType; byteOrder: ByteOrder } {
  const match = /^['"]([<>|=]?)([a-zA-Z?])(\d*)['"]$/.exec(text);
  const [, mark, letter, size] = match ?? [];
  const name = letter === "?" ? "b1" : `${letter}${size}`;
  const dtype = DTYPES.find((one) => `${dtypeInfo(one).kind}${dtypeInfo(one).itemSize}` === name);
  if (dtype) return { dtype, byteOrder: mark === ">" && dtypeInfo(dtype).unitSize > 1 ? "big" : "little" };
  const found = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  const reason = `samples of ${found} are not numbers that we know; we read ${DTYPES.join(", ")}${
    hintFor(text)
  }`;
  throw cannot("read", file, "unsupported", reason, { found });
}

/** What saves such samples as numbers. */
function hintFor(descr: string): string {
  const [, field] = /^\[\('([^']*)'/.exec(descr) ?? [];
  if (field !== undefined) {
    return `; save fields of records one by one, as np.save("${field}.npy", a["${field}"])`;
  }
  return /^['"][<>|=]?[mM]8/.test(descr)
    ? '; save times as numbers, as np.save("t.npy", a.astype("int64"))'
    : "";
}

function parseBool(text: string, file: string): boolean {
  if (text === "True" || text === "False") return text === "True";
  throw malformed(file, `Cannot read ${file}: fortran_order is ${text}`, {
    expected: "True or False",
    found: text,
  });
}

function parseTuple(text: string, file: string): number[] {
  const body = /^\(([^()]*)\)$/.exec(text)?.[1];
  const parts = body === undefined ? undefined : body.trim() === "" ? [] : body.split(",");
  if (parts && parts.length > 1 && parts.at(-1)!.trim() === "") parts.pop();
  const sizes = parts?.map((part) => Number(/^\s*(\d+)L?\s*$/.exec(part)?.[1] ?? NaN));
  const lone = parts?.length === 1 && !body!.includes(","); // (3) is a number in Python, not a tuple
  if (!sizes || lone || sizes.length > MOST_DIMENSIONS || !sizes.every(Number.isSafeInteger)) {
    const found = text.slice(0, 80);
    throw malformed(file, `Cannot read ${file}: its shape is ${found}`, {
      expected: "a tuple of sizes",
      found,
    });
  }
  return sizes;
}

function malformed(file: string, text: string, details: Record<string, string | number>): TilewiseError {
  return new TilewiseError("malformed", text, { file, ...details });
}

/** The array of a file. */
export async function open(input: FormatInput, options: OpenOptions): Promise<StoredDataset[]> {
  return [await openNpy(input, options)];
}

async function openNpy(input: FormatInput, options: OpenOptions): Promise<StoredDataset> {
  const { header, dataStart } = await readHeader(input, options);
  const { dtype, byteOrder, shape } = header;
  const [fileNav, fileSig] = splitShape(shape, options.sigDims, input.name);
  const plain = !header.fortranOrder || shape.filter((n) => n !== 1).length <= 1; // then both orders are the same
  const bytes = frameBytes(fileSig, dtype);
  const { images, warnings } = imagesIn(
    input,
    sizeOf(fileNav),
    bytes,
    dataStart,
    plain && options.allowTruncated,
  );
  return fileDataset(input, {
    images,
    navShape: images === sizeOf(fileNav) ? fileNav : undefined,
    sigShape: fileSig,
    keepsFrames: plain ? undefined : "it is in Fortran order",
    layout: {
      files: [{ source: input.source.describe(), start: 0, end: images, headerBytes: dataStart }],
      dtype,
      byteOrder,
      ...(plain ? {} : { storage: { kind: "scan-first", navShape: fileNav } }),
    },
    warnings,
    metadata: { shape: [...shape], fortranOrder: header.fortranOrder },
  }, options);
}

async function readHeader(
  { source, head, name }: FormatInput,
  { signal }: OpenOptions,
): Promise<{ header: NpyHeader; dataStart: number }> {
  if (!isNpy(head)) {
    const text = `Cannot read ${name} as npy: it does not begin with \\x93NUMPY`;
    throw new TilewiseError("malformed", text, { file: name, offset: 0, expected: "\\x93NUMPY" });
  }
  const { version, start, end } = npyExtent(head, name);
  if (end > source.size) {
    const text = `it ends inside its header, at byte ${source.size} of ${end}`;
    throw cannot("read", name, "truncated", text, { expected: end, found: source.size });
  }
  const bytes = end <= head.length
    ? head.subarray(start, end)
    : await readUpTo(source, start, end - start, signal);
  const text = new TextDecoder(version === 3 ? "utf-8" : "latin1").decode(bytes);
  return { header: parseNpyHeader(text, name), dataStart: end };
}

/** Images in the file, of `promised`; `truncated` if it does not have them all, unless that is allowed. */
function imagesIn(
  { source }: FormatInput,
  promised: number,
  frame: number,
  dataStart: number,
  allowTruncated: boolean | undefined,
): { images: number; warnings: string[] } {
  const end = dataStart + sizeOf([promised, frame]);
  const surplus = source.size - end;
  if (surplus === 0) return { images: promised, warnings: [] };
  if (surplus > 0) {
    return {
      images: promised,
      warnings: [`${surplus} bytes after the last sample are not part of the array`],
    };
  }
  const complete = Math.floor((source.size - dataStart) / frame);
  const { frames, warnings } = cutOff(
    { name: source.name, size: source.size, end, complete, of: promised },
    allowTruncated,
  );
  return { images: frames, warnings };
}
