/**
 * From coefficients to samples: the inverse cosine transform of 8 × 8 samples in integers, as the reference implementation
 * of the standard's authors does it, so that results are the same to the last bit.
 *
 * Source: C. Loeffler, A. Ligtenberg, G. Moschytz, "Practical fast 1-D DCT algorithms with 11 multiplications", 1989.
 *
 * @module
 */

const BITS = 13;
const [A, B, C, D, E, F] = [2446, 4433, 6270, 7373, 9633, 12299]; // 0.299, 0.541, 0.765, 0.900, 1.176, 1.501
const [G, H, I, J, K, L] = [15137, 16069, 16819, 20995, 25172, 3196]; // 1.848, 1.962, 2.053, 2.563, 3.073, 0.390

const work = new Int32Array(64);

/**
 * Writes the samples of a block of coefficients times `table` to `out`, from `at` on in rows of `stride` samples. `precision`:
 * bits of a sample, 8 or 12.
 */
export function samplesOf(
  block: Int32Array | Int16Array,
  table: Uint16Array,
  out: Uint8Array | Uint16Array,
  at: number,
  stride: number,
  precision: number,
): void {
  const extra = precision === 8 ? 2 : 1; // bits that are kept between the passes
  const most = (1 << precision) - 1, middle = 1 << precision - 1;
  for (let x = 0; x < 8; x++) {
    if (isFlat(block, x)) {
      const value = block[x]! * table[x]! << extra;
      for (let y = 0; y < 64; y += 8) work[y + x] = value;
    } else {
      for (let y = 0; y < 64; y += 8) work[y + x] = block[y + x]! * table[y + x]!;
      pass(x, 8, BITS - extra);
    }
  }
  for (let y = 0; y < 8; y++, at += stride) {
    pass(8 * y, 1, BITS + extra + 3);
    for (let x = 0; x < 8; x++) {
      const value = work[8 * y + x]! + middle;
      out[at + x] = value < 0 ? 0 : value > most ? most : value;
    }
  }
}

/** Whether a column has nothing but its first coefficient. */
function isFlat(block: Int32Array | Int16Array, x: number): boolean {
  return (block[x + 8]! | block[x + 16]! | block[x + 24]! | block[x + 32]! | block[x + 40]! | block[x + 48]! |
    block[x + 56]!) === 0;
}

/** Eight numbers of `work`, from `p` on and `s` apart; the result is divided by 2^shift and rounded. */
function pass(p: number, s: number, shift: number): void {
  const half = 1 << shift - 1;
  const x2 = work[p + 2 * s]!, x6 = work[p + 6 * s]!;
  const z1 = (x2 + x6) * B;
  const even2 = z1 - x6 * G, even3 = z1 + x2 * C;
  const x0 = work[p]!, x4 = work[p + 4 * s]!;
  const even0 = x0 + x4 << BITS, even1 = x0 - x4 << BITS;
  const a0 = even0 + even3, a3 = even0 - even3, a1 = even1 + even2, a2 = even1 - even2;

  const x7 = work[p + 7 * s]!, x5 = work[p + 5 * s]!, x3 = work[p + 3 * s]!, x1 = work[p + s]!;
  const sum = (x7 + x3 + x5 + x1) * E;
  const y1 = (x7 + x1) * -D, y2 = (x5 + x3) * -J;
  const y3 = (x7 + x3) * -H + sum, y4 = (x5 + x1) * -L + sum;
  const b0 = x7 * A + y1 + y3, b1 = x5 * I + y2 + y4, b2 = x3 * K + y2 + y3, b3 = x1 * F + y1 + y4;

  work[p] = a0 + b3 + half >> shift;
  work[p + 7 * s] = a0 - b3 + half >> shift;
  work[p + s] = a1 + b2 + half >> shift;
  work[p + 6 * s] = a1 - b2 + half >> shift;
  work[p + 2 * s] = a2 + b1 + half >> shift;
  work[p + 5 * s] = a2 - b1 + half >> shift;
  work[p + 3 * s] = a3 + b0 + half >> shift;
  work[p + 4 * s] = a3 - b0 + half >> shift;
}
