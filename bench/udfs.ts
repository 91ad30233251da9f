/**
 * Our UDFs over whole scans: seconds from the start of a run to its results, with warm workers and a warm page cache.
 *
 * @module
 */

import {
  applyMasks,
  centreOfMass,
  type Context,
  createContext,
  type Dataset,
  logSum,
  type NdArray,
  ndarray,
  noop,
  open,
  pickFrames,
  plan,
  type PlanOptions,
  radialFourier,
  type Results,
  run,
  standardDeviation,
  sumFrames,
  sumPixels,
  type UdfRef,
} from "@tilewise/tilewise";
import type { BenchAux, BenchData } from "./data.ts";
import { type BenchRow, measure, type MeasureOptions } from "./timing.ts";

/** The radius of the disk for the centre of mass, in frame sides: that of the peers. */
const COM_RADIUS = 0.47;

/** A workload: what is computed, and with which options. */
export interface Workload {
  /** The UDFs. */
  readonly udfs: Readonly<Record<string, UdfRef>>;
  /** Corrections, region of interest. */
  readonly options?: PlanOptions;
}

/** Every workload by the name that the peers use. */
export async function workloads(data: BenchData, aux: BenchAux): Promise<Record<string, Workload>> {
  const side = data.sig[0];
  const dense = await readMasks(aux.masksDense);
  const rings = await readMasks(aux.masksRings);
  const masks = (stack: readonly NdArray[], count: number) => ({
    masks: applyMasks({ masks: stack.slice(0, count) }),
  });
  const spread = (count: number) =>
    masks(rings.filter((_, m) => m % Math.floor(rings.length / count) === 0), count);
  const corrections = { dark: await readArray(aux.dark), gain: await readArray(aux.gain) };
  const all: Record<string, Workload> = {
    noop: { udfs: { noop: noop() } },
    sum: { udfs: { sum: sumFrames() } },
    sumsig: { udfs: { sumsig: sumPixels() } },
    stddev: { udfs: { stddev: standardDeviation() } },
    all: { udfs: { sum: sumFrames(), sumsig: sumPixels(), stddev: standardDeviation() } },
    masks1: { udfs: masks(dense, 1) },
    masks16: { udfs: masks(dense, 16) },
    masks64: { udfs: masks(dense, 64) },
    rings16: { udfs: spread(16) }, // rings and disks, as the peers choose them
    rings64: { udfs: spread(64) },
    com: { udfs: { com: centreOfMass({ cy: side / 2, cx: side / 2, r: COM_RADIUS * side }) } },
    "corrected-sum": { udfs: { sum: sumFrames() }, options: { corrections } },
    logsum: { udfs: { logsum: logSum() } },
    "radial-fourier": { udfs: { radial: radialFourier({ bins: 5, maxOrder: 4 }) } },
    "radial-fourier-24": { udfs: { radial: radialFourier() } }, // one ring, 25 orders
    pick: { udfs: { pick: pickFrames() }, options: { roi: [[1, 1]] } },
  };
  if (data.kind !== "tiny") return all;
  return Object.fromEntries(Object.entries(all).filter(([name]) => !/mask|ring|corrected/.test(name)));
}

/** Times workloads on 1 and 2 workers; `check` sees the results before anything is timed. */
export async function benchUdfs(
  data: BenchData,
  aux: BenchAux,
  names: readonly string[] | undefined,
  options: MeasureOptions & {
    workers?: readonly number[];
    check?: (name: string, results: Results) => void;
  } = {},
): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  const scan = await openData(data);
  const table = await workloads(data, aux);
  for (const workers of options.workers ?? [1, 2]) {
    await using context = createContext({ memory: 512 * 2 ** 20, workers });
    for (const [name, work] of Object.entries(table)) {
      if (names && !names.includes(name)) continue;
      rows.push(await timed(`${name} ${data.kind}`, data.bytes, workers, context, scan, work, options, name));
    }
  }
  return rows;
}

async function timed(
  title: string,
  bytes: number,
  workers: number,
  context: Context,
  scan: Dataset,
  { udfs, options: more }: Workload,
  options: MeasureOptions & { check?: (name: string, results: Results) => void },
  name: string,
): Promise<BenchRow> {
  const once = async () => await run(await plan(scan, udfs, { ...more, context }));
  options.check?.(name, await once());
  return { name: title, by: "simd", workers, bytes, ...await measure(once, options) };
}

/** Opens a file of test data. */
export function openData(data: BenchData): Promise<Dataset> {
  const nav = { nav: data.nav };
  if (data.kind === "mib") return open(data.path, nav);
  return open(data.path, { ...nav, format: "raw", dtype: data.dtype as "uint16", sig: data.sig });
}

async function readMasks(path: string): Promise<NdArray[]> {
  const stack = await readArray(path);
  const [count, ...shape] = stack.shape as [number, ...number[]];
  const size = stack.data.length / count;
  return Array.from(
    { length: count },
    (_, m) => ndarray(stack.data.slice(m * size, (m + 1) * size), shape, "float32"),
  );
}

/** Reads a small float32 file as one array. */
export async function readArray(path: string): Promise<NdArray> {
  const file = await Deno.readFile(path);
  const header = new TextDecoder().decode(file.subarray(0, 256));
  const shape = /'shape': \(([^)]*)\)/.exec(header)![1]!.split(",").filter((n) => n.trim()).map(Number);
  const start = 10 + file[8]! + 256 * file[9]!;
  return ndarray(new Float32Array(file.slice(start).buffer), shape, "float32");
}
