/** Every UDF that comes with Tilewise, with sample parameters, and two scans to run them on. */

import * as blobs from "../../../src/udf/builtin/blobfinder/mod.ts";
import { applyMasks } from "../../../src/udf/builtin/apply_masks.ts";
import { centreOfMass } from "../../../src/udf/builtin/centre_of_mass.ts";
import { crystallinity } from "../../../src/udf/builtin/crystallinity.ts";
import {
  annularDetector,
  diskDetector,
  pointDetector,
  rectangularDetector,
} from "../../../src/udf/builtin/detectors.ts";
import { expression } from "../../../src/udf/builtin/expression.ts";
import { fftOfFrames, fftOfSum } from "../../../src/udf/builtin/fft_of.ts";
import { fluctuation } from "../../../src/udf/builtin/fluctuation.ts";
import { mapFrames } from "../../../src/udf/builtin/map_frames.ts";
import { pixelValues } from "../../../src/udf/builtin/pixel_values.ts";
import { radialFourier } from "../../../src/udf/builtin/radial_fourier.ts";
import { kernelUdf } from "../../../src/udf/kernel_udf/kernel_udf.ts";
import type { UdfResult } from "../../../src/udf/interface/buffer_types.ts";
import { objectsOf } from "../../../src/udf/buffers/object_results.ts";
import { builtin, type UdfRef } from "../../../src/udf/interface/udf_ref.ts";
import { BUILTINS } from "../../../src/udf/worker/builtins.ts";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import type { DType } from "../../../src/space/dtype.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import { memoryScan, type ScanOptions } from "../data.ts";
import { addDisk, congruential } from "../blobfinder/frames.ts";

/** Shape of the scan: not a multiple of the leaves of the merge tree, which have 32 frames. */
export const NAV = [15, 20] as const;
/** Shape of a frame: no multiple of a vector of 16 bytes. */
export const SIG = [24, 27] as const;
const FRAMES = 300;
const PIXELS = 24 * 27;

/** Frames of disks on a lattice that moves from position to position, with noise; counts, or the same with fractions. */
function values(fractions: boolean): Float64Array {
  const noise = congruential(7);
  const data = Float64Array.from({ length: FRAMES * PIXELS }, () => Math.floor(16 * noise.next().value!));
  for (let f = 0; f < FRAMES; f++) {
    const frame = data.subarray(f * PIXELS, (f + 1) * PIXELS);
    const at = [6.3 + Math.sin(f) / 2, 7.2 + Math.cos(3 * f) / 2];
    for (const [i, j] of [[0, 0], [0, 1], [1, 0], [1, 1]]) {
      const centre = [at[0]! + 11 * i! + f / 400, at[1]! + 12 * j!] as const;
      addDisk(frame, SIG, centre, 3, (share, p) => frame[p]! += Math.floor(300 * share) + (f % 11));
    }
  }
  return fractions ? data.map((v, i) => (v - 20) * Math.PI - (i % 7) / 3) : data;
}

/** The counts, as another type holds them. */
export function countsAs(dtype: DType, options?: ScanOptions): StoredDataset {
  return memoryScan(DATA.uint16, NAV, SIG, dtype, options);
}

/** The scans: counts, numbers with fractions, and the same with samples that are not numbers, or extreme ones. */
export type Scan = "uint16" | "float32" | "special";

const DATA = { uint16: values(false), float32: values(true), special: special() };

const scans = new Map<string, StoredDataset>();

/** One of the scans, made once. */
export function scanOf(which: Scan, options: ScanOptions = {}): StoredDataset {
  const key = JSON.stringify([which, options]);
  const scan = scans.get(key) ??
    memoryScan(DATA[which], NAV, SIG, which === "special" ? "float32" : which, options);
  scans.set(key, scan);
  return scan;
}

