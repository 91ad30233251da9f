/**
 * Random data sets and runs: shapes, types, files, regions, corrections, partitions.
 *
 * What LiberTEM is known to read wrongly is left out: signed and floating samples of big-endian files.
 *
 * @module
 */

import { type DType, dtypeInfo } from "../../../src/space/dtype.ts";
import { Random } from "./random.ts";
import {
  type CorrectionSpec,
  type DataSpec,
  type FileKind,
  type Pattern,
  product,
  type RoiForm,
  type RunSpec,
  type Subject,
} from "./spec.ts";

/** Data set number `index` of a seed. */
export function randomSubject(seed: number, index: number): Subject {
  const data = randomData(new Random(seed, index, "data"));
  return { data, run: randomRun(new Random(seed, index, "run"), data) };
}

const DTYPES: readonly (readonly [DType, number])[] = [
  ["uint8", 2],
  ["uint16", 4],
  ["uint32", 1],
  ["int8", 1],
  ["int16", 2],
  ["int32", 1],
  ["float32", 4],
  ["float64", 2],
  ["complex64", 1],
  ["complex128", 1],
];

/** Patterns by the kind of a type, with weights. */
const PATTERNS: Readonly<Record<string, readonly (readonly [Pattern, number])[]>> = {
  u: [["zeros", 1], ["constant", 1], ["counts", 6], ["sparse", 3], ["offset", 2], ["extreme", 2]],
  i: [["zeros", 1], ["constant", 1], ["counts", 3], ["sparse", 2], ["signed", 6], ["offset", 2], [
    "extreme",
    2,
  ]],
  f: [
    ...[["zeros", 1], ["constant", 1], ["counts", 2], ["sparse", 2], ["fractions", 5]] as const,
    ...[["offset", 2], ["extreme", 2], ["special", 3]] as const,
  ],
  c: [["zeros", 1], ["constant", 1], ["counts", 2], ["sparse", 2], ["signed", 3], ["fractions", 6]],
};

/** Patterns of frames that are pictures of real numbers. */
const PICTURES: readonly (readonly [Pattern, number])[] = [["disks", 5], ["field", 3], ["grains", 3]];

function randomData(random: Random): DataSpec {
  const dtype = random.weighted(DTYPES);
  const { kind } = dtypeInfo(dtype);
  const isPicture = kind !== "c" && random.chance(0.45);
  const pattern = random.weighted(isPicture ? PICTURES : PATTERNS[kind]!);
  const isLarge = random.chance(0.07);
  const nav = isLarge
    ? [random.int(1, 3), random.int(1, 3)]
    : isPicture
    ? [random.int(2, 5), random.int(2, 5)]
    : randomNav(random);
  const sig = isPicture
    ? [random.int(14, isLarge ? 120 : 44), random.int(14, isLarge ? 120 : 44)]
    : isLarge
    ? largeSig(random)
    : randomSig(random);
  const file = randomFile(random, dtype, sig, pattern);
  const frames = product(nav);
  const images = file.startsWith("hdf5") || !random.chance(0.15)
    ? frames
    : Math.max(1, frames + random.int(-3, 3));
  const isBig = kind === "u" && dtype !== "uint8" && (file === "raw" || file === "npy") && random.chance(0.4);
  return {
    nav,
    sig,
    dtype,
    byteOrder: isBig || file === "mib" ? "big" : "little",
    pattern,
    seed: random.int(1, 1e9),
    file,
    images,
    syncOffset: random.chance(0.75) || images < 2 ? 0 : random.int(-images + 1, images - 1),
    ...(file === "hdf5-chunks" ? { chunks: [...nav, ...sig].map((n) => random.int(1, n)) } : {}),
  };
}

function randomNav(random: Random): number[] {
  const rank = random.weighted([[1, 3], [2, 6], [3, 2]]);
  const most = [0, 20, 6, 3][rank]!;
  return Array.from({ length: rank }, () => random.int(1, most));
}

function randomSig(random: Random): number[] {
  const rank = random.weighted([[1, 1], [2, 6], [3, 1]]);
  const most = [0, 70, 24, 7][rank]!;
  return Array.from({ length: rank }, () => random.int(1, most));
}

/** Frames so large that they are cut into several tiles. */
function largeSig(random: Random): number[] {
  const one = (least: number, most: number) => random.int(least, most);
  return random.pick([
    [one(70, 150), one(70, 150)],
    [one(10, 30), one(10, 30), one(10, 30)],
    [one(5000, 20000)],
  ]);
}

function randomFile(random: Random, dtype: DType, sig: readonly number[], pattern: Pattern): FileKind {
  const isMib = dtypeInfo(dtype).kind === "u" && sig.length === 2;
  const isSparse = dtypeInfo(dtype).kind !== "c" && ["counts", "sparse", "zeros", "signed"].includes(pattern);
  return random.weighted([
    ["raw", 4],
    ["npy", 3],
    ["mib", isMib ? 3 : 0],
    ["hdf5", 1],
    ["hdf5-chunks", 2],
    ["raw_csr", isSparse ? 3 : 0],
  ]);
}

function randomRun(random: Random, data: DataSpec): RunSpec {
  const frames = product(data.nav);
  const roi = random.chance(0.4) ? { roi: randomRoi(random, frames) } : {};
  const corrections = random.chance(0.25) ? { corrections: randomCorrections(random, data) } : {};
  return {
    ...roi,
    ...corrections,
    ...(random.chance(0.5) ? { partitions: random.int(1, Math.min(7, frames)) } : {}),
    ...(random.chance(0.4) ? { tileBytes: random.pick([64, 256, 1024, 8192]) } : {}),
    onWorkers: random.chance(0.1),
  };
}

function randomRoi(random: Random, frames: number): { selected: number[]; form: RoiForm } {
  const share = random.pick([0, 0.1, 0.3, 0.6, 0.95, 1]);
  const selected = Array.from({ length: frames }, (_, i) => i).filter(() => random.chance(share));
  if (random.chance(0.2)) return { selected: [random.int(0, frames - 1)], form: "single" };
  const forms: RoiForm[] = ["mask", "nested", "sparse"];
  if (selected.length > 0) forms.push("coordinates");
  if (selected.length < frames) forms.push("toggles");
  return { selected, form: random.pick(forms) };
}

function randomCorrections(random: Random, data: DataSpec): CorrectionSpec {
  const dtype = () => random.pick(["float32", "float64"] as const);
  const pixel = () =>
    data.sig.map((n) => random.chance(0.2) ? random.pick([0, n - 1]) : random.int(0, n - 1));
  const excluded = random.chance(0.6) ? Array.from({ length: random.int(1, 4) }, pixel) : [];
  const dark = random.chance(0.6) ? { dark: dtype() } : {};
  return {
    ...dark,
    ...(random.chance(0.6) || !("dark" in dark) && excluded.length === 0 ? { gain: dtype() } : {}),
    excluded,
    allowEmpty: random.chance(0.2),
    seed: random.int(1, 1e9),
  };
}
