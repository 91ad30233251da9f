/**
 * Bytes to pack, for tests of kernels that unpack.
 *
 * @module
 */

/**
 * Bytes of many kinds: noise, runs, text, detector counts, few symbols with very uneven frequencies, and 16-bit samples
 * of a camera, whose low and high bytes take turns.
 */
export const KINDS: Record<string, (n: number, random: () => number) => Uint8Array> = {
  noise: (n, random) => Uint8Array.from({ length: n }, () => random() * 256),
  runs: (n, random) => Uint8Array.from({ length: n }, (_, i) => i % 700 < 600 ? 7 : random() * 4),
  text: (n) => Uint8Array.from({ length: n }, (_, i) => 97 + (i * i >> 3) % 23),
  counts: (n, random) => Uint8Array.from({ length: n }, (_, i) => i & 1 ? 0 : random() ** 6 * 40),
  uneven: (n, random) => Uint8Array.from({ length: n }, () => Math.min(255, -Math.log2(random()) * 11)),
  samples,
};

/** Values around 2000 that vary slowly, and noise. */
function samples(n: number, random: () => number): Uint8Array {
  const values = Uint16Array.from({ length: Math.ceil(n / 2) }, (_, i) => {
    return 2000 + 1500 * Math.sin(i / 90) + 40 * (random() + random() - random());
  });
  return new Uint8Array(values.buffer, 0, n);
}
