/**
 * The JSON documents of Zarr: arrays of version 2 and 3, and which folders have them. Sources: the specifications at
 * zarr-specs.readthedocs.io.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { mayReplace } from "../../io/write/scratch.ts";
import { OWN_ATTRIBUTES } from "../../dataset/facts.ts";
import { type AxisFacts, factsOf, type ValueFacts } from "../../space/axes.ts";
import type { EncoderStep } from "../../codecs/encoders/encoder.ts";
import { type DType, dtypeInfo } from "../../space/dtype.ts";
import type { Shape } from "../../space/shape.ts";
import type { ChosenCodec } from "../chunks/chunk_options.ts";
import type { Ome } from "./ome.ts";

/** Facts of one array. */
export interface ZarrArray {
  /** Its shape. */
  readonly shape: Shape;
  /** Type of its samples. */
  readonly dtype: DType;
  /** Samples of a chunk. */
  readonly chunk: Shape;
  /** Samples of a shard, if chunks are combined in shards. */
  readonly shard?: Shape;
  /** The codec. */
  readonly codec: ChosenCodec;
  /** Names of dimensions. */
  readonly names?: readonly string[];
  /** What is seen where no chunk is stored. Default 0. */
  readonly fill?: unknown;
  /** Its attributes, in version 3. */
  readonly attributes?: ZarrAttributes;
}

/** Attributes of a group or an array: anything that JSON can hold. */
export type ZarrAttributes = Readonly<Record<string, unknown>>;

/** The text of a document. */
export function jsonText(json: object): string {
  return JSON.stringify(json, undefined, 2) + "\n";
}

/** `zarr.json` of a group of version 3. */
export function groupJson(attributes: ZarrAttributes): object {
  return { zarr_format: 3, node_type: "group", attributes };
}

/** Codecs of sinks, by name. */
export const ZARR_CODECS = ["none", "zstd", "blosc", "gzip", "zlib"];

/** The steps that a codec takes. */
export function stepsOf({ name, level }: ChosenCodec, dtype: DType): EncoderStep[] {
  const { itemSize } = dtypeInfo(dtype);
  const values = name === "blosc" ? [level, itemSize] : [level];
  const encoder =
    { none: [], zstd: ["Zstandard"], blosc: ["Blosc"], gzip: ["gzip"], zlib: ["deflate"] }[name];
  return (encoder ?? []).map((name) => ({ name, values }));
}

/** `zarr.json` of an array of version 3. */
export function arrayJson(array: ZarrArray): object {
  const { shape, dtype, chunk, shard, codec, names, fill = zeroOf(dtype), attributes = {} } = array;
  const { itemSize } = dtypeInfo(dtype);
  const bytes = itemSize === 1 ? { name: "bytes" } : { name: "bytes", configuration: { endian: "little" } };
  const codecs = [bytes, ...packed3(codec, dtype)];
  return {
    zarr_format: 3,
    node_type: "array",
    shape,
    data_type: dtype,
    chunk_grid: {
      name: "regular",
      configuration: { chunk_shape: (shard ?? chunk).map((n) => Math.max(1, n)) },
    },
    chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
    fill_value: fill,
    codecs: shard ? [sharding(chunk, codecs)] : codecs,
    attributes,
    ...(names ? { dimension_names: names } : {}),
  };
}

function zeroOf(dtype: DType): unknown {
  const { kind } = dtypeInfo(dtype);
  return kind === "b" ? false : kind === "c" ? [0, 0] : 0;
}

function sharding(chunk: Shape, codecs: readonly object[]): object {
  const index_codecs = [{ name: "bytes", configuration: { endian: "little" } }, { name: "crc32c" }];
  return {
    name: "sharding_indexed",
    configuration: { chunk_shape: chunk, codecs, index_codecs, index_location: "end" },
  };
}

function packed3({ name, level }: ChosenCodec, dtype: DType): object[] {
  const { itemSize } = dtypeInfo(dtype);
  if (name === "none") return [];
  if (name === "zstd") return [{ name, configuration: { level, checksum: false } }];
  if (name === "gzip") return [{ name, configuration: { level } }];
  const shuffle = itemSize > 1 ? "shuffle" : "noshuffle";
  return [{
    name,
    configuration: { typesize: itemSize, cname: "zstd", clevel: level, shuffle, blocksize: 0 },
  }];
}

