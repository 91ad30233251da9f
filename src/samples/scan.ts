/**
 * A simulated 4D-STEM scan with a known answer: a thin wedge of crystal with charges in it.
 *
 * The charges deflect the beam, so that the whole pattern moves by their field; the thickness of the wedge swaps
 * electrons between the direct disk and six Bragg disks, as the two-beam theory has it: a share sin² of the
 * thickness is diffracted. Every count is a Poisson count, over a faint even background.
 *
 * @module
 */

import { PoissonTable, Random } from "./poisson.ts";

/** What is simulated. */
interface DemoSpec {
  /** Rows and columns of the scan. */
  readonly scan: readonly [number, number];
  /** Pixels of a frame along both sides; a multiple of 8, at least 64. */
  readonly side: number;
  /** Seed of the random numbers. */
  readonly seed: number;
}

/** Lengths of the pattern in pixels. */
interface DemoGeometry {
  /** Row and column of the centre of a pattern that is not deflected. */
  readonly centre: number;
  /** Radius of each disk. */
  readonly disk: number;
  /** Radius of a detector around the direct disk that no Bragg disk touches. */
  readonly inner: number;
  /** Radii of a ring that holds all Bragg disks and nothing of the direct one. */
  readonly ring: readonly [number, number];
  /** Distance of the Bragg disks from the direct one. */
  readonly bragg: number;
  /** The largest deflection. */
  readonly deflection: number;
}

/** The true values that the analysis must find. */
interface DemoTruth {
  /** Deflection of every frame along rows, in pixels. */
  readonly shiftY: Float64Array;
  /** Deflection of every frame along columns, in pixels. */
  readonly shiftX: Float64Array;
  /** Counts drawn in the Bragg disks of every frame. */
  readonly bragg: Float64Array;
  /** Sum of all frames, pixel by pixel. */
  readonly sum: Float64Array;
  /** Counts in the direct disk of every frame. */
  readonly direct: Float64Array;
}

/** Counts per pixel of the direct disk where nothing is diffracted. */
const DOSE = 100;
/** The largest share of electrons that is diffracted. */
const DIFFRACTED = 0.6;
/** Thickness at the far side of the wedge, in extinction lengths. */
const THICKNESS = 2.5;
/** Background counts per pixel. */
export const BACKGROUND = 1 / 64;

/** Row and column as shares of the scan, charge. */
const CHARGES = [[0.3, 0.32, 1], [0.68, 0.55, -1], [0.28, 0.8, 0.6]] as const;

/** The lengths for frames of `side` pixels. */
export function demoGeometry(side: number): DemoGeometry {
  const unit = side / 128;
  return {
    centre: side / 2,
    disk: 11 * unit,
    inner: 22 * unit,
    ring: [25 * unit, 61 * unit],
    bragg: 42 * unit,
    deflection: 4 * unit,
  };
}

/** The scan: its frames one after another, and, when all have been made, the true values. */
export class DemoScan {
  /** Lengths of the pattern. */
  readonly geometry: DemoGeometry;
  /** The true values; complete after the last frame. */
  readonly truth: DemoTruth;
  readonly #table = new PoissonTable(DOSE);

  /** A scan; nothing is drawn yet. */
  constructor(readonly spec: DemoSpec) {
    this.geometry = demoGeometry(spec.side);
    const frames = spec.scan[0] * spec.scan[1];
    this.truth = {
      ...field(spec.scan, this.geometry.deflection),
      bragg: new Float64Array(frames),
      direct: new Float64Array(frames),
      sum: new Float64Array(spec.side ** 2),
    };
  }

  /** All frames in scan order. The next frame reuses the array. */
  *frames(): Generator<Uint16Array<ArrayBuffer>> {
    const { scan, side, seed } = this.spec;
    const { truth } = this;
    const random = new Random(seed);
    const frame = new Uint16Array(side * side);
    truth.sum.fill(0);
    for (let n = 0; n < scan[0] * scan[1]; n++) {
      frame.fill(0);
      const share = diffractedShare((n % scan[1]) / scan[1]);
      truth.direct[n] = this.#disk(frame, n, 0, 0, DOSE * (1 - share), random);
      truth.bragg[n] = this.#braggDisks(frame, n, DOSE * share / 6, random);
      addBackground(frame, random);
      for (let i = 0; i < frame.length; i++) truth.sum[i]! += frame[i]!;
      yield frame;
    }
  }

  #braggDisks(frame: Uint16Array, n: number, mean: number, random: Random): number {
    let counts = 0;
    for (let spot = 0; spot < 6; spot++) {
      const angle = (spot * 60 + 12) * Math.PI / 180;
      const [y, x] = [this.geometry.bragg * Math.sin(angle), this.geometry.bragg * Math.cos(angle)];
      counts += this.#disk(frame, n, y, x, mean, random);
    }
    return counts;
  }

  /** Draws a disk that is deflected like frame `n`; pixels at its rim count for the part inside. */
  #disk(frame: Uint16Array, n: number, y: number, x: number, mean: number, random: Random): number {
    const { centre, disk } = this.geometry;
    const { side } = this.spec;
    const [cy, cx] = [centre + y + this.truth.shiftY[n]!, centre + x + this.truth.shiftX[n]!];
    const table = this.#table;
    const reach = Math.ceil(disk) + 1;
    let counts = 0;
    for (let row = Math.floor(cy) - reach; row <= cy + reach; row++) {
      for (let column = Math.floor(cx) - reach; column <= cx + reach; column++) {
        const inside = disk + 0.5 - Math.sqrt((row - cy) ** 2 + (column - cx) ** 2);
        if (inside <= 0) continue;
        const count = table.draw(table.level(mean * Math.min(1, inside)), random);
        frame[row * side + column]! += count;
        counts += count;
      }
    }
    return counts;
  }
}

/** The share of electrons in the Bragg disks where the wedge has `position` of its thickness. */
function diffractedShare(position: number): number {
  return DIFFRACTED * Math.sin(Math.PI * THICKNESS * position) ** 2;
}

/** One count at as many random pixels as the background has counts. */
function addBackground(frame: Uint16Array, random: Random): void {
  for (let i = Math.round(frame.length * BACKGROUND); i > 0; i--) {
    frame[random.next() % frame.length]!++;
  }
}

/** The field of the charges at every scan position, scaled so that its largest vector has length `most`. */
function field([rows, columns]: readonly [number, number], most: number) {
  const shiftY = new Float64Array(rows * columns);
  const shiftX = new Float64Array(rows * columns);
  let longest = 0;
  for (let n = 0; n < rows * columns; n++) {
    for (const [row, column, charge] of CHARGES) {
      const dy = (Math.floor(n / columns) + 0.5) / rows - row;
      const dx = (n % columns + 0.5) / columns - column;
      const pull = charge / (dy * dy + dx * dx + 0.02);
      shiftY[n]! += pull * dy;
      shiftX[n]! += pull * dx;
    }
    longest = Math.max(longest, Math.hypot(shiftY[n]!, shiftX[n]!));
  }
  const scale = (v: number) => v * most / longest;
  return { shiftY: shiftY.map(scale), shiftX: shiftX.map(scale) };
}
