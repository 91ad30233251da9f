/**
 * Views and filters of random files, against `numpy.pad` and `scipy.ndimage`.
 *
 * @module
 */

import { readBox } from "../../../src/cli/inputs/frames.ts";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { openStored as open } from "../../../src/formats/open.ts";
import { type Context, createContext } from "../../../src/runner/context.ts";
import type { Border } from "../../../src/space/border.ts";
import { wholeBox } from "../../../src/space/box.ts";
import { dtypeInfo, type TypedArray } from "../../../src/space/dtype.ts";
import { mapViews } from "../../../src/views/map/map_views.ts";
import { labelImage } from "../../../src/views/measure/label_image.ts";
import { planViews } from "../../../src/views/plan.ts";
import { openViews } from "../../../src/views/tiles/open.ts";
import { ViewReader } from "../../../src/views/view.ts";
import { sha256 } from "../../formats/read_all.ts";
import type { Made } from "./maker.ts";
/** An array, and some views of it. */
export interface MadeViews extends Made {
  /** Shape of a tile. */
  readonly tile: readonly number[];
  /** Samples of halo before a tile, per dimension. */
  readonly front: readonly number[];
  /** Samples of halo behind it. */
  readonly back: readonly number[];
  /** Borders, per dimension. */
  readonly modes: readonly Border[];
  /** The constant of borders. */
  readonly fill: number;
  /** Digests of views by the index of their tile. */
  readonly views: readonly {
    readonly index: readonly number[];
    readonly shape: readonly number[];
    readonly sha256: string;
  }[];
}

/** An array, and what a filter makes of it. */
export interface MadeResult extends Made {
  /** Shape of a tile. */
  readonly tile: readonly number[];
  /** The border. */
  readonly border: Border;
  /** The constant of the border. */
  readonly fill: number;
  /** Parameters of the filter, which is named by the writer. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Whether results of integers must be equal. */
  readonly exact: boolean;
  /** A `.npy` file with the result. */
  readonly expected: string;
}

/** Contexts: on the calling thread, and on workers. */
export class Contexts implements AsyncDisposable {
  readonly #inline = createContext({ workers: 0, memory: 2 ** 26 });
  readonly #pooled = createContext({ workers: 2, memory: 2 ** 26 });

  /** Every fourth file is computed on workers. */
  of(index: number): Context {
    return index % 4 === 3 ? this.#pooled : this.#inline;
  }

  /** Ends the workers. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#inline[Symbol.asyncDispose]();
    await this.#pooled[Symbol.asyncDispose]();
  }
}

/** What is wrong with views. */
export async function viewDifferences(path: string, made: MadeViews, contexts: Contexts): Promise<string[]> {
  const { tile, front, back, modes: border, fill } = made;
  const context = contexts.of(made.index);
  const options = { tile, radius: { front, back }, border, fill, context };
  try {
    const dataset = await open(path);
    const wrong = await readOneByOne(dataset, made, options);
    return [...wrong, ...await readFromTiles(dataset, made, options)];
  } catch (error) {
    return [`cannot be read: ${error instanceof Error ? error.message : error}`];
  }
}

type Options = Pick<MadeViews, "tile" | "fill"> & {
  readonly radius: { readonly front: readonly number[]; readonly back: readonly number[] };
  readonly border: readonly Border[];
  readonly context: Context;
};

async function readOneByOne(dataset: StoredDataset, made: MadeViews, options: Options): Promise<string[]> {
  await using reader = await ViewReader.open(planViews(dataset, options));
  const wrong: string[] = [];
  for (const { index, shape, sha256: expected } of made.views) {
    using view = await reader.read(index);
    if (`${view.shape}` !== `${shape}`) wrong.push(`the view ${index} has the shape ${view.shape}`);
    else if (digest(view.data) !== expected) wrong.push(`the view ${index} has other samples`);
  }
  return wrong;
}

async function readFromTiles(dataset: StoredDataset, made: MadeViews, options: Options): Promise<string[]> {
  await using views = await openViews(dataset, options);
  views.requestMany(made.views.map(({ index }) => index));
  views.finish();
  const expected = new Map(made.views.map(({ index, sha256 }) => [`${index}`, sha256]));
  const wrong: string[] = [];
  let count = 0;
  for await (using view of views) {
    count++;
    if (digest(view.data) !== expected.get(`${view.index}`)) {
      wrong.push(`the view ${view.index} of loaded tiles has other samples`);
    }
  }
  return count === made.views.length ? wrong : [...wrong, `${count} views came of ${made.views.length}`];
}

function digest(data: TypedArray): string {
  return sha256(new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice());
}

/** What is wrong with the result of a filter. */
export async function filterDifferences(
  path: string,
  made: MadeResult,
  contexts: Contexts,
): Promise<string[]> {
  const { writer: name, params, tile, border, fill, exact } = made;
  try {
    const dataset = await open(path);
    const operation = { name, operation: name, params: clean(params) };
    const context = contexts.of(made.index);
    const { data, dtype } = name === "labels"
      ? (await labelImage(dataset, { ...params, tile, context })).labels
      : await mapViews(dataset, operation, { border, fill, tile, context });
    const reference = await open(made.expected);
    const { data: expected } = await readBox(reference, wholeBox(reference.shape));
    const isExact = name === "labels" || (exact && dtypeInfo(dataset.dtype).kind !== "f");
    return far(data, expected, isExact && dtypeInfo(dtype).kind !== "f");
  } catch (error) {
    return [`fails: ${error instanceof Error ? error.message : error}`];
  }
}

function clean(params: Readonly<Record<string, unknown>>): never {
  return params as never; // the table of operations checks them
}

/** How far results are off: no difference for integers, else 1e-6 of the largest number. */
function far(data: TypedArray, expected: TypedArray, isExact: boolean): string[] {
  if (data.length !== expected.length) return [`gives ${data.length} samples, not ${expected.length}`];
  let [most, off, place] = [0, 0, 0];
  for (let i = 0; i < data.length; i++) {
    most = Math.max(most, Math.abs(Number(expected[i])));
    const difference = Math.abs(Number(data[i]) - Number(expected[i]));
    if (difference > off) [off, place] = [difference, i];
  }
  const allowed = isExact ? 0 : 1e-6 * most;
  if (off <= allowed) return [];
  return [`is off by ${off} at ${place} (${data[place]}, not ${expected[place]}); ${allowed} is allowed`];
}
