/**
 * The numbers that tests of clustering share with `tests/oracles/clustering.py`.
 *
 * @module
 */

/** (7 k² + 3 k) mod `modulus`. */
export function noise(length: number, modulus: number): Float64Array {
  return Float64Array.from({ length }, (_, k) => (7 * k * k + 3 * k) % modulus);
}
