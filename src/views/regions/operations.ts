/**
 * The two passes of labelling as operations over views: the first finds the components of tiles and what is on their
 * faces, the second finds them again and writes their final numbers.
 *
 * @module
 */

import type { Kernels } from "../../kernels/bind.ts";
import type { Box } from "../../space/box.ts";
import { type DType, dtypeInfo, typedArray } from "../../space/dtype.ts";
import { ravel, type Shape } from "../../space/shape.ts";
import { faceLayout, writeFaces } from "./faces.ts";
import type { LabelTable } from "./joined.ts";
import { type Above, runBytes, type Samples, TileRuns } from "./tile_runs.ts";

/** Which samples are inside, and which of them belong together. */
export interface LabelParams {
  /** Samples above it are inside; null: those that are not 0. */
  readonly above: Above;
  /** Dimensions in which neighbours may differ. */
  readonly connectivity: number;
}

/** What the second pass needs besides. */
export interface RelabelParams extends LabelParams, Pick<LabelTable, "starts" | "labels"> {
  /** Tiles per dimension. */
  readonly counts: Shape;
}

/** Facts that operations are given. */
interface TileFacts {
  readonly tile: Shape;
}

/** What operations get when they start on a worker; `params` are those that `measure/label_image.ts` makes. */
interface Setting extends TileFacts {
  readonly params: object;
  readonly dtype: DType;
  readonly kernels: Kernels;
  readonly scratch: Readonly<Record<string, number>>;
}

/** Samples in the memory of the kernels. */
interface Placed {
  readonly pointer: number;
  readonly shape: Shape;
  readonly strides: Shape;
}

/** What both passes have in common. */
const BOTH = {
  kernels: [],
  usualRadius: 0,
  radius: () => 0,
  result: (): DType => "uint32",
  scratch: ({ tile }: TileFacts) => ({ runs: runBytes(tile) }),
};

/** The first pass: for every tile a list, see `faces.ts`. */
export const LABEL_TILES = {
  ...BOTH,
  name: "labelTiles",
  params: { above: true, connectivity: true },
  partial: ({ tile }: TileFacts) => faceLayout(tile).length,
  start(setting: Setting) {
    const layout = faceLayout(setting.tile);
    const runsOf = finder(setting, setting.params as LabelParams);
    const { buffer } = setting.kernels.memory;
    return (view: Placed, out: Placed) => {
      writeFaces(runsOf(view), layout, new Uint32Array(buffer, out.pointer, layout.length));
    };
  },
} as const;

/** The second pass: every sample becomes the final number of its component, or 0. */
export const RELABEL = {
  ...BOTH,
  name: "relabel",
  params: { above: true, connectivity: true, counts: true, starts: true, labels: true },
  start(setting: Setting) {
    const params = setting.params as RelabelParams;
    const { counts, starts, labels } = params;
    const runsOf = finder(setting, params);
    const full = setting.tile;
    const whole = new Uint32Array(setting.kernels.memory.buffer);
    return (view: Placed, out: Placed, tile: Box) => {
      const index = tile.origin.map((o, d) => o / full[d]!);
      write(runsOf(view), whole, out, labels.subarray(starts[ravel(index, counts)]!));
    };
  },
} as const;

/** The function that finds the components of a tile. */
function finder(
  { dtype, tile, kernels: { memory }, scratch }: Setting,
  { above, connectivity }: LabelParams,
): (view: Placed) => TileRuns {
  const runs = new TileRuns(memory.buffer, scratch["runs"]!, tile, connectivity);
  const { itemSize } = dtypeInfo(dtype);
  const data = typedArray(dtype, memory.buffer, 0, Math.floor(memory.buffer.byteLength / itemSize));
  return ({ pointer, shape, strides }) => {
    const samples: Samples = {
      data,
      first: pointer / itemSize,
      shape,
      stride: strides.map((bytes) => bytes / itemSize),
    };
    runs.find(samples, above);
    return runs;
  };
}

function write(
  { shape, lines, start, stop, label }: TileRuns,
  whole: Uint32Array,
  { pointer, strides }: Placed,
  labels: Uint32Array,
): void {
  const [outer, length] = [shape.slice(0, -1), shape.at(-1)!];
  let line = 0;
  const walk = (d: number, at: number): void => {
    if (d < outer.length) {
      for (let i = 0; i < outer[d]!; i++) walk(d + 1, at + i * strides[d]! / 4);
      return;
    }
    whole.fill(0, at, at + length);
    for (let run = lines[line]!; run < lines[line + 1]!; run++) {
      whole.fill(labels[label[run]! - 1]!, at + start[run]!, at + stop[run]!);
    }
    line++;
  };
  walk(0, pointer / 4);
}
