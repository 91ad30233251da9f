/**
 * Histograms of arrays of any size, and what follows from them: percentiles, and Otsu's threshold.
 *
 * @module
 */

import type { Dataset } from "../../dataset/dataset.ts";
import { TilewiseError } from "../../errors.ts";
import { checkOptionNames, type OptionNames } from "../../options.ts";
import { list, whole } from "../../options/rules.ts";
import type { Context } from "../../runner/context.ts";
import { context as contextRule } from "../../runner/rules.ts";
import { RUN_SETTINGS, type RunSettings } from "../../runner/runner.ts";
import { type DType, dtypeInfo } from "../../space/dtype.ts";
import { sizeOf } from "../../space/shape.ts";
import { type ArrayFacts, type ArraySpec, specOf } from "../array.ts";
import { reduceViews } from "../map/reduce.ts";
import { sampleRange } from "../operations/sample_range.ts";
import { type BinParams, COUNT_BINS } from "../regions/counts.ts";

/**
 * Options of {@link histogramOf}.
 * @category Views
 */
export interface HistogramOptions extends Pick<RunSettings<never>, "signal" | "wait" | "stallTimeout"> {
  /**
   * Number of bins of the same width. Whole, 1 to 16777216. Default: one per whole number for integers and bool; 256
   * for floats, and for more than 65536 whole numbers.
   */
  readonly bins?: number;
  /** First edge and last edge; samples outside are in no bin. Default: the least and the greatest finite sample. */
  readonly range?: readonly [first: number, last: number];
  /** The context in which to run. Default: the shared context. */
  readonly context?: Context;
}

/**
 * A histogram.
 * @category Views
 */
export interface Histogram {
  /** Samples per bin. */
  readonly counts: Float64Array;
  /** Where bins begin, and where the last one ends: a bin contains its first edge, the last bin both. */
  readonly edges: Float64Array;
  /** Whether every bin has one value, its first edge: what follows from the histogram is exact then. */
  readonly exact: boolean;
  /** Samples in no bin: NaN, infinities, and those outside of `range`. */
  readonly others: number;
}

const { signal, wait, stallTimeout } = RUN_SETTINGS;
// deno-fmt-ignore: written by `deno task build`
const HISTOGRAM_OPTIONS: OptionNames<HistogramOptions> = {
  signal, stallTimeout, wait, bins: whole(1, 2 ** 24), range: list, context: contextRule,
};

/** Most bins that are made without being asked for. */
const MOST_VALUES = 2 ** 16;

/**
 * Counts the samples of an array, or of a data set as one array, per value or per bin. Bins are those of
 * `numpy.histogram`. NaN and infinities are in no bin, and do not decide where bins are; `others` says how many samples are left
 * out. It is one pass, and another one for the least and the greatest sample where
 * these are not known from the options or from the type.
 *
 * @param array the samples
 * @param options number of bins, their range, and the context
 * @returns counts, edges, and how many samples are in no bin
 * @throws {TilewiseError} `unsupported` for complex samples and integers of 64 bits without a range
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { histogramOf } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: Int16Array.of(-1, 3, 3, 2), shape: [2, 2] });
 * await using context = createContext({ workers: 0 });
 * const { counts, edges } = await histogramOf(image, { context });
 * assertEquals([[...counts], [...edges]], [[1, 0, 0, 1, 2], [-1, 0, 1, 2, 3, 4]]);
 * const bins = await histogramOf(image, { bins: 2, range: [0, 3], context });
 * assertEquals([...bins.counts], [0, 3]);
 * ```
 * @category Views
 */
export async function histogramOf(
  array: ArraySpec | Dataset,
  options: HistogramOptions = {},
): Promise<Histogram> {
  const call = "histogramOf()";
  const spec = specOf(call, array);
  checkCounted(call, spec, options);
  const { bins, range, ...run } = options;
  const asked = range ?? rangeOfType(spec.dtype, bins);
  const { min, max } = asked
    ? { min: asked[0]!, max: asked[1]! }
    : await reduceViews(spec, sampleRange(), run);
  const params = binsOf(spec, bins, min, max);
  const counts = await reduceViews(spec, {
    operation: { name: "histogramOf", operation: COUNT_BINS.name, params },
    async merge(partials) {
      const sum = new Float64Array(params.edges.length - 1);
      for await (const { data } of partials) {
        const counts = data as Uint32Array;
        for (let bin = 0; bin < sum.length; bin++) sum[bin]! += counts[bin]!; // an iterator is slow
      }
      return sum;
    },
  }, run);
  const { edges, exact } = params;
  const others = sizeOf(spec.shape) - counts.reduce((sum, n) => sum + n, 0);
  const histogram = { counts, edges, exact, others };
  return range || bins !== undefined || !exact ? histogram : trimmed(histogram);
}

