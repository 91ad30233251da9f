/**
 * A sink that writes outputs to a Zarr group.
 *
 * @module
 */

import { type EncodeAll, encoderOf } from "../../../codecs/encoders/registry.ts";
import { TilewiseError } from "../../../errors.ts";
import { writerAt } from "../../../io/write/part_file.ts";
import { PartialFolder } from "../../../io/write/partial_folder.ts";
import { copyBox } from "../../../memory/copy_box.ts";
import { checkOptionNames, type OptionNames } from "../../../options.ts";
import { each, must, needed, text } from "../../../options/rules.ts";
import { zeros } from "../../../space/dtype.ts";
import { shapeFrom } from "../../../space/rules.ts";
import { type Shape, showShape, sizeOf, unravel } from "../../../space/shape.ts";
import { type ChosenCodec, codecOf } from "../../../views/sinks/chunks/chunk_options.ts";
import { arrayJson, stepsOf, ZARR_CODECS } from "../../../views/sinks/zarr/metadata.ts";
import { mustBeStore } from "../../../views/sinks/zarr/replaced.ts";
import type { Hypercube } from "../../cube/cube.ts";
import { globalShape, largestShape, wholeView } from "../arrays.ts";
import type { SinkContext, StartContext } from "../context.ts";
import type { Provider } from "../provider.ts";
import { writing } from "./under_way.ts";

/**
 * Options of {@link toZarr}.
 * @category Hypercubes
 */
export interface ToZarrOptions {
  /** The outputs that are written. */
  readonly arrays: readonly string[];
  /**
   * Samples per chunk, by the names of outputs: along a tiled dimension the tile must consist of whole chunks. Default: one
   * chunk per tile.
   */
  readonly chunk?: Readonly<Record<string, Shape>>;
  /** `none`, `zstd`, `blosc` or `gzip`, with a level behind a colon, such as `zstd:9`. Default `zstd:1`. */
  readonly codec?: string;
  /** Attributes of the group: anything that JSON can hold. */
  readonly attributes?: Readonly<Record<string, unknown>>;
}

const names = must(
  "a list of the names of outputs",
  (all) => Array.isArray(all) && all.length > 0 && all.every((name) => typeof name === "string"),
);

const OPTIONS: OptionNames<ToZarrOptions> = {
  arrays: needed(names),
  chunk: each("an object of shapes by the names of outputs", shapeFrom(1, "[64, 512]")),
  codec: text,
  attributes: each("an object of attributes by name", () => {}),
};

/** An array that is being written. */
interface OpenArray {
  readonly chunk: Shape;
  readonly encode: EncodeAll;
}

