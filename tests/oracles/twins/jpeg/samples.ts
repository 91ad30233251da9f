/**
 * The reference kernel from coefficients to samples: the inverse cosine transform of 8 × 8 samples in integers, as the reference
 * implementation of the standard's authors does it, so that results are the same to the last bit.
 *
 * Samples of 8 bits: coefficients, and sums of two of them, are taken modulo 2¹⁶, and columns are cut to 16 bits, as the vector
 * code of libjpeg-turbo does. No image that an encoder made gets there.
 *
 * Source: C. Loeffler, A. Ligtenberg, G. Moschytz, "Practical fast 1-D DCT algorithms with 11 multiplications", 1989.
 *
 * @module
 */

import type { DType } from "../../../../src/space/dtype.ts";
import type { KernelFamilies } from "../../../../src/kernels/families/families.ts";
import { reader } from "../../../../src/memory/sample_reader.ts";
import { writer } from "../samples.ts";

const BITS = 13;
const [A, B, C, D, E, F] = [2446, 4433, 6270, 7373, 9633, 12299]; // 0.299, 0.541, 0.765, 0.900, 1.176, 1.501
const [G, H, I, J, K, L] = [15137, 16069, 16819, 20995, 25172, 3196]; // 1.848, 1.962, 2.053, 2.563, 3.073, 0.390

const work = new Int32Array(64);

/** Makes of a number what fits. */
type Cut = (value: number) => number;

const whole: Cut = (value) => value | 0;
const wrapped: Cut = (value) => value << 16 >> 16;
const between = (value: number, least: number, most: number) => Math.max(least, Math.min(most, value));

/** Samples of 8 or 12 bits. */
export function jpegSamples(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["jpeg_samples"] {
  const coefficient = reader(memory, "int16"),
    factor = reader(memory, "uint16"),
    write = writer(memory, dtype);
  const isWide = dtype !== "uint8", size = isWide ? 2 : 1, precision = isWide ? 12 : 8;
  const extra = isWide ? 1 : 2; // bits that are kept between the passes
  const cut = isWide ? whole : wrapped;
  const column: Cut = isWide ? whole : (value) => between(value, -32768, 32767);
  return (dst, stride, blocks, table, columns, _spare) => {
    for (let n = 0; n < columns; n++) {
      for (let i = 0; i < 64; i++) {
        work[i] = cut(Math.imul(coefficient(blocks + 128 * n + 2 * i), factor(table + 2 * i)));
      }
      for (let x = 0; x < 8; x++) pass(x, 8, BITS - extra, cut, column);
      for (let y = 0; y < 8; y++) {
        pass(8 * y, 1, BITS + extra + 3, cut, whole);
        for (let x = 0; x < 8; x++) {
          const value = work[8 * y + x]! + 2 ** (precision - 1);
          write(dst + y * stride + (8 * n + x) * size, between(value, 0, 2 ** precision - 1));
        }
      }
    }
  };
}

/** Eight numbers of `work`, from `p` on and `s` apart; the result is divided by 2^shift and rounded. */
function pass(p: number, s: number, shift: number, cut: Cut, end: Cut): void {
  const half = 1 << shift - 1;
  const x2 = work[p + 2 * s]!, x6 = work[p + 6 * s]!;
  const z1 = (x2 + x6) * B;
  const even2 = z1 - x6 * G, even3 = z1 + x2 * C;
  const x0 = work[p]!, x4 = work[p + 4 * s]!;
  const even0 = cut(x0 + x4) << BITS, even1 = cut(x0 - x4) << BITS;
  const a0 = even0 + even3, a3 = even0 - even3, a1 = even1 + even2, a2 = even1 - even2;

  const x7 = work[p + 7 * s]!, x5 = work[p + 5 * s]!, x3 = work[p + 3 * s]!, x1 = work[p + s]!;
  const x73 = cut(x7 + x3), x51 = cut(x5 + x1), sum = (x73 + x51) * E;
  const y1 = (x7 + x1) * -D, y2 = (x5 + x3) * -J;
  const y3 = x73 * -H + sum, y4 = x51 * -L + sum;
  const b0 = x7 * A + y1 + y3, b1 = x5 * I + y2 + y4, b2 = x3 * K + y2 + y3, b3 = x1 * F + y1 + y4;

  const put = (i: number, value: number) => work[p + i * s] = end(value + half >> shift);
  put(0, a0 + b3);
  put(7, a0 - b3);
  put(1, a1 + b2);
  put(6, a1 - b2);
  put(2, a2 + b1);
  put(5, a2 - b1);
  put(3, a3 + b0);
  put(4, a3 - b0);
}
