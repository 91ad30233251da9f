/** What every runtime computes: a scan, a file of another format, a UDF of a user, a filter and a cube; in digests. */

import {
  annularDetector,
  arrayOf,
  boxMean,
  centreOfMass,
  createContext,
  expression,
  hypercube,
  mapViews,
  open,
  PHASE_ARRAYS,
  phaseKernel,
  plan,
  planTiles,
  run,
  standardDeviation,
  sumFrames,
  udf,
} from "./package_names.ts";

/** Where the data is. */
export interface Inputs {
  /** A scan of {@link SCAN}, without a header. */
  readonly raw: string | Blob;
  /** `tests/data/hdf5/filters.h5`. */
  readonly filters: string | Blob;
  /** `tests/data/hdf5/library.h5`, which a package reads. */
  readonly library: string | Blob;
  /** The module {@link ./own_udf.ts}, which workers import. */
  readonly own: string;
}

/** The scan: 8 MiB, enough for many partitions. */
export const SCAN = { format: "raw", dtype: "uint16", nav: [64, 64], sig: [32, 32] } as const;

/** Bytes of the scan, the same everywhere. */
export function scanBytes(): Uint8Array<ArrayBuffer> {
  const samples = Uint16Array.from({ length: 64 * 64 * 32 * 32 }, (_, i) => Math.imul(i, 2654435761) >>> 20);
  return new Uint8Array(samples.buffer);
}

/** Digests by name, on `workers` workers. */
export async function digests(inputs: Inputs, workers: number): Promise<Record<string, string>> {
  await using context = createContext({ workers, memory: "64MiB" });
  if (context.workers !== workers) throw new Error(`${context.workers} workers instead of ${workers}`);
  return { ...await ofScan(inputs, context), ...await ofFiles(inputs, context), ...await ofTiles(context) };
}

type Context = ReturnType<typeof createContext>;
type Samples = ArrayBufferView | readonly bigint[];

async function ofScan({ raw, own }: Inputs, context: Context) {
  const scan = await open(raw, SCAN);
  const results = await run(
    await plan(scan, {
      dp: sumFrames(),
      ring: annularDetector({ ri: 4, ro: 12 }),
      com: centreOfMass(),
      spread: standardDeviation(),
      bright: expression("count(x > 2000)"),
      power: udf(own, { params: { exponent: 2 } }),
    }, { context, partitions: 16 }),
  );
  const { dp, ring, com, spread, bright, power } = results;
  return {
    dp: await digest(dp.intensity.data),
    ring: await digest(ring.intensity.data),
    com: await digest(com.raw_com!.data as ArrayBufferView),
    spread: await digest(spread.std.data),
    bright: await digest(bright.value.data),
    power: await digest(power.sum!.data as ArrayBufferView),
  };
}

async function ofFiles({ filters, library }: Inputs, context: Context) {
  const found: Record<string, string> = {};
  for (
    const [file, array] of [[filters, "/lzf"], [filters, "/bitshuffle_zstd"], [library, "/szip"]] as const
  ) {
    const { dp } = await run(await plan(await open(file, { array }), { dp: sumFrames() }, { context }));
    found[array] = await digest(dp.intensity.data);
  }
  return found;
}

async function ofTiles(context: Context) {
  const image = new Float32Array(512 * 512).map((_, i) => Math.imul(i, 2654435761) >>> 20);
  const array = arrayOf(await open({ data: image, shape: [512, 512] }));
  const means = await mapViews(array, boxMean({ radius: 3 }), { context });
  const cube = hypercube({ dimensions: { nsrc: 8, ntime: 12, na: 7, nchan: 16 }, arrays: PHASE_ARRAYS });
  const phases: string[] = [];
  const fill = (scale: number) => ({ shape }: { readonly shape: readonly number[] }) =>
    Float64Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => scale * (1 + i));
  await run(planTiles(cube, { context, tile: ["ntime"] }), {
    kernel: phaseKernel(),
    sources: { lm: fill(0.001), uvw: fill(3), frequency: fill(1e8) },
    sinks: {
      complex_phase: async ({ data }) => void phases.push(await digest(data.data as ArrayBufferView)),
    },
  });
  return { boxes: await digest(means.data), phases: phases.join() };
}

/** SHA-256 of samples, its first 16 digits. */
async function digest(samples: Samples): Promise<string> {
  const { buffer, byteOffset, byteLength } = samples as Uint8Array;
  const copy = new Uint8Array(buffer, byteOffset, byteLength).slice(); // not of shared memory
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", copy));
  return Array.from(bytes.subarray(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
