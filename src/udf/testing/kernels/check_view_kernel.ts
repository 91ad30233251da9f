/**
 * The property test of a kernel over views in one call: it and its twin agree, for any samples, shapes, tiles and borders.
 *
 * @module
 */

import { isTilewiseError, TilewiseError } from "../../../errors.ts";
import { open } from "../../../formats/open.ts";
import { copyBox } from "../../../memory/copy_box.ts";
import { viewOf } from "../../../memory/strided.ts";
import { checkOptionNames, inWords, type OptionNames } from "../../../options.ts";
import { atLeast0, list, number, oneOf, whole as wholeFrom } from "../../../options/rules.ts";
import { type Context, createContext } from "../../../runner/context.ts";
import type { Border } from "../../../space/border.ts";
import { type DType, dtypeInfo } from "../../../space/dtype.ts";
import { type NDArray, ndarray, zeroArray } from "../../../space/ndarray.ts";
import { type Shape, showShape, sizeOf } from "../../../space/shape.ts";
import { mapViews } from "../../../views/map/map_views.ts";
import type { ViewOperation } from "../../../views/operations/operation.ts";
import { type Random, randomSamples, seeded, toArray, whole } from "../random.ts";

/**
 * Options of {@link checkViewKernel}.
 * @category Testing
 */
export interface ViewKernelCheckOptions {
  /** Seed of the random cases. Any number. Default 1. */
  readonly seed?: number;
  /** Cases per type of samples. Whole, at least 1. Default 50. */
  readonly runs?: number;
  /** Types of samples. Default: those of `uint8`, `int16`, `float32` and `float64` that the kernel takes. */
  readonly dtypes?: readonly DType[];
  /** Dimensions of the arrays. Whole, 1 to 6. Default 2. */
  readonly rank?: number;
  /** Largest difference of results, relative to the larger one. At least 0. Default 0: the same bits. */
  readonly tolerance?: number;
  /** `finite`: without NaN, infinities and extremes. Default `any`. */
  readonly samples?: "any" | "finite";
}

// deno-fmt-ignore: written by `deno task build`
const OPTIONS: OptionNames<ViewKernelCheckOptions> = {
  seed: number, runs: wholeFrom(1), dtypes: list, rank: wholeFrom(1, 6), tolerance: atLeast0,
  samples: oneOf("any", "finite"),
};

/**
 * A summary of what {@link checkViewKernel} has tested.
 * @category Testing
 */
export interface ViewKernelCheck {
  /** Number of cases in total. */
  readonly runs: number;
  /** Types of samples. */
  readonly dtypes: readonly DType[];
}

const BORDERS: readonly Border[] = ["constant", "edge", "symmetric", "reflect", "wrap"];
const TYPES: readonly DType[] = ["uint8", "int16", "float32", "float64"];
/** Attempts to make a failing case smaller. */
const TRIES = 200;

/** A case: an array, and how it is cut. */
interface Case {
  readonly samples: NDArray;
  readonly tile: Shape;
  readonly border: Border;
}

/**
 * Compares a kernel over views with its twin, another operation that is right beyond doubt, such as a `viewFunction` with the
 * same radius: on arrays of random shapes, down to one sample, in random tiles, with every border, NaN and extremes. The twin
 * sees each array as one tile, so that a kernel whose results depend on tiles is found as well.
 *
 * Errors: `udf` with the smallest failing case that was found; those of the kernel itself, with its case.
 *
 * @example
 * ```ts
 * import { checkViewKernel } from "@tilewise/tilewise/unstable/testing";
 * import { viewKernel } from "@tilewise/tilewise/unstable/views";
 * import { viewExpression } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const rise = viewKernel({
 *   source: `
 *     import { Sample } from "tilewise";
 *     export function plane(data: usize, stride: usize, out: usize, rows: i32, cols: i32): void {
 *       for (let y = 0; y < rows; y++) {
 *         for (let x = 0; x < cols; x++, out += 4) {
 *           const at = data + y * stride + x * sizeof<Sample>();
 *           store<f32>(out, <f32>load<Sample>(at) - <f32>load<Sample>(at - stride));
 *         }
 *       }
 *     }`,
 *   radius: [1, 0],
 * });
 * const check = await checkViewKernel(rise, viewExpression("x - x[-1,0]"), { runs: 10, dtypes: ["uint8"] });
 * assertEquals(check, { runs: 10, dtypes: ["uint8"] });
 * ```
 * @category Testing
 */
export async function checkViewKernel(
  kernel: ViewOperation,
  twin: ViewOperation,
  options: ViewKernelCheckOptions = {},
): Promise<ViewKernelCheck> {
  checkOptionNames("checkViewKernel()", options, OPTIONS);
  for (const one of [kernel, twin]) {
    if (typeof (one as Partial<ViewOperation> | null)?.operation === "string") continue;
    const text =
      `checkViewKernel() takes a kernel, as viewKernel({ source, … }) makes it, and another operation over ` +
      `views, not ${inWords(one)}`;
    throw new TilewiseError("invalid", text, { found: inWords(one) });
  }
  const { seed = 1, runs = 50 } = options;
  await using context = createContext({ workers: 0, memory: "256MiB" });
  const dtypes = options.dtypes ?? await taken(kernel, options, context);
  for (const dtype of dtypes) {
    for (let run = 0; run < runs; run++) {
      const one = randomCase(seeded(seed * 7919 + run), dtype, options);
      const check = (of: Case) => differs(kernel, twin, of, options, context);
      if (await check(one) === undefined) continue;
      const smallest = await shrunk(one, async (smaller) => await check(smaller) !== undefined);
      throw disagreement(kernel, smallest, (await check(smallest))!, { seed, run });
    }
  }
  return { runs: runs * dtypes.length, dtypes };
}

