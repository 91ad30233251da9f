/**
 * The results of a run: full arrays on the heap, filled as partitions are merged.
 *
 * @module
 */

import { defined } from "../../options.ts";
import type { StoredDataset } from "../../dataset/dataset.ts";
import { TilewiseError } from "../../errors.ts";
import { displayable, type MimeBundle } from "../../pictures/displayable.ts";
import { type AxisFacts, factsOf } from "../../space/axes.ts";
import type { TypedArray } from "../../space/dtype.ts";
import type { NDArray } from "../../space/ndarray.ts";
import { copyNumbers, zerosLike } from "../../space/numbers.ts";
import { lowerBound } from "../../space/search.ts";
import type { Shape } from "../../space/shape.ts";
import { placeRows, placeValues } from "../buffers/merge_partials.ts";
import { type AllBuffers, copyObjects } from "../buffers/object_buffers.ts";
import { withObjects } from "../buffers/object_results.ts";
import {
  checkGiven,
  numberResult,
  objectResult,
  type ResultInit,
  type RowFacts,
} from "../buffers/result_values.ts";
import type { BufferPlan, ObjectPlan } from "../interface/buffer_plan.ts";
import type { ObjectResults, Results, UdfResult } from "../interface/buffer_types.ts";
import { guarded } from "../interface/guard.ts";
import { isMasked, type Masked, type ObjectRows, type ResultValue } from "../interface/objects.ts";
import type { PartialResult, ResultsContext, RunFacts } from "../interface/udf.ts";
import type { ResultMeaning } from "../plan/meaning.ts";
import type { UdfPlan } from "../plan/plan_facts.ts";
import { mergesAll } from "../plan/result_steps.ts";
import { arrayLine } from "../../pictures/array_line.ts";
import { keptBuffers, startBuffers, writtenNav } from "./start_values.ts";

// Shows plans and results in a notebook and on the console.

/** Makes results, and every array in them, displayable. */
function displayableResults(results: Results, dataset: StoredDataset): Results {
  for (const [title, array] of arraysOf(results)) {
    displayable(array, {
      bundle: () => figureOf(array, title, dataset),
      line: () => `${title}: ${arrayLine(array)}`,
    });
  }
  const lines = () =>
    [...arraysOf(results)].map(([title, array]) => `${title}: ${arrayLine(array)}`).join("\n");
  return displayable(results, { bundle: () => resultsBundle(results, dataset), line: lines });
}

/** The figure of an array; the code that draws is loaded with the first one. */
async function figureOf(array: NDArray, title: string, dataset: StoredDataset): Promise<MimeBundle> {
  const { arrayBundle } = await import("../../pictures/figure.ts");
  return await arrayBundle(array, title, dataset);
}

/** All results as a sheet of figures. */
async function resultsBundle(results: Results, dataset: StoredDataset): Promise<MimeBundle> {
  const named = [...arraysOf(results)];
  const bundles = await Promise.all(named.map(([title, array]) => figureOf(array, title, dataset)));
  const all = (type: string, between: string) => bundles.map((bundle) => bundle[type]).join(between);
  return {
    "text/plain": all("text/plain", "\n"),
    "text/html": `<div style="display:flex;flex-wrap:wrap">${all("text/html", "")}</div>`,
  };
}

function* arraysOf(results: Results): Generator<[title: string, array: NDArray]> {
  for (const [key, buffers] of Object.entries(results)) {
    const names = Object.keys(buffers);
    for (const name of names) yield [names.length === 1 ? key : `${key}.${name}`, buffers[name]!];
  }
}

/** Collects nav rows as partitions are merged, and makes all arrays at the end. */
export class ResultStore {
  /** One byte per scan position: whether its frame has been merged. */
  readonly damage: Uint8Array;
  /** Per UDF: nav buffers of the whole scan, partly filled; other buffers with their start values. */
  readonly #whole: AllBuffers[];
  /** Per UDF: the nav buffers in which `preprocess` has written. */
  readonly #written: readonly ReadonlySet<string>[];
  /** Per UDF with `mergeAll`: its partial results. */
  readonly #parts: readonly PartialResult[][];

  /** Room for the results of `plan`. */
  constructor(private readonly plan: UdfPlan) {
    this.damage = new Uint8Array(plan.dataset.frames);
    this.#whole = plan.udfs.map((_, u) => keptBuffers(plan, u));
    this.#written = this.#whole.map((buffers, u) => writtenNav(plan, u, buffers));
    this.#parts = plan.udfs.map(() => []);
  }

