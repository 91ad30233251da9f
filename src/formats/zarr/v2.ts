/**
 * Documents of arrays of Zarr version 2: `.zarray`.
 *
 * @module
 */

import type { ChunkFilterSpec } from "../../dataset/layout/chunk_filter.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import { type Shape, sizeOf } from "../../space/shape.ts";
import { type FileType, fillBytes } from "../common/fill.ts";
import { bytesFilter, type Codec, isOfNumbers, numberFilter, swapOf, transposeOf } from "./codecs.ts";
import { isObject, type Json, malformed, objectsIn, unsupported } from "./json.ts";
import {
  checkChunk,
  checkSizes,
  mostStored,
  type Pipeline,
  sizesIn,
  type ZarrArray,
  type ZarrNode,
} from "./node.ts";
import { numpyType } from "./types.ts";

/** The array that a node of version 2 describes. */
export function arrayOfV2(node: ZarrNode): ZarrArray {
  const { file, path, attributes } = node;
  const json = node.array!;
  const type = numpyType(json["dtype"], file);
  const shape = sizesIn(json["shape"], "shape", 0, file);
  const chunk = sizesIn(json["chunks"], "shape of chunks", 1, file);
  checkSizes(shape, chunk, type.dtype, file);
  checkChunk(chunk, type.dtype, file);
  const codecs = codecsOf(json, file);
  const pipeline = pipelineOf(codecs, json, chunk, type, file);
  const fill = fillBytes(json["fill_value"], { ...type, byteOrder: pipeline.byteOrder }, file);
  const names = attributes["_ARRAY_DIMENSIONS"];
  return {
    node,
    shape,
    dtype: type.dtype,
    ...pipeline,
    ...(fill ? { fill } : {}),
    keys: {
      prefix: path === "" ? "" : `${path}/`,
      separator: separatorOf(json, file),
      scalar: scalarKey(path),
    },
    ...(Array.isArray(names)
      ? { names: names.map((name) => typeof name === "string" ? name : undefined) }
      : {}),
    codecs: codecs.map(({ name }) => name),
  };
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
function codecsOf(json: Json, file: string): Codec[] {
  const compressor = json["compressor"];
  const all = [...objectsIn(json, "filters"), ...(isObject(compressor) ? [compressor] : [])];
  return all.map((one) => {
    const name = one["id"];
    if (typeof name !== "string") throw malformed(file, "one of its codecs has no id");
    return { name, written: name, json: one };
  });
}

function pipelineOf(
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
