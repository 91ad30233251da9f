/**
 * Documents of arrays of Zarr: `.zarray` of version 2, and `zarr.json` of version 3.
 *
 * @module
 */

import { defined } from "../../options.ts";
import type { ChunkFilterSpec } from "../../dataset/layout/chunks.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import { type Shape, sizeOf } from "../../space/shape.ts";
import { type FileType, fillBytes } from "../common/fill.ts";
import {
  bytesFilter,
  type Codec,
  elementType,
  isOfNumbers,
  namedType,
  numberFilter,
  swapOf,
  transposeOf,
} from "./codecs.ts";
import { isObject, type Json, malformed, objectIn, objectsIn, unsupported } from "./json.ts";
import {
  checkChunk,
  checkSizes,
  type Keys,
  mostStored,
  type Pipeline,
  sizesIn,
  type ZarrArray,
  type ZarrNode,
} from "./node.ts";
import { codecsOf, pipelineOf } from "./pipeline.ts";

/** The array that a node of version 2 describes. */
export function arrayOfV2(node: ZarrNode): ZarrArray {
  const { file, path, attributes } = node;
  const json = node.array!;
  const { type, inner } = elementType(json["dtype"], file);
  const own = sizesIn(json["shape"], "shape", 0, file), shape = [...own, ...inner];
  const chunk = [...sizesIn(json["chunks"], "shape of chunks", 1, file), ...inner];
  checkSizes(shape, chunk, type.dtype, file);
  checkChunk(chunk, type.dtype, file);
  const codecs = filtersOf(json, file);
  if (inner.length > 0) checkRecords(json, codecs, file);
  const pipeline = pipelineOfChunks(codecs, json, chunk, type, file);
  const value = inner.length > 0 ? 0 : json["fill_value"];
  const fill = fillBytes(value, { ...type, byteOrder: pipeline.byteOrder }, file);
  const names = attributes["_ARRAY_DIMENSIONS"];
  return {
    node,
    shape,
    inner,
    dtype: type.dtype,
    ...pipeline,
    ...defined({ fill }),
    keys: {
      prefix: path === "" ? "" : `${path}/`,
      separator: separatorOf(json, file),
      scalar: scalarKey(path),
      ...(inner.length > 0 ? { order: [...own.keys()] } : {}),
    },
    ...(Array.isArray(names)
      ? { names: names.map((name) => typeof name === "string" ? name : undefined) }
      : {}),
    codecs: codecs.map(({ name }) => name),
  };
}

/** Refuses records that lie otherwise than as one more dimension, or that are no zeros where they were never written. */
function checkRecords({ order, fill_value: fill }: Json, codecs: readonly Codec[], file: string): void {
  const filter = codecs.find(({ name }) => isOfNumbers(name));
  if (order === "F") throw unsupported(file, "its records are stored in the order F");
  if (filter) throw unsupported(file, `its records are stored with ${filter.name}, a filter of numbers`);
  const isZero = (fill ?? 0) === 0 || /^A*=*$/.test(String(fill));
  if (!isZero) throw unsupported(file, "its records that were never written are no zeros");
}

function scalarKey(path: string): string {
  return path === "" ? "0" : `${path}/0`;
}

function separatorOf(json: Json, file: string): "." | "/" {
  const separator = json["dimension_separator"] ?? ".";
  if (separator === "." || separator === "/") return separator;
  throw malformed(file, `its dimension_separator is ${JSON.stringify(separator)}`);
}

/** Filters, then the compressor. */
function filtersOf(json: Json, file: string): Codec[] {
  const compressor = json["compressor"];
  const all = [...objectsIn(json, "filters"), ...(isObject(compressor) ? [compressor] : [])];
  return all.map((one) => {
    const name = one["id"];
    if (typeof name !== "string") throw malformed(file, "one of its codecs has no id");
    return { name, written: name, json: one };
  });
}

