/** Data sets in memory for tests of tiles: samples that count up, stored in chunks or in frames. */

import { StoredDataset } from "../../../src/dataset/dataset.ts";
import { frameLayout } from "../../../src/dataset/layout/layout.ts";
import type { Level } from "../../../src/dataset/facts.ts";
import { type ByteOrder, dtypeInfo } from "../../../src/space/dtype.ts";
import { ravel, type Shape, sizeOf, unravel } from "../../../src/space/shape.ts";

/** An array of uint16 that counts up from `first`, in chunks. */
export function chunked(
  shape: Shape,
  chunk: Shape,
  { byteOrder = "little", first = 1, level = 0, levels = [] }: {
    byteOrder?: ByteOrder;
    first?: number;
    level?: number;
    levels?: readonly Level[];
  } = {},
): StoredDataset {
  const grid = shape.map((n, d) => Math.ceil(n / chunk[d]!));
  const [cells, each] = [sizeOf(grid), sizeOf(chunk)];
  const bytes = new Uint8Array(cells * each * 2);
  const view = new DataView(bytes.buffer);
  for (let cell = 0; cell < cells; cell++) {
    const at = unravel(cell, grid);
    for (let i = 0; i < each; i++) {
      const place = unravel(i, chunk).map((x, d) => at[d]! * chunk[d]! + x);
      const inside = place.every((x, d) => x < shape[d]!);
      view.setUint16(
        (cell * each + i) * 2,
        inside ? first + ravel(place, shape) : 60_000,
        byteOrder === "little",
      );
    }
  }
  const { itemSize } = dtypeInfo("uint16");
  const layout = frameLayout({
    files: [{ source: { kind: "bytes", name: "chunks", bytes }, start: 0, end: 1, headerBytes: 0 }],
    sigShape: shape,
    dtype: "uint16",
    byteOrder,
    storage: {
      kind: "chunks",
      chunks: {
        shape,
        chunk,
        itemSize,
        addresses: Float64Array.from({ length: cells }, (_, cell) => cell * each * 2),
        sizes: new Uint32Array(cells).fill(each * 2),
        masks: new Uint32Array(cells),
        filters: [],
        plainEdges: false,
      },
    },
  });
  const detection = { format: "chunks", why: [] };
  return new StoredDataset({
    source: "chunks",
    array: `level${level}`,
    navShape: [],
    layout,
    detection,
    level,
    levels,
  });
}
