/**
 * The facts of a view as a kernel sees them: a record in memory, and the class by which AssemblyScript reads it.
 *
 * ```text
 *    0  u32  address of the first sample of the tile      4  i32  number of dimensions
 *   per dimension d, from 8 + 24 d on:
 *   +0  i32  samples of the tile     +4  u32  bytes from one sample to the next
 *   +8  i32  samples of halo before  +12 i32  samples of halo behind     +16  i64  position of the tile in the array
 * ```
 *
 * @module
 */

import type { Shape } from "../space/shape.ts";

/** What sources get as `View` from "tilewise". */
export const VIEW_CLASS = `
@unmanaged export class View {
  data: usize;
  rank: i32;
  @inline private at(d: i32): usize { return changetype<usize>(this) + 8 + 24 * <usize>d; }
  @inline shape(d: i32): i32 { return load<i32>(this.at(d)); }
  @inline stride(d: i32): i32 { return load<i32>(this.at(d), 4); }
  @inline radius(d: i32): i32 { return load<i32>(this.at(d), 8); }
  @inline back(d: i32): i32 { return load<i32>(this.at(d), 12); }
  @inline origin(d: i32): i64 { return load<i64>(this.at(d), 16); }
}`;

/** The facts of one view. */
export interface ViewRecord {
  /** Address of the first sample of the tile. */
  readonly data: number;
  /** Samples of the tile, per dimension. */
  readonly shape: Shape;
  /** Bytes from one sample to the next, per dimension. */
  readonly strides: Shape;
  /** Samples of halo before the tile, per dimension. */
  readonly radius: Shape;
  /** Samples of halo behind it, per dimension. */
  readonly back: Shape;
  /** Position of the tile in the array, per dimension. */
  readonly origin: Shape;
}

/** Bytes of a record of `rank` dimensions. */
export function viewRecordBytes(rank: number): number {
  return 8 + 24 * rank;
}

/** Writes the facts of a view to address `pointer`. */
export function writeViewRecord({ buffer }: WebAssembly.Memory, pointer: number, view: ViewRecord): void {
  const { data, shape, strides, radius, back, origin } = view;
  const record = new DataView(buffer, pointer, viewRecordBytes(shape.length));
  record.setUint32(0, data, true);
  record.setInt32(4, shape.length, true);
  for (const d of shape.keys()) {
    const at = 8 + 24 * d;
    record.setInt32(at, shape[d]!, true);
    record.setUint32(at + 4, strides[d]!, true);
    record.setInt32(at + 8, radius[d]!, true);
    record.setInt32(at + 12, back[d]!, true);
    record.setBigInt64(at + 16, BigInt(origin[d]!), true);
  }
}