/** `.zarray` of an array of version 2, in which the separator of keys is a slash. */
export function zarray({ shape, dtype, chunk, codec }: ZarrArray): object {
  const { kind, itemSize } = dtypeInfo(dtype);
  return {
    zarr_format: 2,
    shape,
    chunks: chunk,
    dtype: `${itemSize === 1 ? "|" : "<"}${kind}${itemSize}`,
    compressor: packed2(codec, itemSize),
    fill_value: zeroOf(dtype),
    order: "C",
    filters: null,
    dimension_separator: "/",
  };
}

function packed2({ name, level }: ChosenCodec, itemSize: number): object | null {
  if (name === "none") return null;
  if (name !== "blosc") return { id: name, level };
  return { id: name, cname: "zstd", clevel: level, shuffle: itemSize > 1 ? 1 : 0, blocksize: 0 };
}

/** What is said of the samples of an array and of its dimensions. */
interface ArrayMeaning {
  /** What samples mean. */
  readonly values: ValueFacts;
  /** Its dimensions, if they are known. */
  readonly axes?: readonly AxisFacts[] | undefined;
  /** How many of the first dimensions are the scan, where kinds of axes do not say it. */
  readonly nav?: number | undefined;
}

/**
 * All documents of a result: those of its arrays, and, with `ome`, those of a group with arrays of the names 0, 1, …, which
 * says whether it shows labels. A lone array says what its axes and samples are in an attribute of Tilewise.
 */
export function documentsOf(
  format: 2 | 3,
  arrays: readonly ZarrArray[],
  meaning: ArrayMeaning,
  ome: Ome | undefined,
): [path: string, text: string][] {
  const [file, make] = format === 3 ? ["zarr.json", arrayJson] as const : [".zarray", zarray] as const;
  const own = arrays.map((array, level): [string, object] => [ome ? `${level}/${file}` : file, make(array)]);
  const isLabel = meaning.values.kind === "label";
  const all = ome
    ? [...own, ...(format === 3 ? group3 : group2)(ome, isLabel)]
    : withOwn(own, ownAttributes(meaning));
  return all.map(([path, json]) => [path, jsonText(json)]);
}

/** What no convention has a name for, in an attribute of Tilewise; empty where everything follows from names and types. */
export function ownAttributes({ values, axes, nav }: ArrayMeaning): ZarrAttributes {
  const facts = {
    ...(axes?.some((axis) => Object.keys(axis).length > 1) ? { axes: axes.map(factsOf) } : {}),
    ...(nav === undefined ? {} : { nav }),
    ...(values.kind === "amount" && Object.keys(values).length === 1 ? {} : { values }),
  };
  return Object.keys(facts).length === 0 ? {} : { [OWN_ATTRIBUTES]: facts };
}

type Document = [path: string, json: object];

function group3({ multiscales, omero }: Ome, isLabel: boolean): Document[] {
  const label = isLabel ? { "image-label": {} } : {};
  const attributes = {
    ome: { version: "0.5", multiscales: [multiscales], ...(omero ? { omero } : {}), ...label },
  };
  return [["zarr.json", groupJson(attributes)]];
}

function group2({ multiscales, omero }: Ome, isLabel: boolean): Document[] {
  const label = isLabel ? { "image-label": { version: "0.4" } } : {};
  const attributes = {
    multiscales: [{ version: "0.4", ...multiscales }],
    ...(omero ? { omero: { version: "0.4", ...omero } } : {}),
    ...label,
  };
  return [[".zattrs", attributes], [".zgroup", { zarr_format: 2 }]];
}

/** The document of a lone array, with its attributes. */
function withOwn(
  [[path, json] = ["", {}]]: readonly Document[],
  attributes: ZarrAttributes,
): Document[] {
  if (path === "zarr.json") return [[path, { ...json, attributes }]];
  return [
    [path, json],
    ...(Object.keys(attributes).length === 0 ? [] : [[".zattrs", attributes] as Document]),
  ];
}

/** Refuses a path that is a file, or a folder that is neither empty nor a Zarr store: whatever is in it would be lost. */
export async function mustBeStore(path: string): Promise<void> {
  const marks = ["zarr.json", ".zarray", ".zgroup"];
  if (await mayReplace(path, marks)) return;
  const text =
    `Cannot write to ${path}: it is there, and is not a Zarr store; choose another name, or remove it`;
  throw new TilewiseError("invalid", text, { file: path });
}
