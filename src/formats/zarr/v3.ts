/**
 * Documents of arrays of Zarr version 3: `zarr.json`.
 *
 * @module
 */

import { fillBytes } from "../common/fill.ts";
import { isObject, type Json, malformed, objectIn, unsupported } from "./json.ts";
import { checkChunk, checkSizes, type Keys, sizesIn, type ZarrArray, type ZarrNode } from "./node.ts";
import { codecsOf, pipelineOf } from "./pipeline.ts";
import { namedType } from "./types.ts";

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
    ...(fill ? { fill } : {}),
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
