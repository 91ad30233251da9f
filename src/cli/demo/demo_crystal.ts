/**
 * A simulated scan of a crystal whose strain is known: diffraction disks on a lattice that is stretched from column to
 * column and turned from row to row. Every count is a Poisson count.
 *
 * @module
 */

import { open } from "../../formats/open.ts";
import type { UdfResult } from "../../udf/interface/buffer_types.ts";
import { latticePoints } from "../../udf/builtin/blobfinder/lattice.ts";
import type { Vector } from "../../udf/builtin/blobfinder/options/lattice.ts";
import { backgroundSubtractionPattern } from "../../udf/builtin/blobfinder/patterns.ts";
import { strainMap } from "../../udf/builtin/blobfinder/strain_map.ts";
import type { Context } from "../../runner/context.ts";
import { plan } from "../../udf/run/plan.ts";
import type { Check } from "./demo_check.ts";
import { PoissonTable, Random } from "../../samples/poisson.ts";

const SCAN = [8, 12] as const;
const SIDE = 128;
const RADIUS = 11;
const DOSE = 100;
const A: Vector = [42, 0];
const B: Vector = [0, 42];

/** The extension along x at the left and right edge of the scan, the other way round. */
const EXTENSION = 0.015;
/** The rotation at its upper and lower edge, in degrees. */
const TURN = 2;

/** The true values at a position: extension along x, and rotation in radians. */
export function crystalTruth(position: number): { readonly strain: number; readonly rotation: number } {
  const [row, column] = [Math.floor(position / SCAN[1]), position % SCAN[1]];
  return {
    strain: EXTENSION * (2 * column / (SCAN[1] - 1) - 1),
    rotation: TURN * Math.PI / 180 * (2 * row / (SCAN[0] - 1) - 1),
  };
}

/** Draws the scan, maps its strain through the ordinary path; `e_xx`, `theta` and the rest. */
export async function crystalStrain(
  seed: number,
  context: Context,
  signal: AbortSignal,
): Promise<UdfResult> {
  const options = { format: "raw", dtype: "uint16", nav: SCAN, sig: [SIDE, SIDE] };
  const dataset = await open(new Uint8Array(drawCrystal(seed).buffer), options);
  const zero: Vector = [SIDE / 2, SIDE / 2];
  const { indices } = latticePoints({ zero, a: A, b: B }, { frame: [SIDE, SIDE], margin: RADIUS });
  const pattern = backgroundSubtractionPattern({ radius: RADIUS });
  const strain = strainMap({ pattern, zero, a: A, b: B, indices, reference: { a: A, b: B } });
  const planned = await plan(dataset, { strain }, { context });
  return (await planned.run({ signal })).strain!;
}

/** The comparisons: strain within 0.1 %, rotation within half a degree. */
export function checkCrystal({ e_xx, theta }: UdfResult): Check[] {
  let [squares, worst] = [0, 0];
  for (let n = 0; n < SCAN[0] * SCAN[1]; n++) {
    const { strain, rotation } = crystalTruth(n);
    squares += (Number(e_xx!.data[n]) - strain) ** 2;
    const off = Math.abs(Number(theta!.data[n]) - rotation) * 180 / Math.PI;
    worst = off > worst || Number.isNaN(off) ? off : worst;
  }
  const found = Math.sqrt(squares / (SCAN[0] * SCAN[1]));
  return [
    {
      name: "strain",
      ok: found <= 0.001,
      found,
      bound: 0.001,
      text: `${(100 * found).toFixed(3)} % off (RMS) of −${100 * EXTENSION} to ${
        100 * EXTENSION
      } %, at most 0.1 %`,
    },
    {
      name: "rotation",
      ok: worst <= 0.5,
      found: worst,
      bound: 0.5,
      text: `${worst.toFixed(3)}° off at most of −${TURN} to ${TURN}°, at most 0.5°`,
    },
  ];
}

/** The frames, uint16. */
function drawCrystal(seed: number): Uint16Array<ArrayBuffer> {
  const frames = new Uint16Array(SCAN[0] * SCAN[1] * SIDE * SIDE);
  const [random, table] = [new Random(seed), new PoissonTable(DOSE)];
  for (let n = 0; n < SCAN[0] * SCAN[1]; n++) {
    const frame = frames.subarray(n * SIDE * SIDE, (n + 1) * SIDE * SIDE);
    const [a, b] = [A, B].map((g) => deformed(g, crystalTruth(n))) as [Vector, Vector];
    for (const i of [-1, 0, 1]) {
      for (const j of [-1, 0, 1]) {
        const centre: Vector = [SIDE / 2 + i * a[0] + j * b[0], SIDE / 2 + i * a[1] + j * b[1]];
        drawDisk(frame, centre, table, random);
      }
    }
  }
  return frames;
}

/** A diffraction vector of a crystal that is stretched along x, then turned: lengths shrink as the crystal grows. */
function deformed([y, x]: Vector, { strain, rotation }: ReturnType<typeof crystalTruth>): Vector {
  const [cos, sin] = [Math.cos(rotation), Math.sin(rotation)];
  const shorter = x / (1 + strain);
  return [sin * shorter + cos * y, cos * shorter - sin * y];
}

/** Poisson counts in a disk; pixels at its rim count for the part inside. */
function drawDisk(frame: Uint16Array, [cy, cx]: Vector, table: PoissonTable, random: Random): void {
  const reach = RADIUS + 1;
  for (let y = Math.ceil(cy - reach); y <= cy + reach; y++) {
    for (let x = Math.ceil(cx - reach); x <= cx + reach; x++) {
      const inside = RADIUS + 0.5 - Math.hypot(y - cy, x - cx);
      if (inside > 0) frame[y * SIDE + x]! += table.draw(table.level(DOSE * Math.min(1, inside)), random);
    }
  }
}