/** Some frames with a few odd samples, one with many, one of zeros, one constant, one without any number. */
function special(): Float64Array {
  const noise = congruential(9);
  const odd = [NaN, Infinity, -Infinity, -0, 1e30, 1e-40];
  const data = values(true).map((value, i) => {
    const chance = noise.next().value!;
    const share = Math.floor(i / PIXELS) % 50 === 7 ? 0.3 : Math.floor(i / PIXELS) % 5 === 2 ? 0.002 : 0;
    return chance < share ? odd[Math.floor(chance / share * odd.length)]! : value;
  });
  for (const [f, value] of [[20, 0], [24, 7], [28, NaN]] as const) {
    data.fill(value, f * PIXELS, (f + 1) * PIXELS);
  }
  return data;
}

const weights = ndarray(Float32Array.from({ length: PIXELS }, (_, i) => Math.sin(i)), SIG, "float32");
const gain = ndarray(Float32Array.from({ length: PIXELS }, (_, i) => 1 + Math.cos(i) / 3), SIG, "float32");
const pattern = blobs.radialGradientBackgroundSubtractionPattern({ radius: 3 });
const lattice = { zero: [6.3, 7.2], a: [11, 0], b: [0, 12] } as const;
const indices = [[0, 0], [0, 1], [1, 0], [1, 1]] as const;
const positions = ndarray(
  Float32Array.from({ length: FRAMES * 4 }, (_, i) => (i * 37 % 23) + (i % 5) / 7),
  [...NAV, 2, 2],
  "float32",
);
const shifts = ndarray(
  Float32Array.from({ length: FRAMES * 2 }, (_, i) => (i * 5 % 9) - 4),
  [...NAV, 2],
  "float32",
);

const SOURCE = `
export function frame(data: usize, rows: i32, cols: i32, most: usize, image: usize, scale: f64): void {
  let best: f32 = -f32.MAX_VALUE;
  for (let i = 0; i < rows * cols; i++) {
    const x = load<f32>(data + 4 * i);
    if (x > best) best = x;
    store<f32>(image + 4 * i, load<f32>(image + 4 * i) + <f32>(x * scale));
  }
  store<f32>(most, best);
}`;

