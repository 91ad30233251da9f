/**
 * An observation of any size that takes little room: its visibilities, weights and flags are fill values of a Measurement Set of
 * version 4, whose coordinates and (u, v, w) are there.
 *
 * @module
 */

import { cp } from "node:fs/promises";
import { pathOf } from "./expected.ts";

/** Baselines and correlations of the set that is made larger. */
const BASELINES = 3, CORRELATIONS = 2;

/** Times and channels. */
export type Size = readonly [times: number, channels: number];

/** Writes an observation to `folder`, which must not be there. */
export async function writeGiant(folder: string, [times, channels]: Size): Promise<void> {
  await cp(pathOf("small.ps.zarr/small_1"), folder, { recursive: true });
  const samples = [times, BASELINES, channels, CORRELATIONS], chunk = [64, BASELINES, 64, CORRELATIONS];
  for (const name of ["VISIBILITY", "VISIBILITY_MODEL", "FLAG", "WEIGHT"]) {
    await becomes(folder, name, { shape: samples, chunk, ...(name === "WEIGHT" ? { fill: 1 } : {}) });
  }
  const uvw = Float64Array.from(
    { length: times * BASELINES * 3 },
    (_, i) => 300 * Math.sin(1 + i * i % 9973),
  );
  await becomes(folder, "UVW", { shape: [times, BASELINES, 3], values: uvw });
  await becomes(folder, "time", {
    shape: [times],
    values: Float64Array.from({ length: times }, (_, i) => 1.6e9 + 8 * i),
  });
  const frequencies = Float64Array.from({ length: channels }, (_, i) => 1.4e9 + 1e5 * i);
  await becomes(folder, "frequency", { shape: [channels], values: frequencies });
  await Deno.remove(`${folder}/field_name`, { recursive: true }); // of each time; without it all times have one field
}

/** How an array of the store becomes another one. */
interface Change {
  readonly shape: readonly number[];
  /** Shape of its chunks: the whole by default. */
  readonly chunk?: readonly number[];
  readonly fill?: number;
  /** Its values, in one chunk; without them it has its fill value everywhere. */
  readonly values?: Float64Array<ArrayBuffer>;
}

async function becomes(folder: string, name: string, { shape, chunk = shape, fill, values }: Change) {
  const path = `${folder}/${name}`;
  const document = JSON.parse(await Deno.readTextFile(`${path}/zarr.json`));
  document.shape = shape;
  document.chunk_grid.configuration.chunk_shape = chunk;
  if (fill !== undefined) document.fill_value = fill;
  if (values) document.codecs = [{ name: "bytes", configuration: { endian: "little" } }];
  await Deno.writeTextFile(`${path}/zarr.json`, JSON.stringify(document));
  await Deno.remove(`${path}/c`, { recursive: true });
  if (!values) return;
  const zeros = shape.map(() => 0);
  await Deno.mkdir([path, "c", ...zeros.slice(1)].join("/"), { recursive: true });
  await Deno.writeFile([path, "c", ...zeros].join("/"), new Uint8Array(values.buffer));
}
