/**
 * What the TOML file of a raw CSR data set says, checked.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { cannot, TilewiseError } from "../../errors.ts";
import { loadPackage } from "../../packages.ts";
import { type ByteOrder, type DType, dtypeInfo, parseDType } from "../../space/dtype.ts";
import { type Shape, sizeOf } from "../../space/shape.ts";
import { formatBytes } from "../../space/size.ts";
import { MOST_TOML_BYTES } from "./format.ts";

// Reads TOML descriptions beside data with the library smol-toml, with limits and with errors that name file and line. It
// reads TOML 1.0 and 1.1; dates and times become texts.

/** A value of a TOML file; whole numbers beyond 2^53 are `bigint`. */
type TomlValue = string | number | bigint | boolean | readonly TomlValue[] | TomlTable;

/** A table of a TOML file. */
interface TomlTable {
  /** Values and inner tables by name. */
  readonly [key: string]: TomlValue;
}

/** Maximum depth of tables and arrays inside each other. */
const MOST_LEVELS = 64;

/** The part of smol-toml that is used here. */
interface Library {
  parse(text: string, options: { readonly integersAsBigInt: "asNeeded"; readonly maxDepth: number }): unknown;
}

/**
 * The tables of a TOML file. Errors: `malformed`, with the line; `unsupported` (too long, or the library cannot be
 * loaded).
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const text = '[params]\nnav_shape = [2, 3] # rows, columns\nname = "a"\n';
 * const found = await parseToml(new TextEncoder().encode(text), "x.toml");
 * assertEquals(JSON.stringify(found), '{"params":{"nav_shape":[2,3],"name":"a"}}');
 * ```
 */
export async function parseToml(bytes: Uint8Array, file: string): Promise<TomlTable> {
  if (bytes.length > MOST_TOML_BYTES) {
    const text = `descriptions of up to ${formatBytes(MOST_TOML_BYTES)} are read`;
    throw cannot("read", file, "unsupported", text, { expected: MOST_TOML_BYTES });
  }
  const text = decoded(bytes, file);
  const { parse } = await loadPackage<Library>("smol-toml", `Cannot read ${file}`);
  let root: unknown;
  try {
    root = parse(text, { integersAsBigInt: "asNeeded", maxDepth: MOST_LEVELS });
  } catch (cause) {
    const { message, line } = cause as { message: string; line?: number };
    throw wrong(file, message.replace(/^Invalid TOML document: /, "").split("\n")[0]!, line, cause);
  }
  return plain(root, { text, file }, 0) as TomlTable;
}

function decoded(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes.slice()); // out of shared memory
  } catch (cause) {
    throw wrong(file, "it is not text in UTF-8", undefined, cause);
  }
}

/** The document, for messages. */
interface Document {
  readonly text: string;
  readonly file: string;
}

/** A value without the classes of the library: dates as texts, tables and arrays likewise inside. */
function plain(value: unknown, document: Document, level: number): TomlValue {
  if (value instanceof Date) return dateText(value, document);
  if (typeof value !== "object" || value === null) return value as TomlValue;
  if (level > MOST_LEVELS) {
    throw wrong(document.file, `more than ${MOST_LEVELS} tables and arrays inside of each other`);
  }
  if (Array.isArray(value)) return value.map((one) => plain(one, document, level + 1));
  const table: Record<string, TomlValue> = Object.create(null);
  for (const [key, one] of Object.entries(value)) table[key] = plain(one, document, level + 1);
  return table;
}

/** Finds invalid dates: the library reads the 30th of February as the 2nd of March, which is not in the document. */
function dateText(date: Date, { text, file }: Document): string {
  const found = date.toISOString();
  const [day] = /^\d{4}-\d\d-\d\d/.exec(found) ?? [];
  if (day === undefined || text.includes(day)) return found;
  for (const { 0: token, index } of text.matchAll(/\d{4}-\d\d-\d\d/g)) {
    const day = new Date(token);
    if (Number.isNaN(day.getTime()) || day.toISOString().startsWith(token)) continue; // not a date at all, or one
    throw wrong(file, `there is no day ${token}`, text.slice(0, index).split("\n").length);
  }
  throw wrong(file, `${day} is not a valid date`);
}

function wrong(file: string, problem: string, line?: number, cause?: unknown): TilewiseError {
  const text = `Cannot read ${file}: ${problem}${line === undefined ? "" : ` in line ${line}`}`;
  const details = { file, ...defined({ line }) };
  return new TilewiseError("malformed", text, details, defined({ cause }));
}