/**
 * A provider whose sinks write outputs to a group of Zarr, version 3, in the folder `path`: an array for each, with the names of
 * its dimensions, its description and its units. The folder appears when the run is complete, and replaces an older
 * Zarr folder; if the run fails, the older one is not changed. Chunks of zeros only are not stored.
 *
 * Errors: `invalid` for a folder that is no Zarr store, and for chunks that tiles do not consist of.
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { cubeExpression, hypercube, planTiles, solve, toZarr } from "@tilewise/tilewise/hypercube";
 * import { assertEquals } from "@std/assert";
 * const cube = hypercube({
 *   dimensions: { y: 4, z: 6 },
 *   arrays: [{ name: "table", shape: ["y", "z"], dtype: "float64", role: "output", units: "m" }],
 * });
 * const folder = await Deno.makeTempDir();
 * await using context = createContext({ workers: 0 });
 * const sinks = [toZarr(`${folder}/table.zarr`, { arrays: ["table"] })];
 * await solve(planTiles(cube, { context, tile: ["y"] }), { kernel: cubeExpression({ table: "y * z" }), sources: {}, sinks });
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
    "codec",
    options.codec ?? "zstd",
    ZARR_CODECS.filter((name) => name !== "zlib"),
  );
  const writer = new GroupWriter(path, options, codec);
  return writing({
    name: `Zarr group ${path}`,
    outputs: options.arrays,
    start: (context) => writer.start(context),
    put: (context) => writer.put(context),
    stop: ({ error }) => writer.stop(error === undefined),
  });
}

class GroupWriter {
  #partial: PartialFolder | undefined;
  readonly #arrays = new Map<string, OpenArray>();
  readonly #files: string[] = [];
  readonly #folders = new Set<string>();

  constructor(
    private readonly path: string,
    private readonly options: ToZarrOptions,
    private readonly codec: ChosenCodec,
  ) {}

  async start(context: StartContext): Promise<void> {
    const { arrays, attributes = {} } = this.options;
    const chunks = arrays.map((name) => chunkOf(context, name, this.options.chunk?.[name]));
    await mustBeStore(this.path);
    const digest = [...crypto.getRandomValues(new Uint8Array(8))].map((byte) =>
      byte.toString(16).padStart(2, "0")
    );
    this.#partial = await PartialFolder.open(this.path, {
      digest: digest.join(""),
      resume: false,
      kind: "folder",
    });
    await this.#document("zarr.json", { zarr_format: 3, node_type: "group", attributes });
    for (const [n, name] of arrays.entries()) {
      await this.#document(`${name}/zarr.json`, documentOf(context.cube, name, chunks[n]!, this.codec));
      const { dtype } = context.cube.array(name);
      this.#arrays.set(name, { chunk: chunks[n]!, encode: await encoderOf(stepsOf(this.codec, dtype)) });
    }
  }

  /** Writes the chunks of a tile. */
  async put({ name, data, extents }: SinkContext): Promise<void> {
    const { chunk, encode } = this.#arrays.get(name)!;
    const { shape, dtype } = data;
    const counts = shape.map((n, d) => Math.ceil(n / chunk[d]!));
    const from = wholeView(data, shape, dtype);
    for (let c = 0, all = sizeOf(counts); c < all; c++) {
      const at = unravel(c, counts);
      const origin = at.map((i, d) => i * chunk[d]!);
      const part = { origin, shape: origin.map((n, d) => Math.min(chunk[d]!, shape[d]! - n)) };
      const samples = zeros(dtype, sizeOf(chunk));
      copyBox(from, part, wholeView(samples, chunk, dtype), origin.map(() => 0));
      const bytes = new Uint8Array(samples.buffer as ArrayBuffer);
      if (bytes.every((byte) => byte === 0)) continue;
      const key = at.map((i, d) => extents[d]![0] / chunk[d]! + i);
      await this.#write([name, "c", ...key].join("/"), await encode(bytes));
    }
  }

  async stop(complete: boolean): Promise<void> {
    const partial = this.#partial;
    const files = this.#files.splice(0);
    this.#partial = undefined;
    this.#folders.clear();
    if (!partial) return;
    try {
      if (complete) await partial.finish(files);
    } finally {
      await partial[Symbol.asyncDispose]();
    }
  }

  async #document(file: string, json: object): Promise<void> {
    await this.#write(file, new TextEncoder().encode(JSON.stringify(json, undefined, 2) + "\n"));
  }

  async #write(file: string, bytes: Uint8Array): Promise<void> {
    const partial = this.#partial!;
    const path = `${partial.result}/${file}`;
    const folder = path.slice(0, path.lastIndexOf("/"));
    if (!this.#folders.has(folder)) await partial.makeFolder(folder);
    this.#folders.add(folder);
    await partial.makeFile(path);
    this.#files.push(path);
    (await writerAt(path, this.path))(bytes, 0);
  }
}

/** Samples per chunk of an output: those of a tile, or what was asked for, if tiles consist of it. */
function chunkOf(context: StartContext, name: string, asked: Shape | undefined): Shape {
  const whole = globalShape(context.cube, name);
  const tile = largestShape(context, name).map((n) => Math.max(1, n));
  const chunk = asked ?? tile;
  const fits = chunk.length === tile.length &&
    chunk.every((n, d) => tile[d]! >= whole[d]! || tile[d]! % n === 0);
  if (fits) return chunk;
  const words = `toZarr(): tiles of ${name}, ${showShape(tile)}, do not consist of whole chunks of ${
    showShape(chunk)
  }`;
  throw new TilewiseError("invalid", words, {
    option: `chunk.${name}`,
    expected: showShape(tile),
    found: showShape(chunk),
  });
}

function documentOf(cube: Hypercube, name: string, chunk: Shape, codec: ChosenCodec): object {
  const { shape: axes, dtype, units, description } = cube.array(name);
  const shape = globalShape(cube, name);
  const names = axes.map((axis, d) => typeof axis === "string" ? axis : `${name}_${d}`);
  const attributes = { ...(units ? { units } : {}), ...(description ? { description } : {}) };
  return { ...arrayJson({ shape, dtype, chunk, codec, names }), attributes };
}
