/**
 * Connected components of one tile.
 *
 * Lines of a tile become bits, one per sample, and a group of ones side by side is a run. Runs that touch runs of earlier
 * lines are joined. A component is known by its first run, so that components are numbered by their first sample.
 *
 * ```text
 *   · 1 1 · 2       runs 0 1 / 2 / 3      join 2 with 0, then with 1: all are component 1
 *   · · 1 1 1       (run 2 touches both)
 *   1 · · · ·       run 3 touches none, unless diagonal neighbours count
 * ```
 *
 * @module
 */

import type { Kernels } from "../../kernels/bind.ts";
import { kernel } from "../../kernels/registry.ts";
import type { Places } from "../../memory/places.ts";
import type { DType } from "../../space/dtype.ts";
import { type Shape, sizeOf } from "../../space/shape.ts";

// Neighbours: which samples belong together, as vectors from one to the other.

/** Which samples are neighbours. */
export interface Near {
  /** Dimensions in which they may differ. */
  readonly connectivity: number;
  /** The dimensions along which samples belong together; the last one is among them. */
  readonly dims: readonly number[];
}

/**
 * Vectors of `rank` numbers −1, 0 and 1, of which at most `connectivity` are not 0. In two dimensions, connectivity 1
 * has 4 neighbours and connectivity 2 has 8; the vector of zeros is among them.
 */
export function offsetsOf(rank: number, connectivity: number): number[][] {
  let vectors: number[][] = [[]];
  for (let d = 0; d < rank; d++) {
    vectors = vectors.flatMap((vector) => [-1, 0, 1].map((step) => [...vector, step]));
  }
  return vectors.filter((vector) => lengthOf(vector) <= connectivity);
}

/** Those of neighbours that come before, in row-major order. */
export function offsetsBefore(rank: number, { connectivity, dims }: Near): number[][] {
  return offsetsOf(rank, connectivity).filter((vector) =>
    vector.find((step) => step !== 0) === -1 && vector.every((step, d) => step === 0 || dims.includes(d))
  );
}

/** Number of dimensions in which a vector goes anywhere. */
export function lengthOf(vector: readonly number[]): number {
  return vector.filter((step) => step !== 0).length;
}

/** Which samples are inside: those greater than a number, or, if there is none, those that are not 0. */
export type Above = number | null;

/** Samples in the memory of the kernels; along the last dimension they have no gaps. */
export interface TileSamples {
  /** Address of the first sample. */
  readonly pointer: number;
  /** Samples per dimension. */
  readonly shape: Shape;
  /** Bytes from one sample to the next, per dimension. */
  readonly strides: Shape;
}

/** Most runs of a tile. */
function mostRuns(tile: Shape): number {
  return linesOf(tile) * Math.ceil(tile.at(-1)! / 2);
}

/** Bytes of the memory of {@link TileRuns}, part by part. */
export function runBytes(
  tile: Shape,
): { bits: number; lines: number; runs: number; names: number; count: number } {
  const lines = linesOf(tile);
  const runs = 4 * mostRuns(tile);
  return { bits: lines * bytesOfLine(tile), lines: 4 * (lines + 1), runs, names: runs, count: 4 };
}

/** Addresses of that memory. */
type RunPlaces = Places<keyof ReturnType<typeof runBytes>>;

function linesOf(tile: Shape): number {
  return sizeOf(tile.slice(0, -1));
}

/** Bytes of a line of bits: whole words of 64. */
function bytesOfLine(tile: Shape): number {
  return 8 * Math.ceil(tile.at(-1)! / 64);
}

/** What finds the components of tiles. */
interface RunSetting {
  /** The kernels. */
  readonly kernels: Kernels;
  /** Memory for {@link runBytes}. */
  readonly places: RunPlaces;
  /** A full tile. */
  readonly tile: Shape;
  /** Type of its samples. */
  readonly dtype: DType;
  /** Which of them are inside. */
  readonly above: Above;
  /** Which samples are neighbours. */
  readonly near: Near;
}

/** Makes bits of some rows, the first of which is line `row`, and its first run `first`. */
type CutRows = (row: number, first: number, data: number, stride: number, rows: number, n: number) => void;

