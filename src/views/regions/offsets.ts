/**
 * Neighbours: which samples belong together, as vectors from one to the other.
 *
 * @module
 */

/** Which samples are neighbours. */
export interface Near {
  /** Dimensions in which they may differ. */
  readonly connectivity: number;
  /** The dimensions along which samples belong together; the last one is among them. */
  readonly dims: readonly number[];
}

/**
 * Vectors of `rank` numbers −1, 0 and 1, of which at most `connectivity` are not 0. In two dimensions, connectivity 1
 * has 4 neighbours and connectivity 2 has 8; the vector of zeros is among them.
 */
export function offsetsOf(rank: number, connectivity: number): number[][] {
  let vectors: number[][] = [[]];
  for (let d = 0; d < rank; d++) {
    vectors = vectors.flatMap((vector) => [-1, 0, 1].map((step) => [...vector, step]));
  }
  return vectors.filter((vector) => lengthOf(vector) <= connectivity);
}

/** Those of neighbours that come before, in row-major order. */
export function offsetsBefore(rank: number, { connectivity, dims }: Near): number[][] {
  return offsetsOf(rank, connectivity).filter((vector) =>
    vector.find((step) => step !== 0) === -1 && vector.every((step, d) => step === 0 || dims.includes(d))
  );
}

/** Number of dimensions in which a vector goes anywhere. */
export function lengthOf(vector: readonly number[]): number {
  return vector.filter((step) => step !== 0).length;
}
