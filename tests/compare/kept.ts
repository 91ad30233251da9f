/**
 * Comparisons that have differed because we were wrong, and those that show a difference on purpose that is rare: every
 * run makes them again, small and on the same data.
 *
 * @module
 */

import { asParam, float64 } from "./data/arrays.ts";
import type { Case, DataSpec } from "./data/spec.ts";

/** A comparison, and what was wrong. */
export interface KeptCase extends Case {
  /** What a user would have seen, or sees in the peer. */
  readonly why: string;
}

/** A small scan of counts. */
const COUNTS: DataSpec = {
  nav: [2, 3],
  sig: [10, 12],
  dtype: "uint16",
  byteOrder: "little",
  pattern: "counts",
  seed: 1,
  file: "raw",
  images: 6,
  syncOffset: 0,
};

/** The same with fractions. */
const FRACTIONS: DataSpec = { ...COUNTS, dtype: "float32", pattern: "fractions" };

/** Disks on a lattice. */
const DISKS: DataSpec = { ...COUNTS, sig: [32, 32], pattern: "disks" };

/** Sparse frames of both signs. */
const SPARSE: DataSpec = { ...COUNTS, dtype: "int16", pattern: "signed", file: "raw_csr" };

/** Complex frames. */
const COMPLEX: DataSpec = { ...COUNTS, dtype: "complex64", pattern: "fractions" };

const INLINE = { onWorkers: false } as const;

/** How a correlation is asked for, but for what a case is about. */
const CORRELATION = {
  pattern: { kind: "circular", radius: 2 },
  peaks: [[14, 15], [20.5, 9]],
  upsample: false,
  shifts: null,
  steps: 3,
} as const;

/** A mask of thirds, which float32 cannot hold. */
const THIRDS = asParam(float64(Array.from({ length: 120 }, (_, i) => (i % 7 - 3) / 3), [10, 12]));

/** How products with masks are asked for, but for what a case is about. */
const PLAIN_MASKS = {
  sparse: false,
  useSparse: false,
  theirSparse: false,
  maskDType: null,
  shifts: null,
  dtype: null,
} as const;

/** Two masks of small whole numbers. */
const WHOLE_MASKS = {
  ...PLAIN_MASKS,
  masks: [5, 7].map((n) => asParam(float64(Array.from({ length: 120 }, (_, i) => i % n), [10, 12]))),
};

/** The comparisons. */
export const KEPT: readonly KeptCase[] = [
  {
    why: "weights of float64 masks are rounded to float32 where frames are integers or float32",
    data: COUNTS,
    run: INLINE,
    word: "masks-double",
    params: { ...PLAIN_MASKS, masks: [THIRDS] },
  },
  {
    why: "radial Fourier analysis reads samples in front of the frame",
    data: FRACTIONS,
    run: INLINE,
    word: "radialfourier",
    params: { cy: 7, cx: 2, bins: 2, maxOrder: 2 },
  },
  {
    why: "the default radius of the disk detector is twice LiberTEM's",
    data: COUNTS,
    run: INLINE,
    word: "disk",
    params: {},
  },
  {
    why: "the peer's usual disk has no pixel in narrow frames",
    data: { ...COUNTS, sig: [4, 12] },
    run: INLINE,
    word: "disk",
    params: { cy: 1.5, cx: 5.5 },
  },
  {
    why: "shifts of masks are cut off instead of rounded, to the even neighbour of halves",
    data: COUNTS,
    run: INLINE,
    word: "masks",
    params: { ...WHOLE_MASKS, shifts: [-2.5, 1.6] },
  },
  {
    why: "shifts of masks per frame are cut off instead of rounded",
    data: COUNTS,
    run: INLINE,
    word: "masks",
    params: {
      ...WHOLE_MASKS,
      shifts: asParam(float64([-0.6, 0.5, 1.5, -1.5, 2.5, 0.4, -7.7, 3, 0, -0.5, 9.9, 1], [2, 3, 2])),
    },
  },
  {
    why: "the peer gives 0 for masks that are shifted out of all frames",
    data: COUNTS,
    run: INLINE,
    word: "masks",
    params: { ...WHOLE_MASKS, shifts: [9.6, 0] },
  },
  {
    why: "shifts of peaks are cut off instead of rounded",
    data: DISKS,
    run: INLINE,
    word: "correlate-fast",
    params: { ...CORRELATION, shifts: [1.6, -0.7] },
  },
  {
    why: "shifts of peaks are cut off instead of rounded, in whole frames, too",
    data: DISKS,
    run: INLINE,
    word: "correlate-full",
    params: { ...CORRELATION, shifts: [1.6, -0.7] },
  },
  {
    why: "sparse correlation does not take logarithms",
    data: DISKS,
    run: INLINE,
    word: "correlate-sparse",
    params: CORRELATION,
  },
  {
    why: "correlation converts 32-bit integers to float32, which has no room for a large offset",
    data: { ...DISKS, dtype: "int32", pattern: "offset" },
    run: INLINE,
    word: "correlate-full",
    params: CORRELATION,
  },
  {
    why: "the tolerance of a lattice grows with another index than in LiberTEM-blobfinder",
    data: COUNTS,
    run: INLINE,
    word: "match",
    params: {
      match: "fast",
      zero: [40, 40],
      a: [10, 0],
      b: [0, 10],
      indices: [[0, 0], [1, 0], [0, 1], [1, 1], [0, 4]],
      options: {},
      positions: asParam(float64([40, 40, 50, 40, 40, 50, 50, 50, 44.5, 80], [5, 2])),
      weights: asParam(float64([1, 1, 1, 1, 1], [5])),
    },
  },
  {
    why:
      "dark frame and gain meet other pixels where frames have three dimensions and tiles are boxes of them",
    data: { ...COUNTS, sig: [4, 4, 7] },
    run: { ...INLINE, corrections: { dark: "float32", excluded: [[2, 1, 2]], allowEmpty: false, seed: 1 } },
    word: "own-moments",
    params: {},
  },
  {
    why: "complex frames cannot be corrected",
    data: COMPLEX,
    run: { ...INLINE, corrections: { gain: "float32", excluded: [[3, 4]], allowEmpty: false, seed: 1 } },
    word: "sum",
    params: {},
  },
  {
    why: "the peer leaves earlier samples in cut-outs of sparse frames that reach beyond the border",
    data: SPARSE,
    run: INLINE,
    word: "correlate-fast",
    params: { ...CORRELATION, peaks: [[1, 2], [5, 6]] },
  },
  {
    why: "the peer cannot take logarithms of sparse frames with negative samples",
    data: SPARSE,
    run: INLINE,
    word: "correlate-sparse",
    params: { ...CORRELATION, peaks: [[5, 6]] },
  },
  {
    why: "the peer reads other pixels where a UDF asks for tiles that are boxes of a frame",
    data: { ...COUNTS, sig: [25, 17, 29] },
    run: INLINE,
    word: "own-moments",
    params: { totalBytes: 20000 },
  },
  {
    why: "the peer does not refuse a point outside of the frame where no frame is selected",
    data: COUNTS,
    run: { ...INLINE, roi: { selected: [], form: "mask" } },
    word: "point",
    params: { cy: 3, cx: 12 },
  },
];
