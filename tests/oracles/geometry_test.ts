/**
 * Geometries of analyses and masks: 1100 random ones against NumPy (`geometry.py`, run by `regenerate.ts`), and others
 * against plain twins, which another `TILEWISE_SEED` draws afresh. All of it with fences around frames, masks and results.
 *
 * @module
 */

import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { isTilewiseError, TilewiseError } from "../../src/errors.ts";
import * as masks from "../../src/masks/mod.ts";
import { sizeOf } from "../../src/space/shape.ts";
import { maskWeights } from "../udf/builtin/mask_weights.ts";
import { type Context, createContext } from "../../src/runner/context.ts";
import type { PlanOptions } from "../../src/udf/plan/plan.ts";
import { udfPlan as plan } from "../../src/udf/run/plan.ts";
import { run } from "../../src/run.ts";
import {
  type Case,
  compare,
  type Group,
  image,
  type Params,
  refOf,
  resultOf,
  scanOf,
  tolerance,
} from "./geometry_cases.ts";
import { SEED } from "../suite/cases.ts";
import { RandomGeometry } from "./geometry_random.ts";
import { hasPixels, masksOf, twin } from "./geometry_twin.ts";

/** What NumPy found: few numbers as they are, of many their {@link projections}. */
interface Expected extends Case {
  readonly size: number;
  readonly count: number;
  readonly values: readonly (number | null)[];
}

type ExpectedGroup = Group & { readonly cases: readonly Expected[] };

const GROUPS: readonly ExpectedGroup[] = (await Deno.readTextFile(new URL("geometry.jsonl", import.meta.url)))
  .trim().split("\n").map((line) => JSON.parse(line));

/** Few numbers that change when any of the values does. */
function projections(values: ArrayLike<number>): number[] {
  return [0, 1, 2, 3].map((j) =>
    Array.from(values).reduce((sum, value, i) => sum + value * Math.cos(i * (j + 1) * 0.618 + j), 0)
  );
}

function compareExpected(found: ArrayLike<number>, one: Expected, group: Group, what: string): void {
  assertEquals(found.length, one.count, what);
  const few = one.count <= 8 ? found : projections(found);
  const values = one.values.map((value) => value ?? NaN);
  const size = one.size * (one.count <= 8 ? 1 : Math.sqrt(one.count)); // roundings add up like a random walk
  compare(few, { values, size }, tolerance(one, group), what);
}

function nameOf({ seed, sig, dtype, order }: Group, { udf, params }: Case): string {
  return `seed ${seed}, ${sig.join(" × ")} ${dtype} ${order}: ${udf} ${JSON.stringify(params)}`;
}

async function compute(cases: readonly Case[], group: Group, context: Context, options: PlanOptions = {}) {
  const udfs = Object.fromEntries(cases.map((one, i) => [`${i}`, refOf(one)]));
  const results = await run(await plan(scanOf(group), udfs, { context, ...options }));
  return cases.map((one, i) => resultOf(one, results[i]!));
}

/** Checks that what has no pixel is refused, and gives the other cases. */
async function drawn<C extends Case>(cases: readonly C[], group: Group, context: Context): Promise<C[]> {
  for (const one of cases) {
    if (hasPixels(one, group.sig)) continue;
    const refused = await compute([one], group, context).catch((error: unknown) => error);
    assertStringIncludes(String(refused), "no pixel", nameOf(group, one));
    assert(isTilewiseError(refused, "invalid"));
  }
  return cases.filter((one) => hasPixels(one, group.sig));
}

const open = () => createContext({ memory: 32 * 2 ** 20, workers: 0 });

Deno.test("1100 random geometries, together in one run per data set: the values of NumPy", async () => {
  await using context = open();
  assertEquals(GROUPS.reduce((sum, { cases }) => sum + cases.length, 0), 1100);
  let compared = 0;
  for (const group of GROUPS) {
    const cases = await drawn(group.cases, group, context);
    const found = await compute(cases, group, context);
    cases.forEach((one, i) => compareExpected(found[i]!, one, group, nameOf(group, one)));
    compared += cases.length;
  }
  assert(compared > 700, `${compared}`);
});

