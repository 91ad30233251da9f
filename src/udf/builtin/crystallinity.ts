/**
 * Crystallinity at every position: the strength of a band of spatial frequencies in each frame.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { type Fft2Plan, type FftDType, rfft2, rfft2Scratch, rfft2Tables } from "../../kernels/fft.ts";
import { kernel } from "../../kernels/registry.ts";
import { checkRadii, GEOMETRY, inDisk, noPixel } from "../../masks/geometry.ts";
import { checkOptionNames, type OptionNames } from "../../options.ts";
import { inner, needed } from "../../options/rules.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import { clearRuns, type Disk, DISK_NAMES, diskRuns, heightAndWidth, runsWhere } from "./runs.ts";
import type { Tile } from "../interface/tile.ts";
import type { Udf, UdfContext, UdfMeta } from "../interface/udf.ts";
import { builtin, type UdfRef } from "../interface/udf_ref.ts";

/**
 * Parameters of {@link crystallinity}.
 * @category Analyses
 */
export interface CrystallinityOptions {
  /** Inner radius of the ring in frequency space, in its pixels, excluded. */
  readonly ri: number;
  /** Outer radius of the ring, included. */
  readonly ro: number;
  /** A disk of the frame that is set to 0 first, such as the unscattered beam. Default: none. */
  readonly real?: Disk;
}

/** The names of the options. */
// deno-fmt-ignore: written by `deno task build`
const CRYSTALLINITY_OPTIONS: OptionNames<CrystallinityOptions> = {
  ri: needed(GEOMETRY.ri), ro: needed(GEOMETRY.ro), real: inner(DISK_NAMES),
};

/**
 * Sum of the Fourier magnitudes of every frame over a ring of frequencies. Result `intensity`: float64, shape of the scan.
 *
 * As in LiberTEM, only the half of the spectrum with frequencies `0 … width/2` is used, and the ring is centred on half
 * the size of the frame, before the zero frequency is shifted there: for odd sizes it is half a pixel off. Transforms
 * are computed in float32, or in float64 for samples that float32 cannot hold.
 *
 * @param options the ring of frequencies, and a disk of the frame that is set to 0 first
 * @returns the UDF, for a plan, `run` or an analysis of your own
 *
 * @example A checkerboard has its mean, and one frequency in the corner of the spectrum
 * ```ts
 * import { crystallinity, open, plan, run } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * const board = Uint8Array.from({ length: 16 }, (_, i) => (i + (i >> 2)) % 2);
 * const scan = await open(board, { format: "raw", dtype: "uint8", nav: [1], sig: [4, 4] });
 * const { fine, coarse } = await run(
 *   await plan(scan, { fine: crystallinity({ ri: 2, ro: 3 }), coarse: crystallinity({ ri: 0, ro: 2 }) }),
 * );
 * assertEquals([fine.intensity.data[0], coarse.intensity.data[0]], [8, 0]);
 * ```
 * @category Analyses
 */
export function crystallinity(options: CrystallinityOptions): UdfRef<{
  /** The sum of the Fourier magnitudes in the ring, per frame. */
  intensity: "float64";
}> {
  checkOptionNames("crystallinity()", options, CRYSTALLINITY_OPTIONS);
  const { ri, ro, real } = options;
  return builtin("crystallinity", { ri, ro, ...(real ? { real: { ...real } } : {}) });
}

/** The dtypes of its buffers. */
type Types = { readonly intensity: "float64" };

/** The parts besides its buffers. */
interface Parts {
  readonly constants: {
    readonly tables: Float32Array | Float64Array;
    readonly ring: Int32Array;
    readonly hole: Int32Array;
  };
  readonly scratch: { readonly frame: FftDType; readonly fft: FftDType; readonly spectrum: FftDType };
  readonly taskData: number;
}

