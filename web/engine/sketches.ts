/**
 * What analyses would show of a scan: computed on a few frames of it that are in memory, so that nothing is read.
 *
 * @module
 */

import { type Context, type Dataset, open, read } from "@tilewise/tilewise";
import type { AnalysisChoice } from "../state/state.ts";
import { answer, type Step } from "./answering.ts";
import { FirstPasses } from "./first_passes.ts";
import type { Keeping, NamedResult } from "./session.ts";

/** Most rows and columns of positions. */
const SIDE = 12;

/** Most bytes of their frames. */
const MOST = 32 * 2 ** 20;

/** Sketches of one scan. */
export class Sketches {
  readonly #passes = new FirstPasses();
  #scan: Promise<Dataset | undefined> | undefined;

  /** Of the scan that is kept in memory; `files` are those that values name. */
  constructor(
    private readonly kept: Keeping & { readonly dataset: Dataset },
    private readonly context: Context,
    private readonly files: ReadonlyMap<string, Blob>,
  ) {}

  /** The results of an analysis on a few frames; none where the scan is not in memory. */
  async of(analysis: AnalysisChoice, signal: AbortSignal): Promise<readonly NamedResult[]> {
    await this.kept.settled;
    const dataset = await (this.#scan ??= fewFrames(this.kept, this.context));
    if (!dataset || signal.aborted) return [];
    const { context, files } = this;
    const desk = { dataset, context, files, passes: this.#passes, partitions: 1 };
    let last: Step | undefined;
    for await (const step of answer({ analysis }, desk, signal, () => {})) last = step;
    return last?.results() ?? [];
  }
}

/** A small scan of positions in even rows and columns; of scans with more dimensions, of their first image. */
async function fewFrames(
  { state, dataset }: Keeping & { readonly dataset: Dataset },
  context: Context,
): Promise<Dataset | undefined> {
  if (state !== "yes") return undefined;
  const { navShape, sigShape, byteLength, frames } = dataset;
  const side = Math.min(SIDE, Math.floor(Math.sqrt(MOST * frames / byteLength)));
  if (side < 1) return undefined;
  const last = navShape.length - 2;
  const places = navShape.map((size, d) => d < last ? 0 : evenly(size, side));
  const { data, dtype, shape: found, valid } = await read(dataset, places, { context });
  const shape = [1, 1, ...found].slice(-2 - sigShape.length);
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const each = bytes.length / (shape[0]! * shape[1]!);
  valid?.forEach((isThere, n) => isThere || bytes.fill(0, n * each, (n + 1) * each)); // they add nothing
  const stride = shape.map((_, d) => shape.slice(d + 1).reduce((product, n) => product * n, 1));
  return await open({ data, dtype, shape, stride } as Parameters<typeof open>[0], { nav: shape.slice(0, 2) });
}

/** A range of at most `count` of the indices below `size`, at even distances. */
function evenly(size: number, count: number): string {
  const step = Math.ceil(size / count);
  return `${step >> 1}:${size}:${step}`;
}
