/**
 * Parameters as JSON: arrays by the digest of their bytes, which lie in the store; what JSON has no word for, with a word.
 *
 * ```
 * { masks: [Float32Array(9)], r: NaN }   →   { "masks": [{ "$": "float32", "length": 9, "sha256": "…" }], "r": { "$": "number", "is": "NaN" } }
 * ```
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { sha256 } from "../../io/hash.ts";
import { bytesOf } from "../../space/bytes.ts";
import { dtypeInfo, dtypeOf, DTYPES, type TypedArray, typedArray } from "../../space/dtype.ts";
import { auxData, isAuxData } from "../../udf/interface/aux_data.ts";
import type { Json } from "./json.ts";

/** Bytes by their SHA-256, which go into the store beside the manifest. */
export type Data = Map<string, Uint8Array>;

/** The word that marks an object which stands for something else. */
const MARK = "$";

/** A value as JSON; the bytes of its arrays are put into `data`. Errors: `unsupported` for what cannot travel. */
export async function frozen(value: unknown, data: Data): Promise<Json> {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (value === undefined) return { [MARK]: "undefined" };
  if (typeof value === "bigint") return { [MARK]: "bigint", is: String(value) };
  if (typeof value === "number") return frozenNumber(value);
  if (value instanceof URL) return { [MARK]: "url", is: value.href };
  if (ArrayBuffer.isView(value)) return await frozenArray(value, data);
  if (value instanceof ArrayBuffer) {
    return { ...await frozenArray(new Uint8Array(value), data), [MARK]: "buffer" };
  }
  if (Array.isArray(value)) return await Promise.all(value.map((item) => frozen(item, data)));
  if (typeof value === "object" && isPlain(value)) return await frozenObject(value, data);
  const what = typeof value === "object" ? `an instance of ${value.constructor.name}` : `a ${typeof value}`;
  const text =
    `${what} cannot travel to other machines; use numbers, texts, truth values, arrays, typed arrays, ` +
    "and plain objects of these, or export the function from a module";
  throw new TilewiseError("unsupported", text, { found: what });
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function frozenNumber(value: number): Json {
  const isOrdinary = Number.isFinite(value) && !Object.is(value, -0);
  return isOrdinary ? value : { [MARK]: "number", is: Object.is(value, -0) ? "-0" : String(value) };
}

async function frozenArray(
  array: ArrayBufferView,
  data: Data,
): Promise<{ readonly [key: string]: Json }> {
  const bytes = bytesOf(array).slice();
  const digest = await sha256(bytes);
  data.set(digest, bytes);
  const typed = array instanceof DataView ? bytes : array as TypedArray;
  return { [MARK]: dtypeOf(typed), length: typed.length, sha256: digest };
}

async function frozenObject(value: object, data: Data): Promise<Json> {
  const given = Object.entries(value).map(async ([key, item]) => [key, await frozen(item, data)] as const);
  const record = Object.fromEntries(await Promise.all(given));
  if (isAuxData(value)) return { [MARK]: "aux", is: record };
  return MARK in record ? { [MARK]: "object", is: record } : record;
}

/** The value of what {@link frozen} gave; `read` gives the bytes of a digest. Errors: `malformed`. */
export async function thawed(
  json: unknown,
  read: (digest: string) => Promise<Uint8Array<ArrayBuffer>>,
): Promise<unknown> {
  if (Array.isArray(json)) return await Promise.all(json.map((item) => thawed(item, read)));
  if (typeof json !== "object" || json === null) return json;
  if (MARK in json) return await marked(json as Marked, read);
  return await thawedObject(json, read);
}

async function thawedObject(
  json: object,
  read: (digest: string) => Promise<Uint8Array<ArrayBuffer>>,
): Promise<Record<string, unknown>> {
  const entries = Object.entries(json).map(async ([key, item]) => [key, await thawed(item, read)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

interface Marked {
  readonly $: string;
  readonly is?: unknown;
  readonly length?: number;
  readonly sha256?: string;
}

async function marked(
  { $: mark, is, length = 0, sha256: digest = "" }: Marked,
  read: (digest: string) => Promise<Uint8Array<ArrayBuffer>>,
): Promise<unknown> {
  if (mark === "undefined") return undefined;
  if (mark === "bigint") return BigInt(String(is));
  if (mark === "number") return Number(is);
  if (mark === "url") return new URL(String(is));
  if (mark === "object") return await thawedObject(is as object, read);
  if (mark === "aux") return auxOf(await thawedObject(is as object, read));
  const dtype = DTYPES.find((known) => known === (mark === "buffer" ? "uint8" : mark));
  if (!dtype) throw new TilewiseError("malformed", `The manifest has a value of the unknown kind "${mark}"`);
  const bytes = await read(digest);
  if (bytes.length !== length * dtypeInfo(dtype).itemSize) {
    const text =
      `The manifest names ${length} numbers of ${dtype}; the store has ${bytes.length} bytes for them`;
    throw new TilewiseError("malformed", text, { expected: length, found: bytes.length });
  }
  const { buffer } = bytes.slice();
  return mark === "buffer" ? buffer : typedArray(dtype, buffer, 0, length);
}

function auxOf(spec: Record<string, unknown>): unknown {
  const { data, ...options } = spec as { data: TypedArray };
  return auxData(data, options);
}
