/**
 * The UDF that adds Fourier magnitudes in a ring.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { type Fft2Plan, type FftDType, rfft2, rfft2Scratch, rfft2Tables } from "../../../kernels/fft.ts";
import { kernel } from "../../../kernels/registry.ts";
import { checkOptionNames } from "../../../options.ts";
import { dtypeInfo } from "../../../space/dtype.ts";
import type { Udf, UdfContext, UdfMeta } from "../../interface/udf.ts";
import type { Tile } from "../../interface/tile.ts";
import { checkRadii, noPixel } from "../../../masks/geometry.ts";
import { inDisk } from "../../../masks/ring_runs.ts";
import { clearRuns, diskRuns, heightAndWidth, runsWhere } from "../runs.ts";
import { CRYSTALLINITY_OPTIONS, type CrystallinityOptions } from "../crystallinity.ts";

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