/** The runs of a tile, and their components; used again for every tile. */
export class TileRuns {
  /** The first run of each line, and one past the last run of all. */
  readonly lines: Uint32Array;
  /** The name of the component of each run. */
  readonly labels: Uint32Array;
  /** Names of components, in the order of their first samples: 1, 2, 3, … unless others are written here. */
  readonly names: Uint32Array;
  /** Samples per dimension of the current tile. */
  shape: Shape = [];
  /** Components of the current tile. */
  count = 0;
  readonly #setting: RunSetting;
  readonly #exports: Kernels["exports"];
  readonly #bytes: Uint8Array;
  readonly #places: Readonly<Record<keyof ReturnType<typeof runBytes>, number>>;
  readonly #count: Uint32Array;
  readonly #cut: CutRows;
  readonly #touching: readonly (readonly [offset: Shape, diagonal: 0 | 1])[];

  /** For tiles of one kind; names are 1, 2, 3, … */
  constructor(setting: RunSetting) {
    const { kernels: { memory: { buffer }, exports }, tile, near } = setting;
    this.#setting = setting;
    const at = (name: keyof ReturnType<typeof runBytes>) => setting.places.at(name);
    const places = this.#places = {
      bits: at("bits"),
      lines: at("lines"),
      runs: at("runs"),
      names: at("names"),
      count: at("count"),
    };
    this.#exports = exports;
    this.#bytes = new Uint8Array(buffer);
    this.#count = new Uint32Array(buffer, places.count, 1);
    this.#cut = this.#cutter();
    const most = mostRuns(tile);
    this.lines = new Uint32Array(buffer, places.lines, linesOf(tile) + 1);
    this.labels = new Uint32Array(buffer, places.runs, most);
    this.names = new Uint32Array(buffer, places.names, most);
    exports.count_up_u8(places.names, most, 1);
    this.#touching = offsetsBefore(tile.length - 1, near).map((offset) => [
      offset,
      lengthOf(offset) < near.connectivity ? 1 : 0,
    ]);
  }

  /** Finds the components of a tile. */
  find(view: TileSamples): void {
    this.shape = view.shape;
    this.#cutLines(view);
    const runs = this.lines[linesOf(view.shape)]!;
    const { count, runs: labels, names } = this.#places;
    this.#exports.count_up_u8(labels, runs, 0); // the parent of each: itself
    this.#joinLines();
    this.#exports.number_runs_u8(count, labels, runs, names);
    this.count = this.#count[0]!;
  }

  /** Writes the names of the samples of a line. */
  paint(line: number, out: number): void {
    const { runs } = this.#places;
    this.#exports.paint_runs_u8(out, runs + 4 * this.lines[line]!, this.#bits(line), this.shape.at(-1)!);
  }

  /** Writes the first sample of each component, as an index into the tile; names are 1, 2, 3, … */
  firstSamples(out: number): void {
    const { bits, runs } = this.#places;
    this.#exports.first_samples_u8(out, runs, bits, linesOf(this.shape), this.shape.at(-1)!);
  }

  /** The name of the first sample of a line, or of the last one; 0 outside. */
  atEnd(line: number, end: "first" | "last"): number {
    const [first, stop] = [this.lines[line]!, this.lines[line + 1]!];
    if (first === stop) return 0;
    const x = end === "first" ? 0 : this.shape.at(-1)! - 1;
    const byte = this.#bytes[this.#bits(line) + (x >> 3)]!;
    return (byte >> (x & 7) & 1) === 0 ? 0 : this.labels[end === "first" ? first : stop - 1]!;
  }

  #bits(line: number): number {
    return this.#places.bits + line * bytesOfLine(this.shape);
  }

  #cutter(): CutRows {
    const { kernels, dtype, above } = this.#setting;
    const lines = (row: number) => this.#places.lines + 4 * row;
    if (above === null) {
      const cut = kernel(kernels, "bits_nonzero", dtype);
      return (row, first, data, stride, rows, n) =>
        cut(this.#bits(row), lines(row), first, data, stride, rows, n);
    }
    const cut = kernel(kernels, "bits_above", dtype);
    return (row, first, data, stride, rows, n) =>
      cut(this.#bits(row), lines(row), first, data, stride, rows, n, above);
  }

  #cutLines({ pointer, shape, strides }: TileSamples): void {
    const [outer, rows, n] = [shape.slice(0, -2), shape.at(-2) ?? 1, shape.at(-1)!];
    const stride = strides.at(-2) ?? 0;
    this.lines[0] = 0;
    let line = 0;
    const walk = (d: number, at: number): void => {
      if (d < outer.length) {
        for (let i = 0; i < outer[d]!; i++) walk(d + 1, at + i * strides[d]!);
        return;
      }
      this.#cut(line, this.lines[line]!, at, stride, rows, n);
      line += rows;
    };
    walk(0, pointer);
  }

  #joinLines(): void {
    const outer = this.shape.slice(0, -1);
    const at = outer.map(() => 0);
    const words = Math.ceil(this.shape.at(-1)! / 64);
    for (let line = 0, lines = linesOf(this.shape); line < lines; line++) {
      for (const [offset, diagonal] of this.#touching) {
        let other = 0;
        for (let d = 0; d < outer.length && other >= 0; d++) {
          const i = at[d]! + offset[d]!;
          other = i < 0 || i >= outer[d]! ? -1 : other * outer[d]! + i;
        }
        if (other >= 0) this.#joinPair(line, other, words, diagonal);
      }
      for (let d = outer.length - 1; d >= 0 && ++at[d]! === outer[d]; d--) at[d] = 0;
    }
  }

  /** Joins the runs of two lines that touch: they have a sample at the same place, or `diagonal` places apart. */
  #joinPair(line: number, other: number, words: number, diagonal: 0 | 1): void {
    const { lines } = this;
    if (lines[line] === lines[line + 1] || lines[other] === lines[other + 1]) return;
    const { runs } = this.#places;
    this.#exports.join_runs_u8(
      runs,
      this.#bits(line),
      lines[line]!,
      this.#bits(other),
      lines[other]!,
      words,
      diagonal,
    );
  }
}

