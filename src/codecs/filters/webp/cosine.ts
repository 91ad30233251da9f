/**
 * The inverse transforms of WebP pictures with losses: that of the means of luma, and the cosine transform.
 *
 * Source: RFC 6386, section 14.
 *
 * @module
 */

/** Undoes the transform of the 16 means of luma: each is the first coefficient of a block of `blocks`. */
export function addMeans(means: Int16Array, blocks: Int16Array): void {
  const half = new Int32Array(16);
  for (let i = 0; i < 4; i++) {
    const [a, b, c, d] = [means[i]!, means[4 + i]!, means[8 + i]!, means[12 + i]!];
    half[i] = a + d + (b + c);
    half[4 + i] = a - d + (b - c);
    half[8 + i] = a + d - (b + c);
    half[12 + i] = a - d - (b - c);
  }
  for (let i = 0; i < 16; i += 4) {
    const [a, b, c, d] = [half[i]! + 3, half[i + 1]!, half[i + 2]!, half[i + 3]!];
    blocks[16 * i] = a + d + (b + c) >> 3;
    blocks[16 * i + 16] = a - d + (b - c) >> 3;
    blocks[16 * i + 32] = a + d - (b + c) >> 3;
    blocks[16 * i + 48] = a - d - (b - c) >> 3;
  }
}

/** √2 cos(π/8), and √2 sin(π/8). */
const long = (x: number) => x + (x * 20091 >> 16), short = (x: number) => x * 35468 >> 16;

const HALF = new Int32Array(16);

/** Adds to 4 × 4 samples the inverse cosine transform of the 16 coefficients from `from` on. */
export function addBlock(
  coefficients: Int16Array,
  from: number,
  samples: Uint8ClampedArray,
  at: number,
  stride: number,
): void {
  for (let i = 0; i < 4; i++) {
    const column = from + i;
    const w = coefficients[column]!, x = coefficients[column + 4]!;
    const y = coefficients[column + 8]!, z = coefficients[column + 12]!;
    const a = w + y, b = w - y, c = short(x) - long(z), d = long(x) + short(z);
    HALF[4 * i] = a + d;
    HALF[4 * i + 1] = b + c;
    HALF[4 * i + 2] = b - c;
    HALF[4 * i + 3] = a - d;
  }
  for (let i = 0; i < 4; i++, at += stride) {
    const w = HALF[i]! + 4, x = HALF[4 + i]!, y = HALF[8 + i]!, z = HALF[12 + i]!;
    const a = w + y, b = w - y, c = short(x) - long(z), d = long(x) + short(z);
    samples[at] = samples[at]! + (a + d >> 3);
    samples[at + 1] = samples[at + 1]! + (b + c >> 3);
    samples[at + 2] = samples[at + 2]! + (b - c >> 3);
    samples[at + 3] = samples[at + 3]! + (a - d >> 3);
  }
}
