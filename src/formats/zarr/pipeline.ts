/**
 * The codecs of version 3, in order: those of numbers and dimensions, one that makes bytes (plain or sharded), those of bytes.
 *
 * @module
 */

import type { ChunkFilterSpec } from "../../dataset/layout/chunks.ts";
import type { ShardLevel } from "../../dataset/layout/keyed.ts";
import { type ByteOrder, type DType, dtypeInfo } from "../../space/dtype.ts";
import { type Shape, showShape, sizeOf } from "../../space/shape.ts";
import type { FileType } from "../common/fill.ts";
import {
  bytesFilter,
  type Codec,
  isOfNumbers,
  numberFilter,
  swapOf,
  transposeOf,
  unknownCodec,
} from "./codecs.ts";
import { isObject, type Json, malformed, numbersIn, objectIn, unsupported } from "./json.ts";
import { mostStored, type Pipeline, sizesIn } from "./node.ts";

/** Levels of shards in shards. */
const MOST_LEVELS = 8;
/** Most entries of the index of a shard: 16 bytes each. */
const MOST_ENTRIES = 2 ** 24;

/** The codecs in a list of a document. */
export function codecsOf(value: unknown, file: string): Codec[] {
  if (!Array.isArray(value)) throw malformed(file, "it has no list of codecs");
  return value.map((one: unknown) => {
    const name = typeof one === "string" ? one : isObject(one) ? one["name"] : undefined;
    if (typeof name !== "string") throw malformed(file, "one of its codecs has no name");
    return {
      name: name.replace(/^numcodecs\./, ""),
      written: name,
      json: isObject(one) ? objectIn(one, "configuration") : {},
    };
  });
}

/** How chunks of `chunk` samples of `dtype` are stored by the codecs. */
export function pipelineOf(
  codecs: readonly Codec[],
  chunk: Shape,
  dtype: DType,
  file: string,
): Pipeline {
  return new Reading(dtype, file).read(codecs, chunk);
}

/** One reading of codecs, from the array inwards. */
class Reading {
  readonly #filters: ChunkFilterSpec[] = [];
  readonly #shards: ShardLevel[] = [];
  /** Stored dimension `i` is dimension `#order[i]` of the array. */
  #order: number[] = [];
  /** The numbers that are stored. */
  #type: FileType;
  #isChanged = false;
  /** Whether a codec has made one dimension of all. */
  #isFlat = false;
  /** Bytes of the largest numbers on the way. */
  #widest: number;

  constructor(private readonly dtype: DType, private readonly file: string) {
    this.#type = { dtype, byteOrder: "little" };
    this.#widest = dtypeInfo(dtype).itemSize;
  }

  read(codecs: readonly Codec[], chunk: Shape): Pipeline {
    this.#order = chunk.map((_, d) => d);
    const [inner, byteOrder] = this.#level(codecs, chunk);
    return {
      byteOrder,
      chunk: inner,
      filters: this.#filters,
      shards: this.#shards,
      most: mostStored(sizeOf(inner) * this.#widest),
    };
  }

  /** The codecs of a chunk of `shape` (in the order of the array); gives the innermost chunk and its byte order. */
  #level(codecs: readonly Codec[], shape: Shape): [Shape, ByteOrder] {
    let step = 0;
    for (; step < codecs.length && !MAKES_BYTES.has(codecs[step]!.name); step++) {
      const codec = codecs[step]!;
      if (codec.name === "transpose") this.#transpose(codec.json);
      else if (isOfNumbers(codec.name)) this.#numbers(codec, shape);
      else throw unknownCodec(codec.written, this.file);
    }
    const maker = codecs[step];
    if (!maker) throw malformed(this.file, "none of its codecs makes bytes");
    const behind = codecs.slice(step + 1);
    if (maker.name === "sharding_indexed") return this.#shard(maker.json, behind, shape);
    this.#place(shape);
    const byteOrder = this.#bytes(maker.json);
    this.#filters.push(...behind.map((codec) => bytesFilter(codec, this.file)));
    return [shape, byteOrder];
  }

