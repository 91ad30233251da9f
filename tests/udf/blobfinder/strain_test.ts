/** Strain: the formulas against known deformations, and a simulated scan whose strain is known. */

import { assert, assertAlmostEquals, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import type { UdfResult } from "../../../src/udf/interface/buffer_types.ts";
import * as blobs from "../../../src/udf/builtin/blobfinder/mod.ts";
import { TilewiseError } from "../../../src/errors.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import { createContext } from "../../../src/runner/context.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { memoryScan, numbers } from "../data.ts";
import { cbedScan, type Deformation, reciprocal } from "./frames.ts";

const REFERENCE = { a: [39, 7], b: [-11, 36] } as const;

/** `F = R U` with the rotation from x to y by theta and the symmetric stretch 1 + e. */
function deformation(theta: number, exx: number, eyy: number, exy: number): Deformation {
  const [c, s] = [Math.cos(theta), Math.sin(theta)];
  const [xx, xy, yx, yy] = [1 + exx, exy, exy, 1 + eyy];
  return [s * xy + c * yy, s * xx + c * yx, c * xy - s * yy, c * xx - s * yx];
}

Deno.test("rotation and strain come back from the vectors they make", () => {
  const small = fc.double({ min: -0.05, max: 0.05, noNaN: true });
  const angle = fc.double({ min: -3, max: 3, noNaN: true });
  fc.assert(
    fc.property(angle, small, small, small, (theta, exx, eyy, exy) => {
      const f = deformation(theta, exx, eyy, exy);
      const cell = { a: reciprocal(f, REFERENCE.a), b: reciprocal(f, REFERENCE.b) };
      const found = blobs.strainOf(cell, REFERENCE);
      for (const [name, value] of Object.entries({ theta, e_xx: exx, e_yy: eyy, e_xy: exy })) {
        assertAlmostEquals(found[name as keyof blobs.Strain], value, 1e-12, name);
      }
    }),
    { numRuns: 200, seed: 11 },
  );
});

Deno.test("infinitesimal strain is the same up to second order", () => {
  const f = deformation(1e-4, 2e-4, -3e-4, 1e-4);
  const cell = { a: reciprocal(f, REFERENCE.a), b: reciprocal(f, REFERENCE.b) };
  const [polar, small] = [blobs.strainOf(cell, REFERENCE), blobs.strainOf(cell, REFERENCE, "infinitesimal")];
  for (const name of ["e_xx", "e_yy", "e_xy", "theta"] as const) {
    assertAlmostEquals(polar[name], small[name], 2e-7);
    assert(polar[name] !== small[name]);
  }
});

Deno.test("a uniform strain map: mean and median as reference give 0, a given cell gives the strain", () => {
  const a = Float64Array.of(40, 0, 40, 0, NaN, NaN, 0, 0, 40, 0),
    b = Float64Array.of(0, 40, 0, 40, NaN, NaN, 0, 0, 0, 40);
  for (const reference of ["mean", "median"] as const) {
    assertEquals([...blobs.strainArrays(a, b, { reference }).e_xx], [0, 0, NaN, NaN, 0]);
  }
  const { e_xx, theta } = blobs.strainArrays(a, b, { reference: { a: [40, 0], b: [0, 44] } });
  assertAlmostEquals(e_xx[0]!, 0.1, 1e-12);
  assertEquals(theta[0], 0);
  const region = [0, 0, 1, 1, 0]; // nothing there to take a reference from
  assert(blobs.strainArrays(a, b, { region }).e_xx.every(Number.isNaN));
  const mirrored = blobs.strainOf({ a: [0, 40], b: [40, 0] }, { a: [40, 0], b: [0, 40] });
  assert(Number.isNaN(mirrored.e_xx));
});

const SCAN = [4, 6] as const, SIDE = 160;
const LATTICE = { zero: [SIDE / 2, SIDE / 2], a: [25.2, 3.1], b: [-2.4, 24.6] } as const;
const { indices } = blobs.latticePoints(LATTICE, { frame: [SIDE, SIDE], margin: 14 });

/** A ramp of strain along the rows of the scan, shear along its columns, and some rotation; position 0 is unstrained. */
function truth(position: number): [theta: number, exx: number, eyy: number, exy: number] {
  const [row, column] = [Math.floor(position / SCAN[1]), position % SCAN[1]];
  return [0.004 * row - 0.002 * column, 0.004 * column, -0.003 * row, 0.0015 * (row - column / 2)];
}

let simulated: Uint16Array | undefined;

function simulation(): Uint16Array {
  return simulated ??= cbedScan(
    { ...LATTICE, scan: SCAN, side: SIDE, radius: 6, dose: 200, indices, seed: 7 },
    (position) => deformation(...truth(position)),
  );
}

const OPTIONS = {
  ...LATTICE,
  indices,
  pattern: blobs.radialGradientBackgroundSubtractionPattern({ radius: 6 }),
  reference: { a: LATTICE.a, b: LATTICE.b },
} as const;

async function map(
  frames: Uint16Array,
  options: blobs.StrainOptions,
  workers = 0,
  partitions = 1,
): Promise<UdfResult> {
  await using context = createContext({ memory: 64 * 2 ** 20, workers });
  const scan = memoryScan(frames, SCAN, [SIDE, SIDE], "uint16");
  return (await run(await plan(scan, { map: blobs.strainMap(options) }, { context, partitions }))).map!;
}

const WAYS = [
  { what: "within 0.1 %", options: {}, tolerance: 1e-3 },
  { what: "within 0.1 %, by whole frames", options: { method: "full" }, tolerance: 1e-3 },
  { what: "within 0.25 % by centres of mass", options: { upsample: false }, tolerance: 2.5e-3 },
] as const;

for (const { what, options, tolerance } of WAYS) {
  Deno.test(`a simulated scan: strain ${what}`, async () => {
    const found = await map(simulation(), { ...OPTIONS, ...options });
    for (let n = 0; n < 24; n++) {
      const [theta, e_xx, e_yy, e_xy] = truth(n);
      for (const [name, value] of Object.entries({ theta, e_xx, e_yy, e_xy })) {
        assertAlmostEquals(Number(found[name]!.data[n]), value, tolerance, `${name} at ${n}`);
      }
    }
    assertEquals(found.e_xx!.shape, [4, 6]);
    assert(numbers(found.selector!.data).reduce((sum, v) => sum + v, 0) > 0.95 * 24 * indices.length);
    assert(numbers(found.error!.data).every((error) => error < 0.3));
  });
}

Deno.test("a strain map has NaN where there is no lattice, and its reference may be a region", async () => {
  const frames = simulation().slice();
  frames.fill(3, 5 * SIDE * SIDE, 6 * SIDE * SIDE);
  const region = ndarray(Uint8Array.from({ length: 24 }, (_, n) => n === 0 ? 1 : 0), SCAN, "bool");
  const found = await map(frames, { ...OPTIONS, reference: "mean", region });
  assertEquals(["e_xx", "e_yy", "e_xy", "theta"].map((name) => found[name]!.data[5]), Array(4).fill(NaN));
  assertEquals(numbers(found.a!.data).slice(10, 12), [NaN, NaN]);
  assertEquals(found.e_xx!.data[0], 0);
  for (let n = 0; n < 24; n++) {
    if (n !== 5) assertAlmostEquals(Number(found.e_xx!.data[n]), truth(n)[1], 2e-3, `at ${n}`);
  }
  const odd = ndarray(new Uint8Array(3), [3], "bool");
  await assertRejects(() => map(frames, { ...OPTIONS, region: odd }), TilewiseError, "region of 3");
});

Deno.test("a strain map has the same bits for any workers and partitions", async () => {
  const bits = (found: UdfResult) => Object.values(found).map(({ data }) => numbers(data));
  const expected = bits(await map(simulation(), { ...OPTIONS, reference: "median" }));
  assertEquals(bits(await map(simulation(), { ...OPTIONS, reference: "median" }, 2, 5)), expected);
});

Deno.test("affine matching takes indices as they are", async () => {
  const found = await map(simulation(), { ...OPTIONS, match: "affine" });
  assertAlmostEquals(Number(found.e_xx!.data[11]), truth(11)[1], 1e-3);
  const wrong = { ...OPTIONS, match: "slow" } as unknown as blobs.StrainOptions;
  await assertRejects(() => map(simulation(), wrong), TilewiseError, '"fast" or "affine"');
});
