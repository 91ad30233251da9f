/**
 * Tilewise computes on arrays larger than memory, tile by tile, at the speed of the storage.
 *
 * This entry has the names that most programs need. The others, each `@tilewise/tilewise` and:
 *
 * - `/analyses`: options of analyses
 * - `/arrays`: arrays and dtypes
 * - `/channels`: kernels that do their own I/O
 * - `/formats`: what can be opened
 * - `/hypercube`: named dimensions and a budget
 * - `/masks`: masks over a frame
 * - `/notebook`: live results
 * - `/observations`: observations and skies
 * - `/results`: files, manifests
 * - `/rime`: the measurement equation
 * - `/run`: contexts, plans, errors
 * - `/testing`: tests of UDFs
 * - `/udf`: types for UDFs of your own
 * - `/views`: filters, labels, measures
 * - `/web`: tiles for pages
 *
 * Names of these entries stay until the next major version (in 0.x: the next minor one). Those of the following may change
 * in any version: `/unstable/analyses`, `/unstable/arrays`, `/unstable/blobs`, `/unstable/channels`, `/unstable/cluster`,
 * `/unstable/formats`, `/unstable/hypercube`, `/unstable/kernels`, `/unstable/masks`, `/unstable/observations`,
 * `/unstable/results`, `/unstable/rime`, `/unstable/run`, `/unstable/testing`, `/unstable/udf`, `/unstable/views`,
 * `/unstable/web`.
 *
 * Programs, to run and not to import from: `/cli` (the command line), `/worker` (what workers run in bundles), `/offline`
 * (fetches packages ahead).
 *
 * @example From frames to a picture
 * ```ts
 * import { annularDetector, open, plan, run, save, sumFrames } from "@tilewise/tilewise";
 *
 * // A path such as "scan.mib", a URL, a File, a Blob, or bytes; here: 4 × 4 frames of 16 × 16 pixels.
 * const frames = Uint8Array.from({ length: 4 * 4 * 16 * 16 }, (_, i) => i % 251);
 * const scan = await open(frames, { format: "raw", dtype: "uint8", nav: [4, 4], sig: [16, 16] });
 *
 * const planned = await plan(scan, { dp: sumFrames(), haadf: annularDetector({ ri: 4, ro: 8 }) });
 * console.log(planned.explain()); // tiles, bytes to read, peak memory, and why
 *
 * const { haadf } = await run(planned);
 * const folder = await Deno.makeTempDir();
 * await save(haadf.intensity, `${folder}/haadf.png`);
 * await Deno.remove(folder, { recursive: true });
 * ```
 *
 * @module
 */

export { isTilewiseError, TilewiseError } from "./src/errors.ts";
export type { NDArray } from "./src/space/ndarray.ts";

export type { Dataset } from "./src/dataset/dataset.ts";
export * as roi from "./src/dataset/roi/region.ts";
export { open } from "./src/formats/open.ts";
export { read } from "./src/udf/run/read.ts";

export { type Context, createContext } from "./src/runner/context.ts";
export { plan } from "./src/udf/run/plan.ts";
export type { Plan } from "./src/udf/plan/plan_facts.ts";
export { run } from "./src/run.ts";
export type { PartialResults, Run } from "./src/udf/plan/plan_facts.ts";
export type { Results } from "./src/udf/interface/buffer_types.ts";
export { save } from "./src/pictures/face.ts";

export { udf } from "./src/udf/interface/udf_ref.ts";
export { defineUdf } from "./src/udf/interface/define_udf.ts";
export type { Tile } from "./src/udf/interface/tile.ts";
export type { UdfMeta } from "./src/udf/interface/udf_meta.ts";
export { type FrameInfo, mapFrames } from "./src/udf/builtin/map_frames.ts";
export { expression } from "./src/udf/builtin/expression.ts";

export { applyMasks } from "./src/udf/builtin/apply_masks.ts";
export { centreOfMass } from "./src/udf/builtin/centre_of_mass.ts";
export { guessCorrections } from "./src/udf/builtin/com/guess.ts";
export { clusterFrames } from "./src/udf/cluster/cluster_frames.ts";
export { crystallinity } from "./src/udf/builtin/crystallinity.ts";
export {
  annularDetector,
  diskDetector,
  pointDetector,
  rectangularDetector,
} from "./src/udf/builtin/detectors.ts";
export { fftOfFrames, fftOfSum } from "./src/udf/builtin/fft_of.ts";
export { fluctuation } from "./src/udf/builtin/fluctuation.ts";
export { logSum } from "./src/udf/builtin/log_sum.ts";
export { pickFrames } from "./src/udf/builtin/pick_frames.ts";
export { pixelValues } from "./src/udf/builtin/pixel_values.ts";
export { radialFourier } from "./src/udf/builtin/radial_fourier.ts";
export { standardDeviation } from "./src/udf/builtin/standard_deviation.ts";
export { sumFrames } from "./src/udf/builtin/sum_frames.ts";
export { sumPixels } from "./src/udf/builtin/sum_pixels.ts";