  /** Copies the nav rows of one partition to their scan positions. */
  place(partition: number, positions: Uint32Array, partials: readonly AllBuffers[]): void {
    const { set, udfs } = this.plan;
    partials.forEach(({ buffers, objects }, u) => {
      const whole = this.#whole[u]!;
      for (const plan of set.udfs[u]!.filter(isNav)) {
        const rows = this.#rowsOf(plan, positions);
        placeRows(plan, whole.buffers[plan.name]!, buffers[plan.name]!, rows);
      }
      for (const plan of set.objects[u]!.filter(isNav)) {
        const rows = this.#rowsOf(plan, positions);
        placeValues(udfs[u]!.udf, plan, whole.objects[plan.name]!.values, objects[plan.name]!.values, rows);
      }
      if (!mergesAll(udfs[u]!.udf)) return;
      const copies = Object.entries(buffers).map(([name, buffer]) => [name, copyOf(buffer)] as const);
      this.#parts[u]!.push({ partition, positions, buffers: Object.fromEntries(copies), objects });
    });
  }

  /** The frames at `positions` have been merged. */
  mark(positions: Uint32Array): void {
    for (const position of positions) this.damage[position] = 1;
  }

  /** Which frames have been merged: one byte per selected position, or per position of the scan. */
  validNav(full: boolean = false): Uint8Array {
    const { indices } = this.plan.roi;
    return full || !indices ? this.damage.slice() : gather(this.damage, indices);
  }

  /**
   * The results, where `merged` is the state of the other buffers (absent: nothing merged yet). With `isLast` the
   * results use the collected arrays themselves, without a copy: call nothing afterwards.
   */
  results(merged: readonly AllBuffers[] | undefined, isLast: boolean = false): Results {
    const entries = this.plan.udfs.map(({ key }, u) =>
      [key, this.#resultOf(u, merged?.[u], isLast)] as const
    );
    return displayableResults(Object.fromEntries(entries), this.plan.dataset);
  }

  #resultOf(u: number, merged: AllBuffers | undefined, isLast: boolean): UdfResult {
    const { udf, meta, steps } = this.plan.udfs[u]!;
    const plans = this.plan.set.udfs[u]!;
    const objectPlans = this.plan.set.objects[u]!;
    const whole = this.#state(u, merged, isLast);
    const validNav = (full?: boolean) => this.validNav(full);
    const context: ResultsContext = { meta, objects: whole.objects, validNav };
    steps.mergeAllInto?.(whole, {
      planned: this.plan.udfs[u]!,
      plans,
      objectPlans,
      parts: this.#parts[u]!,
      context,
      rowsOf: (plan, positions) => this.#rowsOf(plan, positions),
    });
    const facts = { plans, objects: objectPlans };
    const given = guarded(
      udf.name,
      "results()",
      () => udf.results?.(whole.buffers, meta, context) ?? {},
      facts,
    );
    checkGiven(udf.name, "results()", given);
    for (const name of Object.keys(given)) checkName(udf.name, name, [...plans, ...objectPlans]);
    const arrays = plans.filter(({ visible }) => visible).map((plan) => {
      const [data, init] = this.#init(u, plan, given[plan.name], whole.buffers[plan.name]);
      return [plan.name, numberResult(plan, data, init)] as const;
    });
    const objects = objectPlans.filter(({ visible }) => visible).map((plan) => {
      const [data, init] = this.#init(u, plan, given[plan.name], whole.objects[plan.name]?.values);
      return [plan.name, objectResult(plan, data, init)] as const;
    });
    const result = withObjects(Object.fromEntries(arrays), Object.fromEntries(objects) as ObjectResults);
    return this.#derived(u, result, { meta, validNav });
  }

  /** The results together with those derived from them. */
  #derived(u: number, result: UdfResult, facts: RunFacts): UdfResult {
    const { udf, derivations, steps } = this.plan.udfs[u]!;
    if (!steps.derivedResults) return result;
    const base = [...this.plan.set.udfs[u]!, ...this.plan.set.objects[u]!].filter(({ visible }) => visible);
    const initOf = (plan: BufferPlan | ObjectPlan): ResultInit => {
      const init = this.#initOf(u, plan);
      return plan.kind === "nav"
        ? { ...init, rows: { ...this.#facts(plan, false), keepsStart: false } }
        : init;
    };
    return steps.derivedResults(result, { udf: udf.name, derivations, base, facts, initOf });
  }

  /** Copies of the nav buffers, or the buffers themselves, and copies of the others as merged. */
  #state(u: number, merged: AllBuffers | undefined, isLast: boolean): AllBuffers {
    const nav = this.#whole[u]!;
    const others = merged ?? (this.plan.udfs[u]!.udf.preprocess ? nav : startBuffers(this.plan, u));
    const buffers: Record<string, TypedArray> = {};
    for (const { name, kind } of this.plan.set.udfs[u]!) {
      const isNav = kind === "nav";
      const from = (isNav ? nav : others).buffers[name];
      if (from) buffers[name] = isNav && isLast ? from : copyOf(from);
    }
    const objects: Record<string, ObjectRows> = {};
    for (const { name, kind } of this.plan.set.objects[u]!) {
      const from = (kind === "nav" ? nav : others).objects[name];
      if (from) objects[name] = copyObjects({ from }).from!;
    }
    return { buffers, objects };
  }

