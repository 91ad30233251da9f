/**
 * A test of a UDF in one call: the same bits for any way to cut the scan, and on any executor.
 *
 * @module
 */

import type { ChannelHost } from "../../channels/host/host.ts";
import type { HostOptions } from "../../channels/host/options.ts";
import type { StoredDataset } from "../../dataset/dataset.ts";
import { TilewiseError } from "../../errors.ts";
import { openStored } from "../../formats/open.ts";
import { type ArrayOf, type ByteOrder, type DType, dtypeInfo, type TypedArray } from "../../space/dtype.ts";
import type { NDArray } from "../../space/ndarray.ts";
import { type Shape, sizeOf } from "../../space/shape.ts";
import { MOST_WORKERS } from "../../executor/pool/pool.ts";
import { checkOptionNames, defined, isNamed, type OptionNames } from "../../options.ts";
import { must, number, oneOf, whole } from "../../options/rules.ts";
import { dtypeName, shapeFrom } from "../../space/rules.ts";
import type { BufferTypes, ObjectArray, UdfResult } from "../interface/buffer_types.ts";
import { type Context, createContext } from "../../runner/context.ts";
import { refsOf, type UdfInput } from "../plan/given.ts";
import { objectsOf } from "../buffers/object_results.ts";
import type { PlanOptions } from "../plan/plan.ts";
import { udfPlan } from "../run/plan.ts";
import { udf, type UdfRef, type UdfTypes } from "../interface/udf_ref.ts";
import { randomSamples, seeded, toArray } from "./random.ts";

/**
 * Options of {@link testUdf}.
 * @category Testing
 */
export interface UdfTestOptions<D extends DType = DType> {
  /** Seed of the samples. Any number. Default 1. */
  readonly seed?: number;
  /** Type of the samples. Default `uint16`. */
  readonly dtype?: D;
  /** Shape of the scan. Default 15 × 20. */
  readonly nav?: Shape;
  /** Shape of a frame. Default 6 × 8; rows of 200 for runs whose tiles hold a part of a frame. */
  readonly sig?: Shape;
  /** Kind of samples: `counts` from 0 to 100, `finite` values of any size, or `any`, with NaN. Default `counts`. */
  readonly samples?: "counts" | "finite" | "any";
  /** Worker threads of the runs on workers; 0 skips these runs, as needed for a UDF that is not in a module. Default 2. */
  readonly workers?: number;
  /** Starts a host with these options for each run, for a UDF that calls it. Default: none. */
  readonly channels?: HostOptions;
}

// deno-fmt-ignore: written by `deno task build`
const TEST_OPTIONS: OptionNames<UdfTestOptions> = {
  seed: number, dtype: dtypeName, nav: shapeFrom(1, "[15, 20]"), sig: shapeFrom(1, "[6, 8]"),
  samples: oneOf("counts", "finite", "any"), workers: whole(0, MOST_WORKERS),
  channels: must("options of startHost()", (value) => isNamed(value)),
};

/**
 * The outcome of {@link testUdf}.
 * @category Testing
 */
export interface UdfTest<R extends BufferTypes = BufferTypes, D extends DType = DType> {
  /** The samples: all frames, one after another. */
  readonly data: ArrayOf<D>;
  /** The results, on which all runs agreed: compare them with a plain computation. */
  readonly results: UdfResult<R>;
  /** The ways in which it was run. */
  readonly variants: readonly string[];
}

interface Variant {
  readonly name: string;
  readonly options?: PlanOptions;
  readonly workers?: number;
  readonly order?: ByteOrder;
  readonly company?: boolean;
}