Deno.test("every third one alone, frame by frame and without the rows that it does not need", async () => {
  await using context = open();
  for (const group of GROUPS) {
    for (const [i, one] of group.cases.entries()) {
      if ((i + group.seed) % 3 !== 0 || !hasPixels(one, group.sig)) continue;
      const [found] = await compute([one], group, context, { tileBytes: 1, partitions: 1 + i % 3 });
      compareExpected(found!, one, group, nameOf(group, one));
    }
  }
});

Deno.test("the plain twins give the values of NumPy", () => {
  for (const group of GROUPS) {
    for (const one of group.cases) {
      compareExpected(twin(one, group).values, one, { ...group, dtype: "float64" }, nameOf(group, one));
    }
  }
});

Deno.test(`seed ${SEED}: random geometries give what the plain twins give`, async () => {
  await using context = open();
  const random = new RandomGeometry(SEED);
  for (let g = 0; g < 40; g++) {
    const { cases: all, ...group } = random.group(g, 20);
    const cases = await drawn(all, group, context);
    const found = await compute(cases, group, context, { tileBytes: [1, 100, 1 << 20][g % 3]! });
    cases.forEach((one, i) =>
      compare(found[i]!, twin(one, group), tolerance(one, group), nameOf(group, one))
    );
  }
});

Deno.test(`seed ${SEED}: random geometries alone`, async () => {
  await using context = open();
  const random = new RandomGeometry(SEED + 1);
  for (let g = 0; g < 150; g++) {
    const { cases: [one], ...group } = random.group(g, 1);
    if ((await drawn([one!], group, context)).length === 0) continue;
    const [found] = await compute([one!], group, context, { tileBytes: 1 });
    compare(found!, twin(one!, group), tolerance(one!, group), nameOf(group, one!));
  }
});

/** Compares weights of masks, complex ones as pairs. */
function compareWeights(params: Params, sig: Group["sig"]): void {
  const { template } = params as { template?: number[][] };
  const recipe = template ? { ...params, template: image(template) } : params;
  const what = `${sig.join(" × ")} ${JSON.stringify(params)}`;
  const make = () => maskWeights([recipe as never], sig);
  if (!hasPixels({ udf: "mask", params }, sig)) {
    return void assertThrows(make, TilewiseError, "no pixel");
  }
  const found = make();
  const expected = masksOf(sig, params);
  assertEquals(found.length, expected.length, what);
  found.forEach(({ values, complex }, m) => {
    const own = Array.from(
      { length: sizeOf(sig) },
      (_, i) => expected[m]!(Math.floor(i / sig[1]), i % sig[1]),
    );
    compare(values, { values: own.flat(), size: 1 }, 1e-9, what); // radii up to 1e6 have an ulp of 1e-10
    assertEquals(complex, params.make === "radialFourierMasks", what);
  });
}

Deno.test(`seed ${SEED}: the weights of every generator are those of its definition`, () => {
  const random = new RandomGeometry(SEED + 2);
  const made = new Set<unknown>();
  for (let g = 0; g < 1000; g++) {
    const { sig } = random.group(g, 0);
    const params = random.recipe(sig);
    made.add(params.make);
    compareWeights(params, sig);
  }
  assert(made.size >= 12, `${[...made]}`);
});

Deno.test("radii far beyond the frame: what covers everything does", () => {
  for (const ro of [1e9, 1e15, 1e20, 1e150]) {
    const { data } = masks.radialBins([3, 4], { cy: 1, cx: 7, ro, bins: 1 });
    assertEquals(data, new Float64Array(12).fill(1), `${ro}`);
    assertEquals(masks.circular([3, 4], { cy: 1, cx: -7, r: ro }).data, new Uint8Array(12).fill(1));
    assertThrows(() => masks.ring([3, 4], { cy: 1, cx: -7, ro: 2 * ro, ri: ro }), TilewiseError, "no pixel");
  }
});
