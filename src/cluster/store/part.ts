/**
 * The format of a part.
 *
 * ```
 * bytes   0 …  7   "TILEPART"
 *         8 … 11   version, 1 (all numbers little endian)
 *        12 … 15   bytes of the header
 *        16 … 23   bytes of the whole part
 *        24 … 55   SHA-256 of all that follows
 *        56 …      header: JSON with run, node, arrays (name, dtype, length) and values
 *                  the arrays, little endian, each at a multiple of 8
 * ```
 * Nothing in it depends on who computed it, or when: the same node has the same bytes.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { type ErrorDetails, TilewiseError } from "../../errors.ts";
import { sha256 } from "../../io/hash.ts";
import { type DType, dtypeInfo, dtypeOf, DTYPES, type TypedArray, typedArray } from "../../space/dtype.ts";
import { formatBytes } from "../../space/size.ts";
import { nodeName, type TreeNode } from "./node.ts";

/**
 * The result of one node of the merge tree.
 * @category Cluster
 */
export interface Part {
  /** Digest of the manifest of its run. */
  readonly run: string;
  /** The node. */
  readonly node: TreeNode;
  /** Its arrays by name; those of complex samples are arrays of floats. */
  readonly arrays: Readonly<Record<string, TypedArray>>;
  /** All else that it has to say, as JSON: object buffers, numbers of frames. */
  readonly values: unknown;
}

/** What a part that is read must be. */
interface Expected {
  /** What it is called in messages: store and name. */
  readonly file: string;
  /** Digest of the manifest. */
  readonly run: string;
  /** The node. */
  readonly node: TreeNode;
}

const MAGIC = new TextEncoder().encode("TILEPART");
const VERSION = 1;
const FIXED = 56;
const DIGEST = { at: 24, bytes: 32 } as const;
/** Longest header that is read. */
const MOST_HEADER = 2 ** 30;

/** What the header says. */
interface Header {
  readonly run: string;
  readonly node: string;
  readonly arrays: readonly { readonly name: string; readonly dtype: DType; readonly length: number }[];
  readonly values: unknown;
}

/** The bytes of a part, in one piece. */
export async function encodePart({ run, node, arrays, values }: Part): Promise<Uint8Array<ArrayBuffer>> {
  const named = Object.entries(arrays);
  const listed = named.map(([name, array]) => ({ name, dtype: dtypeOf(array), length: array.length }));
  const header: Header = { run, node: nodeName(node), arrays: listed, values };
  const text = new TextEncoder().encode(JSON.stringify(header));
  const places = placesOf(text.length, listed);
  const bytes = new Uint8Array(places.end);
  bytes.set(text, FIXED);
  named.forEach(([, { buffer, byteOffset, byteLength }], i) => {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), places.starts[i]);
  });
  await sealed(bytes, text.length);
  return bytes;
}

/** Writes the fixed fields in front of everything else. */
async function sealed(bytes: Uint8Array<ArrayBuffer>, header: number): Promise<void> {
  bytes.set(MAGIC);
  const view = new DataView(bytes.buffer);
  view.setUint32(8, VERSION, true);
  view.setUint32(12, header, true);
  view.setBigUint64(16, BigInt(bytes.length), true);
  const digits = await sha256(bytes.subarray(FIXED));
  for (let i = 0; i < DIGEST.bytes; i++) bytes[DIGEST.at + i] = parseInt(digits.slice(2 * i, 2 * i + 2), 16);
}

/**
 * The part in `bytes`, which its arrays share.
 *
 * Errors: `truncated` for a part whose end is missing, `malformed` for one of which a bit has changed, or that is no
 * part, `unsupported` for one of a later version, `conflict` for one of another run or node. None of them is merged; a
 * worker that computes the node again cannot replace it, so the message says to delete the file.
 */
export async function decodePart(bytes: Uint8Array<ArrayBuffer>, expected: Expected): Promise<Part> {
  const headerBytes = checkFixed(bytes, expected);
  await checkDigest(bytes, expected);
  const header = headerOf(bytes.subarray(FIXED, FIXED + headerBytes), expected);
  const { run, node, values } = header;
  if (run !== expected.run) throw foreign(expected, "run", expected.run, run);
  if (node !== nodeName(expected.node)) throw foreign(expected, "node", nodeName(expected.node), node);
  const places = placesOf(headerBytes, header.arrays);
  if (places.end !== bytes.length) throw damaged(expected, "its arrays have another size than the file");
  const arrays = header.arrays.map(({ name, dtype, length }, i) =>
    [name, typedArray(dtype, bytes.buffer, bytes.byteOffset + places.starts[i]!, length)] as const
  );
  return { run, node: expected.node, arrays: Object.fromEntries(arrays), values };
}

