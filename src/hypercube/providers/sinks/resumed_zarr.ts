/**
 * A Zarr group of outputs that a later run can go on with: its chunks are written, noted and checked as those of results of
 * views are.
 *
 * @module
 */

import { type EncodeAll, encoderOf } from "../../../codecs/encoders/registry.ts";
import { type Checksum, checksumOfRuntime } from "../../../io/checksum.ts";
import { PartialFolder } from "../../../io/write/partial_folder.ts";
import type { Shape } from "../../../space/shape.ts";
import type { ChosenCodec } from "../../../sinks/chunks/chunk_options.ts";
import { type ChunkFiles, ChunkWriter } from "../../../sinks/chunks/chunk_writer.ts";
import type { ChunkPlace } from "../../../sinks/chunks/target.ts";
import { stepsOf } from "../../../sinks/zarr/metadata.ts";
import { mustBeStore } from "../../../sinks/zarr/replaced.ts";
import type { SinkContext, StartContext } from "../context.ts";
import { arrayDocument, bytesOf, chunkFile, chunkOf, chunksIn, groupDocument } from "./group.ts";
import { digestOf, outOfOrder, tilesOf } from "./resume.ts";

/** What is written. */
export interface GroupFacts {
  /** The outputs. */
  readonly arrays: readonly string[];
  /** Samples per chunk, by the names of outputs. */
  readonly chunk: Readonly<Record<string, Shape>>;
  /** The codec. */
  readonly codec: ChosenCodec;
  /** Attributes of the group. */
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** An output. */
interface Output {
  readonly name: string;
  readonly chunk: Shape;
  readonly encode: EncodeAll;
}

/** A group that is being written, or was by an earlier run. */
export class ResumedGroup implements AsyncDisposable {
  /** The number of the first chunk of each output of each tile, and of all chunks. */
  readonly #first: number[] = [];

  private constructor(
    private readonly outputs: readonly Output[],
    private readonly partial: PartialFolder,
    private readonly writer: ChunkWriter,
    private readonly checksum: Checksum,
    context: StartContext,
  ) {
    let count = 0;
    for (const cube of tilesOf(context)) {
      for (const { name, chunk } of outputs) {
        this.#first.push(count);
        count += [...chunksIn(cube.arrayExtents(name), chunk)].length;
      }
    }
    this.#first.push(count);
  }

  /** Makes the group at `path`, or goes on with that of an earlier run with the same words `resume`. */
  static async open(
    context: StartContext,
    path: string,
    { arrays, chunk: asked, codec, attributes }: GroupFacts,
    resume: string,
  ): Promise<ResumedGroup> {
    const { cube } = context;
    const names = [...cube.arrays.keys()].filter((name) => arrays.includes(name)); // sinks are called in this order
    const outputs = await Promise.all(names.map(async (name): Promise<Output> => {
      const encode = await encoderOf(stepsOf(codec, cube.array(name).dtype));
      return { name, chunk: chunkOf(context, name, asked[name]), encode };
    }));
    await mustBeStore(path);
    const chunks = outputs.map(({ chunk }) => chunk);
    const digest = await digestOf(context, names, { kind: "zarr", chunks, codec, attributes, resume });
    const partial = await PartialFolder.open(path, { digest, resume: true, kind: "folder" });
    try {
      const target: ChunkFiles = {
        kind: "folder",
        head: 0,
        places: () => placesOf(context, outputs),
        around: () => [],
        documents: () => [
          groupDocument(attributes),
          ...outputs.map(({ name, chunk }) => arrayDocument(cube, name, chunk, codec)),
        ],
      };
      const writer = await ChunkWriter.open(target, partial, () => true);
      return new ResumedGroup(outputs, partial, writer, await checksumOfRuntime(), context);
    } catch (error) {
      await partial[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Tiles that need not be computed. */
  get completed(): number {
    const { length } = this.outputs;
    const firsts = this.#first.filter((_, i) => i > 0 && i % length === 0); // of the next tile, and the end
    const missing = firsts.findIndex((first) => first > this.writer.done);
    return missing < 0 ? firsts.length : missing;
  }

  /** Writes the chunks of a tile, unless an earlier run has done it. */
  async put(context: SinkContext): Promise<void> {
    const { name, tile, extents } = context;
    const which = this.outputs.findIndex((output) => output.name === name);
    const { chunk, encode } = this.outputs[which]!;
    let number = this.#first[tile * this.outputs.length + which]!;
    const chunks = [...chunksIn(extents, chunk)];
    if (chunks.length !== this.#first[tile * this.outputs.length + which + 1]! - number) {
      throw outOfOrder("toZarr()", context);
    }
    for (const one of chunks) {
      if (number++ < this.writer.done) continue;
      if (number - 1 !== this.writer.done) throw outOfOrder("toZarr()", context);
      const plain = bytesOf(context, one, chunk);
      const bytes = plain ? await encode(plain) : 0;
      await this.writer.put({ bytes, checksum: bytes === 0 ? 0 : this.checksum(bytes), kept: 0 });
    }
  }

  /** Writes what is left: what an error leaves can be resumed. */
  flush(): void {
    this.writer.flush();
  }

  /** Gives the group its name. */
  async finish(): Promise<void> {
    await this.writer.finish();
    await this.partial.finish(this.writer.files());
  }

  /** Keeps what is complete, unless the group has its name. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.partial[Symbol.asyncDispose]();
  }
}

/** All chunks, tile by tile. */
function* placesOf(context: StartContext, outputs: readonly Output[]): Generator<ChunkPlace, void> {
  for (const cube of tilesOf(context)) {
    for (const { name, chunk } of outputs) {
      for (const { index } of chunksIn(cube.arrayExtents(name), chunk)) {
        yield { level: 0, index, file: chunkFile(name, index), slot: 0, last: true };
      }
    }
  }
}
