/**
 * Frames with diffraction disks on a lattice, for the benches of blob finding: strained a little, of four grains.
 *
 * @module
 */

import { poissonTable, quantisedMean, randomBits, SIDE } from "./counts.ts";

/** The lattice that searches start from, and its points well inside of a frame; pixels, y before x. */
export interface BenchLattice {
  /** The unscattered beam. */
  readonly zero: readonly [number, number];
  /** A vector. */
  readonly a: readonly [number, number];
  /** The other one. */
  readonly b: readonly [number, number];
  /** Radius of a disk. */
  readonly radius: number;
  /** Pairs of indices. */
  readonly indices: readonly (readonly [number, number])[];
  /** The points of these indices; whole numbers. */
  readonly peaks: readonly (readonly [number, number])[];
}

const RADIUS = 9;
const MARGIN = 2 * RADIUS + 6;
const ZERO = [128, 128] as const;
const [A, B] = [[0, 44], [38, 12]] as const;
const BACKGROUND = 1;
const GRAINS = [[0.2, 0.3], [0.25, 0.8], [0.75, 0.2], [0.7, 0.7]] as const;

/** The lattice of the data. */
export function benchLattice(): BenchLattice {
  const indices: [number, number][] = [], peaks: [number, number][] = [];
  const inside = (at: number) => at >= MARGIN && at < SIDE - MARGIN;
  for (let i = -4; i <= 4; i++) {
    for (let j = -4; j <= 4; j++) {
      const [y, x] = [ZERO[0] + i * A[0] + j * B[0], ZERO[1] + i * A[1] + j * B[1]];
      if (inside(y) && inside(x)) (indices.push([i, j]), peaks.push([y, x]));
    }
  }
  return { zero: ZERO, a: A, b: B, radius: RADIUS, indices, peaks };
}

/** Gives a function that fills `out` with frame `index` of a scan of this shape. */
export function diskDetector(
  [rows, columns]: readonly [number, number],
): (index: number, out: Uint16Array) => void {
  const { zero, indices } = benchLattice();
  const table = poissonTable();
  const levels = new Uint8Array(SIDE * SIDE);
  return (index, out) => {
    const [row, column] = [Math.floor(index / columns), index % columns];
    const grain = grainOf(row / rows, column / columns);
    const [dy, dx] = [1.4 * Math.sin(row / 5), 1.4 * Math.cos(column / 7)];
    const stretch = 1 + 0.012 * Math.sin((row + column) / 9);
    levels.fill(quantisedMean(BACKGROUND));
    indices.forEach(([i, j], p) => {
      const y = zero[0] + dy + (i * A[0] + j * B[0]) * stretch;
      const x = zero[1] + dx + (i * A[1] + j * B[1]) * stretch;
      drawDisk(levels, y, x, brightness(i, j, grain, p));
    });
    count(levels, table, randomBits(index + 1e6), out);
  };
}

/** The grain whose seed is next. */
function grainOf(y: number, x: number): number {
  const distances = GRAINS.map(([gy, gx]) => Math.hypot(y - gy, x - gx));
  return distances.indexOf(Math.min(...distances));
}

/** Mean counts in a disk: weaker to the outside, and each grain has other strong ones. */
function brightness(i: number, j: number, grain: number, p: number): number {
  if (i === 0 && j === 0) return 60;
  return 48 / (1 + 0.1 * (i * i + j * j)) * (0.4 + 0.2 * ((p * 7 + grain * 5 + grain * p) % 4));
}

/** A disk whose edge is a ramp of a pixel. */
function drawDisk(levels: Uint8Array, cy: number, cx: number, mean: number): void {
  const reach = RADIUS + 1;
  for (let y = Math.ceil(cy - reach); y <= cy + reach; y++) {
    for (let x = Math.ceil(cx - reach); x <= cx + reach; x++) {
      const share = Math.min(1, Math.max(0, RADIUS + 0.5 - Math.hypot(y - cy, x - cx)));
      if (share > 0) levels[y * SIDE + x] = quantisedMean(BACKGROUND + share * mean);
    }
  }
}

function count(levels: Uint8Array, table: Uint16Array, random: () => number, out: Uint16Array): void {
  for (let i = 0; i < 64; i++) random(); // neighbouring seeds start alike; mix before use
  for (let i = 0; i < out.length; i += 2) {
    const bits = random();
    out[i] = table[(levels[i]! << 12) | (bits & 4095)]!;
    out[i + 1] = table[(levels[i + 1]! << 12) | (bits >>> 20)]!;
  }
}
