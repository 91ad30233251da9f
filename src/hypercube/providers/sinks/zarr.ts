/**
 * A sink that writes outputs to a Zarr group.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { checkOptionNames, type OptionNames } from "../../../options.ts";
import { each, must, needed, text } from "../../../options/rules.ts";
import { shapeFrom } from "../../../space/rules.ts";
import { type Shape, showShape } from "../../../space/shape.ts";
import { codecOf } from "../../../sinks/chunks/chunk_options.ts";
import { zarrTiles } from "../../../sinks/tiles/zarr.ts";
import { mustBeStore, ZARR_CODECS, type ZarrArray } from "../../../sinks/zarr/metadata.ts";
import { chunkedArray, group, storeFiles } from "../../../sinks/zarr/nodes.ts";
import type { Hypercube } from "../../cube/cube.ts";
import { firstTile } from "../../cube/iterate.ts";
import { globalShape } from "../arrays.ts";
import type { StartContext } from "../context.ts";
import type { Provider } from "../provider.ts";
import { type ResumeOptions, tiledFiles } from "./resume.ts";
import { writing } from "./under_way.ts";

/**
 * Options of {@link toZarr}.
 * @category Hypercubes
 */
export interface ToZarrOptions extends ResumeOptions {
  /** The outputs that are written. */
  readonly arrays: readonly string[];
  /**
   * Samples per chunk, by the names of outputs: along a tiled dimension the tile must consist of whole chunks. Default: one
   * chunk per tile.
   */
  readonly chunk?: Readonly<Record<string, Shape>>;
  /** `none`, `zstd`, `blosc` or `gzip`, with a level behind a colon, such as `zstd:9`. Default `zstd:1`. */
  readonly compression?: string;
  /** Attributes of the group: anything that JSON can hold. */
  readonly attributes?: Readonly<Record<string, unknown>>;
}

const names = must<readonly string[]>(
  "a list of the names of outputs",
  (all) => Array.isArray(all) && all.length > 0 && all.every((name) => typeof name === "string"),
);

// deno-fmt-ignore: written by `deno task build`
const OPTIONS: OptionNames<ToZarrOptions> = {
  resume: text, arrays: needed(names),
  chunk: each("an object of shapes by the names of outputs", shapeFrom(1, "[64, 512]")), compression: text,
  attributes: each("an object of attributes by name", () => {}),
};

/**
 * A provider whose sinks write outputs to a group of Zarr, version 3, in the folder `path`: an array for each, with the names of
 * its dimensions, its description and its units. The folder appears when the run is complete, and replaces an older
 * Zarr folder; if the run fails, the older one is not changed. Chunks of zeros only are not stored. With `resume` a run that is
 * stopped can go on.
 *
 * @param path the folder
 * @param options which outputs, their chunks and codecs, and whether a run that was stopped goes on
 * @returns the provider
 * @throws {TilewiseError} `invalid` for a folder that is not a Zarr store, and for chunks that tiles do not consist of
 *
 * @example
 * ```ts
 * import { createContext, open, run } from "@tilewise/tilewise";
 * import { hypercube, planTiles, toZarr } from "@tilewise/tilewise/hypercube";
 * import { cubeExpression } from "@tilewise/tilewise/unstable/hypercube";
 * import { assertEquals } from "@std/assert";
 * const cube = hypercube({
 *   dimensions: { y: 4, z: 6 },
 *   arrays: [{ name: "table", shape: ["y", "z"], dtype: "float64", role: "output", units: "m" }],
 * });
 * const folder = await Deno.makeTempDir();
 * await using context = createContext({ workers: 0 });
 * const sinks = [toZarr(`${folder}/table.zarr`, { arrays: ["table"] })];
 * await run(planTiles(cube, { context, tile: ["y"] }), { kernel: cubeExpression({ table: "y * z" }), sources: {}, sinks });
 * const { shape, axes } = await open(`${folder}/table.zarr`, { array: "table" });
 * assertEquals([shape, axes.map(({ name }) => name)], [[4, 6], ["y", "z"]]);
 * await Deno.remove(folder, { recursive: true });
 * ```
 * @category Hypercubes
 */
export function toZarr(path: string, options: ToZarrOptions): Provider {
  text("toZarr()", "path", path);
  checkOptionNames("toZarr()", options, OPTIONS);
  const codec = codecOf(
    "toZarr()",
    "compression",
    options.compression ?? "zstd",
    ZARR_CODECS.filter((name) => name !== "zlib"),
  );
  const { arrays, chunk: asked = {}, attributes = {}, resume } = options;
  return writing({
    name: `Zarr group ${path}`,
    outputs: arrays,
    resumes: resume !== undefined,
    async open(context) {
      const { cube } = context;
      const outputs = [...cube.arrays.keys()].filter((name) => arrays.includes(name)); // sinks are called in this order
      const chunks = outputs.map((name) => chunkOf(context, name, asked[name]));
      await mustBeStore(path);
      const facts = outputs.map((name, i) => ({ ...factsOf(cube, name), chunk: chunks[i]!, codec }));
      const nodes = [group("", attributes), ...outputs.map((name, i) => chunkedArray(name, facts[i]!))];
      const files = {
        kind: "folder",
        arrays: await Promise.all(outputs.map((name, i) => zarrTiles(name, facts[i]!))),
        documents: () => storeFiles(nodes),
      } as const;
      const decides = { kind: "zarr", chunks, codec, attributes };
      return await tiledFiles("toZarr()", context, [{ path, outputs, files, facts: decides }], resume);
    },
  });
}

/** What the document of an array says, beside its chunks. */
function factsOf(cube: Hypercube, name: string): Pick<ZarrArray, "shape" | "dtype" | "names" | "attributes"> {
  const { shape: axes, dtype, units, description } = cube.array(name);
  return {
    shape: globalShape(cube, name),
    dtype,
    names: axes.map((axis, d) => typeof axis === "string" ? axis : `${name}_${d}`),
    attributes: { ...(units ? { units } : {}), ...(description ? { description } : {}) },
  };
}

/**
 * Samples per chunk of an output: those of a tile, or what was asked for, if tiles consist of it. A window that begins elsewhere
 * than at a multiple of the tile has smaller chunks.
 */
function chunkOf(context: StartContext, name: string, asked: Shape | undefined): Shape {
  const first = firstTile(context.cube, context.strides).arrayExtents(name);
  const window = context.cube.arrayExtents(name);
  const tile = first.map(([lower, upper]) => Math.max(1, upper - lower));
  const most = tile.map((n, d) => commonDivisor(n, first[d]![0]));
  const chunk = asked ?? most;
  const isAlone = (d: number) => first[d]![1] === window[d]![1];
  const fits = chunk.length === tile.length &&
    chunk.every((n, d) => first[d]![0] % n === 0 && (isAlone(d) || tile[d]! % n === 0));
  if (fits) return chunk;
  const from = first.some(([lower]) => lower > 0)
    ? ` from ${showShape(first.map(([lower]) => lower))} on`
    : "";
  const words = `toZarr(): tiles of ${name}, ${showShape(tile)}${from}, do not consist of whole chunks of ${
    showShape(chunk)
  }; chunks of ${showShape(most)} would work`;
  throw new TilewiseError("invalid", words, {
    option: `chunk.${name}`,
    expected: showShape(most),
    found: showShape(chunk),
  });
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}
