/**
 * FITS files: the images in them, each an array with its axes, and random groups, each of which is a frame. Values are physical ones: `BZERO + BSCALE · stored`.
 *
 * Source: FITS standard 4.0, sections 3, 4.4.2 and 8 (world coordinates).
 *
 * @module
 */

import type { StoredDataset } from "../../dataset/dataset.ts";
import { frameBytes } from "../../dataset/layout/layout.ts";
import { type CodecSpec, contiguous } from "../../dataset/layout/storage.ts";
import { defined } from "../../options.ts";
import { axesThatFit } from "../../dataset/said_axes.ts";
import { cannot } from "../../errors.ts";
import { type ByteSource, ownSpecs, readBytes } from "../../io/source/source.ts";
import { type DType, dtypeInfo } from "../../space/dtype.ts";
import { sizeOf } from "../../space/shape.ts";
import { fileDataset, splitShape } from "../common/arrange.ts";
import { completeFrames } from "../common/complete.ts";
import { valuesSaid } from "../common/kinds.ts";
import { type FormatInput, isGzip } from "../common/format.ts";
import type { OpenOptions } from "../common/options.ts";
import { asItIs, type Readable, unpackedNow } from "../common/unpacked.ts";
import { PACKED, readUnits, type Unit } from "./cards.ts";
import { axisOf, told, unitIn, withPlaces, worldOf } from "./world.ts";

// The checksums of a unit: `DATASUM` of its samples, `CHECKSUM` of header and samples together.
//
// Both are sums of big-endian words of 32 bits, whose carries are added at the lower end. `CHECKSUM` is chosen such that the sum
// of all words is one without zeros.
//
// Source: FITS standard 4.0, section 4.4.2.7 and appendix J.

/** Most bytes of samples in a file that are read for their sums alone. */
const MOST_SUMMED: number = 2 ** 26;
/** Bytes that are read at once. */
const PIECE = 2 ** 20;
/** A sum without zeros. */
const ONES = 0xffffffff;

/**
 * Compares the sums of a unit; the warning about a header that was changed. Samples are summed up where `isSmall`, and the file
 * is at hand. Errors: `malformed` for samples that are not those that were written.
 */
async function verifySums(
  source: ByteSource,
  { cards, start, end, number }: Unit,
  isSmall: boolean,
  signal?: AbortSignal,
): Promise<string[]> {
  const told = /^\s*(\d{1,10})\s*$/.exec(cards.text("DATASUM"))?.[1];
  const sum = told === undefined ? undefined : Number(told);
  const hasSum = cards.text("CHECKSUM").trim().length === 16;
  const isNear = !ownSpecs(source.describe()).some(({ kind }) => kind === "http");
  const canSum = isSmall && isNear && end <= source.size && (sum !== undefined || hasSum);
  const found = canSum ? await sumOf(source, start, end, signal) : undefined;
  if (sum !== undefined && found !== undefined && !isSame(sum, found)) {
    const text = `the samples of unit ${number} have the checksum ${found}, its DATASUM ` +
      `is ${sum}: they are not those that were written`;
    throw cannot("read", source.name, "malformed", text, { offset: start, expected: sum, found });
  }
  const samples = sum ?? found;
  if (!hasSum || samples === undefined) return [];
  const header = await sumOf(source, cards.offset, cards.end, signal);
  if (isSame(added(header, samples), ONES)) return [];
  return [
    `The header of unit ${number} is not the one that its CHECKSUM was made of: it was changed, or is damaged`,
  ];
}

/** Zeros and ones are the same to such sums. */
function isSame(a: number, b: number): boolean {
  return a % ONES === b % ONES;
}

function added(a: number, b: number): number {
  const sum = a + b;
  return sum > ONES ? sum - ONES : sum;
}

/** The sum of the bytes from `start` to `end`; zeros follow where they are not whole words. */
async function sumOf(source: ByteSource, start: number, end: number, signal?: AbortSignal): Promise<number> {
  let sum = 0;
  for (let at = start; at < end; at += PIECE) {
    const bytes = await readBytes(source, at, Math.min(PIECE, end - at), signal);
    const whole = bytes.length % 4 === 0 ? bytes : padded(bytes);
    const view = new DataView(whole.buffer, whole.byteOffset, whole.length);
    let part = 0; // 2^18 words at most: exact
    for (let i = 0; i < whole.length; i += 4) part += view.getUint32(i);
    sum = added(sum, part % ONES);
  }
  return sum;
}

function padded(bytes: Uint8Array): Uint8Array {
  const whole = new Uint8Array(Math.ceil(bytes.length / 4) * 4);
  whole.set(bytes);
  return whole;
}

export async function open(input: FormatInput, options: OpenOptions): Promise<StoredDataset[]> {
  if (!isGzip(input.head)) return await openUnits(input, asItIs(input.source), options);
  const readable = await unpackedNow(input.source, options.signal);
  await using _source = readable.source;
  return await openUnits(input, readable, options);
}

async function openUnits(
  input: FormatInput,
  readable: Readable,
  options: OpenOptions,
): Promise<StoredDataset[]> {
  const { source } = readable;
  const units = await readUnits(source, options.signal);
  const images = units.filter(({ kind, shape, groups }) =>
    kind !== "other" && groups * sizeOf(shape) > 0 && shape.length > 0
  );
  const others = units.filter((unit) => unit.kind === "other").map(({ number, title }) =>
    `${number}: ${title}`
  );
  const isPacked = units.some(({ title }) => title === PACKED);
  const hint = isPacked ? "; compressed images are not read: funpack, of CFITSIO, unpacks them" : "";
  const warnings = [
    ...readable.warnings,
    ...others.length > 0 ? [`Left out are units that hold no image: ${others.join(", ")}${hint}`] : [],
  ];
  if (images.length > 0) {
    let left = MOST_SUMMED;
    const opened: StoredDataset[] = [];
    for (const unit of images) {
      left -= unit.end - unit.start;
      const changed = await verifySums(source, unit, left >= 0, options.signal);
      const name = nameOf(unit, images, options.array);
      opened.push(datasetOf(input, readable, unit, name, [...warnings, ...changed], options));
    }
    return opened;
  }
  const found = others.join(", ") || "units without samples";
  const text = `there is no image in it, only ${found}${hint}`;
  throw cannot("read", input.name, "unsupported", text, { expected: "an image", found });
}

