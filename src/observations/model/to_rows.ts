/**
 * A sink of predicted visibilities that writes a `.npy` of rows, channels and correlations.
 *
 * @module
 */

import type { Provider } from "../../hypercube/providers/provider.ts";
import { writing } from "../../hypercube/providers/sinks/under_way.ts";
import { npyTiles } from "../../sinks/tiles/npy.ts";
import { TileFiles } from "../../sinks/tiles/tile_files.ts";
import { wholeBox } from "../../space/box.ts";
import { stored } from "./chunks.ts";
import type { ToMsv4Options } from "./to_msv4.ts";

/** What is written. */
export interface ToRowsOptions extends Omit<ToMsv4Options, "interval"> {
  /** Rows and channels of the observation. */
  readonly shape: readonly [rows: number, channels: number];
}

/** A provider with a sink for `model_vis`, whose rows are those of the observation. The file appears when the run is complete. */
export function toRows(path: string, { shape: rows, dtype, select, uvw, beside }: ToRowsOptions): Provider {
  const shape = [...rows, select.length];
  return writing({
    name: `file ${path}`,
    outputs: ["model_vis"],
    async open() {
      const files = await TileFiles.open(path, npyTiles(dtype, shape), { windows: [wholeBox(shape)] });
      return {
        async put({ data, extents: [[firstRow, lastRow] = [0, 0], [firstChannel] = [0, 0]] }) {
          const samples = stored({ data, select, uvw: await uvw(firstRow, lastRow) });
          await files.put(0, 0, { origin: [firstRow, firstChannel, 0], data: samples });
        },
        finish: () => TileFiles.finish([files], beside),
        [Symbol.asyncDispose]: () => files[Symbol.asyncDispose](),
      };
    },
  });
}
