/**
 * The two passes of labelling as operations over views: the first finds the components of tiles and what is on their
 * faces, the second finds them again and writes their final numbers.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { Kernels } from "../../kernels/bind.ts";
import type { KernelFamily } from "../../kernels/families/families.ts";
import type { Places } from "../../memory/places.ts";
import type { Box } from "../../space/box.ts";
import type { DType } from "../../space/dtype.ts";
import { ravel, sameShape, type Shape, showShape } from "../../space/shape.ts";
import {
  type Above,
  faceLayout,
  type Near,
  runBytes,
  TileRuns,
  type TileSamples,
  writeFaces,
} from "./tile_runs.ts";
import type { LabelTable } from "./joined.ts";

/** Which samples are inside, and which of them belong together. */
export interface LabelParams extends Near {
  /** Samples above it are inside; null: those that are not 0. */
  readonly above: Above;
}

/** What the second pass needs besides. */
export interface RelabelParams extends LabelParams {
  /** What the first pass has found; absent in a plan that waits for it. */
  readonly table?: Pick<LabelTable, "grid" | "starts" | "labels">;
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
  readonly scratch: Places;
}

/** What both passes have in common. */
const BOTH = {
  kernels: [],
  calls: [
    "bits_above",
    "bits_nonzero",
    "count_up",
    "join_runs",
    "number_runs",
    "first_samples",
    "paint_runs",
  ] satisfies KernelFamily[],
  usualRadius: 0,
  whole: true as const,
  radius: () => 0,
  result: (): DType => "uint32",
  values: () => ({ kind: "label" as const }),
  scratch: ({ tile }: TileFacts): Record<string, number> => runBytes(tile),
};

/** The first pass: for every tile a list, see `faces.ts`. */
export const LABEL_TILES = {
  ...BOTH,
  name: "labelTiles",
  params: { above: true, connectivity: true, dims: true },
  partial: ({ tile }: TileFacts) => faceLayout(tile).length,
  start(setting: Setting) {
    const layout = faceLayout(setting.tile);
    const runs = tileRuns(setting, setting.params as LabelParams);
    const { memory } = setting.kernels;
    return (view: TileSamples, out: TileSamples) => {
      runs.find(view);
      writeFaces(runs, layout, memory, out.pointer);
    };
  },
} as const;

/** The second pass: every sample becomes the final number of its component, or 0. */
export const RELABEL = {
  ...BOTH,
  name: "relabel",
  params: { above: true, connectivity: true, dims: true, table: true },
  start(setting: Setting) {
    const params = setting.params as RelabelParams;
    const { grid: { counts }, starts, labels } = tableFor(setting.tile, params);
    const runs = tileRuns(setting, params);
    const full = setting.tile;
    return (view: TileSamples, out: TileSamples, tile: Box) => {
      const flat = ravel(tile.origin.map((o, d) => o / full[d]!), counts);
      runs.names.set(labels.subarray(starts[flat]!, starts[flat + 1]!));
      runs.find(view);
      let line = 0;
      const last = out.shape.length - 1;
      const walk = (d: number, at: number): void => {
        if (d === last) runs.paint(line++, at);
        else for (let i = 0; i < out.shape[d]!; i++) walk(d + 1, at + i * out.strides[d]!);
      };
      walk(0, out.pointer);
    };
  },
} as const;

/** The table, if it is that of these tiles. */
function tableFor(tile: Shape, { table }: RelabelParams): NonNullable<RelabelParams["table"]> {
  if (table && sameShape(table.grid.tile, tile)) return table;
  const expected = table ? showShape(table.grid.tile) : "no tiles";
  const text = `The components of ${expected} cannot number tiles of ${
    showShape(tile)
  }: both passes have one plan`;
  throw new TilewiseError("corrupt", text, { expected, found: showShape(tile) });
}

function tileRuns(
  { kernels, tile, dtype, scratch }: Setting,
  { above, connectivity, dims }: LabelParams,
): TileRuns {
  return new TileRuns({ kernels, places: scratch, tile, dtype, above, near: { connectivity, dims } });
}
