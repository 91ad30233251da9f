/**
 * The table of exports: which generic body becomes a kernel for which sample types and byte orders.
 *
 * AssemblyScript has no macros, so `entrySource` writes the entry file: one line an export, such as
 * `export function sum_frames_u16be(…) { sumFrames<u16>(…, true); }`.
 *
 * @module
 */

import { FILTER_FAMILIES } from "./filter_families.ts";
import { LANES_FAMILIES } from "./lanes_families.ts";
import { SPARSE_FAMILIES } from "./sparse_families.ts";

/** A family of kernels that share one generic body. */
export interface Family {
  /** The first part of the exported names. */
  readonly name: string;
  /** The file in `kernels/` that has the body. */
  readonly file: string;
  /** The body: `body<T>(…params, be)`, or `body(…params)` where there are no types. */
  readonly body: string;
  /** Parameters as AssemblyScript declares them. */
  readonly params: string;
  /** Sample types; none for a kernel that has no samples. */
  readonly types?: readonly string[];
  /** Whether the types of two bytes and more also come in big-endian order; if not, the body takes no `be`. */
  readonly orders?: boolean;
}

const SMALL = ["u8", "i8", "u16", "i16"] as const;
const LARGE = ["u32", "i32", "f32", "f64"] as const;
const ALL = [...SMALL, ...LARGE];

const FRAMES = "data: usize, frames: i32, frameStride: usize";
const CORRECT =
  "dst: usize, dstStride: usize, src: usize, srcStride: usize, frames: i32, dark: usize, gain: usize, pixels: i32";
const SUM_PIXELS = `out: usize, outStride: usize, ${FRAMES}, rows: i32, rowLength: i32`;
const MOMENTS = `sum: usize, squares: usize, ${FRAMES}, pixels: i32`;
const WELFORD = `mean: usize, m2: usize, before: i32, ${FRAMES}, pixels: i32`;
const WELFORD_MERGE = "meanA: usize, m2A: usize, nA: f64, meanB: usize, m2B: usize, nB: f64, pixels: i32";
const DOT =
  `out: usize, outStride: usize, ${FRAMES}, masks: usize, maskCount: i32, maskStride: usize, rows: i32, rowLength: i32`;
const COM = `out: usize, outStride: usize, ${FRAMES}, rowLength: i32, yFirst: i32, runs: usize, count: i32`;
const DEVIATION = `out: usize, outStride: usize, ${FRAMES}, rowLength: i32, runs: usize, count: i32`;
const FOLD =
  `out: usize, outStride: usize, planeStride: usize, planes: i32, ${FRAMES}, runs: usize, count: i32`;
const MOVE = "dst: usize, src: usize, n: i32";
const BITS = "dst: usize, src: usize, startBit: u32, n: i32, bits: i32";
const UNSIGNED = ["u8", "u16", "u32"] as const;
const PHASE =
  "out: usize, lm: usize, uvw: usize, frequency: usize, sources: i32, rows: i32, channels: i32, speed: f64";
const BOX_MEAN =
  "out: usize, outStride: usize, data: usize, rowStride: usize, rows: i32, rowLength: i32, ry: i32, rx: i32, columns: usize";
const REAL_FFT =
  "dst: usize, src: usize, height: i32, width: i32, columns: i32, tables: usize, scratch: usize";
const REAL_FFT_BACK = "dst: usize, src: usize, height: i32, width: i32, tables: usize, scratch: usize";
const COMPLEX_FFT =
  "dst: usize, src: usize, height: i32, width: i32, back: i32, tables: usize, scratch: usize";
const FLOATS = ["f32", "f64"] as const;
const PATCH = "data: usize, frameStride: usize, frames: i32, plan: usize, count: i32";

