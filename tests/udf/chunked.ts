/** Scans in memory whose samples lie in chunks. */

import { StoredDataset } from "../../src/dataset/dataset.ts";
import { dtypeInfo } from "../../src/space/dtype.ts";
import { type Shape, sizeOf, stridesOf } from "../../src/space/shape.ts";

/** What samples are seen as, by their bytes. */
const UNITS = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: BigUint64Array } as const;

/** `scan`, whose frames lie one after another in memory, in plain chunks; what lies beyond the array is made of 9. */
export function chunked({ shape, navShape, layout, dtype }: StoredDataset, chunk: Shape): StoredDataset {
  const { itemSize } = dtypeInfo(dtype);
  const Unit = UNITS[itemSize as keyof typeof UNITS];
  const { source } = layout.files[0]!;
  if (source.kind !== "bytes") throw new Error(`the scan lies in a ${source.kind}`);
  const from = new Unit(source.bytes.slice().buffer);
  const grid = shape.map((n, d) => Math.ceil(n / chunk[d]!)), each = sizeOf(chunk), cells = sizeOf(grid);
  const bytes = new Uint8Array(cells * each * itemSize).fill(9);
  const samples = new Unit(bytes.buffer);
  const [cellStride, inChunk] = [stridesOf(grid), stridesOf(chunk)];
  const [y, x, v, u] = shape.map((n, d) =>
    Float64Array.from(
      { length: n },
      (_, i) => Math.floor(i / chunk[d]!) * cellStride[d]! * each + i % chunk[d]! * inChunk[d]!,
    )
  ) as [Float64Array, Float64Array, Float64Array, Float64Array];
  let i = 0;
  for (const a of y) {
    for (const b of x) for (const c of v) for (const d of u) samples[a + b + c + d] = from[i++]!;
  }
  const chunks = {
    shape,
    chunk,
    itemSize,
    addresses: Float64Array.from({ length: cells }, (_, cell) => cell * each * itemSize),
    sizes: new Uint32Array(cells).fill(each * itemSize),
    masks: new Uint32Array(cells),
    filters: [],
    plainEdges: false,
  };
  return new StoredDataset({
    source: "chunks",
    detection: { format: "memory", why: [] },
    navShape,
    layout: {
      ...layout,
      files: [{
        source: { kind: "bytes", name: "chunks", bytes },
        headerBytes: 0,
        start: 0,
        end: sizeOf(navShape),
      }],
      storage: { kind: "chunks", chunks },
    },
  });
}
