/**
 * The property test of a kernel in one call: the kernel and its plain twin agree, for any samples of any size.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { checkOptionNames, inWords, type OptionNames } from "../../../options.ts";
import { atLeast0, list, number, oneOf, whole as wholeFrom } from "../../../options/rules.ts";
import { type DType, dtypeInfo, DTYPES, type TypedArray } from "../../../space/dtype.ts";
import type { Source } from "../../../user_kernels/asc.ts";
import { compileKernel } from "../../../user_kernels/compile.ts";
import { isGeneric } from "../../../user_kernels/prelude.ts";
import { checkSignature } from "../../../user_kernels/signature.ts";
import { generic, sourceOf } from "../../../user_kernels/source.ts";
import { callsHost, conventionOf, specOf } from "../../kernel_udf/kernel_udf.ts";
import type { KernelRef, SourceKernel } from "../../kernel_udf/options.ts";
import { type Random, randomSamples, seeded, whole } from "../random.ts";
import { type CaseRunner, type KernelCase, kernelRunner, type Outcome, twinRunner } from "./case.ts";

// Makes a failing case small: half the frames, rows, columns, then simpler samples, as long as it still fails.

/** Largest number of cases that are tried. */
const PATIENCE = 600;

/** The smallest case found for which `fails` is true. */
function shrink(first: KernelCase, fails: (one: KernelCase) => boolean): KernelCase {
  let best = first;
  let left = PATIENCE;
  for (let found = true; found && left > 0;) {
    found = false;
    for (const smaller of candidates(best)) {
      if (left-- <= 0) break;
      if (!fails(smaller)) continue;
      best = smaller;
      found = true;
      break;
    }
  }
  return best;
}

/** Smaller cases, those with the largest reduction first. */
function* candidates(one: KernelCase): Generator<KernelCase> {
  const { frames, rows, cols } = one;
  for (const end of [false, true]) {
    for (const n of fewer(frames)) yield cropped(one, n, rows, cols, end);
    for (const n of fewer(rows)) yield cropped(one, frames, n, cols, end);
    for (const n of fewer(cols)) yield cropped(one, frames, rows, n, end);
  }
  if (one.gap > 0) yield { ...one, gap: 0 };
  if (one.skew > 0) yield { ...one, skew: 0 };
  yield* simpler(one);
}

/**
 * Smaller numbers, those with the largest reduction first; not only halves, as some faults occur only at even or at odd
 * numbers.
 */
function fewer(n: number): number[] {
  const tries = [1, 2, 3, Math.floor(n / 2), n - 8, n - 2, n - 1];
  return [...new Set(tries)].filter((smaller) => smaller > 0 && smaller < n);
}

/** The first frames, rows and columns, or the last ones. */
function cropped(one: KernelCase, frames: number, rows: number, cols: number, end: boolean): KernelCase {
  const [f0, row0, col0] = end ? [one.frames - frames, one.rows - rows, one.cols - cols] : [0, 0, 0];
  const data: number[] = [];
  for (let f = f0; f < f0 + frames; f++) {
    for (let row = row0; row < row0 + rows; row++) {
      const from = (f * one.rows + row) * one.cols + col0;
      data.push(...one.data.slice(from, from + cols));
    }
  }
  return { ...one, frames, rows, cols, data };
}

/** Runs of samples, from all samples to a single one, become zeros; then each sample becomes 1. */
function* simpler(one: KernelCase): Generator<KernelCase> {
  const { data } = one;
  for (let size = data.length; size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < data.length; from += size) {
      const part = data.slice(from, from + size);
      if (part.some((value) => !Object.is(value, 0))) yield replaced(one, from, part.length, 0);
    }
  }
  for (let i = 0; i < data.length; i++) {
    if (!Object.is(data[i], 0) && data[i] !== 1) yield replaced(one, i, 1, 1);
  }
}

function replaced(one: KernelCase, from: number, count: number, value: number): KernelCase {
  return { ...one, data: one.data.map((old, i) => i >= from && i < from + count ? value : old) };
}

/**
 * Options of {@link checkKernel}.
 * @category Testing
 */
export interface KernelCheckOptions {
  /** Seed of the random cases. Any number. Default 1. */
  readonly seed?: number;
  /** Cases per type of samples. Whole, at least 1. Default 100. */
  readonly runs?: number;
  /** Types of samples. Default: the type of the kernel; for kernels of any type `uint8`, `int16`, `float32`, `float64`. */
  readonly dtypes?: readonly DType[];
  /** Tests only frames of these shapes, for example if arrays need a certain length. Default: from 1 × 1 to 9 × 70. */
  readonly shapes?: readonly (readonly [rows: number, cols: number])[];
  /** Largest difference of results, relative to the larger one. At least 0. Default 0: the same bits. */
  readonly tolerance?: number;
  /** `finite`: without NaN, infinities and extremes. Default `any`. */
  readonly samples?: "any" | "finite";
}

