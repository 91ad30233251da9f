/**
 * One image as it is stored: its shape, and where the chunks lie that it is cut into.
 *
 * @module
 */

import { defined } from "../../../options.ts";
import type { ChunkFilterSpec } from "../../../dataset/layout/chunks.ts";
import { type ByteOrder, type DType, dtypeInfo } from "../../../space/dtype.ts";
import { type Shape, sizeOf } from "../../../space/shape.ts";
import { fillBytes, noDataOf } from "../../common/fill.ts";
import { type Directory, TAG } from "../container/directory.ts";
import { compressionOf, type ImageFacts, STOPPING } from "./facts.ts";
import { type Coding, codingOf } from "./samples.ts";
import { type Places, readPlaces } from "./segments.ts";

/** An image as it is stored. */
export interface StoredImage {
  /** Planes of a volume, rows, columns, samples per pixel; without the first and the last where there is one. */
  readonly shape: Shape;
  /** Sample type. */
  readonly dtype: DType;
  /** Byte order of the samples that the filters give. */
  readonly byteOrder: ByteOrder;
  /** Shape of a chunk. */
  readonly chunk: Shape;
  /** Filters of chunks, in the order in which they were applied. */
  readonly filters: readonly ChunkFilterSpec[];
  /** First byte of each chunk, in row-major order of the grid of chunks; -1: never written. */
  readonly addresses: Float64Array;
  /** Bytes of each chunk. */
  readonly sizes: Uint32Array;
  /** Whether the last chunk has only the rows that exist. */
  readonly isClipped: boolean;
  /** First byte of the samples, where they lie plain one after another. */
  readonly plainAt?: number;
  /** Bytes of the sample that stands for chunks that were never written; absent: zeros. */
  readonly fill?: Uint8Array;
}

/** Most bytes of the text of a no-data value. */
const MOST_NODATA = 512;

/** What GDAL says of samples that are not there. */
export async function noDataText(directory: Directory): Promise<string | undefined> {
  return directory.has(TAG.nodata) ? await directory.text(TAG.nodata, MOST_NODATA) : undefined;
}
/** Most bytes of a chunk. */
const MOST_CHUNK = 2 ** 30;
/** Bytes of chunks into which rows are cut that follow each other without compression. */
const CUT_BYTES = 2 ** 18;

/** How an image is looked at. */
export interface Look {
  /** Where its strips lie, if not where its directory says. */
  readonly offsets?: Float64Array;
  /** Whether its chunks are its tiles and strips, whatever could be read faster: images beside it are stored in another way. */
  readonly isMixed?: boolean;
}

/** The image that `directory` describes as it is stored. Errors: `malformed`, `unsupported`, `truncated`. */
export async function readStored(
  directory: Directory,
  facts: ImageFacts,
  look: Look = {},
): Promise<StoredImage> {
  return await new Storing(directory, facts, look).stored();
}

/** The shape of an image with `samples` samples per pixel. */
export function shapeOf({ depth, height, width }: ImageFacts, samples: number): Shape {
  return [...(depth > 1 ? [depth] : []), height, width, ...(samples > 1 ? [samples] : [])];
}

class Storing {
  readonly #size: readonly [height: number, width: number];

  constructor(
    private readonly directory: Directory,
    private readonly facts: ImageFacts,
    private readonly look: Look,
  ) {
    this.#size = (look.isMixed ? facts.tile : tileSize(facts)) ?? [facts.rowsPerStrip, facts.width];
  }

  async stored(): Promise<StoredImage> {
    const { directory, facts } = this;
    const { depth, tile, planar } = facts;
    if (depth > 1 && !tile) throw this.#refuse("volume stored in strips", depth, 1);
    await this.#checkStrip();
    const coding = await codingOf(directory, facts, directory.file.byteOrder, this.#size);
    const planes = planar === 2 ? coding.samples : 1;
    const perPlane = this.#perPlane();
    const places = await readPlaces(directory, {
      perPlane,
      planes,
      what: tile ? "tile" : "strip",
      isStored: facts.compression === 1,
      ...this.#plainBytes(coding),
      ...defined({ most: coding.most, offsets: this.look.offsets }),
    });
    const shape = shapeOf(facts, coding.samples);
    const common = {
      shape,
      dtype: coding.dtype,
      byteOrder: coding.byteOrder,
      filters: coding.filters,
      ...await this.#fill(coding),
    };
    const cut = this.#cut(coding, places, perPlane, planes) ?? {
      rows: this.#size[0],
      ...interleaved(places, planes),
    };
    const chunk = this.#chunk(coding.samples, cut.rows);
    this.#check(chunk, coding);
    const isClipped = depth === 1 && facts.height % cut.rows !== 0;
    const plainAt = cut.start !== undefined && coding.filters.length === 0 && planes === 1
      ? cut.start
      : undefined;
    const { addresses } = cut;
    const sizes = Uint32Array.from(cut.sizes);
    return { ...common, chunk, addresses, sizes, isClipped, ...defined({ plainAt }) };
  }

