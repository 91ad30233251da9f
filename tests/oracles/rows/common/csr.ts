/**
 * CSR tiles for the rows of sparse kernels: about a sixth of the samples is not zero; some frames and pixels are empty.
 *
 * @module
 */

import type { DType } from "../../../../src/space/dtype.ts";
import type { BufferContents, NumberParameter, Sizes } from "./describe.ts";
import { list, numbers } from "./row.ts";

/** A CSR tile whose entries begin at `base`. */
interface Csr {
  readonly base: number;
  readonly indptr: readonly number[];
  readonly indices: readonly number[];
}

let last: { sizes: Sizes; csr: Csr } | undefined;

/** The CSR tile of a call; `frames × pixels`. */
export function csrOf(sizes: Sizes): Csr {
  if (last?.sizes === sizes) return last.csr;
  const { frames, pixels, seed } = sizes;
  const base = seed % 3;
  const indptr = [base];
  const indices: number[] = Array.from({ length: base }, () => 0);
  for (let f = 0; f < frames; f++) {
    for (let p = 0; p < pixels; p++) if (isThere(f, p, seed)) indices.push(p);
    indptr.push(indices.length);
  }
  last = { sizes, csr: { base, indptr, indices } };
  return last.csr;
}

function isThere(f: number, p: number, seed: number): boolean {
  return f % 5 !== 3 && Math.imul(f * 8191 + p * 131 + seed, 2654435761) >>> 16 & 1023
    ? (p + f + seed) % 6 === 0
    : false;
}

/** Number of entries of the CSR tile, including those before its first. */
export function entries(sizes: Sizes): number {
  return csrOf(sizes).indices.length;
}

/** `indptr`, `indices`, `data` and `frames`. */
export function csr(
  dtype: DType,
): Record<"indptr" | "indices" | "data", BufferContents> & { readonly frames: NumberParameter } {
  return {
    indptr: list((sizes) => csrOf(sizes).indptr),
    indices: list((sizes) => csrOf(sizes).indices),
    data: numbers(dtype, entries),
    frames: (sizes) => sizes.frames,
  };
}
