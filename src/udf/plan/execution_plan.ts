/**
 * Decides in which form each UDF of a run gets its tiles, and how these forms are made.
 *
 * ```
 * 1. the form that the data set has and most UDFs take, on the wanted device
 * 2. others that take a sparse form, if the data set has one
 * 3. others that take a dense form, if the data set has one
 * 4. others: any form on this device
 * 5. others: a form of the data set on another device, then any form at all
 * ```
 *
 * Each step takes the form that serves most UDFs. Ties: steps about the forms of the data set take its first form;
 * other steps take the most popular form, which is nearest to the front in the lists of all UDFs.
 *
 * @module
 */

import type { Backend, DeviceClass } from "../../dataset/facts.ts";
import { TilewiseError } from "../../errors.ts";
import { checkOptionNames, type OptionNames } from "../../options.ts";
import { list, must, needed, text } from "../../options/rules.ts";
import { BACKENDS, type BackendTable, cheapestChain } from "./backends.ts";

/**
 * The forms that a UDF takes, or that a data set gives.
 * @category Tiles
 */
export interface BackendSide<B extends string = Backend> {
  /** Name, for messages. */
  readonly name: string;
  /** The forms, the preferred one first. */
  readonly backends: readonly B[];
}

/**
 * What an execution plan depends on.
 * @category Tiles
 */
export interface ExecutionRequest<B extends string = Backend, D extends string = DeviceClass> {
  /** The functions of the run. */
  readonly udfs: readonly BackendSide<B>[];
  /** The data set, with the forms in which it can be read. */
  readonly dataset: BackendSide<B>;
  /** Where functions should run. Default: anywhere. */
  readonly device?: D;
  /** The forms that functions may get. Default: all. */
  readonly allowed?: readonly B[];
}

const REQUEST_NAMES: OptionNames<ExecutionRequest<string, string>> = {
  udfs: needed(list),
  dataset: needed(
    must("a name and a list of backends", (value) => Array.isArray((value as BackendSide)?.backends)),
  ),
  device: text,
  allowed: list,
};

/**
 * UDFs that get the same form.
 * @category Tiles
 */
export interface BackendGroup<B extends string = Backend> {
  /** The form. */
  readonly backend: B;
  /** Indices of the UDFs. */
  readonly udfs: readonly number[];
  /**
   * The forms from which it is made, step by step, starting with an existing form; only the form itself if nothing is
   * converted.
   */
  readonly chain: readonly B[];
  /** A sentence: why this form, and what it costs. */
  readonly why: string;
}

/**
 * The form that each UDF gets.
 * @category Tiles
 */
export interface ExecutionPlan<B extends string = Backend> {
  /** The form in which the data set is read. */
  readonly source: B;
  /** The groups, the cheapest first. */
  readonly groups: readonly BackendGroup<B>[];
  /** Per UDF: its form. */
  readonly backends: readonly B[];
}

/**
 * Decides which UDF gets which form. The result depends only on the request.
 *
 * Errors: `udf` if a UDF takes none of the available forms.
 *
 * @example A sparse data set for a function that takes anything and one that takes only dense tiles
 * ```ts
 * import { executionPlan } from "@tilewise/tilewise/unstable/udf";
 * import { assertEquals } from "@std/assert";
 * const { source, backends } = executionPlan({
 *   udfs: [{ name: "sum", backends: ["dense", "csr"] }, { name: "fft", backends: ["dense"] }],
 *   dataset: { name: "events.toml", backends: ["csr"] },
 * });
 * assertEquals([source, ...backends], ["csr", "csr", "dense"]);
 * ```
 * @category Tiles
 */
export function executionPlan(request: ExecutionRequest): ExecutionPlan;
/** The same for a table of other forms and devices. */
export function executionPlan<B extends string, D extends string>(
  request: ExecutionRequest<B, D>,
  table: BackendTable<B, D>,
): ExecutionPlan<B>;
export function executionPlan(
  request: ExecutionRequest<string, string>,
  table: BackendTable<string, string> = BACKENDS,
): ExecutionPlan<string> {
  checkOptionNames("executionPlan()", request, REQUEST_NAMES);
  const chosen = assign(request, table);
  const waiting = new Map(chosen);
  const groups: BackendGroup<string>[] = [];
  const there = new Set<string>();
  while (waiting.size > 0) { // the cheapest first, as it may be a step on the way to the next
    const from = there.size > 0 ? [...there] : request.dataset.backends;
    const { forms, cost } = cheapestChain(from, [...waiting.keys()], table)!;
    const backend = forms.at(-1)!;
    const { udfs, why } = waiting.get(backend)!;
    groups.push({ backend, udfs, chain: forms, why: `${why}${priceOf(forms, cost)}` });
    for (const form of forms) there.add(form);
    waiting.delete(backend);
  }
  const backends = request.udfs.map((_, u) => groups.find(({ udfs }) => udfs.includes(u))!.backend);
  return { source: groups[0]?.chain[0] ?? request.dataset.backends[0]!, groups, backends };
}

