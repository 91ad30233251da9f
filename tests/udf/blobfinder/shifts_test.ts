/** Disks that move from frame to frame, by known shifts: the lattice that is fitted moves with them. */

import { assert, assertAlmostEquals, assertEquals, assertRejects } from "@std/assert";
import type { UdfResult } from "../../../src/udf/interface/buffer_types.ts";
import type { UdfRef } from "../../../src/udf/interface/udf_ref.ts";
import * as blobs from "../../../src/udf/builtin/blobfinder/mod.ts";
import { TilewiseError } from "../../../src/errors.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import { auxData } from "../../../src/udf/interface/aux_data.ts";
import { createContext } from "../../../src/runner/context.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { memoryScan, numbers } from "../data.ts";
import { addDisk } from "./frames.ts";

const SIDE = 104, PIXELS = SIDE * SIDE;
const LATTICE = { zero: [50, 52], a: [27, 2], b: [-1, 28] } as const;
const INDICES = [-1, 0, 1].flatMap((i) => [-1, 0, 1].map((j) => [i, j] as const));
const PATTERN = blobs.backgroundSubtractionPattern({ radius: 5, search: 8 });
const OPTIONS = { ...LATTICE, indices: INDICES, pattern: PATTERN } as const;

/** How far the lattice is moved in each frame: beyond the tolerance of 3 px, and between pixels. */
const SHIFTS = [[0, 0], [2, 0], [4, 0], [8, 0], [-9.5, 6.25], [11.5, -7], [5.5, 4.5], [-4, -12]] as const;

/** One frame per shift, with the disks of the lattice moved by it. */
function frames(shifts: readonly blobs.Vector[]): Float64Array {
  const all = new Float64Array(shifts.length * PIXELS).fill(2);
  shifts.forEach((shift, n) => {
    const frame = all.subarray(n * PIXELS, (n + 1) * PIXELS);
    for (const [i, j] of INDICES) {
      const at = [0, 1].map((d) =>
        LATTICE.zero[d]! + i * LATTICE.a[d]! + j * LATTICE.b[d]! + shift[d]!
      ) as unknown as blobs.Vector;
      addDisk(frame, [SIDE, SIDE], at, 5, (share, pixel) => frame[pixel]! += 90 * share);
    }
  });
  return all;
}

async function fit(
  shifts: readonly blobs.Vector[],
  ref: UdfRef,
  workers = 0,
): Promise<UdfResult> {
  await using context = createContext({ memory: 64 * 2 ** 20, workers });
  const scan = memoryScan(frames(shifts), [shifts.length], [SIDE, SIDE], "float32");
  return (await run(await plan(scan, { fit: ref }, { context, partitions: 3 }))).fit;
}

/** The lattice of each frame is that of the start, its origin moved by the shift. */
function assertMoved(found: UdfResult, shifts: readonly blobs.Vector[], tolerance: number): void {
  shifts.forEach((shift, n) => {
    for (const d of [0, 1] as const) {
      const at = (name: string) => Number(found[name]!.data[2 * n + d]);
      assertAlmostEquals(at("zero"), LATTICE.zero[d] + shift[d], tolerance, `origin of frame ${n}`);
      assertAlmostEquals(at("a"), LATTICE.a[d], tolerance, `a of frame ${n}`);
      assertAlmostEquals(at("b"), LATTICE.b[d], tolerance, `b of frame ${n}`);
    }
  });
}

const perFrame = (shifts: readonly blobs.Vector[]) =>
  ndarray(Float64Array.from(shifts.flat()), [shifts.length, 2], "float64");

type Way = Pick<blobs.RefineOptions, "method" | "match" | "steps" | "upsample">;

const METHODS: readonly Way[] = [
  { method: "fast" },
  { method: "fast", upsample: true },
  { method: "full" },
  { method: "sparse", steps: 4 },
];
const WAYS = METHODS.flatMap((way) => (["fast", "affine"] as const).map((match): Way => ({ ...way, match })));

