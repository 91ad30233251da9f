/**
 * From stored rows of a PNG file to samples of 8 or 16 bits, little-endian: bits are spread, colours of a palette are looked up,
 * and a transparent colour becomes a sample of alpha.
 *
 * @module
 */

import type { Meaning } from "../common/image.ts";
import { KIND, pngError, type PngFile } from "./chunks.ts";

/** How many samples of how many bytes a pixel has, and how a row of them is made. */
export interface Samples {
  readonly samples: number;
  readonly bytes: 1 | 2;
  readonly meaning: Meaning;
  /** Writes `count` pixels of the stored `row` to `out`. */
  make(row: Uint8Array, out: Uint8Array, count: number): void;
}

/** Stored samples of a pixel, by kind. */
const STORED: Readonly<Record<number, number>> = {
  [KIND.gray]: 1,
  [KIND.rgb]: 3,
  [KIND.palette]: 1,
  [KIND.grayAlpha]: 2,
  [KIND.rgba]: 4,
};

/** Bits of a stored pixel. */
export function storedBits({ kind, bits }: PngFile): number {
  return STORED[kind]! * bits;
}

/** How the pixels of a file become samples. */
export function samplesOf(file: PngFile): Samples {
  if (file.palette) return paletteSamples(file, file.palette);
  const stored = STORED[file.kind]!, { transparent, bits } = file;
  const meaning = file.kind === KIND.gray || file.kind === KIND.grayAlpha ? "gray" : "colours";
  const bytes = bits === 16 ? 2 : 1;
  const plain = bits < 8 ? spread(bits) : bits === 16 ? swapped(stored) : copied(stored);
  if (!transparent) return { samples: stored, bytes, meaning, make: plain };
  const key = Array.from({ length: stored }, (_, i) => transparent[2 * i]! << 8 | transparent[2 * i + 1]!);
  const scaled = bits < 8 ? key.map((value) => value * 255 / (2 ** bits - 1)) : key;
  const make = bits === 16 ? withAlpha16(stored, scaled) : withAlpha8(plain, stored, scaled);
  return { samples: stored + 1, bytes, meaning, make };
}

type Make = Samples["make"];

const copied = (stored: number): Make => (row, out, count) => out.set(row.subarray(0, stored * count));

const swapped = (stored: number): Make => (row, out, count) => {
  for (let i = 0; i < 2 * stored * count; i += 2) {
    out[i] = row[i + 1]!;
    out[i + 1] = row[i]!;
  }
};

/** Samples of 1, 2 or 4 bits, the first one in the highest bits; the largest becomes 255. */
const spread = (bits: number): Make => {
  const factor = 255 / (2 ** bits - 1);
  return (row, out, count) => {
    for (let i = 0; i < count; i++) out[i] = indexAt(row, i, bits) * factor;
  };
};

function indexAt(row: Uint8Array, i: number, bits: number): number {
  const at = i * bits;
  return row[at >> 3]! >> (8 - bits - (at & 7)) & (2 ** bits - 1);
}

/** Room for the pixels of a row before alpha is added. */
const withAlpha8 = (plain: Make, stored: number, key: readonly number[]): Make => {
  let room = new Uint8Array(0);
  return (row, out, count) => {
    if (room.length < stored * count) room = new Uint8Array(stored * count);
    plain(row, room, count);
    for (let i = 0; i < count; i++) {
      let isKey = true;
      for (let s = 0; s < stored; s++) {
        const value = room[i * stored + s]!;
        out[i * (stored + 1) + s] = value;
        isKey &&= value === key[s];
      }
      out[i * (stored + 1) + stored] = isKey ? 0 : 255;
    }
  };
};

const withAlpha16 = (stored: number, key: readonly number[]): Make => (row, out, count) => {
  for (let i = 0; i < count; i++) {
    let isKey = true;
    for (let s = 0; s < stored; s++) {
      const from = 2 * (i * stored + s), to = 2 * (i * (stored + 1) + s);
      out[to] = row[from + 1]!;
      out[to + 1] = row[from]!;
      isKey &&= (row[from]! << 8 | row[from + 1]!) === key[s];
    }
    out.fill(isKey ? 0 : 255, 2 * (i * (stored + 1) + stored), 2 * (i + 1) * (stored + 1));
  }
};

/** Colours of a palette, with alpha if the file says it for any of them. */
function paletteSamples({ bits, transparent }: PngFile, palette: Uint8Array): Samples {
  const colours = palette.length / 3, samples = transparent ? 4 : 3;
  const make: Make = (row, out, count) => {
    for (let i = 0; i < count; i++) {
      const index = indexAt(row, i, bits);
      if (index >= colours) throw pngError(`a pixel has colour ${index} of ${colours}`);
      for (let s = 0; s < 3; s++) out[i * samples + s] = palette[3 * index + s]!;
      if (transparent) out[i * samples + 3] = transparent[index] ?? 255;
    }
  };
  return { samples, bytes: 1, meaning: "colours", make };
}