function priceOf(forms: readonly string[], cost: number): string {
  return forms.length === 1 ? "" : `; made as ${forms.join(" → ")}, about ${cost} ps a sample`;
}

/** Steps 1 to 5. */
function assign<B extends string, D extends string>(
  { udfs, dataset, device, allowed }: ExecutionRequest<B, D>,
  table: BackendTable<B, D>,
): Map<B, { udfs: number[]; why: string }> {
  const known = Object.keys(table.facts) as B[];
  const possible = known.filter((form) =>
    (!allowed || allowed.includes(form)) && cheapestChain(dataset.backends, [form], table)
  );
  const here = possible.filter((form) => device === undefined || table.facts[form].device === device);
  const isNative = (form: B) => dataset.backends.includes(form);
  const isSparse = (form: B) => table.facts[form].sparse;
  const popular = byPopularity(udfs);
  const chosen = new Map<B, { udfs: number[]; why: string }>();
  const left = new Set(udfs.keys());
  const take = (forms: readonly B[], preference: readonly B[], why: string): boolean => {
    const found = mostServing(forms, preference, udfs, left);
    if (!found) return false;
    for (const u of found.udfs) left.delete(u);
    const before = chosen.get(found.form);
    chosen.set(
      found.form,
      before ? { ...before, udfs: [...before.udfs, ...found.udfs] } : {
        udfs: found.udfs,
        why: `${found.form}: ${why}`,
      },
    );
    return true;
  };
  take(here.filter(isNative), dataset.backends, "as the data set has it");
  if (dataset.backends.some(isSparse)) take(here.filter(isSparse), popular, "sparse, as the data set is");
  if (!dataset.backends.every(isSparse)) {
    take(here.filter((form) => !isSparse(form)), popular, "dense, as the data set is");
  }
  while (take(here, popular, "the data set has no form that is taken here"));
  take(possible.filter(isNative), dataset.backends, "as the data set has it, on another device");
  while (take(possible, popular, "no form of this device is taken"));
  for (const u of left) throw noCommon(udfs[u]!, dataset, allowed, known);
  return chosen;
}

/** The form among `forms` that serves most of the UDFs that have none yet. */
function mostServing<B extends string>(
  forms: readonly B[],
  preference: readonly B[],
  udfs: readonly BackendSide<B>[],
  left: ReadonlySet<number>,
): { form: B; udfs: number[] } | undefined {
  const served = forms.map((form) => ({
    form,
    udfs: [...left].filter((u) => udfs[u]!.backends.includes(form)),
  })).filter(({ udfs }) => udfs.length > 0);
  const most = Math.max(...served.map(({ udfs }) => udfs.length));
  const rank = (form: B) => preference.includes(form) ? preference.indexOf(form) : preference.length;
  return served.filter(({ udfs }) => udfs.length === most).sort((a, b) => rank(a.form) - rank(b.form))[0];
}

/**
 * The forms that UDFs take, the most popular first. The rank of a form is the sum, over all UDFs, of its position in
 * their list divided by the length of the list; a low rank is popular.
 */
function byPopularity<B extends string>(udfs: readonly BackendSide<B>[]): B[] {
  const dislike = new Map<B, number>();
  for (const { backends } of udfs) {
    backends.forEach((form, i) => dislike.set(form, (dislike.get(form) ?? 0) + i / backends.length));
  }
  return [...dislike].sort(([, a], [, b]) => a - b).map(([form]) => form);
}

function noCommon<B extends string>(
  udf: BackendSide<B>,
  dataset: BackendSide<B>,
  allowed: readonly B[] | undefined,
  known: readonly B[],
): TilewiseError {
  const restricted = allowed ? `, the plan allows ${allowed.join(", ") || "none"}` : "";
  const strange = udf.backends.filter((form) => !known.includes(form));
  const hint = strange.length > 0 ? `; ${strange.join(", ")} is none of ${known.join(", ")}` : "";
  const text = `Cannot run UDF "${udf.name}" on ${dataset.name}: no common back end; the UDF takes ` +
    `${udf.backends.join(", ") || "none"}, the data set has ${
      dataset.backends.join(", ")
    }${restricted}${hint}`;
  return new TilewiseError("udf", text, {
    udf: udf.name,
    expected: udf.backends.join(", "),
    found: dataset.backends.join(", "),
  });
}
