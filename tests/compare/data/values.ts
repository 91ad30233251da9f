/**
 * The samples of a random data set, as numbers; every one of them can be held by the type of the data set.
 *
 * @module
 */

import { type DType, dtypeInfo } from "../../../src/space/dtype.ts";
import { Random } from "./random.ts";
import { type DataSpec, isComplex, isInteger, type Pattern, product } from "./spec.ts";

/** All images one after another, samples in row-major order; complex ones as pairs. */
export function valuesOf(data: DataSpec): Float64Array<ArrayBuffer> {
  const units = isComplex(data) ? 2 : 1;
  const values = new Float64Array(data.images * product(data.sig) * units);
  PATTERNS[data.pattern](values, data, new Random(data.seed, data.pattern));
  return values.map((value) => heldBy(value, data.dtype));
}

type Fill = (values: Float64Array, data: DataSpec, random: Random) => void;

/** Fills with a function of nothing. */
function each(make: (random: Random, data: DataSpec) => (i: number) => number): Fill {
  return (values, data, random) => {
    const next = make(random, data);
    for (let i = 0; i < values.length; i++) values[i] = next(i);
  };
}

const PATTERNS: Readonly<Record<Pattern, Fill>> = {
  zeros: () => {},
  constant: each((random, data) => {
    const value = isInteger(data) ? random.int(1, 90) : random.real(0.1, 50);
    return () => value;
  }),
  counts: each((random) => () => Math.floor(120 * random.next() ** 6)),
  sparse: each((random) => () => random.chance(0.92) ? 0 : random.int(1, 40)),
  signed: each((random) => () => random.int(-100, 100)),
  fractions: each((random) => () => 10 * random.normal()),
  offset: each((random, data) => {
    const base = isInteger(data) ? 0.8 * rangeOf(data.dtype)[1] : 1e4;
    return () => Math.round(base + 20 * random.normal());
  }),
  extreme: each((random, { dtype }) => {
    const [least, most] = rangeOf(dtype);
    const odd = [least, most, 0, 1, most / 2, least / 2, 1e-30];
    return () => random.pick(odd);
  }),
  special: each((random) => {
    const odd = [NaN, Infinity, -Infinity, -0];
    return () => random.chance(0.01) ? random.pick(odd) : 10 * random.normal();
  }),
  disks: fillDisks,
  field: fillField,
  grains: fillGrains,
};

/** Least and largest sample of a type that sums of squares can bear. */
function rangeOf(dtype: DType): readonly [number, number] {
  const { kind, unitSize } = dtypeInfo(dtype);
  if (kind === "u") return [0, 2 ** (8 * unitSize) - 1];
  if (kind === "i") return [-(2 ** (8 * unitSize - 1)), 2 ** (8 * unitSize - 1) - 1];
  return unitSize === 4 ? [-1e18, 1e18] : [-1e30, 1e30]; // results in float32 have to hold their sums, too
}

/** The nearest sample of a type. */
export function heldBy(value: number, dtype: DType): number {
  const { kind, unitSize } = dtypeInfo(dtype);
  if (kind === "f" || kind === "c") return unitSize === 4 ? Math.fround(value) : value;
  const [least, most] = rangeOf(dtype);
  return Math.min(most, Math.max(least, Math.round(value))) || 0;
}

/** Noise: whole numbers where the type counts. */
function noise(data: DataSpec, random: Random, mean: number): number {
  if (isInteger(data)) return Math.floor(2 * mean * random.next() ** 2);
  return mean * (0.5 + random.next());
}

/** A lattice of disks that moves a little from frame to frame. */
function fillDisks(values: Float64Array, data: DataSpec, random: Random): void {
  const [height = 1, width = 1] = data.sig;
  const { radius, zero, a, b } = diskLattice(data);
  const strength = Math.min(100, rangeOf(data.dtype)[1]);
  const pixels = product(data.sig);
  for (let f = 0; f < data.images; f++) {
    const frame = values.subarray(f * pixels, (f + 1) * pixels);
    const move = [random.real(-0.8, 0.8), random.real(-0.8, 0.8)] as const;
    for (let i = 0; i < pixels; i++) frame[i] = noise(data, random, 3);
    for (let i = -4; i <= 4; i++) {
      for (let j = -4; j <= 4; j++) {
        const centre = [0, 1].map((d) => zero[d]! + move[d]! + i * a[d]! + j * b[d]!);
        addDisk(frame, [height, width], centre as [number, number], radius, strength * random.real(0.3, 0.9));
      }
    }
  }
}

