/**
 * The pages of a tiled TIFF file: directories first, then tiles, level by level.
 *
 * ```
 * header  page 0  smaller page 0 …  page 1  …    directories and their tables, in one piece at the start
 * tiles of level 0, page by page   tiles of level 1 …
 * ```
 * The directories have the same size whatever tiles become, so that room for them is kept; they are written at the end.
 * Smaller levels of a page are its sub-directories (tag 330), as OME-TIFF has them.
 *
 * @module
 */

import { sizeOf, unravel } from "../../space/shape.ts";
import type { LevelGrid } from "../chunks/levels.ts";
import type { ChunkPlace, FilledFile, PlacedBytes } from "../chunks/target.ts";
import { Directories, type DirectoryForm, putDirectory, type Tag, tagOf } from "./directory.ts";
import { type PageSamples, pageTags } from "./page.ts";

/** What pages are like. */
export interface PageFacts extends PageSamples {
  /** The levels, with all dimensions. */
  readonly levels: readonly LevelGrid[];
  /** Rows and columns of a tile. */
  readonly tile: readonly [rows: number, columns: number];
  /** Texts of the first page, with a zero at the end, by level; levels may have none. */
  readonly descriptions: readonly Uint8Array[];
}

/** Tags whose values are known at the end: where tiles are, and how large; where smaller versions are. */
const [OFFSETS, SIZES, SMALLER] = [324, 325, 330] as const;

/** Bytes of directories that are made at once. */
const PIECE = 2 ** 16;

/** The pages of one file. */
export class Pages {
  /** Bytes in front of the tiles. */
  readonly head: number;
  readonly #directories: Directories;
  /** Dimensions of a page. */
  readonly #own: number;
  /** Number of the first tile of each level. */
  readonly #firsts: readonly number[];
  /** Tiles per page of each level. */
  readonly #tiles: readonly number[];

  /** Pages of a classic file, or of a big one. */
  constructor(private readonly facts: PageFacts, big: boolean) {
    const { levels, samples } = facts;
    this.#directories = new Directories(big);
    this.#own = samples > 1 ? 3 : 2;
    const firsts = [0];
    for (const { counts } of levels) firsts.push(firsts.at(-1)! + sizeOf(counts));
    this.#firsts = firsts;
    this.#tiles = levels.map(({ counts }) => sizeOf(counts.slice(-this.#own)));
    const [first, other] = [0, 1].map((page) => this.#bytesOf(page));
    this.head = this.#directories.header + first! + (this.count - 1) * other!;
  }

  /** Number of pages. */
  get count(): number {
    return sizeOf(this.facts.levels[0]!.counts.slice(0, -this.#own));
  }

  /** Tiles of all levels. */
  get tiles(): number {
    return this.#firsts.at(-1)!;
  }

  /** All tiles in the order in which they are written. */
  *places(): Generator<ChunkPlace> {
    const { tiles } = this;
    let slot = 0;
    for (const [level, { counts }] of this.facts.levels.entries()) {
      for (let n = 0, all = sizeOf(counts); n < all; n++) {
        const index = unravel(n, counts);
        yield { level, index, file: "", slot: slot++, last: slot === tiles };
      }
    }
  }

  /** Header and directories, many at a time. */
  *around(filled: FilledFile): Generator<PlacedBytes> {
    const { count } = this;
    yield { position: 0, bytes: this.#directories.head() };
    const [first, others] = [0, 1].slice(0, count).map((page) => this.#forms(page));
    let at = this.#directories.header;
    for (let page = 0; page < count;) {
      const forms = page === 0 ? first! : others!;
      const bytes = forms.reduce((sum, { bytes }) => sum + bytes.length, 0);
      const together = page === 0 ? 1 : Math.min(count - page, Math.max(1, Math.floor(PIECE / bytes)));
      const piece = new Uint8Array(together * bytes);
      for (let n = 0; n < together; n++) {
        this.#putPage(forms, page + n, at + n * bytes, filled, new DataView(piece.buffer, n * bytes, bytes));
      }
      yield { position: at, bytes: piece };
      at += together * bytes;
      page += together;
    }
  }

  /** Puts the directories of a page, which lie at `at`, into `into`. */
  #putPage(
    forms: readonly DirectoryForm[],
    page: number,
    at: number,
    filled: FilledFile,
    into: DataView,
  ): void {
    const sizes = forms.map(({ bytes }) => bytes.length);
    const places = sizes.map((_, level) => sizes.slice(0, level).reduce((sum, size) => sum + size, 0));
    const smaller = { list: places.slice(1).map((place) => at + place), first: 0 };
    for (const [level, form] of forms.entries()) {
      const first = this.#firsts[level]! + page * this.#tiles[level]!;
      const values = new Map([
        [OFFSETS, { list: filled.offsets, first }],
        [SIZES, { list: filled.sizes, first }],
        [SMALLER, smaller],
      ]);
      const next = level === 0 && page + 1 < this.count ? at + into.byteLength : 0;
      putDirectory(form, { at: at + places[level]!, next, values }, into, places[level]!);
    }
  }

  /** The directories of a page; those of all pages but the first are alike. */
  #forms(page: number): DirectoryForm[] {
    return this.facts.levels.map((_, level) => this.#directories.formOf(this.#tags(page, level)));
  }

  /** Bytes of the directories of a page. */
  #bytesOf(page: number): number {
    return this.facts.levels.reduce(
      (sum, _, level) => sum + this.#directories.sizeOf(this.#tags(page, level)),
      0,
    );
  }

  #tags(page: number, level: number): Tag[] {
    const { levels, tile, descriptions } = this.facts, { shape } = levels[level]!;
    const size = shape.slice(-this.#own) as [number, number];
    const tiles = { count: this.#tiles[level]! }, smaller = level === 0 ? levels.length - 1 : 0;
    const description = page === 0 ? descriptions[level] : undefined;
    return pageTags({ ...this.facts, size, isSmaller: level > 0, description }, [
      tagOf(322, "long", tile[1]),
      tagOf(323, "long", tile[0]),
      { tag: OFFSETS, type: "place", values: tiles },
      { tag: SIZES, type: "long", values: tiles },
      ...(smaller > 0 ? [{ tag: SMALLER, type: "place", values: { count: smaller } } as const] : []),
    ]);
  }
}
