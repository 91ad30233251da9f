/**
 * The reductions `histogram` and `otsu`.
 *
 * @module
 */

import type { Histogram, HistogramOptions } from "../../views/measure/histogram.ts";
import { number } from "../../analyses/filters/filter.ts";
import { UsageError } from "../shell/args.ts";
import type { ReductionInput, Table, TableReduction } from "./reduction.ts";
import { short } from "../shell/io.ts";

/** Samples per value or bin. */
export const HISTOGRAM: TableReduction = {
  name: "histogram",
  help: "samples per value, or per bin",
  result: "a table: start and stop of each bin, and count; bins without samples are left out",
  parameters: {
    bins: number("bins of the same width", "one per whole number up to 65536 of them, else 256"),
    from: number("the first edge", "the least sample"),
    to: number("the last edge", "the greatest sample"),
  },
  example: "histogram:bins=100 image.tif -o histogram.csv",
  async check({ filtered, values }) {
    if ((values.from === undefined) !== (values.to === undefined)) {
      throw new UsageError("histogram takes from and to together; write histogram:from=…,to=…");
    }
    const { checkCounted } = await import("../../views/measure/histogram.ts");
    checkCounted("histogram", filtered, optionsOf(values));
  },
  async table({ filtered, values, settings }) {
    const { histogramOf, percentiles } = await import("../../views/measure/histogram.ts");
    const histogram = await histogramOf(filtered, { ...settings, ...optionsOf(values) });
    return { columns: columnsOf(histogram), ...factsOf(histogram, percentiles(histogram, PERCENTS)) };
  },
};

function optionsOf({ bins, from, to }: ReductionInput["values"]): HistogramOptions {
  return {
    ...(bins === undefined ? {} : { bins: bins as number }),
    ...(from === undefined ? {} : { range: [from as number, to as number] }),
  };
}

function columnsOf({ counts, edges, exact }: Histogram): Readonly<Record<string, Float64Array>> {
  const bins = [...counts.keys()].filter((bin) => counts[bin]! > 0);
  const column = (value: (bin: number) => number) => Float64Array.from(bins, value);
  const count = column((bin) => counts[bin]!);
  if (exact) return { value: column((bin) => edges[bin]!), count };
  return { start: column((bin) => edges[bin]!), stop: column((bin) => edges[bin + 1]!), count };
}

/** Percentiles that are told. */
const PERCENTS = [1, 50, 99];

function factsOf(
  { counts, edges, exact, others }: Histogram,
  found: readonly number[],
): Pick<Table, "facts" | "summary"> {
  const samples = counts.reduce((sum, n) => sum + n, 0);
  const left = leftOut(others);
  if (samples === 0) {
    return { facts: { samples, ...left.facts }, summary: [["samples", "0"], ...left.summary] };
  }
  const peak = counts.indexOf(counts.reduce((a, b) => Math.max(a, b)));
  const [mode, count] = [edges[peak]!, counts[peak]!];
  const at = exact ? short(mode) : `${short(mode)} to ${short(edges[peak + 1]!)}`;
  return {
    facts: {
      samples,
      ...left.facts,
      mode,
      percentiles: Object.fromEntries(PERCENTS.map((percent, i) => [percent, found[i]])),
    },
    summary: [
      ["samples", String(samples)],
      ...left.summary,
      ["most", `${count} at ${at}`],
      ["percentiles", PERCENTS.map((percent, i) => `${percent} %: ${short(found[i]!)}`).join(", ")],
    ],
  };
}

/** What is said of samples that are in no bin, if there are any. */
function leftOut(others: number): Pick<Table, "facts" | "summary"> {
  if (others === 0) return { facts: {}, summary: [] };
  return { facts: { others }, summary: [["left out", `${others}, not finite or out of range`]] };
}

/** Otsu's threshold. */
export const OTSU: TableReduction = {
  name: "otsu",
  help: "Otsu's threshold: the number that separates dark and bright samples best",
  result: "a table with one row: threshold",
  parameters: {},
  example: "otsu image.tif --json",
  async check({ filtered }) {
    const { checkCounted } = await import("../../views/measure/histogram.ts");
    checkCounted("otsu", filtered, {});
  },
  async table({ filtered, settings }) {
    const { histogramOf, otsuThreshold } = await import("../../views/measure/histogram.ts");
    const histogram = await histogramOf(filtered, settings);
    const threshold = otsuThreshold(histogram);
    const left = leftOut(histogram.others);
    return {
      columns: { threshold: [threshold] },
      facts: { threshold, ...left.facts },
      summary: [["threshold", short(threshold)], ...left.summary],
    };
  },
};