for (const way of WAYS) {
  const name = JSON.stringify(way);
  Deno.test(`a lattice that moves with the shifts of each frame is found there: ${name}`, async () => {
    const shifts = perFrame(SHIFTS);
    assertMoved(await fit(SHIFTS, blobs.refineLattice({ ...OPTIONS, ...way, shifts })), SHIFTS, 0.3);
  });

  Deno.test(`one shift holds for all frames, as numbers, array or auxiliary data: ${name}`, async () => {
    const shift = [-7.5, 5.25] as const;
    const moved = SHIFTS.slice(0, 3).map(() => shift);
    const forms: blobs.RefineOptions["shifts"][] = [
      shift,
      ndarray(Float64Array.from(shift), [2], "float64"),
      auxData(Float64Array.from(shift), { kind: "single", extraShape: [2] }),
    ];
    const expected = await fit(
      moved,
      blobs.refineLattice({ ...OPTIONS, ...way, shifts: perFrame(moved) }),
    );
    assertMoved(expected, moved, 0.3);
    for (const [i, shifts] of forms.entries()) {
      const workers = i === 1 && way.method === "fast" ? 2 : 0;
      const found = await fit(moved, blobs.refineLattice({ ...OPTIONS, ...way, shifts: shifts! }), workers);
      for (const [buffer, { data }] of Object.entries(found)) {
        assertEquals(numbers(data), numbers(expected[buffer]!.data), buffer);
      }
    }
  });
}

Deno.test("sparse finds disks that are exactly where they are expected, without a word about steps", async () => {
  const found = await fit([[0, 0]], blobs.refineLattice({ ...OPTIONS, method: "sparse" }));
  assertMoved(found, [[0, 0]], 0.3);
  numbers(found.peak_elevations!.data).forEach((elevation, i) => assert(elevation > 0.1, `peak ${i}`));
});

Deno.test("a strain map finds a lattice that moves: no strain, from (4, 0) on, too", async () => {
  const shifts = Array.from({ length: 10 }, (_, dy) => [dy, 0] as const);
  const reference = { a: LATTICE.a, b: LATTICE.b };
  const found = await fit(shifts, blobs.strainMap({ ...OPTIONS, shifts: perFrame(shifts), reference }));
  assertMoved(found, shifts, 0.06);
  for (const name of ["e_xx", "e_yy", "e_xy", "theta"]) {
    numbers(found[name]!.data).forEach((value, n) => assertAlmostEquals(value, 0, 3e-3, `${name} ${n}`));
  }
});

Deno.test("shifts are rounded, halves to the even pixel, before peaks are moved", async () => {
  // Where nothing is seen, a peak stays where it was expected: that shows the shift.
  const shifts = [[0.5, 1.5], [2.5, -0.5], [-1.5, -2.5], [0.4, 0.6], [-0.6, -5.9]] as const;
  const scan = memoryScan(new Float64Array(shifts.length * 400), [shifts.length], [20, 20], "uint8");
  for (const method of ["fast", "full", "sparse"] as const) {
    const ref = blobs.correlatePattern({
      pattern: PATTERN,
      peaks: [[10, 10]],
      method,
      shifts: perFrame(shifts),
    });
    const { found } = await run(await plan(scan, { found: ref }));
    const moved = numbers(found!.centers!.data).map((at) => at - 10);
    assertEquals(moved, [0, 2, 2, 0, -2, -2, 0, 1, -1, -6], method);
  }
});

Deno.test("a frame whose shift is unknown has no peaks and no lattice", async () => {
  const shifts = [[0, 0], [NaN, 0], [0, Infinity], [1e12, 0], [3, 0]] as const;
  const ref = blobs.refineLattice({ ...OPTIONS, shifts: perFrame(shifts) });
  const still = shifts.map(([y, x]) => Number.isFinite(y + x) && y < 9 ? [y, x] as const : [0, 0] as const);
  const found = await fit(still, ref);
  for (const name of ["refineds", "peak_values", "peak_elevations", "zero", "error"]) {
    const { data, shape } = found[name]!;
    const each = data.length / shape[0]!;
    const known = shifts.map((_, n) => !Number.isNaN(Number(data[n * each])));
    assertEquals(known, [true, false, false, false, true], name);
  }
});

Deno.test("shifts of another shape are refused", async () => {
  const refused = async (shifts: blobs.RefineOptions["shifts"], text: string) => {
    await assertRejects(
      async () => await fit(SHIFTS, blobs.refineLattice({ ...OPTIONS, shifts: shifts! })),
      TilewiseError,
      text,
    );
  };
  await refused(perFrame(SHIFTS.slice(1)), "it needs 16");
  await refused(ndarray(new Float64Array(24), [8, 3], "float64"), "an array of 8 × 3");
  await refused(auxData(new Float64Array(24), { extraShape: [3] }), "entries of 3");
  await refused(auxData(new Float64Array(2 * PIXELS), { kind: "sig", extraShape: [2] }), "of kind sig");
  await refused([1, 2, 3] as unknown as blobs.Vector, "[1,2,3]; it must be a pair of numbers");
});
