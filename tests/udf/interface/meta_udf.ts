/** UDFs that write down what they are told about where they are. */

import type { DType } from "../../../src/space/dtype.ts";
import type { Tile } from "../../../src/udf/interface/tile.ts";
import type { Method, Udf, UdfContext } from "../../../src/udf/interface/udf.ts";

type Names = "where" | "row" | "parts" | "partition";

/**
 * Per frame: its scan coordinates, its number among the selected positions, how many tiles it came in, and what the
 * partition says of itself. Every process method does the same; `method` chooses.
 */
export function whereabouts(
  { method, depth }: { method?: Method; depth?: number },
): Udf<Record<Names, DType>> {
  const note = (tile: Tile, buffers: Record<Names, ArrayLike<number | bigint>>, context: UdfContext) => {
    const { where, row, parts, partition } = buffers as Record<Names, Int32Array>;
    const { slice } = tile;
    if (slice.shape.join() !== tile.shape.join()) {
      throw new Error("the slice has another shape than the tile");
    }
    const told = context.tiling.slices[tile.index]!;
    if (told.origin.join() !== tile.box.origin.join()) throw new Error("the index names another slice");
    where.set(tile.allCoordinates);
    for (let f = 0; f < tile.frames; f++) {
      row[f] = slice.origin[0]! + f;
      parts[f]! += 1;
      const { origin, shape } = context.partition.slice;
      partition.set([origin[0]!, shape[0]!], 2 * f);
    }
  };
  return {
    name: "whereabouts",
    buffers: {
      where: { kind: "nav", dtype: "int32", extraShape: [2] },
      row: { kind: "nav", dtype: "int32" },
      parts: { kind: "nav", dtype: "int32" },
      partition: { kind: "nav", dtype: "int32", extraShape: [2] },
    },
    ...(method ? { method: () => method } : {}),
    ...(depth ? { tiling: () => ({ depth, totalBytes: depth * 32768 }) } : {}),
    processTile: note,
    processFrame: note,
    processPartition: note,
  };
}

/** What the data are, as numbers: sizes, selected frames, whether corrected. */
export const facts: Udf<Record<"facts", DType>> = {
  name: "facts",
  buffers: { facts: { kind: "nav", dtype: "int32", extraShape: [6] } },
  inputDType: ({ nativeDType }) => nativeDType === "uint16" ? "int16" : "native",
  processFrame(frame, { facts }, { meta, device }) {
    const dtypes = `${meta.datasetDType} ${meta.inputDType} ${frame.data.constructor.name} ${device}`;
    if (dtypes !== "uint16 int32 Int32Array cpu" && !meta.corrected) throw new Error(dtypes);
    (facts as Int32Array).set([
      meta.frames,
      meta.pixels,
      meta.selected,
      meta.roi.count,
      meta.roi.mask?.[frame.positions[0]!] ?? -1,
      meta.corrected ? 1 : 0,
    ]);
  },
};
