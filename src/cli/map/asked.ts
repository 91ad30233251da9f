/**
 * Turns the arguments of `map` into filters over an open source, in a context; for the verb and for its replay.
 *
 * @module
 */

import type { Dataset } from "../../dataset/dataset.ts";
import { open } from "../../formats/open.ts";
import type { Context } from "../../runner/face.ts";
import type { MapViewsOptions } from "../../views/map/map_views.ts";
import { mapPlan } from "../../views/map/plan.ts";
import type { MapPlan } from "../../views/map/facts.ts";
import { type AnySink, isChunkSink } from "../../views/map/sink.ts";
import type { ArrayFacts } from "../../views/array.ts";
import { chain } from "../../views/operations/chain.ts";
import type { ViewOperation } from "../../views/operations/operation.ts";
import { modulePath, operationOf } from "../filters/words.ts";
import { openOptions } from "../flags/source_flags.ts";
import { showWarnings } from "../inputs/sources.ts";
import type { Arguments } from "../shell/args.ts";
import type { CliIo } from "../shell/io.ts";
import { contextForViews, workersAsked } from "../shell/threads.ts";
import { parseBytes } from "../../space/size.ts";
import { isPng, radiusOf, sinkOf, viewOptions } from "./flags.ts";

/** Milliseconds after which a function of users that has not returned ends the command. */
const STALL = 30_000;

/** What is to be computed. */
export interface Asked {
  /** The source, as it was typed. */
  readonly source: string;
  /** What was opened. */
  readonly dataset: Dataset;
  /** All filters as one. */
  readonly operation: ViewOperation;
  /** Where it runs. */
  readonly context: Context;
  /** Borders, tiles, order. */
  readonly options: Pick<MapViewsOptions, "border" | "fill" | "traversal" | "tile">;
}

/** What is to be computed, planned. */
export interface Planned {
  /** What was asked for. */
  readonly asked: Asked;
  /** The plan. */
  readonly plan: MapPlan;
  /** What takes the result; absent: nothing, or a picture. */
  readonly sink?: AnySink;
}

/** The plan for a result in `out`; without it, of a result that goes nowhere. */
export async function planned(asked: Asked, out: string | undefined, args: Arguments): Promise<Planned> {
  const { dataset, operation, options, context } = asked;
  const sink = out === undefined || isPng(out) ? undefined : sinkOf(out, args);
  const cut = isChunkSink(sink)
    ? { tileOf: (facts: ArrayFacts) => sink.tile(facts), blocks: sink.takes }
    : {};
  const plan = await mapPlan("map", dataset, operation, { ...options, context, ...cut });
  return { asked, plan, ...(sink ? { sink } : {}) };
}

/** Calls `body` with what the arguments of `map` ask for, in a context that ends with it. */
export async function withMap<T>(
  args: Arguments,
  io: CliIo,
  out: string | undefined,
  body: (asked: Asked) => Promise<T>,
): Promise<T> {
  const source = args.positionals.at(-1)!;
  const words = filterWords(args);
  const modules = mapModules(words);
  for (const path of modules) args.inputs.add(path);
  const radius = radiusOf(args);
  const operation = chain(words.map((word) => operationOf(word, radius === undefined ? {} : { radius })));
  args.value("memory", parseBytes);
  workersAsked(args); // refused before anything is opened
  if (modules.length > 0) await io.watch?.(STALL);
  const dataset = await open(source, openOptions(args, io.signal));
  showWarnings(dataset, args, io);
  await using context = contextForViews(args, io, dataset.byteLength);
  const options = viewOptions(args, dataset.shape, out);
  return await body({ source, dataset, operation, context, options });
}

/** The words before the source. */
export function filterWords({ positionals }: Arguments): readonly string[] {
  return positionals.slice(0, -1);
}

/** The modules that words name, each once. */
export function mapModules(words: readonly string[]): string[] {
  return [...new Set(words.map(modulePath).filter((path) => path !== undefined))];
}
