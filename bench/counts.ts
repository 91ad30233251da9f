/**
 * Frames as a counting detector sees them: a bright disk that wanders with the scan, a weak halo, hot events.
 *
 * Every frame depends on its index only, so files of different length and dtype hold the same values.
 *
 * @module
 */

/** Pixels along a side of a frame. */
export const SIDE = 256;

const PIXELS = SIDE * SIDE;
const SHIFT = 8;
const PADDED = SIDE + 2 * SHIFT;
const QUANTILES = 4096;
const LEVELS = [0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64];
const HOT_EVENTS = 6;

/** A small generator (xorshift) with 32 bits of state: the same numbers on every machine. */
export function randomBits(seed: number): () => number {
  let x = Math.imul(seed + 1, 0x9e3779b1) | 0 || 0x2545f491;
  return () => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return x >>> 0;
  };
}

/** Gives a function that fills `out` (65536 values, all below 4096) with frame `index` of a scan `width` wide. */
export function countingDetector(width: number): (index: number, out: Uint16Array) => void {
  const levels = levelMap();
  const table = poissonTable();
  return (index, out) => {
    const [dy, dx] = beamShift(Math.floor(index / width), index % width);
    const random = randomBits(index);
    for (let i = 0; i < 64; i++) random(); // neighbouring seeds start alike; mix before use
    let state = random() | 1;
    for (let y = 0; y < SIDE; y++) {
      let from = (y + SHIFT + dy) * PADDED + SHIFT + dx;
      for (let to = y * SIDE; to < (y + 1) * SIDE; to += 2, from += 2) {
        state ^= state << 13;
        state ^= state >>> 17;
        state ^= state << 5;
        out[to] = table[(levels[from]! << 12) | (state & 4095)]!;
        out[to + 1] = table[(levels[from + 1]! << 12) | (state >>> 20)]!;
      }
    }
    for (let i = 0; i < HOT_EVENTS; i++) out[random() % PIXELS] = 1000 + random() % 3096;
  };
}

/** Where the beam goes with the scan: at most {@link SHIFT} pixels, smoothly. */
function beamShift(row: number, column: number): readonly [number, number] {
  return [Math.round(5 * Math.sin(row / 11)), Math.round(6 * Math.cos((row + 2 * column) / 17))];
}

/** For each pixel of the padded pattern the index of its mean count: a disk of radius 40, a ring, a falling halo. */
function levelMap(): Uint8Array {
  const map = new Uint8Array(PADDED * PADDED);
  const centre = PADDED / 2;
  for (let y = 0; y < PADDED; y++) {
    for (let x = 0; x < PADDED; x++) {
      const r = Math.hypot(y - centre, x - centre);
      const mean = r < 40 ? 48 : 12 * Math.exp(-r / 45) + (Math.abs(r - 88) < 6 ? 4 : 0) + 0.02;
      map[y * PADDED + x] = quantisedMean(mean);
    }
  }
  return map;
}

/** The index of the largest mean count in the table that is not above `mean`. */
export function quantisedMean(mean: number): number {
  return LEVELS.findLastIndex((level) => level <= mean);
}

/** Poisson quantiles: entry `level << 12 | u` is the count whose distribution function passes (u + 0.5) / 4096. */
export function poissonTable(): Uint16Array {
  const table = new Uint16Array(LEVELS.length * QUANTILES);
  LEVELS.forEach((mean, level) => {
    let count = 0, probability = Math.exp(-mean), cumulative = probability;
    for (let u = 0; u < QUANTILES; u++) {
      while (cumulative < (u + 0.5) / QUANTILES) {
        count++;
        probability *= mean / count;
        cumulative += probability;
      }
      table[level * QUANTILES + u] = count;
    }
  });
  return table;
}
