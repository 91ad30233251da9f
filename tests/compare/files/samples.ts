/**
 * Reads files with Tilewise, and says in words how they differ from what was told.
 *
 * @module
 */

import { readBox } from "../../../src/cli/inputs/frames.ts";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { openAllStored as openAll, openStored as open } from "../../../src/formats/open.ts";
import { box, wholeBox } from "../../../src/space/box.ts";
import type { TypedArray } from "../../../src/space/dtype.ts";
import { ravel, showShape, unravel } from "../../../src/space/shape.ts";
import { sha256 } from "../../formats/read_all.ts";
import { Random } from "../data/random.ts";
import type { Made, Told } from "./maker.ts";

/** What is wrong with what we read; nothing if all is as it was told. */
export async function differences(path: string, made: Made): Promise<string[]> {
  try {
    const found = made.opened ? [] : await openAll(path);
    const wrong: string[] = [];
    for (const told of made.arrays) {
      const dataset = made.opened
        ? await open(path, told.level === undefined || told.level === 0 ? {} : { level: told.level })
        : found.find(({ array }) => array === told.name);
      const text = dataset
        ? await compared(dataset, told, made.index)
        : `is not among ${found.map(({ array }) => array)}`;
      if (text !== undefined) wrong.push(`${told.name} ${text}`);
    }
    const extra = found.filter(({ array }) => !made.arrays.some(({ name }) => name === array));
    if (extra.length > 0 && !made.opened) wrong.push(`has also ${extra.map(({ array }) => array)}`);
    return wrong;
  } catch (error) {
    return [`cannot be read: ${error instanceof Error ? error.message : error}`];
  }
}

async function compared(read: StoredDataset, told: Told, index: number): Promise<string | undefined> {
  const dataset = read.stored ?? read; // its frames may be other dimensions than the last ones
  const essential = (shape: readonly number[]) => told.squeezed ? shape.filter((n) => n !== 1) : shape;
  if (`${essential(dataset.shape)}` !== `${essential(told.shape)}`) {
    return `has the shape ${showShape(dataset.shape)}, not ${showShape(told.shape)}`;
  }
  if (dataset.dtype !== told.dtype) return `has samples of type ${dataset.dtype}, not ${told.dtype}`;
  const { data } = await readBox(dataset, wholeBox(dataset.shape));
  const text = told.near === undefined
    ? sha256(bytesOf(data)) === told.sha256 ? undefined : "has other samples"
    : await far(data, told);
  return text ?? await partDiffers(dataset, data, index);
}

function bytesOf(data: TypedArray): Uint8Array {
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

/** Samples that need not be equal. */
async function far(data: TypedArray, { near, within = 0, mean = 0 }: Told): Promise<string | undefined> {
  const dataset = await open(near!);
  const { data: expected } = await readBox(dataset, wholeBox(dataset.shape));
  let [most, sum] = [0, 0];
  for (let i = 0; i < data.length; i++) {
    const off = Number(data[i]) - Number(expected[i]);
    most = Math.max(most, Math.abs(off));
    sum += off;
  }
  if (most > within) return `has a sample that is off by ${most}; ${within} is allowed`;
  const off = Math.abs(sum / Math.max(1, data.length));
  return off > mean ? `has a mean that is off by ${off}; ${mean} is allowed` : undefined;
}

/** A random part must be that part of the whole. */
async function partDiffers(
  dataset: StoredDataset,
  whole: TypedArray,
  index: number,
): Promise<string | undefined> {
  const { shape } = dataset;
  if (whole.length === 0) return undefined;
  const random = new Random("part", index, dataset.array);
  const origin = shape.map((n) => random.int(0, n - 1));
  const part = box(origin, shape.map((n, d) => random.int(1, n - origin[d]!)));
  const { data } = await readBox(dataset, part);
  const parts = whole.length / shape.reduce((product, n) => product * n, 1); // numbers per sample
  for (let i = 0; i < data.length; i++) {
    const at = unravel(Math.floor(i / parts), part.shape).map((p, d) => p + origin[d]!);
    const other = whole[ravel(at, shape) * parts + i % parts];
    if (!Object.is(data[i], other)) return `differs in its part ${origin} + ${part.shape}`;
  }
  return undefined;
}
