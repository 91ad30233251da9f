/** UDFs that take tiles in any form, and say what they saw. */

import type { Backend } from "../../../src/dataset/facts.ts";
import type { DType } from "../../../src/space/dtype.ts";
import type { Buffers } from "../../../src/udf/interface/buffer_types.ts";
import type { Tile } from "../../../src/udf/interface/tile.ts";
import { ravel } from "../../../src/space/shape.ts";
import type { TilingWishes, Udf, UdfContext } from "../../../src/udf/interface/udf.ts";

const NAMES = ["dense", "csr", "csc", "coo"];

interface Options {
  readonly backends: readonly Backend[];
  readonly method?: "tile" | "frame" | "partition";
  readonly dtype?: DType;
  readonly tiling?: TilingWishes;
  readonly raw?: boolean;
}

/** Copies the frames from whatever form it gets. Results: `frame`, and the number of the form. */
export default function copy(
  { backends, method = "tile", dtype, tiling, raw }: Options,
): Udf<Record<"frame" | "form", DType>> {
  const process = (
    tile: Tile,
    { frame, form }: Buffers<Record<"frame" | "form", DType>>,
    { meta }: UdfContext,
  ) => {
    const first = ravel(tile.box.origin, meta.sigShape);
    for (const [f, p, value] of entriesOf(tile, meta.backend)) frame[f * meta.pixels + first + p] = value;
    form.fill(NAMES.indexOf(meta.backend) as never);
  };
  const name =
    ({ tile: "processTile", frame: "processFrame", partition: "processPartition" } as const)[method];
  return {
    name: "copy",
    buffers: ({ sigShape }) => ({
      frame: { kind: "nav", dtype: "float64", extraShape: sigShape },
      form: { kind: "nav", dtype: "uint8" },
    }),
    backends,
    inputDType: dtype ?? "native",
    ...(raw ? { raw } : {}),
    ...(tiling ? { tiling } : {}),
    [name]: process,
  };
}

function* entriesOf(tile: Tile, backend: Backend): Generator<[frame: number, pixel: number, value: number]> {
  if (backend === "dense") {
    for (let i = 0; i < tile.data.length; i++) {
      yield [Math.floor(i / tile.pixels), i % tile.pixels, Number(tile.data[i])];
    }
    return;
  }
  if (backend === "coo") {
    const { rows, columns, data, shape } = tile.coo;
    check(shape, tile);
    for (let e = 0; e < rows.length; e++) yield [rows[e]!, columns[e]!, Number(data[e])];
    return;
  }
  const { indptr, indices, data, shape } = tile[backend];
  check(shape, tile);
  for (let i = 0; i + 1 < indptr.length; i++) {
    for (let e = indptr[i]!; e < indptr[i + 1]!; e++) {
      if (e > indptr[i]! && indices[e]! <= indices[e - 1]!) throw new Error("entries do not ascend");
      const [f, p] = backend === "csr" ? [i, indices[e]!] : [indices[e]!, i];
      yield [f, p, Number(data[e])];
    }
  }
}

function check(shape: readonly number[], { frames, pixels }: Tile): void {
  if (shape[0] !== frames || shape[1] !== pixels) throw new Error(`shape ${shape} of ${frames} × ${pixels}`);
}
