/**
 * PNG images: all kinds of pixels, 1 to 16 bits, plain or interlaced.
 *
 * Rows of plain files are unpacked one after another, so that the image is never in memory as a whole. An interlaced file is
 * gathered first, as its last pass has pixels of every other row.
 *
 * @module
 */

import { type Meaning, mustFit, type OpenImage, type PutRow } from "../common/image.ts";
import { KIND, PackedRows, pngError, type PngFile, readPng, unfilter } from "./chunks.ts";

// From stored rows of a PNG file to samples of 8 or 16 bits, little-endian: bits are spread, colours of a palette are looked up,
// and a transparent colour becomes a sample of alpha.

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
function storedBits({ kind, bits }: PngFile): number {
  return STORED[kind]! * bits;
}

/** How the pixels of a file become samples. */
function samplesOf(file: PngFile): Samples {
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

/** The passes of an interlaced file: first column and row, steps across and down. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** Opens the image in `bytes`. Errors: `malformed`, `truncated`, `unsupported`, `over-budget`. */
export function openPng(bytes: Uint8Array<ArrayBuffer>): OpenImage {
  const file = readPng(bytes), samples = samplesOf(file);
  const { width, height } = file;
  return {
    width,
    height,
    samples: samples.samples,
    dtype: samples.bytes === 2 ? "uint16" : "uint8",
    bits: 8 * samples.bytes,
    meaning: samples.meaning,
    decode: (put) => file.isInterlaced ? decodePasses(file, samples, put) : decodeRows(file, samples, put),
  };
}

async function decodeRows(file: PngFile, samples: Samples, put: PutRow): Promise<void> {
  await using packed = new PackedRows(file.packed);
  await eachRow(packed, file, samples, file, put);
  await packed.end();
}

/** Unpacks rows of `width` pixels; a pass of an interlaced file has fewer than the image. */
async function eachRow(
  packed: PackedRows,
  file: PngFile,
  { samples, bytes, make }: Samples,
  { width, height }: Pick<PngFile, "width" | "height">,
  put: PutRow,
): Promise<void> {
  const bits = storedBits(file), length = Math.ceil(width * bits / 8), step = Math.max(1, bits >> 3);
  mustFit(3 * length + width * samples * bytes, `rows of ${width} pixels`);
  const pair = [new Uint8Array(1 + length), new Uint8Array(1 + length)] as const;
  const out = new Uint8Array(width * samples * bytes);
  for (let y = 0; y < height; y++) {
    const stored = pair[y & 1]!;
    await packed.read(stored);
    const row = stored.subarray(1);
    unfilter(stored[0]!, row, pair[~y & 1]!.subarray(1), step);
    make(row, out, width);
    put(y, out);
  }
}

async function decodePasses(file: PngFile, samples: Samples, put: PutRow): Promise<void> {
  const { width, height } = file, size = samples.samples * samples.bytes;
  mustFit(width * height * size, `an interlaced PNG file of ${width} × ${height} pixels`);
  const whole = new Uint8Array(width * height * size);
  await using packed = new PackedRows(file.packed);
  for (const [left, top, across, down] of PASSES) {
    const pass = { width: Math.ceil((width - left) / across), height: Math.ceil((height - top) / down) };
    if (pass.width <= 0 || pass.height <= 0) continue;
    await eachRow(packed, file, samples, pass, (y, row) => {
      for (let x = 0; x < pass.width; x++) {
        const to = ((top + y * down) * width + left + x * across) * size;
        for (let b = 0; b < size; b++) whole[to + b] = row[x * size + b]!;
      }
    });
  }
  await packed.end();
  for (let y = 0; y < height; y++) put(y, whole.subarray(y * width * size, (y + 1) * width * size));
}