  #rowsOf({ compressed }: { readonly compressed: boolean }, positions: Uint32Array): Uint32Array {
    const { indices } = this.plan.roi;
    return compressed && indices ? positions.map((position) => lowerBound(indices, position)) : positions;
  }

  #init(
    u: number,
    plan: BufferPlan | ObjectPlan,
    given: ResultValue | Masked | undefined,
    merged: ResultValue | undefined,
  ): [ResultValue, ResultInit] {
    const { udf } = this.plan.udfs[u]!;
    const value = given ?? merged;
    if (value === undefined) {
      const text = `UDF "${udf.name}": results() did not return the buffer "${plan.name}"`;
      throw new TilewiseError("udf", text, { udf: udf.name });
    }
    const init = this.#initOf(u, plan);
    const written = this.#written[u]!, isBuffer = plan.name in this.#whole[u]!.buffers;
    const keepsStart = isBuffer ? written.has(plan.name) : written.size > 0; // or it is made from them
    const placed = plan.kind === "nav" ? { ...init, rows: this.#facts(plan, keepsStart) } : init;
    return isMasked(value) ? [value.data, { ...placed, mask: value.mask }] : [value, placed];
  }

  #initOf(u: number, plan: BufferPlan | ObjectPlan): ResultInit {
    const { udf: { name: udf }, meanings: { [plan.name]: meaning = {} } } = this.plan.udfs[u]!;
    const { values } = meaning;
    return {
      udf,
      shape: shapeOfResult(this.plan, plan),
      axes: axesOfResult(this.plan, plan, meaning),
      ...defined({ values }),
    };
  }

  #facts({ compressed }: BufferPlan | ObjectPlan, keepsStart: boolean): RowFacts {
    const { mask } = this.plan.roi;
    if (compressed) return { merged: this.validNav(), keepsStart };
    return { merged: this.damage.slice(), keepsStart, ...(mask ? { selected: mask } : {}) };
  }
}

/** The shape of a result. */
export function shapeOfResult(
  { dataset: { navShape, sigShape }, roi }: Pick<UdfPlan, "dataset" | "roi">,
  { kind, compressed, extraShape }: Pick<BufferPlan, "kind" | "compressed" | "extraShape">,
): Shape {
  const entries = { nav: navShape, sig: sigShape, single: [] }[kind];
  return [...(compressed && roi.indices ? [roi.count] : entries), ...extraShape];
}

/** Those of the scan or of the frame; rows of selected frames are a series, and further dimensions are of the UDF. */
export function axesOfResult(
  { dataset: { axes, navShape }, roi }: Pick<UdfPlan, "dataset" | "roi">,
  { kind, compressed, extraShape }: Pick<BufferPlan, "kind" | "compressed" | "extraShape">,
  { own, entry }: ResultMeaning,
): AxisFacts[] {
  const scan: AxisFacts[] = compressed && roi.indices
    ? [{ name: "frame", kind: "series" }]
    : axes.slice(0, navShape.length);
  const first = { nav: scan, sig: own ?? axes.slice(navShape.length), single: [] }[kind];
  return [...first.map(factsOf), ...extraShape.map((_, d) => entry?.[d] ?? {})];
}

function gather(from: Uint8Array, positions: Uint32Array): Uint8Array {
  return Uint8Array.from(positions, (position) => from[position]!);
}

/** Whether a partition has rows of this buffer. */
function isNav(plan: BufferPlan | ObjectPlan): boolean {
  return plan.kind === "nav" && ("dtype" in plan ? plan.offset !== undefined : !plan.resultOnly);
}

function checkName(udf: string, name: string, plans: readonly (BufferPlan | ObjectPlan)[]): void {
  const plan = plans.find((candidate) => candidate.name === name);
  if (plan?.visible) return;
  const text = plan
    ? `UDF "${udf}": results() returned the private buffer "${name}"`
    : `UDF "${udf}": results() returned "${name}", which is not declared; declare it with use: "result"`;
  throw new TilewiseError("udf", text, { udf });
}

/** A copy outside of shared memory. */
function copyOf(array: TypedArray): TypedArray {
  const copy = zerosLike(array, array.length);
  copyNumbers(copy, array);
  return copy;
}