// What is known of a tile when it is joined with others: its number of components, the first sample of each, and the
// components on its faces. It is a list of numbers:
//
// ```text
//   components │ face 0 front, face 0 back, face 1 front, … │ first sample of component 1, 2, …
// ```
//
// A face is the first or the last layer of samples along a dimension, without that dimension.

/** Where the parts of the list begin, for tiles of up to `tile` samples. */
export interface FaceLayout {
  /** The tile. */
  readonly tile: Shape;
  /** Per dimension: its front face and its back face. */
  readonly faces: readonly (readonly [front: number, back: number])[];
  /** The first samples of components. */
  readonly firsts: number;
  /** Numbers in all. */
  readonly length: number;
}

/** The layout for tiles of up to `tile` samples. */
export function faceLayout(tile: Shape): FaceLayout {
  let at = 1;
  const faces = tile.map((_, d) => {
    const size = sizeOf(tile.toSpliced(d, 1));
    const place = [at, at + size] as const;
    at += 2 * size;
    return place;
  });
  return { tile, faces, firsts: at, length: at + mostRuns(tile) };
}

/** Writes the list of a tile at `out`, an address in the memory of the kernels. */
export function writeFaces(
  runs: TileRuns,
  layout: FaceLayout,
  memory: WebAssembly.Memory,
  out: number,
): void {
  const list = new Uint32Array(memory.buffer, out, layout.length);
  list[0] = runs.count;
  for (const [d, places] of layout.faces.entries()) {
    for (const [side, at] of places.entries()) {
      const [end, layer] = side === 0 ? ["first", 0] as const : ["last", runs.shape[d]! - 1] as const;
      if (d < runs.shape.length - 1) writeLines(runs, d, layer, out + 4 * at);
      else writeEnds(runs, end, list.subarray(at));
    }
  }
  runs.firstSamples(out + 4 * layout.firsts);
}

/** The components of the layer `layer` along dimension `d`: whole lines. */
function writeLines(runs: TileRuns, d: number, layer: number, out: number): void {
  const { shape } = runs;
  const inner = sizeOf(shape.slice(d + 1, -1));
  for (let outer = 0, count = sizeOf(shape.slice(0, d)), at = out; outer < count; outer++) {
    const first = (outer * shape[d]! + layer) * inner;
    for (let line = first; line < first + inner; line++, at += 4 * shape.at(-1)!) runs.paint(line, at);
  }
}

/** Those of the first or the last sample of every line. */
function writeEnds(runs: TileRuns, end: "first" | "last", out: Uint32Array): void {
  for (let line = 0, lines = sizeOf(runs.shape.slice(0, -1)); line < lines; line++) {
    out[line] = runs.atEnd(line, end);
  }
}
