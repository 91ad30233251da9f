/**
 * Values of small data sets of an HDF5 file, also texts: for formats that keep their headers in data sets.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { ByteSource } from "../../io/source/source.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import { asArray } from "./arrays/arrays.ts";
import { elementsOf, firstSamples } from "./conventions/small_reads.ts";
import { numbersOf } from "../common/first_samples.ts";
import { type PlainValue, plainValue } from "./metadata/attributes.ts";
import { Hdf5File } from "./metadata/file.ts";
import { datasetAt, type Found, type Hdf5Dataset, walkFile } from "./metadata/objects.ts";

/** Most bytes of a value. */
const MOST_BYTES = 2 ** 20;

/** The data sets of a file by path. */
export class Hdf5Header {
  private constructor(private readonly name: string, private readonly found: Found) {}

  /** Walks through a file, which must stay open; links to other files are not followed. */
  static async open(source: ByteSource, signal?: AbortSignal): Promise<Hdf5Header> {
    const file = await Hdf5File.open(source, signal);
    return new Hdf5Header(source.name, await walkFile(file, () => Promise.resolve(undefined)));
  }

  /** Paths of all data sets. */
  get paths(): string[] {
    return this.found.datasets.map(({ path }) => path);
  }

  /** The shape of a data set; `undefined` if nothing has that path. */
  shapeOf(path: string): readonly number[] | undefined {
    const dataset = datasetAt(this.found, path);
    return dataset && (asArray(dataset)?.shape ?? dataset.space.shape);
  }

  /** A value: lists are flat; `undefined` if there is no data set of that path. Errors: `unsupported` if it is too large. */
  async value(path: string): Promise<PlainValue | undefined> {
    const dataset = datasetAt(this.found, path);
    if (!dataset) return undefined;
    const { file, type, space } = dataset;
    const count = space.empty ? 0 : space.shape.reduce((product, n) => product * n, 1);
    if (count * type.size > MOST_BYTES) throw this.#tooLarge(dataset, count * type.size);
    const numbers = await this.#numbers(dataset);
    if (numbers) return space.shape.length === 0 ? numbers[0]! : numbers;
    const body = await elementsOf(dataset, count * type.size);
    return body ? await plainValue(file, type, space, body) : null;
  }

  async #numbers(dataset: Hdf5Dataset): Promise<(number | string | boolean)[] | undefined> {
    const array = asArray(dataset);
    if (!array || /complex|float16/.test(array.sample.dtype)) return undefined;
    const bytes = await firstSamples(dataset, array.shape);
    if (!bytes || bytes.length < dtypeInfo(array.sample.dtype).itemSize) return undefined;
    const isBool = array.sample.dtype === "bool";
    const numbers = numbersOf(bytes, array.sample.dtype, array.sample.byteOrder);
    return Array.from(
      numbers as ArrayLike<number | bigint>,
      (value) => isBool ? Number(value) !== 0 : Number(value),
    );
  }

  #tooLarge({ path }: Hdf5Dataset, bytes: number): TilewiseError {
    const text =
      `Cannot read ${path} of ${this.name}: ${bytes} bytes are more than ${MOST_BYTES} for a value`;
    return new TilewiseError("unsupported", text, { file: this.name, expected: MOST_BYTES, found: bytes });
  }
}