/** The lattice of the pattern `disks`, in pixels. */
export interface DiskLattice {
  readonly radius: number;
  readonly zero: readonly [number, number];
  readonly a: readonly [number, number];
  readonly b: readonly [number, number];
}

/** The lattice that a data set's disks lie on; for other data, one that would fit. */
export function diskLattice(data: Pick<DataSpec, "sig" | "seed">): DiskLattice {
  const random = new Random(data.seed, "lattice");
  const [height = 1, width = 1] = data.sig;
  const side = Math.min(height, width);
  const radius = Math.max(1.2, random.real(0.06, 0.1) * side);
  const length = radius * random.real(2.6, 3.4);
  const angle = random.real(-0.4, 0.4);
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)].map((x) => length * x) as [number, number];
  return {
    radius: Math.round(100 * radius) / 100,
    zero: [height / 2 + random.real(-1, 1), width / 2 + random.real(-1, 1)],
    a: [cos, sin],
    b: [-sin * 1.1, cos * 1.1],
  };
}

/** Adds a disk whose edge is a ramp of one pixel. */
function addDisk(
  frame: Float64Array,
  [height, width]: readonly [number, number],
  [cy, cx]: readonly [number, number],
  radius: number,
  strength: number,
): void {
  const reach = radius + 1;
  for (let y = Math.max(0, Math.ceil(cy - reach)); y <= Math.min(height - 1, cy + reach); y++) {
    for (let x = Math.max(0, Math.ceil(cx - reach)); x <= Math.min(width - 1, cx + reach); x++) {
      const share = Math.min(1, Math.max(0, radius + 0.5 - Math.hypot(y - cy, x - cx)));
      frame[y * width + x]! += share * strength;
    }
  }
}

/** A disk that atoms pull to themselves: what a centre of mass is made for. */
function fillField(values: Float64Array, data: DataSpec, random: Random): void {
  const [height = 1, width = 1] = data.sig;
  const columns = data.nav.at(-1) ?? 1, rows = Math.max(1, product(data.nav) / columns);
  const pixels = product(data.sig);
  const [turn, flip] = [random.real(0, 6), random.chance(0.5) ? -1 : 1];
  for (let f = 0; f < data.images; f++) {
    const frame = values.subarray(f * pixels, (f + 1) * pixels);
    const [y, x] = [Math.floor(f / columns) - rows / 2, f % columns - columns / 2];
    const pull = -1.5 * Math.exp(-(y * y + x * x) / 6);
    const [dy, dx] = [
      flip * pull * (Math.cos(turn) * y + Math.sin(turn) * x),
      pull * (Math.cos(turn) * x - Math.sin(turn) * y),
    ];
    for (let i = 0; i < pixels; i++) frame[i] = noise(data, random, 1);
    const centre = [(height - 1) / 2 + dy, (width - 1) / 2 + dx] as const;
    addDisk(frame, [height, width], centre, Math.min(height, width) / 3, 80);
  }
}

/** Regions of the scan with other bright pixels each. */
function fillGrains(values: Float64Array, data: DataSpec, random: Random): void {
  const pixels = product(data.sig);
  const columns = data.nav.at(-1) ?? 1;
  const grains = Array.from({ length: 3 }, () => Array.from({ length: pixels }, () => random.next() ** 8));
  for (let f = 0; f < data.images; f++) {
    const grain = grains[Math.floor(3 * ((f % columns) + 0.5) / columns) % 3]!;
    for (let p = 0; p < pixels; p++) values[f * pixels + p] = 90 * grain[p]! + noise(data, random, 2);
  }
}
