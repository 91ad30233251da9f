/**
 * Arrays of a stack that are stored alike: they become one piece, whose chunks are numbered one array after another.
 *
 * @module
 */

import type { ChunkLayout } from "../../../dataset/layout/chunks.ts";
import type { FileSpan } from "../../../dataset/layout/layout.ts";
import type { Piece } from "../../../dataset/layout/storage.ts";
import { TilewiseError } from "../../../errors.ts";
import type { Shape } from "../../../space/shape.ts";
import type { Hdf5Array } from "./arrays.ts";

/** Some images of an array, or a box of each, and where they go. */
export interface SourceBox {
  /** The array. */
  readonly source: Hdf5Array;
  /** Images of the whole. */
  readonly images: Int32Array;
  /** This number of images of the array. */
  readonly sourceImages: Int32Array;
  /** First sample of the box in the frames of the whole. */
  readonly at: Shape;
  /** First sample of the box in the frames of the array. */
  readonly from: Shape;
  /** Shape of the box. */
  readonly shape: Shape;
}

/** Images of the whole times the ways in which its parts are stored: the number of places of images kept in memory. */
const MOST_PLACES = 2 ** 22;

/** Arrays that are stored alike, being stacked. */
interface Group {
  readonly at: Shape;
  readonly from: Shape;
  readonly shape: Shape;
  readonly images: Int32Array;
  readonly like: ChunkLayout;
  readonly cells: { addresses: number[]; sizes: number[]; masks: number[]; files: number[] };
  /** Images of the stack so far. */
  depth: number;
  /** First image in the stack of each array. */
  readonly first: Map<Hdf5Array, number>;
}

/** The groups that parts fall into. */
export class StackGroups {
  readonly #all: Group[] = []; // later ones cover earlier ones
  readonly #byKey = new Map<string, Group>();
  readonly #files = new Map<string, FileSpan>();

  /** Groups of the whole called `name`, of `count` images, whose last `sig` dimensions are frames. */
  constructor(
    private readonly name: string,
    private readonly count: number,
    private readonly sig: number,
  ) {}

  /** Adds a part, whose array is stored as `chunks`. */
  add(part: SourceBox, chunks: ChunkLayout): void {
    const group = this.#groupOf(part, chunks);
    const first = group.first.get(part.source) ?? this.#append(group, part.source, chunks);
    part.images.forEach((image, i) => {
      if (group.images[image] !== undefined) group.images[image] = first + part.sourceImages[i]!;
    });
  }

  /** The files that chunks are in, by the numbers that pieces have for them. */
  get files(): FileSpan[] {
    return [...this.#files.values()];
  }

  /** A piece per group. */
  get pieces(): Piece[] {
    return this.#all.map(pieceOf);
  }

  /** Whether some sample belongs to two groups. */
  get overlap(): boolean {
    return this.#all.some((group, g) => this.#all.slice(0, g).some((other) => overlap(group, other)));
  }

  #groupOf(part: SourceBox, chunks: ChunkLayout): Group {
    const key = keyOf(part, chunks, this.sig);
    const found = this.#byKey.get(key);
    if (found && !this.#isCovered(found, part)) return found;
    this.#checkPlaces();
    const group = newGroup(part, chunks, this.count);
    this.#byKey.set(key, group);
    this.#all.push(group);
    return group;
  }

  /** Whether images of `part` lie where a group behind its own has some: then it must not go below that. */
  #isCovered(own: Group, part: SourceBox): boolean {
    return this.#all.slice(this.#all.indexOf(own) + 1).some((other) =>
      boxesMeet(other, part) && part.images.some((image) => other.images[image]! >= 0)
    );
  }

  #checkPlaces(): void {
    const { name } = this;
    const places = this.count * (this.#all.length + 1);
    if (places <= MOST_PLACES) return;
    const text =
      `Cannot read ${name}: to put it together takes the places of ${places} images; ${MOST_PLACES} are possible`;
    throw new TilewiseError("unsupported", text, { file: name, expected: MOST_PLACES, found: places });
  }

  /** Adds the chunks of an array to the stack of a group; the number of its first image there. */
  #append(group: Group, source: Hdf5Array, chunks: ChunkLayout): number {
    const file = this.#fileNumber(source);
    const { cells, like } = group;
    for (let c = 0; c < chunks.addresses.length; c++) {
      cells.addresses.push(chunks.addresses[c]!);
      cells.sizes.push(chunks.sizes[c]!);
      cells.masks.push(chunks.masks[c]!);
      cells.files.push(file);
    }
    const first = group.depth;
    group.depth += Math.ceil(chunks.shape[0]! / like.chunk[0]!) * like.chunk[0]!;
    group.first.set(source, first);
    return first;
  }

  #fileNumber({ dataset: { file } }: Hdf5Array): number {
    if (!this.#files.has(file.name)) {
      const source = file.source.describe();
      this.#files.set(file.name, { source, start: 0, end: this.count, headerBytes: 0 });
    }
    return [...this.#files.keys()].indexOf(file.name);
  }
}

/** Whether some sample belongs to both. */
function overlap(a: Group, b: Group): boolean {
  return boxesMeet(a, b) && a.images.some((image, i) => image >= 0 && b.images[i]! >= 0);
}

function boxesMeet(a: Pick<SourceBox, "at" | "shape">, b: Pick<SourceBox, "at" | "shape">): boolean {
  return a.at.every((first, d) => first < b.at[d]! + b.shape[d]! && b.at[d]! < first + a.shape[d]!);
}

function keyOf(
  { at, from, shape, source }: SourceBox,
  { chunk, filters, plainEdges, fill }: ChunkLayout,
  sig: number,
) {
  const own = source.shape.slice(source.shape.length - sig);
  const { byteOrder } = source.sample;
  return JSON.stringify([at, from, shape, own, chunk, filters, plainEdges, [...fill ?? []], byteOrder]);
}

function newGroup({ at, from, shape }: SourceBox, like: ChunkLayout, count: number): Group {
  const cells = { addresses: [], sizes: [], masks: [], files: [] };
  return { at, from, shape, like, cells, images: new Int32Array(count).fill(-1), depth: 0, first: new Map() };
}

function pieceOf({ at, from, shape, images, like, cells, depth }: Group): Piece {
  const chunks: ChunkLayout = {
    ...like,
    shape: [depth, ...like.shape.slice(1)],
    addresses: Float64Array.from(cells.addresses),
    sizes: Uint32Array.from(cells.sizes),
    masks: Uint32Array.from(cells.masks),
    files: Uint32Array.from(cells.files),
  };
  return { at, from, shape, images, chunks };
}