/** Refuses what cannot be counted; the array need not be there yet. */
export function checkCounted(call: string, array: ArrayFacts, options: HistogramOptions): void {
  checkOptionNames(call, options, HISTOGRAM_OPTIONS);
  mustBeReal(array);
  if (options.range) mustAscend(options.range);
}

/** All values of a short type, which need not be looked for. */
function rangeOfType(dtype: DType, bins: number | undefined): readonly [number, number] | undefined {
  const { kind, itemSize } = dtypeInfo(dtype);
  if (bins !== undefined || !"uib".includes(kind) || itemSize > 2) return undefined;
  if (kind === "b") return [0, 1];
  const values = 2 ** (8 * itemSize);
  return kind === "u" ? [0, values - 1] : [-values / 2, values / 2 - 1];
}

function binsOf({ dtype }: ArraySpec, bins: number | undefined, min: number, max: number): BinParams {
  const isWhole = "uib".includes(dtypeInfo(dtype).kind);
  if (min > max) return { edges: equalEdges(0, 1, bins ?? 1), exact: false }; // no finite samples
  const [first, last] = [Math.ceil(min), Math.floor(max)];
  const values = last - first + 1;
  if (!isWhole || bins !== undefined || values > MOST_VALUES) {
    return { edges: equalEdges(min, max, bins ?? 256), exact: false };
  }
  return { edges: Float64Array.from({ length: values + 1 }, (_, i) => first + i), exact: true };
}

/** Edges of bins of one width; of a range without width, half a unit on both sides, as NumPy has it. */
function equalEdges(min: number, max: number, bins: number): Float64Array {
  const [first, last] = min === max ? [min - 0.5, max + 0.5] : [min, max];
  if (!Number.isFinite(last - first)) {
    const text = `Cannot make bins from ${first} to ${last}: they are too far apart; give a smaller range`;
    throw new TilewiseError("invalid", text, { option: "range", found: `${first}, ${last}` });
  }
  const step = (last - first) / bins;
  return Float64Array.from({ length: bins + 1 }, (_, i) => i === bins ? last : first + i * step);
}

/** Without empty bins at the ends. */
function trimmed({ counts, edges, ...more }: Histogram): Histogram {
  const first = counts.findIndex((n) => n > 0);
  const last = counts.findLastIndex((n) => n > 0);
  if (first < 0) return { counts: counts.slice(0, 1), edges: edges.slice(0, 2), ...more };
  return { counts: counts.slice(first, last + 1), edges: edges.slice(first, last + 2), ...more };
}

function mustBeReal({ shape, dtype }: ArrayFacts): void {
  if (dtypeInfo(dtype).kind !== "c" && sizeOf(shape) >= 0) return;
  const text = `Cannot count complex samples, as ${dtype}: none of them is greater than another`;
  throw new TilewiseError("unsupported", text, { expected: "real samples", found: dtype });
}

function mustAscend(range: readonly number[]): void {
  if (range.length === 2 && range.every(Number.isFinite) && range[0]! <= range[1]!) return;
  const text = `Cannot count between ${
    range.join(" and ")
  }: a range is two finite numbers, the smaller one first`;
  throw new TilewiseError("invalid", text, { option: "range", found: range.join(", ") });
}

/**
 * The values below which these percentages of the samples lie, NaN if nothing was counted. Of an exact histogram they are
 * those of `numpy.percentile`, which may lie between two samples. Of others they lie in the same bin as the sample that
 * `numpy.percentile` gives with `method="inverted_cdf"`.
 *
 * @param histogram counts and edges, as {@link histogramOf} gives them
 * @param percents from 0 to 100
 * @returns a value for each of them
 *
 * @example
 * ```ts
 * import { percentiles } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const histogram = { counts: Float64Array.of(1, 2, 1), edges: Float64Array.of(5, 6, 7, 8), exact: true };
 * assertEquals(percentiles(histogram, [0, 50, 100]), [5, 6, 7]);
 * ```
 * @category Views
 */
