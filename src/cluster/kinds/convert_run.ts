/**
 * Results in chunks, part by part: a part has some chunks of the first level as they lie in the files, and what the next
 * level needs of them.
 *
 * @module
 */

import { throwIfAborted, TilewiseError } from "../../errors.ts";
import type { Context } from "../../runner/face.ts";
import { sourcesOfArray } from "../../views/array.ts";
import type { MapPlan } from "../../views/map/map_plan.ts";
import type { ChunkRange } from "../../views/sinks/chunks/making.ts";
import type { EncodedChunk } from "../../sinks/chunks/made.ts";
import { makePart, pieceSizes } from "../../views/sinks/chunks/parts.ts";
import type { ChunkTarget } from "../../sinks/chunks/target.ts";
import { identitiesOf, mustBeSameInputs } from "../manifest/inputs.ts";
import type { ClusterManifest } from "../manifest/manifest.ts";
import type { PartControl, ReadPart, ReadyRun } from "../manifest/ready_run.ts";
import type { StoredRun } from "../manifest/read.ts";
import { startOf, workOf } from "../manifest/work.ts";
import { nodeName, type TreeNode } from "../store/node.ts";
import type { Part } from "../store/part.ts";
import type { PartStore } from "../store/store.ts";
import { chunkWork, conversionAgain, type FileKind, sinkFor, targetFor } from "./convert_manifest.ts";
import { mustBeCutSo } from "./cut.ts";

/** A result in chunks that is ready to be made. */
export class ConvertRun implements ReadyRun {
  readonly manifest: ClusterManifest;
  readonly digest: string;
  readonly #target: ChunkTarget;

  private constructor(
    { manifest, digest }: StoredRun,
    /** The plan of the whole run. */
    readonly plan: MapPlan,
    /** The files. */
    readonly file: FileKind,
    target: ChunkTarget,
  ) {
    this.manifest = manifest;
    this.digest = digest;
    this.#target = target;
  }

  /** Opens the source, plans, and compares inputs and units with those of the manifest. */
  static async open(
    store: PartStore,
    run: StoredRun,
    context: Context | undefined,
    signal: AbortSignal | undefined,
  ): Promise<ConvertRun> {
    const { plan, file } = await conversionAgain(store, run.manifest, context, signal);
    return await ConvertRun.planned(run, plan, file);
  }

  /** The run of a plan that was made before. */
  static async planned(run: StoredRun, plan: MapPlan, file: FileKind): Promise<ConvertRun> {
    mustBeSameInputs(run.manifest.inputs, await identitiesOf(sourcesOfArray(plan.views.array)));
    const target = targetFor(plan, file);
    mustBeCutSo(run.manifest, chunkWork(plan, target), "the chunks of the result");
    return new ConvertRun(run, plan, file, target);
  }

  async compute(node: TreeNode, { signal, onProgress }: PartControl = {}): Promise<Part> {
    const chunks = new Gathered(), pieces = new Gathered();
    const checksums: number[] = [], kept: number[] = [];
    await makePart(this.plan, signal ? { signal } : {}, this.#target, this.#rangeOf(node), (chunk) => {
      chunks.add(chunk.bytes as Uint8Array); // no file is given to workers
      pieces.add(chunk.piece ?? NOTHING);
      checksums.push(chunk.checksum);
      kept.push(chunk.kept);
      onProgress?.(checksums.length);
    });
    const arrays = {
      sizes: Float64Array.from(chunks.sizes),
      checksums: Float64Array.from(checksums),
      kept: Float64Array.from(kept),
      chunks: chunks.joined(),
      pieces: pieces.joined(),
    };
    return { run: this.digest, node, arrays, values: {} };
  }

  join(): Promise<Part> {
    return Promise.reject(new TilewiseError("corrupt", "Chunks have nothing to merge"));
  }

  results(): Promise<unknown> {
    const text =
      "The result of this run is written to files, not to memory: mergeInto(), or tilewise merge -o";
    return Promise.reject(new TilewiseError("unsupported", text, { expected: this.file.ending }));
  }

  /** Writes the chunks in the order of the files, and makes the smaller levels; one part is held at a time. */
  async into(path: string, read: ReadPart, { signal, onProgress }: PartControl = {}): Promise<void> {
    const settings = {
      ...(signal ? { signal } : {}),
      ...(onProgress ? { onProgress: ({ tiles }: { readonly tiles: number }) => onProgress(tiles) } : {}),
    };
    await sinkFor(path, this.file).store(this.plan, settings, this.#chunks(read, signal));
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  /** The chunks of all parts, in order. */
  async *#chunks(read: ReadPart, signal: AbortSignal | undefined): AsyncGenerator<EncodedChunk, void> {
    const { units, framesOf } = workOf(this.manifest);
    const sizes = pieceSizes(this.plan, this.#target);
    for (const unit of units) {
      throwIfAborted(signal);
      const own = Array.from({ length: framesOf(unit) }, () => sizes.next().value ?? 0);
      yield* chunksIn(await read(unit), own);
    }
  }

  #rangeOf(node: TreeNode): Required<ChunkRange> {
    const first = startOf(this.manifest, node);
    return { first, stop: first + workOf(this.manifest).framesOf(node) };
  }
}

const NOTHING = new Uint8Array(0);

/** Bytes one after another. */
class Gathered {
  readonly sizes: number[] = [];
  readonly #all: Uint8Array[] = [];

  /** Adds a copy. */
  add(bytes: Uint8Array): void {
    this.sizes.push(bytes.length);
    if (bytes.length > 0) this.#all.push(bytes.slice());
  }

  joined(): Uint8Array {
    const out = new Uint8Array(this.sizes.reduce((sum, size) => sum + size, 0));
    let at = 0;
    for (const bytes of this.#all) {
      out.set(bytes, at);
      at += bytes.length;
    }
    return out;
  }
}

/** The chunks of a part; `pieceSizes` are the bytes of their pieces. */
function* chunksIn({ node, arrays }: Part, pieceSizes: readonly number[]): Generator<EncodedChunk> {
  const { sizes = [], checksums = [], kept = [], chunks = NOTHING, pieces = NOTHING } = arrays as Partial<
    Record<string, Float64Array> & Record<"chunks" | "pieces", Uint8Array>
  >;
  const sum = (numbers: ArrayLike<number>) => Array.from(numbers).reduce((all, n) => all + n, 0);
  const count = pieceSizes.length;
  const fits = [sizes, checksums, kept].every(({ length }) => length === count) &&
    sum(sizes) === chunks.length && sum(pieceSizes) === pieces.length;
  if (!fits) {
    const text = `Part ${nodeName(node)} does not fit the result; delete it and compute it again`;
    throw new TilewiseError("malformed", text, { node: nodeName(node) });
  }
  let [at, piece] = [0, 0];
  for (const [i, size] of pieceSizes.entries()) {
    const bytes = chunks.subarray(at, at += sizes[i] ?? 0);
    const own = size > 0 ? { piece: pieces.subarray(piece, piece += size) } : {};
    yield { bytes, checksum: checksums[i] ?? 0, kept: kept[i] ?? 0, ...own };
  }
}