  #transpose(json: Json): void {
    const rank = this.#order.length;
    const { order } = json;
    const own = order === "C"
      ? this.#order.map((_, d) => d)
      : order === "F"
      ? this.#order.map((_, d) => rank - 1 - d)
      : numbersIn(json, "order");
    if (!own || own.length !== rank || own.toSorted((a, b) => a - b).some((d, i) => d !== i)) {
      throw malformed(this.file, `its codec transpose has the order ${JSON.stringify(order)}`);
    }
    this.#order = own.map((d) => this.#order[d]!);
  }

  #numbers(codec: Codec, shape: Shape): void {
    this.#place(shape);
    const { filters, stored } = numberFilter(codec, this.#type, this.file);
    this.#filters.push(...filters);
    this.#type = stored;
    this.#isChanged ||= filters.length > 0;
    this.#isFlat ||= codec.name === "packbits";
    this.#widest = Math.max(this.#widest, dtypeInfo(stored.dtype).itemSize);
  }

  /** From here on, numbers are in the stored order of dimensions. */
  #place(shape: Shape): void {
    const { itemSize } = dtypeInfo(this.#type.dtype);
    const filter = transposeOf(shape, this.#order, itemSize);
    if (!filter) return;
    if (this.#isFlat) throw unsupported(this.file, "its dimensions are transposed after the codec packbits");
    this.#filters.push(filter);
    this.#order = this.#order.map((_, d) => d);
  }

  /** The byte order of decoded samples. */
  #bytes(json: Json): ByteOrder {
    const endian = json["endian"] ?? "little";
    if (endian !== "little" && endian !== "big") {
      throw malformed(this.file, `its codec bytes has the endian ${JSON.stringify(endian)}`);
    }
    const isBig = endian === "big" && dtypeInfo(this.#type.dtype).unitSize > 1;
    if (!isBig) return "little";
    if (!this.#isChanged) return "big";
    this.#filters.push(swapOf(this.#type.dtype));
    return "little";
  }

  #shard(json: Json, behind: readonly Codec[], shape: Shape): [Shape, ByteOrder] {
    if (this.#isChanged) throw unsupported(this.file, "its shards are behind filters of numbers");
    if (this.#shards.length >= MOST_LEVELS) {
      throw unsupported(this.file, `it has more than ${MOST_LEVELS} levels of shards`);
    }
    if (behind.length > 0 && this.#shards.length > 0) {
      throw unsupported(this.file, "it has shards inside of shards that are packed as a whole");
    }
    const stored = sizesIn(json["chunk_shape"], "shape of chunks in shards", 1, this.file);
    if (stored.length !== shape.length) {
      throw malformed(
        this.file,
        `its shards have ${shape.length} dimensions, chunks in them ${stored.length}`,
      );
    }
    const inner: number[] = [];
    stored.forEach((n, i) => inner[this.#order[i]!] = n);
    if (shape.some((n, d) => n % inner[d]! !== 0)) {
      throw malformed(
        this.file,
        `its shards of ${showShape(shape)} are not a multiple of chunks of ${showShape(inner)}`,
      );
    }
    const entries = shape.reduce((product, n, d) => product * (n / inner[d]!), 1);
    if (entries > MOST_ENTRIES) {
      throw unsupported(this.file, `a shard has ${entries} chunks; ${MOST_ENTRIES} are read`);
    }
    this.#shards.push({
      shape,
      ...indexOf(json, this.file),
      ...(this.#order.some((d, i) => d !== i) ? { order: [...this.#order] } : {}),
      filters: behind.map((codec) => bytesFilter(codec, this.file)),
    });
    return this.#level(codecsOf(json["codecs"], this.file), inner);
  }
}

/** Codecs that make bytes of numbers. */
const MAKES_BYTES: ReadonlySet<string> = new Set(["bytes", "endian", "sharding_indexed"]);

/** How the index of a shard is stored. */
function indexOf(json: Json, file: string): Pick<ShardLevel, "index" | "big" | "checked"> {
  const place = json["index_location"] ?? "end";
  if (place !== "start" && place !== "end") {
    throw malformed(file, `the index of its shards is at ${JSON.stringify(place)}`);
  }
  const [bytes, sum, ...more] = codecsOf(
    json["index_codecs"] ?? [{ name: "bytes" }, { name: "crc32c" }],
    file,
  );
  const isPlain = bytes && (bytes.name === "bytes" || bytes.name === "endian") &&
    (sum === undefined || sum.name === "crc32c") && more.length === 0;
  if (!isPlain) {
    const names = [bytes, sum, ...more].map((codec) => codec?.name).join(", ");
    throw unsupported(file, `the index of its shards has the codecs ${names}; bytes and crc32c are read`);
  }
  return { index: place, big: bytes.json["endian"] === "big", checked: sum !== undefined };
}