export function percentiles(histogram: Omit<Histogram, "others">, percents: readonly number[]): number[] {
  const wrong = percents.find((q) => !(q >= 0 && q <= 100));
  if (wrong !== undefined) {
    const text = `There is no percentile ${wrong}: use percentages from 0 to 100`;
    throw new TilewiseError("invalid", text, { option: "percents", found: wrong });
  }
  const total = histogram.counts.reduce((sum, n) => sum + n, 0);
  return percents.map((q) => total === 0 ? NaN : percentile(histogram, total, q / 100));
}

function percentile(histogram: Omit<Histogram, "others">, total: number, part: number): number {
  if (!histogram.exact) return valueAt(histogram, part * total);
  const rank = (total - 1) * part;
  const [low, high] = [valueAt(histogram, Math.floor(rank)), valueAt(histogram, Math.ceil(rank))];
  return low + (high - low) * (rank - Math.floor(rank));
}

/** The sample with `rank` samples before it. */
function valueAt({ counts, edges, exact }: Omit<Histogram, "others">, rank: number): number {
  let before = 0;
  const last = counts.findLastIndex((n) => n > 0);
  for (const [bin, n] of counts.entries()) {
    const isHere = exact ? before + n > rank : before + n >= rank;
    if (n > 0 && (isHere || bin === last)) {
      const [from, to] = [edges[bin]!, edges[bin + 1]!];
      return exact ? from : from + (to - from) * Math.min(1, (rank - before) / n);
    }
    before += n;
  }
  return NaN;
}

/**
 * Otsu's threshold of a histogram (N. Otsu, IEEE Transactions on Systems, Man, and Cybernetics 9, 1979): the value that
 * divides samples into two classes whose means differ most; samples above it belong to the upper class. NaN if nothing was
 * counted.
 *
 * @param histogram counts and edges, as {@link histogramOf} gives them
 * @returns the threshold
 *
 * @example
 * ```ts
 * import { otsuThreshold } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const counts = Float64Array.of(9, 8, 0, 7, 9);
 * assertEquals(otsuThreshold({ counts, edges: Float64Array.of(0, 1, 2, 3, 4, 5), exact: true }), 1);
 * ```
 * @category Views
 */
export function otsuThreshold({ counts, edges, exact }: Omit<Histogram, "others">): number {
  const centre = (bin: number) => exact ? edges[bin]! : (edges[bin]! + edges[bin + 1]!) / 2;
  const all = { n: 0, sum: 0 };
  for (const [bin, n] of counts.entries()) [all.n, all.sum] = [all.n + n, all.sum + n * centre(bin)];
  if (all.n === 0) return NaN;
  let [lower, sum, best, found] = [0, 0, -1, counts.findIndex((n) => n > 0)];
  for (const [bin, n] of counts.entries()) {
    [lower, sum] = [lower + n, sum + n * centre(bin)];
    const upper = all.n - lower;
    if (lower === 0 || upper === 0) continue;
    const between = lower * upper * (sum / lower - (all.sum - sum) / upper) ** 2;
    if (between > best) [best, found] = [between, bin];
  }
  return centre(found);
}

/**
 * Otsu's threshold of an array, or of a data set as one array: that of {@link histogramOf} with its default bins, which leaves
 * out what is not finite; NaN if nothing is left. It is a `threshold` of `labelImage`.
 *
 * @param array the samples
 * @param options as for {@link histogramOf}
 * @returns the threshold
 *
 * @example Two kinds of samples
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { labelImage, otsu } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: Uint8Array.of(3, 4, 90, 3, 5, 91, 4, 88, 90), shape: [3, 3] });
 * await using context = createContext({ workers: 0 });
 * const threshold = await otsu(image, { context });
 * assertEquals([threshold, (await labelImage(image, { threshold, context })).count], [5, 1]);
 * ```
 * @category Views
 */
export async function otsu(array: ArraySpec | Dataset, options: HistogramOptions = {}): Promise<number> {
  checkOptionNames("otsu()", options, HISTOGRAM_OPTIONS);
  return otsuThreshold(await histogramOf(array, options));
}