/** Those that take parameters, by the names of `src/udf/worker/builtins.ts`, each in one or more ways. */
const GIVEN: Readonly<Record<string, readonly UdfRef[]>> = {
  annular_detector: [annularDetector(), annularDetector({ cy: 6.5, cx: 8, ri: 2, ro: 5 })],
  centre_of_mass: [
    centreOfMass(),
    centreOfMass({ cy: 11.5, cx: 13, r: 9, ri: 2, regression: 1, scanRotation: 20, flipY: true }),
  ],
  correlate_pattern: (["fast", "full", "sparse"] as const).map((method) =>
    blobs.correlatePattern({
      pattern,
      method,
      peaks: [[6, 7], [17, 19]],
      ...(method === "fast" ? { shifts } : {}),
    })
  ),
  crystallinity: [
    crystallinity({ ri: 2, ro: 9 }),
    crystallinity({ ri: 1, ro: 7, real: { cy: 12, cx: 13, r: 3 } }),
  ],
  disk_detector: [diskDetector(), diskDetector({ cy: 5, cx: 6.5, r: 4.2 })],
  expression: [
    expression({
      bright: "count(x > 40)",
      root: "sum(sqrt(max(x * gain, 0)))",
      image: "frames.sum(x * gain)",
    }, {
      arrays: { gain },
    }),
    expression("frames.max(x) - frames.mean(x)", { precision: "float64" }),
  ],
  family: (["sum_pixels", "sum_frames", "min_max"] as const).map((kernel) => kernelUdf({ kernel })),
  fluctuation: [fluctuation(), fluctuation({ cy: 6.5, cx: 8, ri: 2, ro: 5 })],
  fft_of_frames: [fftOfFrames(), fftOfFrames({ real: { cy: 12, cx: 13, r: 3 } })],
  fft_of_sum: [fftOfSum(), fftOfSum({ real: { cy: 12, cx: 13, r: 3 } })],
  integrate_peaks: [blobs.integratePeaks({ pattern, positions })],
  kernel: [
    kernelUdf({
      name: "brightest",
      source: SOURCE,
      buffers: { most: { kind: "nav" }, image: { kind: "sig" } },
      params: { scale: 0.7 },
      merge: "sum",
    }),
  ],
  map_frames: [
    mapFrames(import.meta.resolve("./map_functions.ts"), { monitor: true }),
    mapFrames(import.meta.resolve("./map_functions.ts"), { export: "complex" }),
  ],
  apply_masks: [
    applyMasks({ masks: [weights, { cy: 12, cx: 20, ro: 10, ri: 4 }] }),
    applyMasks({ masks: [{ cy: 12, cx: 13, ro: 10, ri: 4 }, { cy: 3, cx: 4, ro: 2 }] }),
    applyMasks({ masks: [weights, { cy: 12, cx: 20, ro: 3 }], useSparse: true }),
    applyMasks({ masks: [weights, { cy: 12, cx: 20, ro: 10 }], shifts }),
    applyMasks({ masks: [{ make: "radialFourierMasks", cy: 12, cx: 13, bins: 2, maxOrder: 3 }] }),
  ],
  pixel_values: [pixelValues({ at: [[3, 4], [20, 26], [11, 0]] })],
  point_detector: [pointDetector(), pointDetector({ cy: 3, cx: 4 })],
  radial_fourier: [
    radialFourier({ bins: 3, maxOrder: 6 }),
    radialFourier({ cy: 11.3, cx: 12.1, ri: 1, ro: 8, bins: 2, maxOrder: 4 }),
  ],
  record_frames: [], // its result is a file: tests/udf/run/export_dataset_test.ts
  rectangular_detector: [rectangularDetector(), rectangularDetector({ y: 2, x: 3, height: 5, width: 11 })],
  refine_lattice: [
    blobs.refineLattice({ ...lattice, indices, pattern }),
    blobs.refineLattice({ ...lattice, indices, pattern, match: "affine", upsample: true }),
  ],
  strain_map: [
    blobs.strainMap({ ...lattice, indices, pattern }),
    blobs.strainMap({
      ...lattice,
      indices,
      pattern,
      method: "sparse",
      form: "infinitesimal",
      reference: "mean",
    }),
  ],
};

/** Whether a UDF takes no parameters: the function that makes it declares none. */
export async function takesNone(name: string): Promise<boolean> {
  return /^function \w+\(\)/.test(String(await BUILTINS[name]!()));
}

const names = await Promise.all(
  Object.keys(BUILTINS).map(async (name) => !(name in GIVEN) && await takesNone(name) ? [name] : []),
);

/** All UDFs, each in one or more ways. */
export const SAMPLES: Readonly<Record<string, readonly UdfRef[]>> = {
  ...GIVEN,
  ...Object.fromEntries(names.flat().map((name) => [name, [builtin(name)]])),
};

/** All samples by `name 0`, `name 1`, ….. */
export const ALL: Readonly<Record<string, UdfRef>> = Object.fromEntries(
  Object.entries(SAMPLES).flatMap(([name, refs]) => refs.map((ref, i) => [`${name} ${i}`, ref])),
);

/** The digest of every result, with type, shape and valid mask. */
export async function digests(results: Readonly<Record<string, UdfResult>>): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [key, buffers] of Object.entries(results)) {
    for (const [name, { data, shape, dtype, valid }] of Object.entries(buffers)) {
      found[`${key}.${name}`] = `${dtype} ${shape.join("×")} ${await sha256(data)} ${await sha256(valid)}`;
    }
    for (const [name, { data }] of Object.entries(objectsOf(buffers))) {
      found[`${key}.${name}`] = JSON.stringify(data);
    }
  }
  return found;
}

async function sha256(data: ArrayBufferView | undefined): Promise<string> {
  if (!data) return "all";
  const bytes = new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}