/** Every family, in the order of the exports. */
export const FAMILIES: readonly Family[] = [
  {
    name: "sum_frames",
    file: "sum_frames",
    body: "sumFrames",
    params: `acc: usize, ${FRAMES}, pixels: i32`,
    types: ALL,
    orders: true,
  },
  { name: "sum_pixels", file: "sum_pixels", body: "sumPixels", params: SUM_PIXELS, types: ALL, orders: true },
  {
    name: "min_max",
    file: "extremes",
    body: "minMax",
    params: "out: usize, data: usize, n: i32",
    types: ALL,
    orders: true,
  },
  { name: "moments", file: "moments", body: "moments", params: MOMENTS, types: SMALL, orders: true },
  { name: "welford", file: "welford", body: "welford", params: WELFORD, types: LARGE, orders: true },
  { name: "welford_merge", file: "welford", body: "welfordMerge", params: WELFORD_MERGE, types: ["f64"] },
  { name: "add", file: "convert", body: "add", params: MOVE, types: ["f64"] },
  { name: "swap", file: "convert", body: "swap", params: MOVE, types: ["u16", "u32", "u64"] },
  {
    name: "convert_f32",
    file: "convert",
    body: "convertF32",
    params: MOVE,
    types: [...ALL, "u64", "i64"],
    orders: true,
  },
  {
    name: "convert_f64",
    file: "convert",
    body: "convertF64",
    params: MOVE,
    types: [...ALL, "u64", "i64"],
    orders: true,
  },
  {
    name: "lower_f32",
    file: "convert",
    body: "lowerF32",
    params: `${MOVE}, least: f64`,
    types: ["u32", "i32", "f64"],
    orders: true,
  },
  { name: "convert_f32_f16", file: "convert", body: "halfF32", params: MOVE },
  { name: "convert_f32_f16be", file: "convert", body: "halfF32be", params: MOVE },
  { name: "convert_f64_f16", file: "convert", body: "halfF64", params: MOVE },
  { name: "convert_f64_f16be", file: "convert", body: "halfF64be", params: MOVE },
  { name: "correct_f32", file: "correct", body: "correctF32", params: CORRECT, types: ALL, orders: true },
  { name: "correct_f64", file: "correct", body: "correctF64", params: CORRECT, types: ALL, orders: true },
  {
    name: "correct_pairs",
    file: "correct_pairs",
    body: "correctPairs",
    params: CORRECT,
    types: FLOATS,
    orders: true,
  },
  { name: "patch", file: "correct", body: "patch", params: PATCH, types: ["f32", "f64"] },
  { name: "dot_i16", file: "dot", body: "dotI16", params: `${DOT}, flush: i32`, types: SMALL, orders: true },
  { name: "dot_f32", file: "dot", body: "dotF32", params: DOT, types: [...SMALL, "f32"], orders: true },
  { name: "dot_f64", file: "dot", body: "dotF64", params: DOT, types: ALL, orders: true },
  { name: "fold_f32", file: "fold", body: "foldF32", params: FOLD, types: [...SMALL, "f32"], orders: true },
  {
    name: "fold_f64",
    file: "fold",
    body: "foldF64",
    params: FOLD,
    types: ["u32", "i32", "f64"],
    orders: true,
  },
  { name: "com", file: "com", body: "com", params: COM, types: ALL, orders: true },
  {
    name: "log_product",
    file: "log_product",
    body: "logProduct",
    params: "product: usize, powers: usize, data: usize, pixels: i32",
    types: ALL,
    orders: true,
  },
  {
    name: "log_product_merge",
    file: "log_product",
    body: "logProductMerge",
    params: "productA: usize, powersA: usize, productB: usize, powersB: usize, pixels: i32",
    types: ["f64"],
  },
  { name: "box_mean", file: "box_mean", body: "boxMean", params: BOX_MEAN, types: ALL },
  { name: "bits_lsb", file: "unpack", body: "bitsLsb", params: BITS, types: UNSIGNED },
  { name: "bits_msb", file: "unpack", body: "bitsMsb", params: BITS, types: UNSIGNED },
  { name: "reverse", file: "unpack", body: "reverse", params: MOVE, types: ["u8", "u16"] },
  { name: "mib_r1", file: "unpack", body: "mibR1", params: MOVE, types: ["u8"] },
  { name: "mib_r6", file: "unpack", body: "mibWords", params: MOVE, types: ["u8"] },
  { name: "mib_r12", file: "unpack", body: "mibWords", params: MOVE, types: ["u16"] },
  {
    name: "mib_r24",
    file: "unpack",
    body: "mibR24",
    params: "dst: usize, high: usize, low: usize, n: i32",
    types: ["u32"],
  },
  {
    name: "k2is_rows",
    file: "readout",
    body: "k2isRows",
    params: "dst: usize, dstStride: usize, src: usize, blockStride: usize, blocks: i32, rows: i32",
    types: ["u16"],
  },
  {
    name: "unfold",
    file: "readout",
    body: "unfold",
    params: "dst: usize, src: usize, rows: i32, width: i32, bin: i32",
    types: ["u16"],
  },
  {
    name: "mean_frames",
    file: "readout",
    body: "meanFrames",
    params: "dst: usize, src: usize, frames: i32, stride: usize, n: i32",
    types: ["u16"],
  },
  { name: "deviation", file: "runs", body: "deviation", params: DEVIATION, types: ALL, orders: true },
  {
    name: "magnitudes",
    file: "runs",
    body: "magnitudes",
    params: "out: usize, data: usize, rowLength: i32, runs: usize, count: i32",
    types: FLOATS,
  },
  { name: "rfft2", file: "fft2", body: "rfft2", params: REAL_FFT, types: FLOATS },
  { name: "irfft2", file: "fft2", body: "irfft2", params: REAL_FFT_BACK, types: FLOATS },
  { name: "fft2", file: "fft2", body: "fft2", params: COMPLEX_FFT, types: FLOATS },
  { name: "complex_phase", file: "phase", body: "complexPhase", params: PHASE, types: ["f64"] },
  ...FILTER_FAMILIES,
  ...SPARSE_FAMILIES,
  ...LANES_FAMILIES,
];

/** One exported kernel. */
export interface Export {
  /** The exported name. */
  readonly name: string;
  /** Its family. */
  readonly family: Family;
  /** Names of the parameters, without their types. */
  readonly params: readonly string[];
  /** The call that is its body. */
  readonly call: string;
}

/** Every export of every family. */
export function exportsOf(families: readonly Family[]): Export[] {
  return families.flatMap((family) => {
    const params = family.params.split(",").map((param) => param.split(":")[0]!.trim());
    const one = (suffix: string, type: string, more: string[]): Export => ({
      name: `${family.name}${suffix}`,
      family,
      params,
      call: `${family.body}${type}(${[...params, ...more].join(", ")})`,
    });
    if (!family.types) return [one("", "", [])];
    const ordered = family.types.filter((type) => family.orders && !type.endsWith("8"));
    return [
      ...family.types.map((type) => one(`_${type}`, `<${type}>`, family.orders ? ["false"] : [])),
      ...ordered.map((type) => one(`_${type}be`, `<${type}>`, ["true"])),
    ];
  });
}

/** The source of the entry file. */
export function entrySource(families: readonly Family[]): string {
  const imports = families.map(({ body, file }) => `import { ${body} } from "./kernels/${file}";\n`);
  const lines = exportsOf(families).map(({ name, family, call }) =>
    `export function ${name}(${family.params}): void { ${call}; }\n`
  );
  return [...new Set(imports), ...lines].join("");
}
