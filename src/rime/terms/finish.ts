/**
 * What happens to visibilities after the sum over sources: gains, base visibilities, flags, comparison with observed ones.
 *
 * `V = base + G_p X G_q^H`, where X is the sum. Then flagged samples become 0, and with observed visibilities D there are
 * residuals D − V and χ² = Σ weight |D − V|² over all samples without flags.
 *
 * @module
 */

import type { ArraySchema } from "../../hypercube/cube/cube.ts";
import type { CubeArray } from "../../hypercube/providers/provider.ts";
import type { Kernels } from "../../kernels/bind.ts";
import { kernel } from "../../kernels/registry.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import { sizeOf } from "../../space/shape.ts";
import { arrayOf, complexOf, type Precision, realOf } from "./term.ts";

/**
 * What is done with visibilities after the sum over sources; each part needs an array.
 * @category Measurement equation
 */
export interface FinishOptions {
  /** Whether there are `direction_independent_effects` (ntime, na, nchan, ncorr), the gains G. Default false. */
  readonly gains?: boolean;
  /**
   * Whether there are `base_vis`, to which the sum is added: `after` the gains, which do not change them, or `before`, so
   * that gains multiply them as well. Default `none`.
   */
  readonly base?: "none" | "after" | "before";
  /** Whether there are flags, `flag` (uint8): flagged visibilities become 0 and do not count. Default false. */
  readonly flags?: boolean;
  /** Whether there are weights, `weight`, for χ². Default false. */
  readonly weights?: boolean;
  /** Whether there are `observed_vis`: the outputs `residual_vis` and `chi_squared`, one number per tile. Default false. */
  readonly observed?: boolean;
}

/** The visibilities of a tile, and where its antennas are. */
export interface FinishTile {
  /** Address of the visibilities: (rows, channels, correlations) complex numbers. */
  readonly vis: number;
  /** Number of rows. */
  readonly rows: number;
  /** Number of antennas. */
  readonly antennas: number;
  /** Number of channels. */
  readonly channels: number;
  /** Number of correlations: 1, 2 or 4. */
  readonly correlations: number;
  /** Address of the first antenna of each row, int32. */
  readonly antenna1: number;
  /** Address of the second antenna of each row, int32. */
  readonly antenna2: number;
  /** Address of the time of each row within the tile, int32; 0: all rows are of time 0. */
  readonly times: number;
  /** The arrays of the cube by name. */
  readonly arrays: Readonly<Record<string, CubeArray>>;
}

/** The arrays for visibilities in rows of a shape such as `["nrow"]` or `["ntime", "nbl"]`, without `model_vis` itself. */
export function finishArrays(
  { gains, base = "none", flags, weights, observed }: FinishOptions,
  rows: readonly string[],
  precision: Precision,
): ArraySchema[] {
  const [complex, real] = [complexOf(precision), realOf(precision)];
  const shape = [...rows, "nchan", "ncorr"];
  const all: readonly (ArraySchema | false | undefined)[] = [
    gains && {
      name: "direction_independent_effects",
      shape: ["ntime", "na", "nchan", "ncorr"],
      dtype: complex,
      role: "input",
      description: "gains of antennas",
    },
    base !== "none" &&
    { name: "base_vis", shape, dtype: complex, role: "input", description: "added", units: "Jy" },
    flags && { name: "flag", shape, dtype: "uint8", role: "input", description: "0 for good visibilities" },
    observed && weights &&
    { name: "weight", shape, dtype: real, role: "input", description: "of squares in χ²" },
    observed && { name: "observed_vis", shape, dtype: complex, role: "input", units: "Jy" },
    observed &&
    { name: "residual_vis", shape, dtype: complex, role: "output", description: "observed − model" },
    observed &&
    { name: "chi_squared", shape: [1], dtype: "float64", role: "output", description: "of the tile" },
    observed && { name: "chi_squared_rows", shape: rows, dtype: "float64", role: "temporary" },
  ];
  return all.filter((one) => typeof one === "object");
}

/** Starts these steps on a thread; what it returns takes the visibilities of a tile to their end. */
export function startFinish(
  { gains, base = "none", flags, weights, observed }: FinishOptions,
  { kernels, precision }: { readonly kernels: Kernels; readonly precision: Precision },
): (tile: FinishTile) => void {
  const real = realOf(precision);
  const [add, apply, compare] = [
    kernel(kernels, "add", real),
    kernel(kernels, "apply_gains", real),
    kernel(kernels, "compare_visibilities", real),
  ];
  return (tile) => {
    const { vis, rows, antennas, channels, correlations, antenna1, antenna2, times } = tile;
    const at = (name: string) => arrayOf(tile, name).pointer;
    const count = channels * correlations;
    if (base === "before") add(vis, at("base_vis"), 2 * rows * count);
    if (gains) {
      const effects = at("direction_independent_effects");
      apply(vis, effects, antenna1, antenna2, times, rows, antennas, channels, correlations);
    }
    if (base === "after") add(vis, at("base_vis"), 2 * rows * count);
    const flag = flags ? at("flag") : 0;
    if (!observed) {
      return flags ? clearFlagged(kernels.memory, vis, flag, rows * count, precision) : undefined;
    }
    const sums = arrayOf(tile, "chi_squared_rows");
    const weight = weights ? at("weight") : 0;
    compare(vis, at("observed_vis"), flag, weight, at("residual_vis"), sums.pointer, rows, count);
    const total = new Float64Array(kernels.memory.buffer, at("chi_squared"), 1);
    total[0] = sumInOrder(new Float64Array(kernels.memory.buffer, sums.pointer, sizeOf(sums.shape)));
  };
}

/** The sum of some numbers, from the first to the last. */
function sumInOrder(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

/** Sets flagged visibilities to 0. */
function clearFlagged(
  { buffer }: WebAssembly.Memory,
  vis: number,
  flag: number,
  samples: number,
  precision: Precision,
): void {
  const { itemSize } = dtypeInfo(complexOf(precision));
  const flags = new Uint8Array(buffer, flag, samples);
  const bytes = new Uint8Array(buffer, vis, samples * itemSize);
  for (let i = 0; i < samples; i++) if (flags[i] !== 0) bytes.fill(0, i * itemSize, (i + 1) * itemSize);
}
