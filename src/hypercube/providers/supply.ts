/**
 * Who supplies the inputs of a cube, and who takes its outputs.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { nearest } from "../../options.ts";
import { sizeOf } from "../../space/shape.ts";
import type { ArrayRole, ArraySchema, Hypercube } from "../cube/cube.ts";
import { filled } from "../cube/numbers.ts";
import type { Provider, Sink, Source } from "./provider.ts";
import type { WorkerSource } from "./worker_source.ts";

/** A provider, and whether it was given as a plain object of sources or sinks: then names that no array has are mistakes. */
export interface Listed extends Pick<Provider, "name" | "sources" | "sinks"> {
  /** The provider itself; absent for a plain object. */
  readonly provider?: Provider;
}

/** A source, and whose it is. */
interface SuppliedSource {
  /** The source. */
  readonly source: Source | WorkerSource;
  /** The name of its provider. */
  readonly provider: string;
}

/** A sink, and whose it is. */
export interface SuppliedSink {
  /** The sink. */
  readonly sink: Sink;
  /** The name of its provider. */
  readonly provider: string;
}

/** The sources and sinks of a run. */
export interface Supply {
  /** A source for every input. */
  readonly sources: ReadonlyMap<string, SuppliedSource>;
  /** The sinks of the outputs that have any. */
  readonly sinks: ReadonlyMap<string, readonly SuppliedSink[]>;
  /** The names of the providers of all arrays that have one. */
  readonly suppliers: ReadonlyMap<string, string>;
}

/** The name of who supplies the default of a schema. */
const DEFAULT = "the default of the array";

/** Chooses the sources of inputs: the last one that was given, else the default of the array. */
export function supplyOf(
  cube: Hypercube,
  sources: readonly Listed[],
  sinks: readonly Listed[],
): Supply {
  const inputs = named(cube, "input"), outputs = named(cube, "output");
  for (const listed of sources) if (!listed.provider) checkNames(listed, "source", inputs);
  for (const listed of sinks) checkNames(listed, "sink", outputs);
  const found = new Map(inputs.flatMap((name): [string, SuppliedSource][] => {
    const supplied = sourceOf(sources, name) ?? defaultOf(cube.array(name));
    return supplied ? [[name, supplied]] : [];
  }));
  const missing = inputs.filter((name) => !found.has(name));
  if (missing.length > 0) throw noSuch(`no source for ${missing.join(", ")}`, inputs, "inputs");
  const taken = new Map(outputs.flatMap((name): [string, SuppliedSink[]][] => {
    const all = sinks.flatMap((provider) => sinksOf(provider, name));
    return all.length > 0 ? [[name, all]] : [];
  }));
  const suppliers = new Map([
    ...[...found].map(([name, { provider }]): [string, string] => [name, provider]),
    ...[...taken].map((
      [name, all],
    ): [string, string] => [name, all.map(({ provider }) => provider).join(", ")]),
  ]);
  return { sources: found, sinks: taken, suppliers };
}

function named(cube: Hypercube, wanted: ArrayRole): string[] {
  return [...cube.arrays.values()].filter(({ role = "input" }) => role === wanted).map(({ name }) => name);
}

function sourceOf(providers: readonly Listed[], name: string): SuppliedSource | undefined {
  const provider = providers.findLast(({ sources = {} }) => Object.hasOwn(sources, name));
  return provider && { source: provider.sources![name]!, provider: provider.name };
}

function sinksOf({ name: provider, sinks = {} }: Listed, name: string): SuppliedSink[] {
  if (!Object.hasOwn(sinks, name)) return [];
  const given = sinks[name]!;
  const all: readonly Sink[] = typeof given === "function" ? [given] : given;
  return all.map((sink) => ({ sink, provider }));
}

/** A source that gives the default of an array, if it has one. */
function defaultOf({ default: value }: ArraySchema): SuppliedSource | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "function") return { source: value, provider: DEFAULT };
  const source: Source = ({ shape, dtype }) => filled(dtype, sizeOf(shape), value);
  return { source, provider: DEFAULT };
}

/**
 * Refuses names that no array of this role has: those of plain objects, and those of sinks. A provider may have sources
 * for more inputs than a cube has.
 */
function checkNames(listed: Listed, kind: "source" | "sink", known: readonly string[]): void {
  const names = Object.keys(listed[`${kind}s`] ?? {}).filter((name) => !known.includes(name));
  const role = kind === "source" ? "input" : "output";
  if (names.length > 0) {
    throw noSuch(`a ${kind} for ${names.join(", ")}, which is not an ${role}`, known, `${role}s`);
  }
}

function noSuch(what: string, known: readonly string[], kind: string): TilewiseError {
  const [, wrong] = / for (\w+), which/.exec(what) ?? [];
  const near = wrong === undefined ? undefined : nearest(wrong, known);
  const hint = near === undefined ? "" : `; did you mean ${near}?`;
  const text = `Cannot run over the cube: there is ${what}; ${kind} are ${known.join(", ")}${hint}`;
  return new TilewiseError("invalid", text, { expected: near ?? known.join(", ") });
}
