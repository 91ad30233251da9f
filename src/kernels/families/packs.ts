/**
 * The packs of kernels. Each is a module of its own, which is loaded when something first needs one of its kernels.
 *
 * @module
 */

/**
 * What is in each pack.
 *
 * - `core`: sums of stored samples, byte orders, copies of rows
 * - `conversions`: samples as floats, and in another order of axes
 * - `masks`: products with masks: exact ones of samples of at most 16 bits, and those with few weights
 * - `products`: products with all other masks
 * - `centres`: centres of mass
 * - `statistics`: variances, deviations, products for sums of logarithms, folded frames
 * - `corrections`: dark frames, gain maps, dead pixels
 * - `fft`: Fourier transforms, and correlation of small images
 * - `readout`: packed bits, sectors and folded frames of detectors
 * - `unpack`: what undoes compression: deflate, LZ4, LZW, bzip2 and others; shuffles and checksums
 * - `zstd`: Zstandard
 * - `jpeg`: JPEG
 * - `sparse`: sparse tiles, and sparse masks
 * - `windows`: extremes of samples, of windows and of blocks, means of them, thresholds
 * - `filters`: filters over views
 * - `regions`: connected components, histograms
 * - `rime`: the measurement equation
 * @category Kernels
 */
export const PACKS = [
  "core",
  "conversions",
  "masks",
  "products",
  "centres",
  "statistics",
  "corrections",
  "fft",
  "readout",
  "unpack",
  "zstd",
  "jpeg",
  "sparse",
  "windows",
  "filters",
  "regions",
  "rime",
] as const;

/**
 * The name of a pack of kernels.
 * @category Kernels
 */
export type Pack = (typeof PACKS)[number];

/** A pack as it is stored. */
export interface StoredPack {
  /** Bytes of its module. */
  readonly bytes: number;
  /** First byte of its import section, and the byte after its last; shared and private memory differ in nothing else. */
  readonly imports: readonly [start: number, end: number];
  /** The module, compressed (raw deflate), in base64. */
  readonly packed: string;
}