/** One of the three files. */
export interface CsrFile {
  /** Where it is, from the folder of the description. */
  readonly path: string;
  /** Type of its numbers. */
  readonly dtype: DType;
  /** Their byte order. */
  readonly byteOrder: ByteOrder;
}

/** A description. */
interface CsrSidecar {
  /** Shape of the scan. */
  readonly navShape: Shape;
  /** Shape of a frame. */
  readonly sigShape: Shape;
  /** Row pointers. */
  readonly indptr: CsrFile;
  /** Columns. */
  readonly indices: CsrFile;
  /** Samples. */
  readonly data: CsrFile;
}

/** Types of columns that kernels read. */
const INDEX_TYPES: readonly DType[] = ["uint16", "int32", "uint32", "int64", "uint64"];

/** Types of row pointers. */
const POINTER_TYPES: readonly DType[] = ["uint8", "int8", "int16", ...INDEX_TYPES];

/** The description in the `bytes` of a file. */
export async function csrSidecar(bytes: Uint8Array, file: string): Promise<CsrSidecar> {
  const root = await parseToml(bytes, file);
  const params = table(root, "params", file);
  const filetype = params.filetype;
  if (typeof filetype !== "string" || filetype.toLowerCase() !== "raw_csr") {
    throw wrongKey(file, "params.filetype", filetype, '"raw_csr"');
  }
  const csr = table(root, "raw_csr", file);
  return {
    navShape: shape(params, "nav_shape", file),
    sigShape: shape(params, "sig_shape", file),
    indptr: entry(csr, "indptr", file, (dtype) => POINTER_TYPES.includes(dtype), POINTER_TYPES.join(", ")),
    indices: entry(csr, "indices", file, (dtype) => INDEX_TYPES.includes(dtype), INDEX_TYPES.join(", ")),
    data: entry(csr, "data", file, isReal, "a real type"),
  };
}

function isReal(dtype: DType): boolean {
  return dtypeInfo(dtype).kind !== "c";
}

function table(root: TomlTable, key: string, file: string): TomlTable {
  const found = root[key];
  if (typeof found === "object" && !Array.isArray(found)) return found as TomlTable;
  throw wrongKey(file, `[${key}]`, found, "a table");
}

function shape(params: TomlTable, key: string, file: string): Shape {
  const found = params[key];
  const sizes = Array.isArray(found) ? found as readonly TomlValue[] : [];
  if (sizes.length === 0 || !sizes.every((n) => Number.isSafeInteger(n) && n as number > 0)) {
    throw wrongKey(file, `params.${key}`, found, "an array of whole numbers from 1");
  }
  sizeOf(sizes as Shape);
  return sizes as Shape;
}

function entry(
  csr: TomlTable,
  name: string,
  file: string,
  accepts: (dtype: DType) => boolean,
  known: string,
): CsrFile {
  const [path, type] = [csr[`${name}_file`], csr[`${name}_dtype`]];
  if (typeof path !== "string" || path === "") {
    throw wrongKey(file, `raw_csr.${name}_file`, path, "a file name");
  }
  if (typeof type !== "string") throw wrongKey(file, `raw_csr.${name}_dtype`, type, "a dtype such as <i4");
  const dtype = dtypeOf(type, file, name);
  if (accepts(dtype)) return { path, dtype, byteOrder: type.trim().startsWith(">") ? "big" : "little" };
  const text = `raw_csr.${name}_dtype is ${dtype}, known here are ${known}`;
  throw cannot("read", file, "unsupported", text, { found: dtype, expected: known });
}

/** The type of a name; NumPy's letters mean bytes here, as NumPy wrote them. */
function dtypeOf(type: string, file: string, name: string): DType {
  const plain = type.trim();
  try {
    return parseDType(/^[uif]\d$/.test(plain) ? `<${plain}` : plain);
  } catch (cause) {
    const text = `raw_csr.${name}_dtype: ${(cause as Error).message}`;
    throw cannot("read", file, "malformed", text, { found: type }, { cause });
  }
}

function shownValue(value: TomlValue): string {
  return JSON.stringify(value, (_, one) => typeof one === "bigint" ? String(one) : one);
}

function wrongKey(file: string, key: string, found: TomlValue | undefined, expected: string): TilewiseError {
  const shown = found === undefined ? "missing" : shownValue(found);
  return new TilewiseError("malformed", `Cannot read ${file}: ${key} is ${shown}, expected ${expected}`, {
    file,
    key,
    expected,
    found: shown,
  });
}