function pipelineOfChunks(
  codecs: readonly Codec[],
  json: Json,
  chunk: Shape,
  type: FileType,
  file: string,
): Pipeline {
  const { itemSize } = dtypeInfo(type.dtype);
  const filters: ChunkFilterSpec[] = [];
  const order = json["order"] ?? "C";
  if (order !== "C" && order !== "F") throw malformed(file, `its order is ${JSON.stringify(order)}`);
  if (order === "F") {
    const turned = transposeOf(chunk, chunk.map((_, d) => chunk.length - 1 - d), itemSize);
    if (turned) filters.push(turned);
  }
  let stored = type, widest = itemSize, isChanged = false, isBytes = false;
  const toBytes = () => {
    if (!isBytes && isChanged && stored.byteOrder === "big") filters.push(swapOf(stored.dtype));
    isBytes = true;
  };
  for (const codec of codecs) {
    if (!isOfNumbers(codec.name)) {
      toBytes();
      filters.push(bytesFilter(codec, file));
      continue;
    }
    if (isBytes) throw unsupported(file, `its filter ${codec.name} is behind a filter of bytes`);
    const found = numberFilter(codec, stored, file);
    if (isTurned(found.own, stored)) filters.push(swapOf(stored.dtype));
    filters.push(...found.filters);
    isChanged ||= found.filters.length > 0;
    stored = found.stored;
    widest = Math.max(widest, dtypeInfo(stored.dtype).itemSize);
  }
  toBytes();
  return {
    byteOrder: isChanged ? "little" : type.byteOrder,
    chunk,
    filters,
    shards: [],
    most: mostStored(sizeOf(chunk) * widest),
  };
}

/** Whether a filter takes the bytes before it for numbers of the other byte order: writers do not convert them. */
function isTurned(own: FileType | undefined, before: FileType): boolean {
  const isSame = !own || own.byteOrder === before.byteOrder || dtypeInfo(own.dtype).unitSize === 1;
  return !isSame && dtypeInfo(own.dtype).itemSize === dtypeInfo(before.dtype).itemSize;
}

/** The array that a node of version 3 describes. */
export function arrayOfV3(node: ZarrNode): ZarrArray {
  const { file, path } = node;
  const json = node.array!;
  refuseUnknown(json, file);
  const codecs = codecsOf(json["codecs"], file);
  const dtype = namedType(json["data_type"], file);
  const shape = sizesIn(json["shape"], "shape", 0, file);
  const chunk = chunkShape(json, file);
  checkSizes(shape, chunk, dtype, file);
  const pipeline = pipelineOf(codecs, chunk, dtype, file);
  checkChunk(pipeline.chunk, dtype, file);
  const fill = fillBytes(json["fill_value"], { dtype, byteOrder: pipeline.byteOrder }, file);
  const names = json["dimension_names"];
  return {
    node,
    shape,
    dtype,
    ...pipeline,
    ...defined({ fill }),
    keys: keysOf(json, path, file),
    ...(Array.isArray(names)
      ? { names: names.map((name) => typeof name === "string" ? name : undefined) }
      : {}),
    codecs: codecs.map(({ name }) => name),
  };
}

/** Members of a document that are known; others must say that they need not be understood. */
const MEMBERS = new Set([
  "zarr_format",
  "node_type",
  "shape",
  "data_type",
  "chunk_grid",
  "chunk_key_encoding",
  "fill_value",
  "codecs",
  "attributes",
  "storage_transformers",
  "dimension_names",
  "consolidated_metadata",
]);

function refuseUnknown(json: Json, file: string): void {
  const transformers = json["storage_transformers"];
  if (Array.isArray(transformers) && transformers.length > 0) {
    const [first] = transformers as unknown[];
    const name = isObject(first) ? String(first["name"]) : String(first);
    throw unsupported(file, `its storage transformer ${name} is unknown`, name);
  }
  for (const [key, value] of Object.entries(json)) {
    if (MEMBERS.has(key) || (isObject(value) && value["must_understand"] === false)) continue;
    throw unsupported(file, `its member ${JSON.stringify(key)} must be understood, but is unknown`, key);
  }
}

function chunkShape(json: Json, file: string): number[] {
  const grid = objectIn(json, "chunk_grid");
  if (grid["name"] !== "regular") {
    throw unsupported(
      file,
      `its chunks are in a grid ${JSON.stringify(grid["name"])}; regular ones are read`,
    );
  }
  return sizesIn(objectIn(grid, "configuration")["chunk_shape"], "shape of chunks", 1, file);
}

function keysOf(json: Json, path: string, file: string): Keys {
  const encoding = json["chunk_key_encoding"];
  const name = typeof encoding === "string"
    ? encoding
    : objectIn(json, "chunk_key_encoding")["name"] ?? "default";
  const isOld = name === "v2";
  if (name !== "default" && !isOld) {
    throw unsupported(file, `its chunk keys are encoded as ${JSON.stringify(name)}`);
  }
  const given = isObject(encoding) ? objectIn(encoding, "configuration")["separator"] : undefined;
  const separator = given ?? (isOld ? "." : "/");
  if (separator !== "." && separator !== "/") {
    throw malformed(file, `the separator of its chunk keys is ${JSON.stringify(separator)}`);
  }
  const folder = path === "" ? "" : `${path}/`;
  return isOld
    ? { prefix: folder, separator, scalar: `${folder}0` }
    : { prefix: `${folder}c${separator}`, separator, scalar: `${folder}c` };
}
