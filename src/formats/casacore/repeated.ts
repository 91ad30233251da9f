/**
 * Values that count for many rows, as chunks: in each, how many rows have a value, and the value. They lie in memory, as
 * what is stored has no chunks of equal numbers of rows.
 *
 * @module
 */

import type { Column } from "./description.ts";
import type { TableFiles } from "./files.ts";
import { checkChunks, type Stored } from "./stored.ts";

/** Values, and the rows from which on they count. */
export interface Runs {
  /** The first row of each value, ascending. */
  readonly starts: Float64Array;
  /** Where each value lies in the file. */
  readonly places: Float64Array;
  /** The first bytes of each value, one after another. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** How many bytes of each. */
  readonly each: number;
}

/** Bytes of the rows of a chunk. */
const CHUNK_BYTES = 2 ** 16;

/** A column of such values. */
export function inChunks(
  column: Column,
  { starts, bytes, each }: Runs,
  rows: number,
  files: TableFiles,
): Pick<Stored, "shape" | "chunk" | "addresses" | "sources" | "packing"> {
  const cell = column.shape ?? [];
  const most = Math.max(1, Math.min(rows, Math.floor(CHUNK_BYTES / Math.max(1, each))));
  const shape = [rows, ...cell], chunk = [most, ...cell.map((n) => Math.max(1, n))];
  checkChunks(column, shape, chunk, files);
  const count = each === 0 ? 0 : Math.ceil(rows / most);
  const packed = new Uint8Array((starts.length + count) * (4 + each)), view = new DataView(packed.buffer);
  const addresses = new Float64Array(count), sizes = new Uint32Array(count);
  let at = 0, run = 0;
  for (let i = 0; i < count; i++) {
    addresses[i] = at;
    const end = Math.min(rows, (i + 1) * most);
    for (let row = i * most; row < end;) {
      while ((starts[run + 1] ?? rows) <= row) run++;
      const stop = Math.min(end, starts[run + 1] ?? rows);
      view.setUint32(at, stop - row, true);
      packed.set(bytes.subarray(run * each, (run + 1) * each), at + 4);
      at += 4 + each;
      row = stop;
    }
    sizes[i] = at - addresses[i]!;
  }
  return {
    shape,
    chunk,
    addresses,
    sources: [{ kind: "bytes", name: `${files.name}, ${column.name}`, bytes: packed.slice(0, at) }],
    packing: { sizes, filters: [{ name: "run-lengths", values: [each] }] },
  };
}