// deno-fmt-ignore: written by `deno task build`
const CHECK_OPTIONS: OptionNames<KernelCheckOptions> = {
  seed: number, runs: wholeFrom(1), dtypes: list, shapes: list, tolerance: atLeast0,
  samples: oneOf("any", "finite"),
};

/**
 * A summary of what {@link checkKernel} has tested.
 * @category Testing
 */
export interface KernelCheck {
  /** Number of cases in total. */
  readonly runs: number;
  /** Types of samples. */
  readonly dtypes: readonly DType[];
  /** The twin with which the kernel was compared. */
  readonly twin: "function" | "export" | "plain build" | "plain build with SIMD";
}

/**
 * Compares a kernel with its plain twin on seeded random cases: frames of all sizes, gaps between them, any alignment,
 * NaN, extremes. Checks that it writes only to its buffers, and that it does not read scratch before it has filled it.
 * The twin is the function or export that was declared, else the same source built without optimization and, if it uses
 * no vectors itself, without SIMD.
 *
 * Errors: `udf` with the smallest failing case that was found.
 *
 * @example
 * ```ts
 * import { kernelUdf } from "@tilewise/tilewise/unstable/udf";
 * import { checkKernel } from "@tilewise/tilewise/unstable/testing";
 * import { asNumbers } from "@tilewise/tilewise/udf";
 * import { assertEquals } from "@std/assert";
 * const ref = kernelUdf({
 *   source: `
 *     export function frame(data: usize, rows: i32, cols: i32, first: usize): void {
 *       store<f32>(first, load<f32>(data));
 *     }`,
 *   buffers: { first: { kind: "nav" } },
 *   twin({ data, buffers }) {
 *     buffers.first.set(asNumbers(data).subarray(0, 1));
 *   },
 * });
 * assertEquals(await checkKernel(ref, { runs: 20 }), { runs: 20, dtypes: ["float32"], twin: "function" });
 * ```
 * @category Testing
 */
export async function checkKernel(ref: KernelRef, options: KernelCheckOptions = {}): Promise<KernelCheck> {
  checkOptionNames("checkKernel()", options, CHECK_OPTIONS);
  const { kernel } = (ref ?? {}) as Partial<KernelRef>;
  if (!kernel) {
    const text =
      `checkKernel() takes a kernel, as kernelUdf({ source, … }) makes it, not ${inWords(ref)}; for ` +
      "kernels over views there is checkViewKernel()";
    throw new TilewiseError("invalid", text, { found: inWords(ref) });
  }
  const source = await sourceOf(kernel);
  const { seed = 1, runs = 100, dtypes = dtypesOf(kernel, source) } = options;
  let twin: KernelCheck["twin"] = "function";
  for (const dtype of dtypes) {
    const pair = await runnersFor(kernel, source, dtype);
    twin = pair.twin;
    for (let run = 0; run < runs; run++) {
      const random = seeded(seed * 7919 + run);
      const one = randomCase(random, dtype, options);
      if (differs(pair, one, options) === undefined) continue;
      const smallest = shrink(one, (smaller) => differs(pair, smaller, options) !== undefined);
      throw disagreement(source.name, dtype, smallest, differs(pair, smallest, options)!, { seed, run });
    }
  }
  return { runs: runs * dtypes.length, dtypes, twin };
}

function dtypesOf({ input }: SourceKernel, { text }: Source): DType[] {
  if (input !== undefined && input !== "native") return [input];
  return isGeneric(text) ? ["uint8", "int16", "float32", "float64"] : ["float32"];
}

interface Pair {
  readonly kernel: CaseRunner;
  readonly reference: CaseRunner;
  readonly twin: KernelCheck["twin"];
}

const VECTORS = /\b(v128|[if](8x16|16x8|32x4|64x2))\b/;