/**
 * Its name in the header, with its number in front where two have it; its number where it has none; empty if it is alone, unless
 * it was asked for.
 */
function nameOf({ cards, number }: Unit, images: readonly Unit[], asked?: string): string {
  const name = cards.text("EXTNAME") || (number === 0 ? "primary" : `unit${number}`);
  if (images.length === 1) return name === asked ? name : "";
  const same = images.filter((other) => other.cards.text("EXTNAME") === name);
  return same.length > 1 ? `${number} ${name}` : name;
}

function datasetOf(
  input: FormatInput,
  { spec, size }: Readable,
  unit: Unit,
  array: string,
  warnings: readonly string[],
  options: OpenOptions,
): StoredDataset {
  const { kind, parameters } = unit;
  const isGroups = kind === "groups";
  const shape = isGroups ? [unit.groups, ...unit.shape] : unit.shape;
  const [nav, sig] = isGroups ? [[unit.groups], unit.shape] : splitShape(shape, options.sigDims, input.name);
  const first = isGroups ? 2 : 1; // NAXIS1 of groups is 0
  const frameHeaderBytes = parameters * dtypeInfo(unit.stored).itemSize;
  const { dtype, codec } = samplesOf(unit);
  const storedBytes = frameBytes(sig, unit.stored);
  const promised = {
    name: input.name,
    size,
    start: unit.start,
    pitch: frameHeaderBytes + storedBytes,
    frames: sizeOf(nav),
  };
  const { frames, warnings: cut } = completeFrames(promised, options);
  const { cards, warnings: misread } = withPlaces(unit.cards);
  const world = worldOf(cards);
  const { axes, warnings: problems } = axesThatFit(
    array === "" ? input.name : `${array} of ${input.name}`,
    shape,
    shape.map((_, d) =>
      isGroups && d === 0 ? { name: "group" } : axisOf(cards, world, shape.length - 1 - d + first)
    ),
  );
  return fileDataset(input, {
    array,
    images: frames,
    navShape: frames === sizeOf(nav) ? nav : undefined,
    sigShape: sig,
    layout: {
      files: [{ source: spec, start: 0, end: frames, headerBytes: unit.start }],
      dtype,
      byteOrder: codec ? "little" : "big", // a codec swaps by itself
      frameHeaderBytes,
      storedBytes,
      storage: contiguous(codec),
    },
    warnings: (
      { warnings: more },
    ) => [
      ...warnings,
      ...cut,
      ...more,
      ...problems,
      ...misread,
      ...told(cards, world),
      ...blankWarnings(unit),
    ],
    axes,
    ...valuesSaid(dtype, { unit: unitIn(cards.text("BUNIT")), missing: missingIn(unit, codec) }),
    metadata: Object.fromEntries(unit.cards.values),
  }, options);
}

/** The number that a missing sample of integers has; a codec that makes floats makes NaN of it. */
function missingIn(unit: Unit, codec: CodecSpec | undefined): number | undefined {
  const blank = codec?.params["blank"] === undefined ? blankIn(unit) : undefined;
  return blank === undefined ? undefined : blank + (codec ? unit.cards.number("BZERO", 0) : 0);
}

/** The stored integer of missing samples, where it is one that is exact. */
function blankIn({ cards, stored }: Unit): number | undefined {
  const blank = cards.values.get("BLANK");
  return dtypeInfo(stored).kind !== "f" && Number.isSafeInteger(blank) ? Number(blank) : undefined;
}

function blankWarnings(unit: Unit): string[] {
  const blank = unit.cards.values.get("BLANK");
  if (blank === undefined || dtypeInfo(unit.stored).kind === "f" || blankIn(unit) !== undefined) return [];
  return [`Missing samples count as numbers: their number, BLANK ${blank}, is not a whole number up to 2^53`];
}

/** Half of the range of an integer, by which FITS shifts those of the other sign, and the type that this makes. */
const SHIFTED: Readonly<Partial<Record<DType, readonly [number, DType]>>> = {
  uint8: [-128, "int8"],
  int16: [2 ** 15, "uint16"],
  int32: [2 ** 31, "uint32"],
  int64: [2 ** 63, "uint64"],
};

/**
 * The type of physical samples, and the codec that makes them. Scaled integers become floats that hold them: `float32` up
 * to 16 bits, `float64` above.
 */
function samplesOf(unit: Unit): { readonly dtype: DType; readonly codec?: CodecSpec } {
  const { cards, stored } = unit;
  const [scale, offset] = [cards.number("BSCALE", 1), cards.number("BZERO", 0)];
  if (scale === 1 && offset === 0) return { dtype: stored };
  const params = { stored, scale, offset };
  const [half, shifted] = SHIFTED[stored] ?? [];
  if (scale === 1 && shifted && offset === half) {
    return { dtype: shifted, codec: { id: "linear", params: { ...params, dtype: shifted } } };
  }
  const isSmall = dtypeInfo(stored).itemSize <= 2 || stored === "float32";
  const dtype: DType = isSmall ? "float32" : "float64";
  return {
    dtype,
    codec: { id: "linear", params: { ...params, ...defined({ blank: blankIn(unit) }), dtype } },
  };
}
