/** The field of centres of mass: values of LiberTEM on the golden scan, and planes and fields that are known. */

import { assertAlmostEquals, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { isTilewiseError } from "../../../src/errors.ts";
import type { DType } from "../../../src/space/dtype.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import type { Results } from "../../../src/udf/interface/buffer_types.ts";
import { centreOfMass, type CentreOfMassOptions } from "../../../src/udf/builtin/centre_of_mass.ts";
import { createContext } from "../../../src/runner/context.ts";
import type { PlanOptions } from "../../../src/udf/plan/plan.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { goldenScan, memoryScan, numbers } from "../data.ts";

async function compute(options: CentreOfMassOptions, how: PlanOptions = {}, scan = goldenScan()) {
  await using context = createContext({ memory: 16 * 2 ** 20, workers: 0 });
  const results: Results = await run(await plan(scan, { it: centreOfMass(options) }, { context, ...how }));
  return (name: string) => numbers(results.it?.[name]?.data ?? new Uint8Array(0));
}

/** The expected values are float32, of differences of centres near 2. */
function assertClose(found: readonly number[], expected: readonly number[], tolerance = 2e-6): void {
  assertEquals(found.length, expected.length);
  found.forEach((value, i) => {
    if (Number.isNaN(expected[i])) assertEquals(value, NaN);
    else assertAlmostEquals(value, expected[i]!, tolerance);
  });
}

const DISK = { cy: 1.5, cx: 2, r: 2 };
const TURNED = { ...DISK, scanRotation: 33, flipY: true, regression: 1 } as const;

Deno.test("divergence and curl", async () => {
  const result = await compute(DISK);
  assertClose(result("divergence").slice(4, 8), [-0.0134166, 0.1749575, -0.0568666, 0.1590005]);
  assertClose(result("divergence").slice(0, 4), [-0.428207, 0.373427, 0.304712, -0.565636]);
  assertClose(result("curl").slice(4, 8), [0.5644969, 0.2255782, -0.2965151, -0.4345217]);
  assertClose(result("curl").slice(8), [-0.043543, -0.652839, -0.505764, 0.340943]);
  assertEquals(result("field"), result("raw_shifts"));
  assertEquals(result("regression"), [0, 0, 0, 0, 0, 0]);
});

Deno.test("rotation, flip and a plane", async () => {
  const result = await compute(TURNED);
  assertClose(
    result("regression"),
    [-0.0680581, 0.0200605, 0.0359696, -0.0165710, 0.0399418, 0.0318004],
    1e-7,
  );
  assertClose(result("field").slice(12, 14), [-0.2953433, -0.2401923]);
  assertClose(result("magnitude").slice(0, 4), [0.2695442, 0.3011484, 0.2493804, 0.3570566]);
  assertClose(result("divergence").slice(0, 4), [0.350018, -0.661853, -0.442689, 0.788346]);
  assertClose(result("curl").slice(8), [-0.53679, -0.200518, -0.104246, -0.961336]);
  assertEquals(result("field").filter((_, i) => i % 2 === 0), result("field_y"));
  assertEquals(result("field").filter((_, i) => i % 2 === 1), result("field_x"));
  assertClose(result("raw_shifts").slice(0, 2), [0.335106, 0.015957]);
});

Deno.test("a plane is fitted to the region of interest, and NaN spreads from beyond it", async () => {
  const roi = ndarray(Uint8Array.from({ length: 12 }, (_, i) => i === 3 ? 0 : 1), [3, 4], "bool");
  const result = await compute(TURNED, { roi });
  assertClose(result("regression"), [-0.048059, -0.005506, -0.006887, 0.038214, 0.074227, -0.012028]);
  assertClose(result("field_y").slice(0, 6), [-0.224294, 0.22138, 0.138771, NaN, 0.223173, -0.258448]);
  const row = [0.436703, -0.575168, NaN, NaN, 0.553789, -0.027084, 0.013365, NaN];
  assertClose(result("divergence").slice(0, 8), row);
  assertClose(result("curl").slice(0, 8), [1.076477, 0.374008, NaN, NaN, -0.370067, -0.357892, 0.2578, NaN]);
});

Deno.test("the mean in a ring, and a plane that is given", async () => {
  const ring = await compute({ ...DISK, ri: 1, regression: 0 });
  assertClose(ring("regression"), [0.009849, 0.072631, 0, 0, 0, 0]);
  assertClose(ring("field").slice(0, 4), [0.434596, -0.051797, -0.148947, 0.243159]);
  const matrix = [[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]];
  const expected = [-0.183333, -0.140476, -1.313043, -0.426087, -1.657047, -1.081208];
  const given = ndarray(Float64Array.from(matrix.flat()), [3, 2], "float64");
  for (const regression of [matrix, given]) {
    const result = await compute({ regression });
    assertClose(result("field").slice(0, 6), expected);
    assertEquals(result("regression"), matrix.flat());
  }
});

/** A scan whose centres of mass lie at chosen places: one count at each corner of a square, weighted. */
function scanOf(nav: readonly number[], centre: (row: number, column: number) => readonly [number, number]) {
  const columns = nav.at(-1)!;
  const frames = nav.reduce((a, b) => a * b, 1);
  const values = Array.from({ length: frames }, (_, f) => {
    const [y, x] = centre(Math.floor(f / columns), f % columns);
    return [(1 - y) * (1 - x), (1 - y) * x, y * (1 - x), y * x];
  });
  return memoryScan(values.flat(), nav, [2, 2], "float64");
}

Deno.test("a plane leaves nothing of a plane, also where the scan has one row or few positions", async () => {
  const plane = (row: number, column: number) =>
    [0.2 + 0.05 * row - 0.01 * column, 0.4 + 0.03 * column] as const;
  const full = await compute({ regression: 1 }, {}, scanOf([4, 6], plane));
  assertClose(full("regression"), [0.2 - 1, 0.4 - 1, 0.05, 0, -0.01, 0.03], 1e-13);
  assertClose(full("magnitude"), Array(24).fill(0), 1e-13);
  const row = await compute({ regression: 1 }, {}, scanOf([1, 6], plane));
  assertClose(row("field_y"), Array(6).fill(0), 1e-13);
  const some = await compute({ regression: 1 }, { roi: [[0, 0], [1, 1], [2, 2]] }, scanOf([4, 6], plane));
  assertClose(some("magnitude").filter(Number.isFinite), [0, 0, 0], 1e-13);
  const one = await compute({ regression: 1 }, { roi: [[2, 2]] }, scanOf([4, 6], plane));
  assertClose(one("regression").slice(2), [0, 0, 0, 0]);
});

Deno.test("scans of one or three dimensions have a field, but no derivatives", async () => {
  for (const nav of [[12], [2, 2, 3], [1, 12]]) {
    const scan = scanOf(nav, (_, column) => [0.5, 0.1 + 0.05 * column]);
    const result = await compute({ regression: 0, scanRotation: 90 }, {}, scan);
    assertEquals([result("field_y").length, result("divergence"), result("curl")], [12, [], []]);
    assertAlmostEquals(result("field_y").reduce((a, b) => a + b), 0, 1e-14);
    if (nav.length === 2) continue;
    const error = await assertRejects(() => compute({ regression: 1 }, {}, scan));
    assertEquals(isTilewiseError(error, "invalid") && error.message.includes("it needs 2"), true);
  }
});

Deno.test("a positive rotation turns from x to y, clockwise on the screen; a flip comes first", async () => {
  const scan = scanOf([2, 2], () => [0.5, 0.75]);
  const turn = async (options: CentreOfMassOptions) =>
    (await compute({ cy: 0.5, cx: 0.5, ...options }, {}, scan))("field").slice(0, 2);
  assertClose(await turn({ scanRotation: 90 }), [0.25, 0], 1e-15);
  assertClose(await turn({ scanRotation: -90 }), [-0.25, 0], 1e-15);
  const down = scanOf([2, 2], () => [0.75, 0.5]);
  const both = await compute({ cy: 0.5, cx: 0.5, flipY: true, scanRotation: 90 }, {}, down);
  assertClose(both("field").slice(0, 2), [0, 0.25], 1e-15);
});

Deno.test("options and samples that make no sense are refused before anything is read", async () => {
  const refuse = async (options: unknown, text: string, dtype: DType = "uint16", sig = [4, 5]) => {
    const values = new Float64Array(480);
    const scan = memoryScan(values, [12], sig, dtype, { images: 12 });
    await assertRejects(() => compute(options as CentreOfMassOptions, {}, scan), Error, text);
  };
  await refuse({}, "complex64 frames: they must be real", "complex64");
  await refuse({}, "frames of 20: they need 2 dimensions", "uint16", [20]);
  await refuse({ r: 2, ri: 2 }, "ri must be less than r");
  assertThrows(() => centreOfMass({ scanRotation: NaN }), Error, '"scanRotation" is NaN');
  assertThrows(() => centreOfMass({ r: -2 }), Error, '"r" is -2; it must be a number from 0');
  await refuse({ cy: 90, cx: 2, r: 3 }, "no pixel within 3 px of (90, 2)");
  await refuse({ ri: 90 }, "no pixel farther than 90 px from");
  await refuse({ regression: 2 }, "A regression of 2 is unknown");
  await refuse({ regression: [[1, 2], [3, 4]] }, "3 rows of 2 finite numbers");
});
