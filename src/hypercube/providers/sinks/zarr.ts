/**
 * A sink that writes outputs to a Zarr group.
 *
 * @module
 */

import { type EncodeAll, encoderOf } from "../../../codecs/encoders/registry.ts";
import { checkOptionNames, type OptionNames } from "../../../options.ts";
import { each, must, needed, text } from "../../../options/rules.ts";
import { shapeFrom } from "../../../space/rules.ts";
import type { Shape } from "../../../space/shape.ts";
import { type ChosenCodec, codecOf } from "../../../sinks/chunks/chunk_options.ts";
import { stepsOf, ZARR_CODECS } from "../../../sinks/zarr/metadata.ts";
import type { SinkContext, StartContext } from "../context.ts";
import type { Provider } from "../provider.ts";
import { arrayDocument, bytesOf, chunkFile, chunkOf, chunksIn, groupDocument } from "./group.ts";
import type { ResumeOptions } from "./resume.ts";
import { type GroupFacts, ResumedGroup } from "./resumed_zarr.ts";
import { StoreFiles } from "./store_files.ts";
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
  resume: text,
};

/** An array that is being written. */
interface OpenArray {
  readonly chunk: Shape;
  readonly encode: EncodeAll;
}

/**
 * A provider whose sinks write outputs to a group of Zarr, version 3, in the folder `path`: an array for each, with the names of
 * its dimensions, its description and its units. The folder appears when the run is complete, and replaces an older
 * Zarr folder; if the run fails, the older one is not changed. Chunks of zeros only are not stored. With `resume` a run that is
 * stopped can go on.
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
  const { arrays, chunk = {}, attributes = {}, resume } = options;
  const name = `Zarr group ${path}`;
  if (resume !== undefined) return resumed(name, path, { arrays, chunk, codec, attributes }, resume);
  const writer = new GroupWriter(path, options, codec);
  return writing({
    name,
    outputs: options.arrays,
    start: (context) => writer.start(context),
    put: (context) => writer.put(context),
    stop: ({ error }) => writer.stop(error === undefined),
  });
}

/** The same for a group that a later run can go on with. */
function resumed(name: string, path: string, facts: GroupFacts, resume: string): Provider {
  let group: ResumedGroup | undefined;
  return writing({
    name,
    outputs: facts.arrays,
    put: (context) => group!.put(context),
    async start(context) {
      group = await ResumedGroup.open(context, path, facts, resume);
    },
    completed: () => group!.completed,
    async stop({ error }) {
      if (!group) return;
      try {
        if (error === undefined) await group.finish();
        else group.flush();
      } finally {
        await group[Symbol.asyncDispose]();
        group = undefined;
      }
    },
  });
}

class GroupWriter {
  readonly #arrays = new Map<string, OpenArray>();
  #store: StoreFiles | undefined;

  constructor(
    private readonly path: string,
    private readonly options: ToZarrOptions,
    private readonly codec: ChosenCodec,
  ) {}

  async start(context: StartContext): Promise<void> {
    const { arrays, attributes = {} } = this.options;
    const chunks = arrays.map((name) => chunkOf(context, name, this.options.chunk?.[name]));
    const store = this.#store = await StoreFiles.open(this.path);
    await store.write(...groupDocument(attributes));
    for (const [n, name] of arrays.entries()) {
      await store.write(...arrayDocument(context.cube, name, chunks[n]!, this.codec));
      const { dtype } = context.cube.array(name);
      this.#arrays.set(name, { chunk: chunks[n]!, encode: await encoderOf(stepsOf(this.codec, dtype)) });
    }
  }

  /** Writes the chunks of a tile. */
  async put(context: SinkContext): Promise<void> {
    const { name, extents } = context;
    const { chunk, encode } = this.#arrays.get(name)!;
    for (const one of chunksIn(extents, chunk)) {
      const bytes = bytesOf(context, one, chunk);
      if (bytes) await this.#store!.write(chunkFile(name, one.index), await encode(bytes));
    }
  }

  async stop(complete: boolean): Promise<void> {
    const store = this.#store;
    this.#store = undefined;
    await store?.end(complete);
  }
}