/** Checks everything in front of the header; returns the bytes of the header. */
function checkFixed(bytes: Uint8Array, expected: Expected): number {
  if (bytes.length < FIXED) throw torn(expected, FIXED, bytes.length);
  if (!MAGIC.every((byte, i) => bytes[i] === byte)) throw damaged(expected, "it does not begin like a part");
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const version = view.getUint32(8, true);
  if (version !== VERSION) throw later(expected, version);
  const whole = Number(view.getBigUint64(16, true));
  if (bytes.length < whole) throw torn(expected, whole, bytes.length);
  const header = view.getUint32(12, true);
  if (whole !== bytes.length || header > Math.min(MOST_HEADER, bytes.length - FIXED)) {
    throw damaged(expected, "its sizes contradict each other");
  }
  return header;
}

async function checkDigest(bytes: Uint8Array, expected: Expected): Promise<void> {
  const said = [...bytes.subarray(DIGEST.at, DIGEST.at + DIGEST.bytes)];
  const digits = said.map((byte) => byte.toString(16).padStart(2, "0")).join("");
  if (await sha256(bytes.subarray(FIXED)) !== digits) throw damaged(expected, "its SHA-256 is another one");
}

/** The header; its form is checked, as a digest alone says nothing about who wrote it. */
function headerOf(text: Uint8Array, expected: Expected): Header {
  let header: Partial<Header>;
  try {
    header = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(text)) ?? {};
  } catch (cause) {
    throw damaged(expected, "its header is not JSON", cause);
  }
  const isList = Array.isArray(header.arrays) && header.arrays.every(isListed);
  if (isList && typeof header.run === "string" && typeof header.node === "string") return header as Header;
  throw damaged(expected, "its header is incomplete");
}

function isListed(value: unknown): boolean {
  const { name, dtype, length } = (value ?? {}) as Partial<Header["arrays"][number]>;
  return typeof name === "string" && DTYPES.some((known) => known === dtype) &&
    Number.isSafeInteger(length) &&
    length !== undefined && length >= 0;
}

/** Where the arrays start, and where the last one ends. */
function placesOf(header: number, arrays: Header["arrays"]): { starts: number[]; end: number } {
  let end = rounded(FIXED + header);
  const starts = arrays.map(({ dtype, length }) => {
    const start = end;
    end = rounded(start + dtypeInfo(dtype).itemSize * length);
    return start;
  });
  return { starts, end };
}

function rounded(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}

const REMEDY = "delete it and compute the part again; all other parts stay";

function torn(expected: Expected, whole: number, found: number): TilewiseError {
  const text = `${named(expected)} is torn: it has ${formatBytes(found)} of ${formatBytes(whole)}; ${REMEDY}`;
  return failure("truncated", text, expected, { expected: whole, found });
}

function damaged(expected: Expected, why: string, cause?: unknown): TilewiseError {
  const text = `${named(expected)} is damaged: ${why}; ${REMEDY}`;
  return failure("malformed", text, expected, { found: why }, cause);
}

function later(expected: Expected, version: number): TilewiseError {
  const text = `${named(expected)} has version ${version}; this Tilewise reads version ${VERSION}`;
  return failure("unsupported", text, expected, { expected: VERSION, found: version });
}

function foreign(expected: Expected, what: string, wanted: string, found: string): TilewiseError {
  const text = `${named(expected)} belongs to another ${what} (${found}, not ${wanted}); ${REMEDY}`;
  return failure("conflict", text, expected, { expected: wanted, found });
}

function named({ file, node }: Expected): string {
  return `Part ${nodeName(node)} (${file})`;
}

function failure(
  code: TilewiseError["code"],
  text: string,
  { file, node }: Expected,
  details: ErrorDetails,
  cause?: unknown,
): TilewiseError {
  const why = defined({ cause });
  return new TilewiseError(code, text, { ...details, file, node: nodeName(node) }, why);
}
