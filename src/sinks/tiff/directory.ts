/**
 * Directories of TIFF files (IFDs): their sizes, and their bytes.
 *
 * ```
 * classic   count₂  (tag₂ type₂ count₄ value₄) …  next₄        values that do not fit follow
 * big       count₈  (tag₂ type₂ count₈ value₈) …  next₈
 * ```
 * Source: TIFF revision 6.0, and the BigTIFF proposal of libtiff.
 *
 * @module
 */

import { roundUp } from "../../memory/arena.ts";

/** Types of values, and their bytes. */
const TYPES = { ascii: [2, 1], short: [3, 2], long: [4, 4], long8: [16, 8] } as const;

/** A tag and its values. */
export interface Tag {
  /** Its number; tags of a directory are sorted by it. */
  readonly tag: number;
  /** Type of the values; `place`: positions in the file. */
  readonly type: keyof typeof TYPES | "place";
  /** The values, or so many that are not known yet, or that lie in front of all directories, at byte `place`. */
  readonly values: readonly number[] | Uint8Array | { readonly count: number; readonly place?: number };
}

/** A tag with these values. */
export function tagOf(tag: number, type: Tag["type"], ...values: number[]): Tag {
  return { tag, type, values };
}

/** Values of a tag that are not known yet: bytes from the start of the directory, bytes of a value, and how many. */
interface Gap {
  readonly place: number;
  readonly size: number;
  readonly count: number;
}

/** A directory of which some values are not known yet: pages have many that differ in nothing else. */
export interface DirectoryForm {
  /** Its bytes, as if it were at the start of the file, with zeros for what is not known. */
  readonly bytes: Uint8Array;
  /** Bytes of a position. */
  readonly word: 4 | 8;
  /** Where positions of values outside of tags are. */
  readonly pointers: readonly number[];
  /** Values that are not known, by tag. */
  readonly gaps: ReadonlyMap<number, Gap>;
  /** Where the position of the next directory is. */
  readonly next: number;
}

/** Where a directory goes, and what was not known. */
interface DirectoryFacts {
  /** Its position in the file. */
  readonly at: number;
  /** The place of the next one, or 0. */
  readonly next: number;
  /** Values by tag: those from `first` on. */
  readonly values: ReadonlyMap<number, { readonly list: readonly number[]; readonly first: number }>;
}

/** Puts a directory of `form` into `into`, at byte `to`. */
export function putDirectory(
  { bytes, word, pointers, gaps, next }: DirectoryForm,
  facts: DirectoryFacts,
  into: DataView,
  to: number,
): void {
  new Uint8Array(into.buffer, into.byteOffset + to, bytes.length).set(bytes);
  for (const pointer of pointers) {
    putValue(into, to + pointer, valueAt(into, to + pointer, word) + facts.at, word);
  }
  for (const [tag, { place, size, count }] of gaps) {
    const { list, first } = facts.values.get(tag)!;
    for (let i = 0; i < count; i++) putValue(into, to + place + i * size, list[first + i]!, size);
  }
  putValue(into, to + next, facts.next, word);
}

/** Which kind of file, classic or big. */
export class Directories {
  /** Bytes of a position, and of values in a tag. */
  readonly word: 4 | 8;

  /** For classic files, or big ones. */
  constructor(readonly big: boolean) {
    this.word = big ? 8 : 4;
  }

  /** Bytes of the header of the file. */
  get header(): number {
    return this.big ? 16 : 8;
  }

  /** Bytes of a directory with its values, a multiple of 8. */
  sizeOf(tags: readonly Tag[]): number {
    const outside = tags.reduce((sum, tag) => sum + this.#outside(tag), 0);
    return roundUp(this.#fixed(tags.length), 8) + outside;
  }

  /** The header of a file whose first directory lies behind it, or at byte `first`, and zeros in front of that. */
  head(first: number = this.header): Uint8Array {
    const bytes = new Uint8Array(first);
    const view = new DataView(bytes.buffer);
    bytes.set([0x49, 0x49, this.big ? 43 : 42, 0]);
    if (this.big) bytes[4] = 8;
    this.#put(view, this.big ? 8 : 4, first);
    return bytes;
  }

  /** The bytes of a directory, to be filled with what is not known yet. */
  formOf(tags: readonly Tag[]): DirectoryForm {
    const bytes = new Uint8Array(this.sizeOf(tags));
    const view = new DataView(bytes.buffer);
    if (this.big) this.#put(view, 0, tags.length);
    else view.setUint16(0, tags.length, true);
    const pointers: number[] = [];
    const gaps = new Map<number, Gap>();
    let outside = roundUp(this.#fixed(tags.length), 8);
    tags.forEach((tag, t) => {
      const entry = (this.big ? 8 : 2) + t * (4 + 2 * this.word);
      const [type, size] = TYPES[this.#type(tag)];
      const { values } = tag;
      const count = "count" in values ? values.count : values.length;
      view.setUint16(entry, tag.tag, true);
      view.setUint16(entry + 2, type, true);
      this.#put(view, entry + 4, count);
      const isOutside = this.#outside(tag) > 0;
      const place = isOutside ? outside : entry + 4 + this.word;
      if (isOutside) {
        this.#put(view, entry + 4 + this.word, outside);
        pointers.push(entry + 4 + this.word);
      }
      if ("place" in values) this.#put(view, place, values.place!);
      else if ("count" in values) gaps.set(tag.tag, { place, size, count });
      else values.forEach((value, i) => putValue(view, place + i * size, value, size));
      outside += this.#outside(tag);
    });
    return { bytes, word: this.word, pointers, gaps, next: this.#fixed(tags.length) - this.word };
  }

  /** Bytes of a directory without the values outside of it. */
  #fixed(tags: number): number {
    return (this.big ? 8 : 2) + tags * (4 + 2 * this.word) + this.word;
  }

  /** Bytes that the values of a tag take outside of it. */
  #outside(tag: Tag): number {
    const { values } = tag;
    if ("place" in values) return 0;
    const bytes = ("count" in values ? values.count : values.length) * TYPES[this.#type(tag)][1];
    return bytes <= this.word ? 0 : roundUp(bytes, 8);
  }

  #type({ type }: Tag): keyof typeof TYPES {
    return type === "place" ? (this.big ? "long8" : "long") : type;
  }

  #put(view: DataView, at: number, value: number): void {
    putValue(view, at, value, this.word);
  }
}

function valueAt(view: DataView, at: number, size: 4 | 8): number {
  return view.getUint32(at, true) + (size === 8 ? view.getUint32(at + 4, true) * 2 ** 32 : 0);
}

function putValue(view: DataView, at: number, value: number, size: number): void {
  if (size === 1) view.setUint8(at, value);
  else if (size === 2) view.setUint16(at, value, true);
  else if (size === 4) view.setUint32(at, value, true);
  else {
    view.setUint32(at, value % 2 ** 32, true);
    view.setUint32(at + 4, Math.floor(value / 2 ** 32), true);
  }
}
