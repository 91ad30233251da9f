/**
 * What every format owes its users, whatever its layout is: the same numbers by any method, region, sync offset,
 * reshape, tiling, executor and kind of source; or a typed error.
 *
 * @module
 */

import "../../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import { type Corrections, correctionsDType } from "../../../src/dataset/corrections.ts";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { positions } from "../../../src/dataset/roi/region.ts";
import type { RoiInput } from "../../../src/dataset/roi/roi.ts";
import { isTilewiseError, type TilewiseError } from "../../../src/errors.ts";
import type { OpenOptions } from "../../../src/formats/open.ts";
import { dtypeInfo, type TypedArray, typedArray } from "../../../src/space/dtype.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import { ravel, sizeOf, unravel } from "../../../src/space/shape.ts";
import type { UdfResult } from "../../../src/udf/interface/buffer_types.ts";
import { centreOfMass } from "../../../src/udf/builtin/centre_of_mass.ts";
import { sumFrames } from "../../../src/udf/builtin/sum_frames.ts";
import { sumPixels } from "../../../src/udf/builtin/sum_pixels.ts";
import { type Context, createContext } from "../../../src/runner/context.ts";
import type { PlanOptions } from "../../../src/udf/plan/plan.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { udf, type UdfRef } from "../../../src/udf/interface/udf_ref.ts";
import { arrayOf } from "../../../src/views/array.ts";
import { type Border, BORDERS } from "../../../src/space/border.ts";
import { planViews } from "../../../src/views/plan.ts";
import { ViewReader } from "../../../src/views/view.ts";
import { frameNumber } from "./conformance_udf.ts";

/** Opens the array that is tested, from one kind of source. */
export type OpenArray = (options: OpenOptions) => Promise<StoredDataset>;

/** What {@link formatConformance} needs besides. */
export interface ConformanceOptions {
  /** A context that runs on the calling thread. */
  readonly inline: Context;
  /** A context with workers. */
  readonly workers: Context;
  /** The same array from other kinds of sources, by name. */
  readonly sources?: Readonly<Record<string, OpenArray>>;
  /** Whether a file of the same kind has passed the whole suite: then methods and small tiles, which find its samples at other places. */
  readonly again?: boolean;
}

/** Every chunk is a request of its own: files with thousands of tiny ones take too long for a test. */
const MOST_REQUESTS = 500;

/** Bytes of a scan with which tiles of single rows, and plain loops, take too long. */
const LARGE = 2 ** 23;

const METHODS = ["byTile", "byFrame", "byPartition"] as const;
const byMethod = (method: typeof METHODS[number]): UdfRef =>
  udf(import.meta.resolve("./conformance_udf.ts"), { export: method });

/**
 * Runs the suite.
 *
 * @param open opens the array with more options
 * @param decoded its samples in C order, little endian, as another program has read them
 */
export async function formatConformance(
  open: OpenArray,
  decoded: Uint8Array,
  options: ConformanceOptions,
): Promise<void> {
  const suite = new Suite(open, await open({}), decoded, options);
  await suite.methods();
  await suite.tiles();
  if (options.again) return;
  if (!suite.isLarge) await suite.sums();
  await suite.regions();
  await suite.syncOffsets();
  await suite.sources();
  if (suite.isLarge) return; // what follows compares with slow plain loops, and depends on the layout in files of any size
  await suite.reshapes();
  await suite.corrections();
  await suite.views();
}

/** What decides how frames are found and decoded: of one kind, one array passes the whole suite. */
export function kindOf({ detection, layout, dtype, sigShape }: StoredDataset): string {
  const { storage, byteOrder, files } = layout;
  const chunks = storage.kind === "chunks" ? storage.chunks : undefined;
  const filters = chunks?.filters.map(({ name }) => name).join();
  const { kind } = dtypeInfo(dtype);
  const odd = [
    files.length > 1,
    chunks?.fill !== undefined,
    chunks?.order !== undefined,
    sigShape.length > 2,
  ];
  return [detection.format, storage.kind, filters, kind, byteOrder, ...odd].join(" ");
}

