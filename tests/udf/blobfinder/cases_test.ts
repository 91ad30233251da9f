/** Random small cases: the values of libertem-blobfinder, but for those whose difference has a name and a reason. */

import { assert, assertEquals } from "@std/assert";
import type { UdfResult } from "../../../src/udf/interface/buffer_types.ts";
import * as blobs from "../../../src/udf/builtin/blobfinder/mod.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import { createContext } from "../../../src/runner/context.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import type { UdfRef } from "../../../src/udf/interface/udf_ref.ts";
import { share } from "../../suite/cases.ts";
import { memoryScan, numbers } from "../data.ts";
import {
  casesOf,
  DIFFERS,
  type Fitted,
  frameOf,
  type FrameSpec,
  type MatchCase,
  patternOf,
  REASONS,
  value,
} from "./cases.ts";

async function compute(frames: readonly FrameSpec[], ref: UdfRef): Promise<UdfResult> {
  await using context = createContext({ memory: 16 * 2 ** 20, workers: 0 });
  const samples = Float64Array.from(frames.flatMap((spec) => [...frameOf(spec)]));
  const scan = memoryScan(samples, [frames.length], frames[0]!.size, frames[0]!.dtype);
  return (await run(await plan(scan, { it: ref }, { context }))).it!;
}

/** Where two lists of numbers differ by more than `tolerance`, relative to numbers beyond 1; NaN equals NaN. */
function difference(
  name: string,
  found: readonly number[],
  expected: readonly number[],
  tolerance: number,
): string | undefined {
  if (found.length !== expected.length) return `${name} has ${found.length} numbers, not ${expected.length}`;
  const at = found.findIndex((v, i) =>
    !Object.is(v, expected[i]) &&
    !(Math.abs(v - expected[i]!) <= tolerance * Math.max(1, Math.abs(expected[i]!)))
  );
  return at < 0 ? undefined : `${name}[${at}] is ${found[at]}, not ${expected[at]}`;
}

/** Compares the cases, in the gate a third of them; those with a reason must differ, or the reason is none. */
async function compareAll<C extends { readonly what: string; readonly differs?: string }>(
  cases: readonly C[],
  least: number,
  compare: (one: C) => Promise<(string | undefined)[]> | (string | undefined)[],
): Promise<void> {
  assert(cases.length >= least, `${cases.length} cases`);
  const wrong: string[] = [];
  for (const [i, one] of share([...cases.entries()], 3)) {
    const differences = (await compare(one)).filter((text) => text !== undefined);
    if (one.differs === undefined) wrong.push(...differences.map((text) => `case ${i}: ${text}`));
    else {
      assert(one.differs in DIFFERS, one.differs);
      if (differences.length === 0) wrong.push(`case ${i} does not differ, although ${DIFFERS[one.differs]}`);
    }
  }
  assertEquals(wrong, []);
}

for (const method of ["fast", "full", "sparse"] as const) {
  Deno.test(`${method}: 100 random frames have the peaks of libertem-blobfinder`, async () => {
    await compareAll(casesOf(method), 100, async ({ frame, pattern, peaks, steps, shift, ...expected }) => {
      const options = { method, peaks, ...(steps ? { steps } : {}), ...(shift ? { shifts: shift } : {}) };
      const found = await compute(
        [frame],
        blobs.correlatePattern({ pattern: patternOf(pattern), ...options }),
      );
      const list = (name: string) => numbers(found[name]!.data);
      return [
        difference("centers", list("centers"), expected.centers, 0),
        difference("refineds", list("refineds"), expected.refineds, 2e-4),
        difference("peak_values", list("peak_values"), expected.peak_values, 1e-4),
        difference("peak_elevations", list("peak_elevations"), expected.peak_elevations, 5e-4),
      ];
    });
  });
}

/** The numbers of a fit; libertem-blobfinder has the error Infinity where there is no match. */
function fitDifferences(
  found: Readonly<Record<"zero" | "a" | "b" | "error" | "selector", readonly number[]>>,
  expected: Fitted,
  errors: readonly number[],
  tolerance: number,
): (string | undefined)[] {
  return [
    difference("selector", found.selector, expected.selector, 0),
    ...(["zero", "a", "b"] as const).map((name) =>
      difference(name, found[name], expected[name].map(value), tolerance)
    ),
    difference("error", found.error, errors.map((error) => error === Infinity ? NaN : error), tolerance),
  ];
}

function compareMatch(match: blobs.LatticeMatch, expected: MatchCase): (string | undefined)[] {
  const { zero, a, b, error, selector } = match;
  const found = { zero: [...zero], a: [...a], b: [...b], error: [error], selector: [...selector] };
  return fitDifferences(found, expected, [value(expected.error)], 1e-8);
}

Deno.test("fastmatch: 100 random sets of points have the lattice of libertem-blobfinder", async () => {
  await compareAll(casesOf("fastmatch"), 100, (one) => {
    const start = { zero: one.start_zero, a: one.start_a, b: one.start_b };
    const peaks = { positions: Float64Array.from(one.positions, value), weights: one.weights };
    return compareMatch(blobs.fastmatch(peaks, start, one.options), one);
  });
});

Deno.test("affinematch: 100 random sets of points have the lattice of libertem-blobfinder", async () => {
  await compareAll(casesOf("affinematch"), 100, (one) => {
    const peaks = { positions: Float64Array.from(one.positions, value), weights: one.weights };
    return compareMatch(blobs.affinematch(peaks, Float64Array.from(one.indices)), one);
  });
});

for (const [what, least] of [["refine", 100], ["refineWhole", 20]] as const) {
  Deno.test(`${what}: ${least} random scans with shifts have the lattices of libertem-blobfinder`, async () => {
    await compareAll(casesOf(what), least, async (one) => {
      const lattice = { zero: one.start_zero, a: one.start_a, b: one.start_b };
      const { method, match, steps, indices, options } = one;
      const shifts = ndarray(Float64Array.from(one.shifts.flat()), [one.shifts.length, 2], "float64");
      const pattern = patternOf(one.pattern);
      const refine = { ...lattice, ...options, pattern, method, match, steps, indices, shifts };
      const found = await compute(one.frames, blobs.refineLattice(refine));
      const list = (name: string) => numbers(found[name]!.data);
      const lists = {
        zero: list("zero"),
        a: list("a"),
        b: list("b"),
        error: list("error"),
        selector: list("selector"),
      };
      return fitDifferences(lists, one, one.error.map(value), 1e-3);
    });
  });
}

for (const what of ["integrate", "featureVector"] as const) {
  Deno.test(`${what}: 100 random frames have the sums of libertem-blobfinder at the nearest pixels`, async () => {
    await compareAll(casesOf(what), 100, async ({ frame, pattern: spec, positions, integration }) => {
      const places = ndarray(Float64Array.from(positions.flat()), [1, positions.length, 2], "float64");
      const pattern = patternOf(spec);
      const found = what === "integrate"
        ? (await compute([frame], blobs.integratePeaks({ pattern, positions: places }))).integration!
        : (await compute([frame], blobs.featureVector({ pattern, peaks: positions }))).intensity!;
      const scale = Math.max(...integration.map(Math.abs)) + 1; // sums of weights of both signs
      const shares = [numbers(found.data), integration].map((list) => list.map((v) => v / scale));
      return [difference(what, shares[0]!, shares[1]!, 5e-6)];
    });
  });
}

Deno.test("every reason for a difference has a case", () => {
  assertEquals([...REASONS].toSorted(), Object.keys(DIFFERS).toSorted());
});