/** The UDF behind `crystallinity`. */
export function crystallinityUdf(options: CrystallinityOptions): Udf<Types, Parts> {
  checkOptionNames("crystallinity()", options, CRYSTALLINITY_OPTIONS);
  checkRadii("a ring of frequencies", options);
  return {
    name: "crystallinity",
    buffers: { intensity: { kind: "nav", dtype: "float64", values: "sums" } },
    raw: true,
    kernels: ["convert_f32", "convert_f64", "rfft2", "magnitudes"],
    leastBytes: (meta) => 2 * dtypeInfo(floatFor(meta)).itemSize * meta.pixels, // a frame and its transforms
    constants(meta) {
      const size = sizeFor(meta);
      const tables = rfft2Tables(...size, floatFor(meta));
      return { tables, ring: ringRuns(options, size), hole: diskRuns(size, options.real) };
    },
    scratch(meta) {
      const [height, width] = sizeFor(meta);
      const dtype = floatFor(meta);
      const columns = columnsOf(ringRuns(options, [height, width]));
      return {
        frame: { dtype, length: height * width },
        fft: { dtype, length: rfft2Scratch(height, width, dtype) },
        spectrum: { dtype, length: 2 * height * columns },
      };
    },
    taskData: ({ constants }) => columnsOf(constants.ring),
    processFrame(frame, { intensity }, context) {
      const { kernels, constants, scratch, meta } = context;
      const columns = context.taskData;
      const { ring } = constants;
      rfft2(kernels, planOf(context), samples(frame, context), scratch.spectrum.byteOffset, columns);
      const add = kernel(kernels, "magnitudes", floatFor(meta));
      add(intensity.byteOffset, scratch.spectrum.byteOffset, columns, ring.byteOffset, ring.length / 3);
    },
  };
}

function planOf({ meta, constants, scratch }: UdfContext<Types, Parts>): Fft2Plan {
  const [height, width] = sizeFor(meta);
  const [tables, room] = [constants.tables.byteOffset, scratch.fft.byteOffset];
  return { height, width, dtype: floatFor(meta), tables, scratch: room };
}

/** The address of the frame as floats, with its hole set to 0. */
function samples(
  { raw, pixels }: Tile,
  { kernels, constants, scratch, meta }: UdfContext<Types, Parts>,
): number {
  const dtype = floatFor(meta);
  const hole = constants.hole;
  if (raw.dtype === dtype && raw.byteOrder === "little" && hole.length === 0) return raw.pointer;
  const frame = scratch.frame;
  const family = dtype === "float32" ? "convert_f32" : "convert_f64";
  kernel(kernels, family, raw.dtype, raw.byteOrder)(frame.byteOffset, raw.pointer, pixels);
  clearRuns(frame, meta.sigShape[1]!, hole);
  return frame.byteOffset;
}

function sizeFor({ sigShape }: UdfMeta): [number, number] {
  return heightAndWidth(sigShape, "transform");
}

function floatFor({ inputDType }: UdfMeta): FftDType {
  if (inputDType === "float32" || inputDType === "float64") return inputDType;
  throw new TilewiseError(
    "invalid",
    `Cannot find the crystallinity of ${inputDType} frames: they must be real`,
  );
}

/** The ring in the half of the spectrum that is computed; frequency 0 is in its first row and column. */
function ringRuns({ ri, ro }: CrystallinityOptions, [height, width]: readonly [number, number]): Int32Array {
  /** The distance of index `k` of the spectrum from half the size, after the shift. */
  const from = (k: number, n: number) => (k + Math.ceil(n / 2)) % n - n / 2;
  const runs = runsWhere(height, Math.floor(width / 2) + 1, (y, x) => {
    const square = from(y, height) ** 2 + from(x, width) ** 2;
    return inDisk(square, ro) && !inDisk(square, ri);
  });
  if (runs.length > 0) return runs;
  throw noPixel(
    "a ring of frequencies",
    [height, width],
    `from ${ri} to ${ro} px around the middle of their spectrum`,
  );
}

/** Columns of the spectrum that a ring reaches: no others are computed. */
function columnsOf(ring: Int32Array): number {
  let columns = 0;
  for (let i = 2; i < ring.length; i += 3) columns = Math.max(columns, ring[i]!);
  return columns;
}