  /** A single plain strip must be in the file, whatever its samples mean: else the file is damaged, and not of a kind of its own. */
  async #checkStrip(): Promise<void> {
    const { compression, tile, rowsPerStrip, height, width, bits } = this.facts;
    if (compression !== 1 || tile || rowsPerStrip < height) return;
    const at = await this.directory.number(TAG.stripOffsets) ?? 0;
    if (at > 0) this.directory.file.inside(at, height * Math.ceil(width * bits / 8), "the strip of an image");
  }

  /** Tiles or strips of a plane. */
  #perPlane(): number {
    const { depth, tileDepth, height, width } = this.facts;
    return Math.ceil(depth / tileDepth) * Math.ceil(height / this.#size[0]) *
      Math.ceil(width / this.#size[1]);
  }

  #chunk(samples: number, rows: number): Shape {
    const { depth, tileDepth, planar } = this.facts;
    const last = samples === 1 ? [] : [planar === 1 ? samples : 1];
    return [...(depth > 1 ? [tileDepth] : []), rows, this.#size[1], ...last];
  }

  /** Bytes of tile or strip number `i` before compression: of the last strip, and of some last tiles, only rows that exist. */
  #plainBytes(
    { rowBytes, rowsTogether = 1 }: Coding,
  ): { plainBytes?: (i: number) => number; wholeBytes?: number } {
    if (rowBytes === undefined) return {};
    const { tile, tileDepth, depth, height, width } = this.facts;
    const [rows, columns] = this.#size;
    const across = Math.ceil(width / columns);
    const bytesOf = (count: number) => rowBytes * Math.ceil(count / rowsTogether);
    const wholeBytes = bytesOf(rows) * tileDepth;
    if (depth > 1) return { plainBytes: () => wholeBytes, wholeBytes };
    const plainBytes = (i: number) => bytesOf(Math.min(rows, height - Math.floor(i / across) * rows));
    return tile ? { plainBytes, wholeBytes } : { plainBytes };
  }

  /** Strips without compression that follow each other, cut again: neither many tiny ones, nor a giant one. */
  #cut(
    { rowBytes, rowsTogether }: Coding,
    { addresses, sizes }: Places,
    perPlane: number,
    planes: number,
  ): Places & { readonly rows: number; readonly start: number } | undefined {
    const { tile, compression, height } = this.facts;
    if (tile || compression !== 1 || rowBytes === undefined) return undefined;
    if (rowsTogether !== undefined || this.look.isMixed) return undefined;
    for (let i = 0; i < addresses.length; i++) {
      if (addresses[i]! < 0 || (i % perPlane > 0 && addresses[i] !== addresses[i - 1]! + sizes[i - 1]!)) {
        return undefined;
      }
    }
    const rows = Math.max(1, Math.min(height, Math.floor(CUT_BYTES / rowBytes)));
    const count = Math.ceil(height / rows);
    const cut = { addresses: new Float64Array(count * planes), sizes: new Float64Array(count * planes) };
    for (let i = 0; i < count * planes; i++) {
      const [part, plane] = [Math.floor(i / planes), i % planes];
      cut.addresses[i] = addresses[plane * perPlane]! + part * rows * rowBytes;
      cut.sizes[i] = Math.min(rows, height - part * rows) * rowBytes;
    }
    return { ...cut, rows, start: addresses[0]! };
  }

  /** The value of GDAL for samples that are not there. */
  async #fill({ dtype, byteOrder }: Coding): Promise<{ fill?: Uint8Array }> {
    const { directory } = this;
    const text = await noDataText(directory);
    if (text === undefined) return {};
    const value = noDataOf(text, dtype);
    const fill = fillBytes(value, { dtype, byteOrder }, directory.file.name);
    return defined({ fill });
  }

  #check(chunk: Shape, { dtype }: Coding): void {
    const bytes = sizeOf(chunk) * dtypeInfo(dtype).itemSize;
    if (bytes <= MOST_CHUNK) return;
    const what = this.facts.tile ? "tile" : "strip";
    throw this.#refuse(`${what} of ${bytes} bytes (${this.#words()})`, bytes, MOST_CHUNK);
  }

  #words(): string {
    return compressionOf(this.facts.compression).name;
  }

  #refuse(what: string, found: number, expected: number) {
    const { file, offset } = this.directory;
    const problem = `an image has a ${what}; ${expected} is the most`;
    return file.error("unsupported", problem, { offset, expected, found });
  }
}

/** Rows and columns that are taken from a tile: not those below the image, where they need not be decoded. */
function tileSize({ tile, compression, depth, height }: ImageFacts): readonly [number, number] | undefined {
  return tile && depth === 1 && STOPPING.has(compression) ? [Math.min(tile[0], height), tile[1]] : tile;
}

/** Places in the order of chunks, of which the planes are the last dimension. */
function interleaved({ addresses, sizes }: Places, planes: number): Places & { readonly start?: number } {
  if (planes === 1) return { addresses, sizes };
  const perPlane = addresses.length / planes;
  const order = { addresses: new Float64Array(addresses.length), sizes: new Float64Array(sizes.length) };
  for (let i = 0; i < addresses.length; i++) {
    const from = (i % planes) * perPlane + Math.floor(i / planes);
    order.addresses[i] = addresses[from]!;
    order.sizes[i] = sizes[from]!;
  }
  return order;
}