/**
 * Runs a UDF over a small random scan: in one piece, in many partitions, with tiles of one row, on workers, with the
 * other byte order, on a region of interest. Errors: `udf`, which names the run and the first number that differs, or
 * the shared data that the UDF has changed.
 *
 * @param it the UDF
 * @param options the scan, and how many workers
 * @returns the scan and the results, for comparisons of your own
 *
 * @example
 * ```ts
 * import { sumPixels } from "@tilewise/tilewise";
 * import { testUdf } from "@tilewise/tilewise/testing";
 * import { assertEquals } from "@std/assert";
 * const { data, results } = await testUdf(sumPixels(), { sig: [2, 3], workers: 0 });
 * const first = data.subarray(0, 6).reduce((a, b) => a + b);
 * assertEquals(results.intensity.data[0], first);
 * ```
 * @category Testing
 */
export async function testUdf<U extends UdfInput, D extends DType = "uint16">(
  it: U,
  options?: UdfTestOptions<D>,
): Promise<UdfTest<UdfTypes<U>, D>>;
export async function testUdf(it: UdfInput, options: UdfTestOptions = {}): Promise<UdfTest> {
  checkOptionNames("testUdf()", options, TEST_OPTIONS);
  const ref = refsOf("testUdf()", { it }).it!;
  const { nav = [15, 20], sig = [6, 8], workers = 2 } = options;
  const scan = new Scan(ref, { ...options, nav, sig });
  const results = await scan.run({ name: "in one piece", options: { partitions: 1 } });
  const variants = partitionVariants(sizeOf(nav), workers);
  for (const variant of variants) compareRuns(ref.name, variant.name, results, await scan.run(variant));
  const roi = Array.from({ length: sizeOf(nav) }, (_, f) => f % 3 !== 1);
  const part = await scan.run({ name: "", options: { roi } });
  const cut = { name: "on a region of interest, in 5 partitions", options: { roi, partitions: 5 } };
  compareRuns(ref.name, cut.name, part, await scan.run(cut));
  if (!scan.derives) compareRows(ref.name, nav, roi, results, part);
  // Small frames are not cut into tiles, so another scan has large frames, unless the caller gave a shape.
  const { itemSize } = dtypeInfo(options.dtype ?? "uint16");
  const large = new Scan(ref, { ...options, nav: [5], sig: options.sig ?? [Math.ceil(100 / itemSize), 200] });
  const whole = await large.run({ name: "" });
  const tiles = tileVariants(large.rowBytes);
  for (const variant of tiles) compareRuns(ref.name, variant.name, whole, await large.run(variant));
  const names = [...variants, cut, ...tiles].map(({ name }) => name);
  return { data: scan.data, results, variants: ["in one piece", ...names] };
}

/** A random scan, and one UDF on it. */
class Scan {
  readonly data: TypedArray;
  readonly rowBytes: number;
  /** Whether the UDF has a function that makes results from its buffers. */
  derives = false;
  readonly #open: (order: ByteOrder) => Promise<StoredDataset>;
  readonly #channels: HostOptions | undefined;

