/**
 * Puts runs into stores, to be computed in parts.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { checkOptionNames, defined, type OptionNames } from "../../options.ts";
import { each, list, signal as signalRule, text } from "../../options/rules.ts";
import { open as openSource } from "../../formats/open.ts";
import type { OpenOptions } from "../../formats/common/options.ts";
import type { Context } from "../../runner/context.ts";
import { context as contextRule } from "../../runner/rules.ts";
import type { ViewOperations } from "../../views/operations/chain.ts";
import { copySamples } from "../../views/operations/copy_samples.ts";
import type { FileSinkOptions } from "../../views/sinks/registry.ts";
import { wholeUrl } from "../../executor/module_url.ts";
import { commitCube } from "../kinds/cube.ts";
import { type CubeSpec, openCube } from "../kinds/cube_opened.ts";
import { convertManifest, fileKind, plannedFor } from "../kinds/convert.ts";
import { commitManifest, type StoredRun } from "../manifest/read.ts";
import type { PartStore } from "../store/store.ts";

/**
 * How a conversion is planned.
 * @category Cluster
 */
export interface ConversionOptions {
  /** How the source is opened. */
  readonly open?: OpenOptions;
  /** How the files are written: chunks, shards, codec, levels. */
  readonly file?: Omit<FileSinkOptions, "resume">;
  /** An operation over views, or several, whose result is written. Default: the samples as they are. */
  readonly operation?: ViewOperations;
  /** Where it is planned: memory and workers. Default: the default context. */
  readonly context?: Context;
  /** Stops it. */
  readonly signal?: AbortSignal;
}

// deno-fmt-ignore: written by `deno task build`
const OPTIONS: OptionNames<ConversionOptions> = {
  open: true, file: true, operation: true, context: contextRule, signal: signalRule,
};

/**
 * Puts a conversion into a store, from which any number of machines make its parts: `readyRun` and `computeInto`, or an
 * engine. Then `mergeInto` writes the files. `path` says by its ending what they are: Zarr or TIFF, as for `fileSink`.
 *
 * Errors: those of opening and planning; `unsupported` for other files, for samples in memory and for functions of this
 * program; `conflict` if the store has another run.
 *
 * @example
 * ```ts
 * import { openStore, storeConversion } from "@tilewise/tilewise/unstable/cluster";
 * import { assertEquals } from "@std/assert";
 * const folder = await Deno.makeTempDir();
 * await Deno.writeFile(`${folder}/image.raw`, new Uint8Array(4000));
 * const store = await openStore(`dir:${folder}/parts`);
 * const { manifest } = await storeConversion(store, `${folder}/image.raw`, "image.ome.zarr", {
 *   open: { format: "raw", dtype: "uint8", nav: [], sig: [40, 100] },
 *   file: { chunk: [32, 32] },
 * });
 * assertEquals([manifest.kind, manifest.work.units.length], ["convert", 8]); // chunks of 32 × 32
 * await Deno.remove(folder, { recursive: true });
 * ```
 * @category Cluster
 */
export async function storeConversion(
  store: PartStore,
  source: string,
  path: string,
  options: ConversionOptions = {},
): Promise<StoredRun> {
  const call = "storeConversion()";
  checkOptionNames(call, options, OPTIONS);
  text(call, "source", source);
  text(call, "path", path);
  const { open = {}, file: asked = {}, operation = copySamples(), context, signal } = options;
  const file = fileKind(path, asked);
  const dataset = await openSource(source, { ...open, ...defined({ signal }) });
  const plan = await plannedFor(dataset, operation, {}, file, context);
  const { manifest, data } = await convertManifest({ plan, source, open, options: {}, file });
  return await commitManifest(store, manifest, data);
}

/**
 * How a cube is planned.
 * @category Cluster
 */
export interface StoreCubeOptions {
  /** The export of the module: a function that returns a `CubeProblem`, or a promise of it. Default `default`. */
  readonly export?: string;
  /** What the function gets: plain data, with arrays. Default: an empty object. */
  readonly params?: Readonly<Record<string, unknown>>;
  /** Paths and URLs of what its sources read; every machine compares them before it computes. Default: none. */
  readonly inputs?: readonly string[];
  /** Where it is planned: its memory decides the tiles. Default: the default context. */
  readonly context?: Context;
  /** Stops it. */
  readonly signal?: AbortSignal;
}

// deno-fmt-ignore: written by `deno task build`
const CUBE_OPTIONS: OptionNames<StoreCubeOptions> = {
  export: text, params: each("an object of parameters by name", () => {}), inputs: list,
  context: contextRule, signal: signalRule,
};

/**
 * Puts a cube into a store, from which any number of machines compute its tiles: `readyRun` and `computeInto`, or an engine.
 * Then `mergeCube` gives the outputs to sinks, or `mergeRun` has them in memory: the bits of `run`.
 *
 * Each machine imports `module` and calls its export with `params`; it returns what `run` takes, without sinks: cube, kernel,
 * sources, ways to merge. It must make the same from the same parameters everywhere.
 *
 * Errors: those of the module and of planning; `unsupported` for parameters that are functions; `conflict` if the store has
 * another run.
 *
 * @example A module that makes a cube
 * ```ts
 * import { hypercube } from "@tilewise/tilewise/hypercube";
 * import { cubeExpression, type CubeProblem } from "@tilewise/tilewise/unstable/hypercube";
 * import { storeCube, type PartStore } from "@tilewise/tilewise/unstable/cluster";
 * import { assertEquals } from "@std/assert";
 * // table.ts:
 * export function table({ rows }: { rows: number }): CubeProblem {
 *   const dimensions = { y: rows, z: 6 };
 *   const arrays = [{ name: "table", shape: ["y", "z"], dtype: "float64", role: "output" }] as const;
 *   return { cube: hypercube({ dimensions, arrays }), kernel: cubeExpression({ table: "y * z" }), sources: {}, plan: { tile: ["y"] } };
 * }
 * // the program:
 * const plan = (store: PartStore) =>
 *   storeCube(store, new URL("file:///lab/table.ts"), { export: "table", params: { rows: 1000 } });
 * assertEquals([table({ rows: 3 }).cube.arrayShape("table"), typeof plan], [[3, 6], "function"]);
 * ```
 * @category Cluster
 */
export async function storeCube(
  store: PartStore,
  module: string | URL,
  options: StoreCubeOptions = {},
): Promise<StoredRun> {
  const call = "storeCube()";
  checkOptionNames(call, options, CUBE_OPTIONS);
  if (typeof module === "function") throw closure(call);
  const { export: name = "default", params = {}, inputs = [], context, signal } = options;
  const url = wholeUrl(module, "compute the cube");
  const spec: CubeSpec = { from: "module", module: url, export: name, params, inputs };
  await using opened = await openCube(spec, context, signal);
  return (await commitCube(store, { spec, opened }, context, signal)).run;
}

function closure(call: string): TilewiseError {
  const text =
    `${call} takes the URL of a module, not a function of this program, which other machines do not have: ` +
    'export the function from a module, and write import.meta.resolve("./module.ts")';
  return new TilewiseError("udf", text, { found: "a function" });
}
