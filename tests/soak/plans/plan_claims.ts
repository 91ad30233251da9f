/**
 * Claims that no machine can keep: shapes, regions, parameters of UDFs and options of plans that are far too large.
 *
 * All follow from a seed. Files claim what their headers say; those that must be as long as they claim are sparse.
 *
 * @module
 */

import {
  applyMasks,
  centreOfMass,
  type Dataset,
  expression,
  fluctuation,
  mapFrames,
  open,
  radialFourier,
  sumFrames,
  sumPixels,
} from "../../../mod.ts";
import type { PlanOptions } from "@tilewise/tilewise/run";
import type { UdfInput } from "@tilewise/tilewise/udf";
import * as blobs from "@tilewise/tilewise/unstable/blobs";
import { crystallinity, fftOfFrames, fftOfSum, standardDeviation } from "../../../mod.ts";
import { noop } from "@tilewise/tilewise/unstable/analyses";

/** A claim: what is opened, and what is planned over it. */
export interface Claim {
  /** In words. */
  readonly name: string;
  /** Opens the data set. */
  readonly dataset: () => Promise<Dataset>;
  /** Makes the UDFs. */
  readonly udfs: () => Readonly<Record<string, UdfInput>>;
  /** What else the plan is given. */
  readonly options: () => Omit<PlanOptions, "context">;
}