  constructor(
    private readonly ref: UdfRef,
    options: UdfTestOptions & { readonly nav: Shape; readonly sig: Shape },
  ) {
    const { seed = 1, dtype = "uint16", nav, sig, samples = "counts" } = options;
    const { itemSize, unitSize } = dtypeInfo(dtype);
    this.#channels = options.channels;
    this.rowBytes = (sig.at(-1) ?? 1) * itemSize;
    this.data = toArray(dtype, randomSamples(seeded(seed), dtype, sizeOf(nav) * sizeOf(sig), samples));
    const bytes = new Uint8Array(this.data.buffer, this.data.byteOffset, this.data.byteLength);
    this.#open = (byteOrder) => {
      const stored = byteOrder === "big" ? swapped(bytes, unitSize) : bytes;
      return openStored(stored, { format: "raw", dtype, byteOrder, nav, sig });
    };
  }

  async run({ options = {}, workers = 0, order = "little", company = false }: Variant): Promise<UdfResult> {
    await using context = createContext({ memory: 64 * 2 ** 20, workers });
    const udfs = { it: this.ref, ...(company ? { company: COMPANY } : {}) };
    const planned = await udfPlan(await this.#open(order), udfs, { ...options, context });
    const { udf, derivations } = planned.udfs[0]!;
    this.derives = udf.results !== undefined || derivations.length > 0;
    await using host = await this.#host(context);
    return (await planned.run({ checkWrites: true, ...defined({ channels: host }) })).it!;
  }

  async #host(context: Context): Promise<ChannelHost | undefined> {
    if (!this.#channels) return undefined;
    const { startHost } = await import("../../channels/host/host.ts");
    return await startHost(context, this.#channels);
  }
}

function partitionVariants(frames: number, workers: number): Variant[] {
  const here: Variant[] = [
    { name: "in 3 partitions", options: { partitions: 3 } },
    { name: "in as many partitions as can be", options: { partitions: frames } },
    { name: "with the other byte order", order: "big" },
  ];
  const there = { name: `on ${workers} workers, in 5 partitions`, options: { partitions: 5 }, workers };
  return workers > 0 ? [...here, there] : here;
}

function tileVariants(row: number): Variant[] {
  return [
    { name: "in small tiles", options: { tileBytes: row } },
    { name: "beside a UDF that wants tiles of few rows", company: true },
  ];
}

/** Its wish makes the tiles of the run small, whatever other UDFs ask for. */
const COMPANY = udf({
  name: "company",
  buffers: { nothing: { kind: "nav" } },
  tiling: { depth: 1, totalBytes: 512 },
  processTile: () => {},
});

function swapped(bytes: Uint8Array, unit: number): Uint8Array {
  const copy = bytes.slice();
  for (let at = 0; at < copy.length; at += unit) copy.subarray(at, at + unit).reverse();
  return copy;
}

function compareRuns(name: string, how: string, expected: UdfResult, found: UdfResult): void {
  const others = everyResult(found);
  for (const [result, array] of Object.entries(everyResult(expected))) {
    compare(name, how, result, valuesOf(array), valuesOf(others[result]!));
  }
}

/** Arrays of numbers and of JSON values by their names. */
function everyResult(result: UdfResult): Record<string, NDArray | ObjectArray> {
  return { ...result, ...objectsOf(result) };
}

/**
 * Compares buffers with one entry per frame, which must not depend on the other selected frames; results of results()
 * may.
 */
function compareRows(
  udf: string,
  nav: Shape,
  mask: readonly boolean[],
  whole: UdfResult,
  part: UdfResult,
): void {
  const parts = everyResult(part);
  for (const [name, array] of Object.entries(everyResult(whole))) {
    const other = parts[name]!;
    const perFrame = nav.every((size, d) => array.shape[d] === size) &&
      other.shape.length === array.shape.length;
    if (!perFrame || array.shape.some((size, d) => other.shape[d] !== size)) continue;
    const [a, b] = [valuesOf(array), valuesOf(other)];
    const entry = a.length / mask.length;
    const chosen = (values: ArrayLike<unknown>) =>
      Array.from(values).filter((_, i) => mask[Math.floor(i / entry)]);
    compare(udf, "on a region of interest", name, chosen(a), chosen(b));
  }
}

function valuesOf({ data }: NDArray | ObjectArray): ArrayLike<unknown> {
  return data as ArrayLike<unknown>;
}

function compare(udf: string, how: string, name: string, a: ArrayLike<unknown>, b: ArrayLike<unknown>): void {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    if (Object.is(a[i], b[i]) || JSON.stringify(a[i]) === JSON.stringify(b[i]) && typeof a[i] === "object") {
      continue;
    }
    const [found, expected] = [b[i], a[i]].map((value) =>
      typeof value === "object" ? JSON.stringify(value) : String(value)
    );
    const text = `UDF "${udf}" gives another result when it is run ${how}: ${name}[${i}] is ${found}, not ` +
      `${expected}`;
    throw new TilewiseError("udf", text, { udf, run: how, result: name, index: i });
  }
}