/** The usual types that the kernel takes. */
async function taken(
  kernel: ViewOperation,
  { rank = 2 }: ViewKernelCheckOptions,
  context: Context,
): Promise<DType[]> {
  const found: DType[] = [];
  let refused: unknown;
  for (const dtype of TYPES) {
    try {
      await mapViews(await open(zeroArray(Array.from({ length: rank }, () => 2), dtype)), kernel, {
        context,
      });
      found.push(dtype);
    } catch (error) {
      if (!isTilewiseError(error, "unsupported")) throw error;
      refused = error;
    }
  }
  if (found.length === 0) throw refused;
  return found;
}

function randomCase(
  random: Random,
  dtype: DType,
  { rank = 2, samples = "any" }: ViewKernelCheckOptions,
): Case {
  const most = Math.max(3, Math.round(600 ** (1 / rank)));
  const shape = Array.from({ length: rank }, () => whole(random, 1, most));
  const mood = ([samples, samples, "counts"] as const)[whole(random, 0, 2)]!;
  return {
    samples: ndarray(toArray(dtype, randomSamples(random, dtype, sizeOf(shape), mood)), shape, dtype),
    tile: shape.map((n) => whole(random, 1, n)),
    border: BORDERS[whole(random, 0, BORDERS.length - 1)]!,
  };
}

/** How kernel and twin differ, as text; undefined if they agree. */
async function differs(
  kernel: ViewOperation,
  twin: ViewOperation,
  { samples, tile, border }: Case,
  { tolerance = 0 }: ViewKernelCheckOptions,
  context: Context,
): Promise<string | undefined> {
  const array = await open(samples);
  const computed = async (operation: ViewOperation, tile: Shape) => {
    return await mapViews(array, operation, { border, tile, context });
  };
  let found: NDArray;
  try {
    found = await computed(kernel, tile);
  } catch (error) {
    if (!isTilewiseError(error, "udf")) throw error;
    return error.message;
  }
  const expected = await computed(twin, samples.shape);
  if (found.dtype !== expected.dtype) return `it makes ${found.dtype}, the twin ${expected.dtype}`;
  const at = found.data.findIndex((value, i) => !isNear(value, expected.data[i]!, tolerance));
  if (at < 0) return undefined;
  return `sample ${at} is ${found.data[at]}, the twin has ${expected.data[at]}`;
}

function isNear(a: number | bigint, b: number | bigint, tolerance: number): boolean {
  if (Object.is(a, b)) return true;
  const [x, y] = [Number(a), Number(b)];
  return tolerance > 0 && Math.abs(x - y) <= tolerance * Math.max(Math.abs(x), Math.abs(y));
}

/** A smaller case that still fails: fewer samples, then one tile. */
async function shrunk(one: Case, fails: (one: Case) => Promise<boolean>): Promise<Case> {
  let smallest = one;
  for (let tries = 0; tries < TRIES;) {
    let next: Case | undefined;
    for (const smaller of smallerThan(smallest)) {
      if (next || ++tries > TRIES) break;
      if (await fails(smaller)) next = smaller;
    }
    if (!next) break;
    smallest = next;
  }
  return smallest;
}

function* smallerThan({ samples, tile, border }: Case): Generator<Case, void> {
  const { shape } = samples;
  for (const [d, n] of shape.entries()) {
    for (const size of new Set([Math.ceil(n / 2), n - 1])) {
      if (size < 1 || size >= n) continue;
      const part = cut(samples, shape.map((m, k) => k === d ? size : m));
      yield { samples: part, tile: tile.map((t, k) => Math.min(t, part.shape[k]!)), border };
    }
  }
  if (tile.some((t, d) => t < shape[d]!)) yield { samples, tile: shape, border };
}

function cut({ data, dtype, shape: whole }: NDArray, shape: Shape): NDArray {
  const part = zeroArray(shape, dtype);
  const origin = shape.map(() => 0);
  copyBox(viewOf(data, dtype, whole), { origin, shape }, viewOf(part.data, dtype, shape), origin);
  return part;
}

function disagreement(
  { name }: ViewOperation,
  { samples: { data, shape, dtype }, tile, border }: Case,
  reason: string,
  { seed, run }: { readonly seed: number; readonly run: number },
): TilewiseError {
  const values = Array.from({ length: Math.min(24, data.length) }, (_, i) => data[i]!);
  const shown = values.map((value) => Object.is(value, -0) ? "-0" : String(value)).join(", ");
  const text = `Kernel "${name}" is not what its twin is, for ${showShape(shape)} ${dtype} [${shown}${
    data.length > 24 ? ", …" : ""
  }] in tiles of ${showShape(tile)} with the border ${border}: ${reason} (seed ${seed}, run ${run})`;
  const drawn = { dtype, shape: showShape(shape), tile: showShape(tile), border, seed, run };
  return new TilewiseError("udf", text, {
    kernel: name,
    drawn,
    bytes: dtypeInfo(dtype).itemSize * data.length,
  });
}