async function runnersFor(options: SourceKernel, plain: Source, dtype: DType): Promise<Pair> {
  if (!DTYPES.includes(dtype)) throw new TilewiseError("invalid", `"${dtype}" is not a dtype`);
  if (callsHost(plain)) throw callsOthers(plain.name);
  const source = { ...plain, ...generic(plain, dtype) };
  const compiled = await compileKernel(source);
  const spec = specOf(options, compiled, dtype);
  const kernel = kernelRunner(spec, compiled, spec.call, 0x5b);
  const { twin, params = {} } = options;
  if (typeof twin === "function") {
    return { kernel, reference: twinRunner(spec, params, twin), twin: "function" };
  }
  if (twin !== undefined) {
    if (!compiled.functions[twin]) {
      const text = `Kernel "${source.name}" has no export "${twin}", which was declared as its twin`;
      throw new TilewiseError("udf", text, { kernel: source.name, expected: twin });
    }
    checkSignature(compiled, source.name, twin, spec.call, conventionOf(options));
    return { kernel, reference: kernelRunner(spec, compiled, twin, 0xc6), twin: "export" };
  }
  const vectors = VECTORS.test(source.text);
  const built = await compileKernel(source, vectors ? "plain-simd" : "plain");
  const reference = kernelRunner(spec, built, spec.call, 0xc6);
  return { kernel, reference, twin: vectors ? "plain build with SIMD" : "plain build" };
}

/** What a host answers is not a random input. */
function callsOthers(name: string): TilewiseError {
  const text =
    `Cannot check kernel "${name}" with random samples: it calls a host; use testUdf() with the option channels`;
  return new TilewiseError("udf", text, { kernel: name, found: "tilewise/channels" });
}

function randomCase(
  random: Random,
  dtype: DType,
  { shapes, samples = "any" }: KernelCheckOptions,
): KernelCase {
  const frames = whole(random, 1, 5);
  const near = () => Math.max(1, 8 * whole(random, 0, 8) + whole(random, -1, 1)); // sizes around whole vectors
  const [rows, cols] = shapes
    ? shapes[whole(random, 0, shapes.length - 1)]!
    : [whole(random, 1, 9), random() < 0.5 ? near() : whole(random, 1, 70)];
  const mood = ([samples, samples, "counts", "same"] as const)[whole(random, 0, 3)]!;
  const chosen = mood === "same" && samples === "finite" ? "counts" : mood;
  return {
    frames,
    rows,
    cols,
    gap: random() < 0.5 ? 0 : whole(random, 1, 20),
    skew: random() < 0.5 ? 0 : whole(random, 1, 15),
    data: randomSamples(random, dtype, frames * rows * cols, chosen),
  };
}

/** How kernel and twin differ, as text; undefined if they agree. */
function differs(
  { kernel, reference }: Pair,
  one: KernelCase,
  options: KernelCheckOptions,
): string | undefined {
  const [found, expected]: Outcome[] = [kernel(one), reference(one)];
  if (found!.failure) return found!.failure;
  if (expected!.failure) return `its twin fails: ${expected!.failure}`;
  for (const [name, array] of Object.entries(found!.buffers)) {
    const at = firstDifference(array, expected!.buffers[name]!, options.tolerance ?? 0);
    if (at >= 0) return `${name}[${at}] is ${array[at]}, the twin has ${expected!.buffers[name]![at]}`;
  }
  return undefined;
}

function firstDifference(a: TypedArray, b: TypedArray, tolerance: number): number {
  for (let i = 0; i < a.length; i++) {
    if (Object.is(a[i], b[i])) continue;
    const [x, y] = [Number(a[i]), Number(b[i])];
    const near = tolerance > 0 && Math.abs(x - y) <= tolerance * Math.max(Math.abs(x), Math.abs(y));
    if (!near) return i;
  }
  return -1;
}

function disagreement(
  kernel: string,
  dtype: DType,
  { frames, rows, cols, gap, skew, data }: KernelCase,
  reason: string,
  { seed, run }: { seed: number; run: number },
): TilewiseError {
  const shown = data.slice(0, 24).map((value) => Object.is(value, -0) ? "-0" : String(value)).join(", ");
  const more = data.length > 24 ? ", …" : "";
  const size = `${frames} ${frames === 1 ? "frame" : "frames"} of ${rows} × ${cols} ${dtype}`;
  const place = gap > 0 || skew > 0 ? `, ${gap} bytes between frames, ${skew} bytes off alignment` : "";
  const text =
    `Kernel "${kernel}" is not what its twin is, for ${size} [${shown}${more}]${place}: ${reason} ` +
    `(seed ${seed}, run ${run})`;
  const drawn = { dtype, frames, rows, cols, gap, skew, seed, run, data: data.slice(0, 1000) };
  return new TilewiseError("udf", text, { kernel, drawn, bytes: dtypeInfo(dtype).itemSize * data.length });
}