/** The parts of the suite. */
class Suite {
  /** The numbers of all frames of the scan. */
  readonly #expected: Uint32Array;
  readonly #frames: number;
  readonly #samples: TypedArray;

  constructor(
    private readonly open: OpenArray,
    private readonly scan: StoredDataset,
    private readonly decoded: Uint8Array,
    private readonly options: ConformanceOptions,
  ) {
    this.#frames = scan.frames;
    assertEquals(decoded.length, scan.byteLength);
    this.#expected = Uint32Array.from(
      { length: this.#frames },
      (_, f) => frameNumber(this.#frame(f)),
    );
    const { itemSize } = dtypeInfo(scan.dtype);
    const bytes = decoded.slice();
    this.#samples = typedArray(scan.dtype, bytes.buffer, 0, bytes.length / itemSize);
  }

  /** Whether plain loops over its samples take too long. */
  get isLarge(): boolean {
    return this.decoded.length > LARGE;
  }

  /** Frame by frame, tile by tile, partition by partition: each alone on this thread, and all of them on workers. */
  async methods(): Promise<void> {
    const alone = this.options.again ? [] : METHODS;
    for (const method of alone) await this.#check(this.scan, method, { method });
    const all = Object.fromEntries(METHODS.map((method) => [method, byMethod(method)]));
    const results = await this.#run(this.scan, all, { context: this.options.workers, partitions: 3 });
    for (const method of METHODS) assertEquals(results[method]!.number!.data, this.#expected, method);
  }

  /** Sums and centres of mass. */
  async sums(): Promise<void> {
    const { dtype, sigShape } = this.scan;
    if (dtypeInfo(dtype).kind === "c" || this.#frames === 0) return;
    const isImage = sigShape.length === 2;
    const results = await this.#run(this.scan, {
      sum: sumPixels(),
      total: sumFrames(),
      ...(isImage ? { com: centreOfMass() } : {}),
    });
    const expected = this.#plain();
    near(results.sum!.intensity!.data, expected.sums, expected.sizes, "sum of a frame");
    near(results.total!.intensity!.data, expected.total, expected.totalSizes, "sum of all frames");
    if (!isImage) return;
    const isPlain = expected.sizes.map((size, f) => Math.abs(expected.sums[f]!) > 1e-3 * size);
    const found = results.com!.raw_com!.data;
    expected.centres.forEach((at, i) => {
      const far = Math.abs(Number(found[i]) - at) > 1e-4 * Math.max(1, Math.abs(at));
      if (isPlain[i >> 1] && far) throw new Error(`centre ${i >> 1} is ${found[i]}, not ${at}`);
    });
  }

  /** Regions of interest in their forms; of large scans in one. */
  async regions(): Promise<void> {
    if (this.#frames < 2) return;
    const { navShape } = this.scan;
    const mask = Uint8Array.from({ length: this.#frames }, (_, i) => i % 3 === 1 || i === 0 ? 1 : 0);
    const indices = [...mask.keys()].filter((i) => mask[i] === 1);
    const forms: Record<string, RoiInput> = {
      dense: { data: mask, shape: navShape },
      sparse: { shape: navShape, indices },
      coordinates: positions(indices.map((i) => unravel(i, navShape))),
    };
    for (const [name, roi] of Object.entries(forms).slice(0, this.isLarge ? 1 : Infinity)) {
      await this.#check(this.scan, `region as ${name}`, { roi, frame: (n) => mask[n] ? n : undefined });
    }
  }

  /** Positions before the first image and after the last one are blank; offsets beyond all images are refused. */
  async syncOffsets(): Promise<void> {
    const { images, syncOffset: native } = this.scan;
    if (this.#frames === 0) return;
    for (const by of [1, -1, images - 1, 1 - images]) {
      const offset = native + by;
      if (by === 0 || Math.abs(offset) >= images) continue;
      const scan = await this.open({ syncOffset: offset });
      assertEquals([scan.syncOffset, scan.shape], [offset, this.scan.shape]);
      await this.#check(scan, `sync offset ${offset}`, {
        frame: (n) => n + offset >= 0 && n + offset < images ? n + by : undefined,
      });
    }
    for (const offset of [images, -images, 0.5]) {
      await refused(this.open({ syncOffset: offset }), ["invalid"]);
    }
  }

  /** The same frames in one row; the same samples in one row. */
  async reshapes(): Promise<void> {
    if (this.#frames === 0) return;
    const { pixels, shape } = this.scan;
    const forms: OpenOptions[] = [{ nav: [this.#frames] }, { nav: [this.#frames, 1] }, { sig: [pixels] }];
    for (const options of forms) {
      const scan = await this.open(options).catch((error) => error as TilewiseError);
      if (!(scan instanceof Error)) {
        assertEquals([scan.frames, scan.pixels], [this.#frames, pixels]);
        await this.#check(scan, `as ${scan.shape.join(", ")}`);
      } else if (!isTilewiseError(scan, "unsupported") && !isTilewiseError(scan, "invalid")) throw scan;
    }
    const tooMany = this.open({ sig: [pixels + 1] });
    await refused(tooMany, ["invalid", "unsupported", "truncated"], shape.join());
    await refused(this.open({ nav: [0] }), ["invalid"], shape.join());
  }

  /** Tiles that are larger than partitions, and tiles as small as may be. */
  async tiles(): Promise<void> {
    const large = { partitions: 1000, tileBytes: 2 ** 26 };
    if (!this.options.again) await this.#check(this.scan, "tiles larger than a partition", large);
    const tileBytes = this.isLarge ? 2 ** 16 : 16;
    await this.#check(this.scan, "small tiles", { tileBytes });
  }

  /** Dark frame, gain map and a pixel that means nothing; of complex samples both parts. */
  async corrections(): Promise<void> {
    const { sigShape, pixels, dtype } = this.scan;
    if (this.#frames === 0 || pixels < 2) return;
    const of = (make: (i: number) => number) =>
      ndarray(Float32Array.from({ length: pixels }, (_, i) => make(i)), sigShape, "float32");
    const corrections: Corrections = {
      dark: of((i) => i % 5),
      gain: of((i) => 1 + (i % 3) / 4),
      excluded: [sigShape.map(() => 0)],
    };
    const isComplex = dtypeInfo(dtype).kind === "c";
    assert(correctionsDType(corrections, this.scan).startsWith(isComplex ? dtype : "float"));
    const { it } = await this.#run(this.scan, { it: sumFrames() }, { corrections });
    const around = neighbours(sigShape);
    const units = isComplex ? 2 : 1;
    for (let part = 0; part < units; part++) {
      const { total, totalSizes } = this.#partSums(units, part);
      const dark = (p: number) => part === 0 ? p % 5 : 0;
      const corrected = total.map((sum, p) => (sum - this.#frames * dark(p)) * (1 + (p % 3) / 4));
      const sizes = totalSizes.map((size) => 2 * size + 10 * this.#frames);
      corrected[0] = around.reduce((sum, p) => sum + corrected[p]!, 0) / around.length;
      sizes[0] = Math.max(...around.map((p) => sizes[p]!));
      const found = Array.from(it!.intensity!.data as ArrayLike<number>).filter((_, i) => i % units === part);
      near(found, corrected, sizes, "corrected sum");
    }
  }

  /** Sums over the frames of one part of the samples, which consist of `units` numbers, and of their sizes. */
  #partSums(units: number, part: number): { total: number[]; totalSizes: number[] } {
    const { pixels } = this.scan;
    const total = new Array<number>(pixels).fill(0);
    const totalSizes = [...total];
    for (let i = 0; i < this.#frames * pixels; i++) {
      const value = Number(this.#samples[units * i + part]);
      total[i % pixels]! += value;
      totalSizes[i % pixels]! += Math.abs(value);
    }
    return { total, totalSizes };
  }

  /** The same from memory and over HTTP; what it was opened from has been read by now. */
  async sources(): Promise<void> {
    const known = this.scan.layout.files[0]?.source.kind;
    for (const [name, open] of Object.entries(this.options.sources ?? {})) {
      if (name === known) continue;
      // the shape of a scan may have been found in the times of all frames, which is too dear over HTTP
      const scan = await open(this.scan.navShape.length > 1 ? { nav: this.scan.navShape } : {});
      assertEquals([scan.shape, scan.dtype], [this.scan.shape, this.scan.dtype]);
      const kind = scan.layout.files[0]?.source.kind;
      assert(kind === name || kind === "bytes", `${name} gives ${kind}`); // bytes: it had to be unpacked
      const { storage } = scan.layout;
      if (kind === "http" && storage.kind === "chunks" && storage.chunks.sizes.length > MOST_REQUESTS) {
        continue;
      }
      await this.#check(scan, `from ${name}`, kind === "http" ? { context: this.options.workers } : {});
    }
  }

  /** The same file as tiles with a halo: samples read, repeated, mirrored and from the far side; blank ones are 0. */
  async views(): Promise<void> {
    const { syncOffset, images } = this.scan;
    if (this.#frames * this.scan.pixels === 0) return;
    for (const border of ["edge", "reflect", "wrap"] as const) await this.#views(this.scan, border, 0);
    for (const by of [1, -1]) {
      const offset = syncOffset + by;
      if (Math.abs(offset) < images) {
        await this.#views(await this.open({ syncOffset: offset }), "symmetric", by);
      }
    }
  }

  /** The first view of `scan` and the last; its frames are the next but `by - 1` of the suite's. */
  async #views(scan: StoredDataset, border: Border, by: number): Promise<void> {
    const { shape, navShape, syncOffset, images } = scan;
    const tile = shape.map((n, d) => d < navShape.length ? 1 : Math.ceil(n / 2));
    const { byteLength, readerBytes } = planViews(arrayOf(scan), { tile, radius: 1, border });
    await using context = createContext({ memory: byteLength + readerBytes + 256, workers: 0 });
    const viewPlan = planViews(arrayOf(scan), { tile, radius: 1, border, context });
    await using views = await ViewReader.open(viewPlan);
    const { counts } = viewPlan.grid;
    const pixels = this.#samples.length / this.#frames;
    const expected = (at: readonly number[], unit: number, units: number): number | bigint | undefined => {
      const position = ravel(at.slice(0, navShape.length), navShape);
      if (position + syncOffset < 0 || position + syncOffset >= images) return this.#zero;
      const pixel = ravel(at.slice(navShape.length), shape.slice(navShape.length)) * units + unit;
      const frame = position + by;
      return frame >= 0 && frame < this.#frames ? this.#samples[frame * pixels + pixel] : undefined;
    };
    for (const index of [counts.map(() => 0), counts.map((n) => n - 1)]) {
      using view = await views.read(index);
      const start = index.map((i, d) => i * tile[d]! - 1);
      this.#compareView(view, (at) => at.map((c, d) => BORDERS[border](c + start[d]!, shape[d]!)), expected);
    }
  }

  #compareView(
    { data, shape }: { readonly data: TypedArray; readonly shape: readonly number[] },
    seen: (at: number[]) => number[],
    expected: (at: readonly number[], unit: number, units: number) => number | bigint | undefined,
  ): void {
    const size = sizeOf(shape);
    const units = data.length / size;
    for (let flat = 0; flat < size; flat += 1 + Math.floor(size / 5000)) {
      const at = seen(unravel(flat, shape));
      for (let u = 0; u < units; u++) {
        const wanted = expected(at, u, units);
        const found = data[flat * units + u];
        if (wanted === undefined || Object.is(found, wanted)) continue; // what other images hold nobody has told
        throw new Error(`sample ${at.join(", ")} of a view is ${found}, not ${wanted}`);
      }
    }
  }

  get #zero(): number | bigint {
    return typeof this.#samples[0] === "bigint" ? 0n : 0;
  }

  #frame(f: number): Uint8Array {
    const size = this.decoded.length / this.#frames;
    return this.decoded.subarray(f * size, (f + 1) * size);
  }

  /** The numbers of the frames of `scan` are those of the frames that `frame` names; others are not valid. */
  async #check(scan: StoredDataset, what: string, variation: Variation = {}): Promise<void> {
    const { method = "byTile", frame = (n) => n, ...options } = variation;
    const { it } = await this.#run(scan, { it: byMethod(method) }, options);
    const { data, valid } = it!.number!;
    assertEquals(data.length, this.#frames, what);
    for (let n = 0; n < this.#frames; n++) {
      const source = frame(n);
      const isValid = valid ? valid[n] !== 0 : true;
      if (source === undefined) assert(!isValid, `${what}: frame ${n} should be blank`);
      else if (source >= 0 && source < this.#frames) { // what other images hold nobody has told
        assert(isValid && data[n] === this.#expected[source], `${what}: frame ${n} is not image ${source}`);
      }
    }
  }

  async #run(
    scan: StoredDataset,
    udfs: Readonly<Record<string, UdfRef>>,
    options: PlanOptions = {},
  ): Promise<Readonly<Record<string, UdfResult>>> {
    return await run(
      await plan(scan, udfs, { context: this.options.inline, corrections: "none", ...options }),
    );
  }

  /** Sums and centres by plain loops; `sizes` are sums of absolute values, to know what rounding means. */
  #plain() {
    const { sigShape, pixels } = this.scan;
    const width = sigShape.at(-1) ?? 1;
    const sums = new Array<number>(this.#frames).fill(0);
    const [sizes, centres] = [[...sums], [...sums, ...sums]];
    const total = new Array<number>(pixels).fill(0);
    const totalSizes = [...total];
    for (let f = 0; f < this.#frames; f++) {
      let [y, x] = [0, 0];
      for (let p = 0; p < pixels; p++) {
        const value = Number(this.#samples[f * pixels + p]);
        sums[f]! += value;
        sizes[f]! += Math.abs(value);
        total[p]! += value;
        totalSizes[p]! += Math.abs(value);
        y += value * Math.floor(p / width);
        x += value * (p % width);
      }
      [centres[2 * f], centres[2 * f + 1]] = [y / sums[f]!, x / sums[f]!];
    }
    return { sums, sizes, total, totalSizes, centres };
  }
}

interface Variation extends PlanOptions {
  readonly method?: typeof METHODS[number];
  /** The frame that position `n` shows, if any. */
  readonly frame?: (n: number) => number | undefined;
}

/** Flat places of the pixels around the first one. */
function neighbours(sigShape: readonly number[]): number[] {
  const sides = sigShape.map((n) => Math.min(2, n));
  return Array.from({ length: sizeOf(sides) - 1 }, (_, i) => ravel(unravel(i + 1, sides), sigShape));
}

function near(
  found: ArrayLike<number | bigint>,
  expected: readonly number[],
  sizes: readonly number[],
  what: string,
): void {
  assertEquals(found.length, expected.length, what);
  expected.forEach((value, i) => {
    const isSame = Object.is(Number(found[i]), value) ||
      Math.abs(Number(found[i]) - value) <= 1e-5 * sizes[i]!;
    if (!isSame) throw new Error(`${what}: number ${i} is ${found[i]}, not ${value}`);
  });
}

async function refused(
  work: Promise<unknown>,
  codes: readonly TilewiseError["code"][],
  what = "",
): Promise<void> {
  const error = await work.then((found) => new Error(`it was accepted: ${found} ${what}`), (cause) => cause);
  if (!codes.some((code) => isTilewiseError(error, code))) throw error;
}
