/**
 * Analyses on the demo scan and on real scans, compared with an independent computation in NumPy (`analyses.py`,
 * run by `regenerate.ts`).
 *
 * @module
 */

import { builtinFor } from "./geometry_cases.ts";
import "../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import { createContext, type NDArray, open, plan, run } from "../../mod.ts";
import { builtin } from "../../src/udf/interface/udf_ref.ts";
import { demoBytes, fileOf, type OracleSource, SOURCES } from "./sources.ts";

interface Summary {
  readonly shape: number[];
  readonly sum: number;
  readonly largest: number;
  readonly at: number[];
  readonly values: (number | null)[];
}

interface Expected {
  readonly shape: number[];
  readonly analyses: { udf: string; params: Record<string, number>; results: Record<string, Summary> }[];
}

const expected: Record<string, Expected> = JSON.parse(
  await Deno.readTextFile(new URL("expected.json", import.meta.url)),
);

/** The names of masks and parameters that are called differently by the definitions. */
const REFS: Record<string, (params: Record<string, number>) => ReturnType<typeof builtin>> = {
  radial_bins: (params) => builtin("apply_masks", { masks: [{ make: "radialBins", ...params }] }),
  radial_fourier: (params) => builtin("radial_fourier", params),
  point: ({ y, x }) => builtin("point_detector", { cy: y!, cx: x! }),
  crystallinity: ({ ri, ro, ...real }) => builtin("crystallinity", { ri: ri!, ro: ro!, real }),
};

async function isThere({ file }: OracleSource, source: OracleSource): Promise<boolean> {
  return file === undefined || await Deno.stat(fileOf(source)).then(() => true, () => false);
}

/** Largest difference, as a share of the largest value: single precision where the result or the work has it. */
function tolerance(name: string, { dtype }: NDArray): number {
  const isSingle = dtype === "float32" || dtype === "complex64" || /^(crystallinity|radial_bins)/.test(name);
  return isSingle ? 1e-6 : 1e-9;
}

function compare(name: string, array: NDArray, { shape, sum, largest, at, values }: Summary): void {
  assertEquals([...array.shape], shape, name);
  const limit = tolerance(name, array) * largest;
  at.forEach((index, i) => {
    const [found, wanted] = [Number(array.data[index]), values[i]!];
    if (wanted === null) assert(Number.isNaN(found), `${name}[${index}] is ${found}, not NaN`);
    else assert(Math.abs(found - wanted) <= limit, `${name}[${index}] is ${found}, not ${wanted}`);
  });
  let total = 0;
  for (const value of array.data) if (Number.isFinite(Number(value))) total += Number(value);
  assert(
    Math.abs(total - sum) <= limit * Math.sqrt(array.data.length) * 4,
    `${name} sums to ${total}, not ${sum}`,
  );
}

for (const source of SOURCES) {
  const ignore = !await isThere(source, source); // real scans lie beside this checkout, or not
  for (const workers of [0, 2]) {
    Deno.test({
      name: `${source.name}: analyses agree with NumPy, ${workers || "no"} workers`,
      ignore,
      fn: async () => {
        await using context = createContext({ workers });
        const input = source.file ? fileOf(source) : demoBytes();
        const scan = await open(input, source.array ? { array: source.array } : {});
        const { shape, analyses } = expected[source.name]!;
        assertEquals([...scan.shape], shape);
        const refs = analyses.map(({ udf, params }) =>
          [udf, REFS[udf]?.(params) ?? builtinFor(udf, params)] as const
        );
        const results = await run(await plan(scan, Object.fromEntries(refs), { context }));
        for (const { udf, results: wanted } of analyses) {
          for (const [name, summary] of Object.entries(wanted)) {
            const array = results[udf]![name];
            assert(array, `${udf} has no result ${name}, it has ${Object.keys(results[udf]!).join(", ")}`);
            compare(`${udf}.${name}`, array, summary);
          }
        }
      },
    });
  }
}