/** Draws that follow from a seed. */
class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** One of a list. */
  one<T>(list: readonly T[]): T {
    return list[Math.floor(this.#next() * list.length)]!;
  }

  /** A whole number, on a logarithmic scale. */
  size(least: number, most: number): number {
    return Math.round(least * (most / least) ** this.#next());
  }

  /** From 0 to 1 (mulberry32). */
  #next(): number {
    this.#state = this.#state + 0x6d2b79f5 | 0;
    let mixed = Math.imul(this.#state ^ this.#state >>> 15, 1 | this.#state);
    mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed;
    return ((mixed ^ mixed >>> 14) >>> 0) / 2 ** 32;
  }
}

/** The claim of `seed`; files are made in `folder`. */
export function claimOf(seed: number, folder: string): Claim {
  const dice = new Dice(seed);
  const [source, dataset] = dice.one(SOURCES)(dice, folder);
  const [work, udfs] = dice.one(WORKS)(dice);
  const [how, options] = dice.one(WAYS)(dice);
  return { name: `${source}; ${work}; ${how}`, dataset, udfs, options };
}

type Source = (dice: Dice, folder: string) => [name: string, dataset: () => Promise<Dataset>];

const DTYPES = ["uint8", "uint16", "float32", "float64"] as const;

/** Data sets: most are larger than they should be, some are of an ordinary size, for claims of others. */
const SOURCES: readonly Source[] = [
  ordinary,
  ordinary,
  (dice) => raw("wide scan", [dice.size(1e3, 3e7), dice.size(1, 1e6)], dice),
  (dice) => raw("long scan", [dice.size(1e6, 2 ** 53)], dice),
  (dice, folder) => sparse("large frames", folder, [2], [dice.size(1e3, 7e5), dice.size(1e3, 7e5)], dice),
  (dice, folder) => sparse("long frames", folder, [3], [dice.size(1e6, 3e11), 1], dice),
  (dice, folder) => sparse("many frames", folder, [dice.size(1e3, 1e5), 1e4], [16, dice.size(1, 60)], dice),
  (dice, folder) => sparse("many pixels", folder, [dice.size(1e3, 1e6)], [dice.size(8, 1e3), 1e3], dice),
  (dice) => npy([dice.size(10, 1e9), dice.size(10, 1e9), dice.size(10, 1e5), dice.size(10, 1e5)]),
  (dice) => hdf5([dice.size(10, 1e6), 1000, dice.size(100, 1e5), dice.size(100, 1e5)], dice),
  (dice) => hdf5([dice.size(1e3, 1e10), dice.size(1, 1e3), 10, 10], dice),
  (dice) => mrc([dice.size(1, 2 ** 31), dice.size(1, 2 ** 31), dice.size(1, 2 ** 31)]),
  (dice) => mib([dice.size(1, 1e9), dice.size(1, 1e9)]),
];

function ordinary(dice: Dice): ReturnType<Source> {
  const [side, frames] = [dice.one([8, 64, 128, 256]), dice.one([4, 16])];
  const data = new Uint8Array(frames * side * side);
  const name = `${frames} frames of ${side} × ${side}`;
  return [name, () => open(data, { format: "raw", dtype: "uint8", nav: [frames], sig: [side, side] })];
}

function raw(what: string, nav: number[], dice: Dice): ReturnType<Source> {
  const [dtype, data, sig] = [
    dice.one(DTYPES),
    new Uint8Array(80_000),
    dice.one([[10, 10], [100, 10], [1, 1]]),
  ];
  const options = { format: "raw", dtype, nav, sig } as const;
  return [`${what}: raw ${nav} | ${sig} ${dtype}`, () => open(data, options)];
}

/** A file that is as long as it should be, without a byte in it. */
function sparse(what: string, folder: string, nav: number[], sig: number[], dice: Dice): ReturnType<Source> {
  const dtype = dice.one(DTYPES);
  const bytes = [...nav, ...sig].reduce((a, b) => a * b, Number(/\d+/.exec(dtype)![0]) / 8);
  const make = async () => {
    const path = `${folder}/claim.raw`;
    await Deno.writeFile(path, new Uint8Array(0));
    await Deno.truncate(path, bytes);
    return await open(path, { format: "raw", dtype, nav, sig });
  };
  return [`${what}: file ${nav} | ${sig} ${dtype}`, make];
}

function npy(shape: number[]): ReturnType<Source> {
  const text = `{'descr': '<u2', 'fortran_order': False, 'shape': (${shape.join(", ")},), }`;
  const head = Uint8Array.from(text.padEnd(117) + "\n", (letter) => letter.charCodeAt(0));
  const bytes = Uint8Array.of(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, head.length, 0, ...head);
  return [`npy ${shape}`, () => open(bytes)];
}

/**
 * An HDF5 file with one array of u8 in chunks, of which none is stored: made by h5py with
 * `create_dataset("d", shape=(1000, 1000, 10000, 10000), chunks=(1, 1, 10000, 10000), dtype="u1")`, compressed by gzip.
 */
const HDF5 =
  "H4sIAAAAAAACA+v0cHHj5ZLiYgABDg4GFgYBBmTwHwoqWFH5MPkEKM0IpTug9AommDgjWE4CKi4INR9dXUiQqytI9X80ALPHgAVC" +
  "czCMgpEIPFwdA0B0BJQPS6UnmFDVpaClRw8K7WVkYIWYxQjjQ0xkZIEIvGBmQKEF1FFpQvLMQJ8wQv3DiJTCWYE0iM/EzMQIEVWAqGdihWUNRqgWkFEg" +
  "DHVhBE3jIdjP3wWUo2H5UIF5NG2SAwAplIZeeAUAAA==";

/** Where its shape stands twice, and the shape of a chunk. */
const [SHAPES, CHUNK] = [[832, 864], 955] as const;

function hdf5(shape: number[], dice: Dice): ReturnType<Source> {
  const chunk = shape.map((n) => Math.ceil(n / dice.size(1, 30)));
  const make = async () => {
    const zipped = Uint8Array.from(atob(HDF5), (letter) => letter.charCodeAt(0));
    const unzipped = new Blob([zipped]).stream().pipeThrough(new DecompressionStream("gzip"));
    const bytes = await new Response(unzipped).bytes();
    const view = new DataView(bytes.buffer);
    for (const at of SHAPES) shape.forEach((n, d) => view.setBigUint64(at + 8 * d, BigInt(n), true));
    chunk.forEach((n, d) => view.setUint32(CHUNK + 4 * d, n, true));
    return await open(bytes);
  };
  return [`hdf5 ${shape} in chunks of ${chunk}`, make];
}

function mrc([columns, rows, sections]: number[]): ReturnType<Source> {
  const bytes = new Uint8Array(4096);
  const view = new DataView(bytes.buffer);
  [columns, rows, sections, 6].forEach((n, i) => view.setUint32(4 * i, n!, true));
  bytes.set([0x4d, 0x41, 0x50, 0x20, 0x44, 0x44], 208);
  return [`mrc ${columns} × ${rows} × ${sections}`, () => open(bytes, { format: "mrc" })];
}

function mib([width, height]: number[]): ReturnType<Source> {
  const head = `MQ1,000001,00384,01,${width},${height},U08,   1x1,01,2020-01-01 00:00:00.000000,0.001,0,0,0`;
  const bytes = new Uint8Array(1e4);
  bytes.set(Uint8Array.from(head.padEnd(384), (letter) => letter.charCodeAt(0)));
  return [`mib ${width} × ${height}`, () => open(bytes, { format: "mib" })];
}

type Work = (dice: Dice) => [name: string, udfs: () => Readonly<Record<string, UdfInput>>];

const one = (name: string, make: () => UdfInput): ReturnType<Work> => [name, () => ({ one: make() })];

const WORKS: readonly Work[] = [
  () => one("sum of frames", () => sumFrames()),
  () => one("sum of pixels", () => sumPixels()),
  () => one("deviation", () => standardDeviation()),
  () => one("nothing", () => noop()),
  () => ["six at once", () => ({ a: sumPixels(), b: sumFrames(), c: radialFourier(), d: fftOfSum() })],
  (dice) => {
    const [bins, maxOrder] = [dice.size(1, 1e9), dice.one([0, 24, 1e4, 1e9])];
    return one(`radial ${bins} bins to ${maxOrder}`, () => radialFourier({ bins, maxOrder }));
  },
  () => one("radial", () => radialFourier({})),
  (dice) => {
    const [make, bins] = [dice.one(["radialBins", "sparseRadialBins"] as const), dice.size(10, 1e9)];
    const masks = [{ make, cy: 4, cx: 4, bins }];
    return one(`mask ${make} of ${bins}`, () => applyMasks({ masks }));
  },
  (dice) => {
    const [bins, maxOrder] = [dice.size(1, 1e5), dice.size(1, 1e9)];
    const masks = [{ make: "radialFourierMasks" as const, cy: 4, cx: 4, bins, maxOrder }];
    return one(`Fourier masks ${bins} bins to ${maxOrder}`, () => applyMasks({ masks }));
  },
  (dice) => {
    const count = dice.size(1, 1e5);
    const masks = Array.from({ length: count }, (_, i) => ({ cy: i % 64, cx: 4, ro: 3 }));
    return one(`${count} disks`, () => applyMasks({ masks }));
  },
  (dice) => {
    const stamps = [{ mask: dice.size(1, 1e9), y: 0, x: 0 }];
    const masks = [{ make: "stampDisks" as const, r: dice.size(1, 1e6), stamps }];
    return one(`stamp of mask ${stamps[0]!.mask}, r ${masks[0]!.r}`, () => applyMasks({ masks }));
  },
  (dice) => {
    const [make, count] = [dice.one(["gradientX", "gradientY"] as const), dice.size(1, 1e4)];
    return one(
      `${count} masks ${make}`,
      () => applyMasks({ masks: Array.from({ length: count }, () => ({ make })) }),
    );
  },
  (dice) => {
    const [count, r] = [dice.size(1, 1e5), dice.size(1, 200)];
    const stamps = Array.from({ length: count }, (_, mask) => ({ mask, y: mask % 64, x: mask % 61 }));
    return one(`${count} stamps of ${r}`, () => applyMasks({ masks: [{ make: "stampDisks", r, stamps }] }));
  },
  (dice) => {
    const r = dice.size(1, 1e9);
    return one(`centre of mass within ${r}`, () => centreOfMass({ r, ri: r / 2 }));
  },
  () =>
    one(
      "expression with an array",
      () => expression("sum(x * gain)", { arrays: { gain: new Float32Array(8192) } }),
    ),
  () => one("crystallinity", () => crystallinity({ ri: 1, ro: 1e6 })),
  () => one("fluctuation", () => fluctuation({ ri: 1, ro: 3 })),
  () => one("transforms", () => fftOfFrames()),
  () => one("transform of the sum", () => fftOfSum({ real: { cy: 1, cx: 1, r: 1e9 } })),
  (dice) => {
    const [radius, count] = [dice.size(1, 1e7), dice.size(1, 1e4)];
    const peaks = Array.from({ length: count }, () => [4, 4] as const);
    const method = dice.one(["fast", "full", "sparse"] as const);
    const upsample = dice.one([false, 20, 1e6]);
    const options = { peaks, method, ...(method === "sparse" ? {} : { upsample }) };
    const make = () => blobs.correlatePattern({ pattern: blobs.circularPattern({ radius }), ...options });
    return one(`correlate ${count} disks of ${radius} by ${method}, upsample ${upsample}`, make);
  },
  (dice) => {
    const [radius, count] = [dice.size(1, 1e7), dice.size(1, 1e5)];
    const peaks = Array.from({ length: count }, () => [4, 4] as const);
    const make = () => blobs.featureVector({ pattern: blobs.circularPattern({ radius }), peaks });
    return one(`features of ${count} disks of ${radius}`, make);
  },
  () => one("expression of samples", () => expression("sqrt(x) * row + col")),
  () => one("expression of frames", () => expression("sum(x * row)")),
  (dice) => {
    const shape = [dice.size(1, 1e9), dice.one([1, 1e3])];
    return one(`map to ${shape}`, () => mapFrames(() => 0, { dtype: "float64", shape }));
  },
  () => one("map", () => mapFrames((frame) => frame[0]!)),
  (dice) => {
    const extraShape = Array.from({ length: dice.one([1, 2, 3]) }, () => dice.size(1, 1e12));
    const kind = dice.one(["nav", "sig", "single"] as const);
    const own = { name: "own", buffers: { it: { kind, extraShape, merge: "sum" } }, processFrame() {} };
    return one(`own buffers ${kind} ${extraShape}`, () => own as unknown as UdfInput);
  },
  (dice) => {
    const length = dice.size(1e6, 2 ** 53);
    const own = { buffers: { it: { kind: "nav" } }, scratch: () => ({ room: { dtype: "uint8", length } }) };
    return one(`own scratch ${length}`, () => ({ name: "own", ...own, processFrame() {} }) as UdfInput);
  },
];

type Way = (dice: Dice) => [name: string, options: () => Omit<PlanOptions, "context">];

const WAYS: readonly Way[] = [
  () => ["as it is", () => ({})],
  () => ["as it is", () => ({})],
  (dice) => {
    const partitions = dice.size(1, 2 ** 53 - 1);
    return [`${partitions} partitions`, () => ({ partitions })];
  },
  (dice) => {
    const tileBytes = dice.one([1, 64, 1e6, 1e12, 2 ** 53 - 1]);
    return [`tiles of ${tileBytes}`, () => ({ tileBytes })];
  },
  () => ["all of the scan", () => ({ roi: { range: ":" } })],
  () => ["all of two", () => ({ roi: { range: ":,:" } })],
  () => ["a few positions", () => ({ roi: { positions: [[0, 0], [1, 0]] } })],
  (dice) => {
    const shape = [dice.size(1e3, 2 ** 53 - 1)];
    return [`sparse mask of ${shape}`, () => ({ roi: { shape, indices: [0, 1] } })];
  },
  () => ["a mask of two", () => ({ roi: [true, false] })],
  () => ["a mask of ten million", () => ({ roi: { mask: { data: new Uint8Array(1e7), shape: [1e7] } } })],
  () => ["a list of a million", () => ({ roi: new Array(1e6).fill(true) })],
  () => ["sparse tiles", () => ({ backends: ["csr"] })],
  () => ["coo tiles", () => ({ backends: ["coo", "csc"] as never })],
];
