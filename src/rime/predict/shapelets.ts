/**
 * Sums over shapelets. What a pair sees of one is a complex number, `even + i · odd`; the kernels of sums take real ones. So
 * even orders are summed up like other shapes, odd ones apart, and their sum is turned by a quarter before it is added.
 *
 * @module
 */

import type { CubeArray } from "../../hypercube/providers/provider.ts";
import type { KernelFamilies } from "../../kernels/families/families.ts";
import { ROWS } from "./options.ts";

type Arrays = Readonly<Record<string, CubeArray>>;

/** Writes to `work_axes` how u and v become the arguments of both axes of each shapelet of a group. */
export function placeAxes(
  { size, own }: { readonly size: number; readonly own: number },
  arrays: Arrays,
  doubles: (name: string) => Float64Array,
): void {
  const shapes = doubles("shapelet_shape"), count = arrays["shapelet_shape"]!.shape[1]!;
  const out = doubles("work_axes");
  for (let s = 0; s < size; s++) {
    const [x, y, angle] = [0, 1, 2].map((i) => shapes[i * count + own + s]!) as [number, number, number];
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    out.set([x * cos, -x * sin, y * sin, y * cos], 4 * s);
  }
}

/** Some pairs, at most {@link ROWS}, and a vector of channels. */
export interface SourcePairs {
  /** How many sources there are. */
  readonly size: number;
  /** Addresses of the positions, of the pairs, and how many pairs there are. */
  readonly uvw: number;
  readonly pairs: number;
  readonly count: number;
  /** Address of the frequencies, and how many there are. */
  readonly frequency: number;
  readonly channels: number;
}

/** What sums of a tile share. */
interface ShapeletTile {
  /** The arrays of the tile, and their memory. */
  readonly arrays: Arrays;
  readonly memory: WebAssembly.Memory;
  /** The kernel. */
  readonly kernels: Pick<KernelFamilies, "rime_shapelets">;
  /** The speed of light, negative for phases `exp(−2πi …)`. */
  readonly speed: number;
  /** Bytes of a number. */
  readonly numberBytes: number;
}

/** Writes what pairs see of shapelets, from number `own` on: even orders to `work_tapers`, odd ones to `work_odd`. */
export function placeShapelets(
  { arrays, kernels, speed }: ShapeletTile,
  own: number,
  { size, uvw, pairs, count, frequency, channels }: SourcePairs,
): void {
  const at = (name: string) => arrays[name]!.pointer;
  const { pointer, shape: [, nx, ny] } = arrays["shapelet_coefficients"]!;
  const coefficients = pointer + 8 * own * nx! * ny!;
  const [even, odd, axes, work] = ["work_tapers", "work_odd", "work_axes", "work_hermite"].map(at) as Four;
  const factor = 2 * Math.PI / speed;
  const rest = [nx!, ny!, uvw, pairs, count, frequency, size, channels, factor, work] as const;
  kernels.rime_shapelets(even, odd, axes, coefficients, ...rest);
}

type Four = [number, number, number, number];

/** Sums over sources for some pairs; `vis` is the place of row 0, `rowStride` the bytes from row to row. */
export type SumPairs = (vis: number, tapers: number, pairs: number, count: number, rowStride: number) => void;

/** Visibilities of a vector of channels. */
export interface SumPlace {
  /** Address of row 0. */
  readonly vis: number;
  readonly rowStride: number;
  readonly channelStride: number;
}

/** Adds the sum over odd orders, times i, to the rows of some pairs. */
export function addOdd(
  { arrays, memory, numberBytes }: ShapeletTile,
  { pairs, count, channels }: SourcePairs,
  { vis, rowStride, channelStride }: SumPlace,
  sum: SumPairs,
): void {
  const [odd, turned, rows] = ["work_odd", "work_turned", "work_turned_rows"].map((name) =>
    arrays[name]!.pointer
  );
  const given = new Int32Array(memory.buffer, pairs, 3 * count);
  const own = new Int32Array(memory.buffer, rows!, 3 * count);
  own.set(given);
  for (let i = 0; i < count; i++) own[3 * i + 2] = i;
  const numbers = (at: number, length: number) =>
    numberBytes === 8
      ? new Float64Array(memory.buffer, at, length)
      : new Float32Array(memory.buffer, at, length);
  const vectorBytes = 16 / numberBytes * channelStride;
  const sums = numbers(turned!, ROWS * vectorBytes / numberBytes);
  sums.fill(0);
  sum(turned!, odd!, rows!, count, vectorBytes);
  const used = channels * channelStride / numberBytes;
  for (let i = 0; i < count; i++) {
    const to = numbers(vis + given[3 * i + 2]! * rowStride, used);
    const from = i * vectorBytes / numberBytes;
    for (let k = 0; k < used; k += 2) {
      to[k]! -= sums[from + k + 1]!;
      to[k + 1]! += sums[from + k]!;
    }
  }
}
