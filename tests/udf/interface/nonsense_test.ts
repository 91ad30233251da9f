/**
 * Every parameter of every analysis of the table with numbers that mean nothing: each is refused in words, or computes
 * something that is defined. New analyses join with the word that shows them at work.
 *
 * @module
 */

import { assert } from "@std/assert";
import {
  type Analysis,
  type AnalysisContext,
  type Kind,
  make,
  readValues,
  type Values,
} from "../../../src/analyses/analysis.ts";
import { ANALYSES, checkedValues, expressionPairs, expressionValues } from "../../../src/analyses/words.ts";
import { splitWord } from "../../../src/analyses/word_error.ts";
import { isTilewiseError } from "../../../src/errors.ts";
import { createContext } from "../../../src/runner/context.ts";
import { type NDArray, ndarray } from "../../../src/space/ndarray.ts";
import type { UdfResult } from "../../../src/udf/interface/buffer_types.ts";
import type { UdfRef } from "../../../src/udf/interface/udf_ref.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { addDisk, congruential } from "../blobfinder/frames.ts";
import { memoryScan } from "../data.ts";

/** Sides of a frame, as the words of the table expect them. */
const SIDE = 128;
const FRAMES = 4;

/** Noise with disks 20 px apart. */
function samples(): Float64Array {
  const random = congruential(5);
  const values = Float64Array.from(
    { length: FRAMES * SIDE ** 2 },
    () => Math.floor(12 * random.next().value!),
  );
  for (let n = 0; n < FRAMES; n++) {
    const frame = values.subarray(n * SIDE ** 2, (n + 1) * SIDE ** 2);
    for (let y = 4 + n / 10; y < SIDE; y += 20) {
      for (let x = 4; x < SIDE; x += 20) {
        addDisk(frame, [SIDE, SIDE], [y, x], 5, (share, i) => frame[i]! += Math.floor((60 + 5 * n) * share));
      }
    }
  }
  return values;
}

const dataset = memoryScan(samples(), [2, 2], [SIDE, SIDE], "uint16");
const context = createContext({ memory: 64 * 2 ** 20, workers: 0 });
const once = async (ref: UdfRef) => (await run(await plan(dataset, { it: ref }, { context }))).it!;
const facts: AnalysisContext = { dataset, firstPass: once, tell: () => {}, selects: false };

/** What a parameter is given, by how it may be written. */
const NONSENSE: Readonly<Partial<Record<Kind, readonly unknown[]>>> = {
  number: [-1, -1e9, NaN, Infinity, -Infinity, 1e300],
  vector: [[NaN, 0], [Infinity, 0], [1e300, 1], [1e9, -1e9]],
  points: [[], [[NaN, 1]], [[-50, -50]], [[1e300, 1]], [[1]]],
};

/** Parameters that may be negative, and those that may be without limit. */
const SIGNED = ["cy", "cx", "y", "x", "height", "width", "angle", "scanRotation", "regression", "minWeight"];
const UNLIMITED = ["centre_of_mass:r", "maxRadius"];

/** The values of the word that shows an analysis at work. */
async function shown(analysis: Analysis): Promise<Values> {
  const word = analysis.example ?? analysis.name;
  const text = word.includes(":") ? word.slice(word.indexOf(":") + 1) : undefined;
  const typed = analysis.usage
    ? expressionValues(word, expressionPairs((text ?? "sum(x)").replace(/^'|'$/g, "")))
    : checkedValues(analysis, analysis.name, splitWord(word, Object.keys(analysis.parameters)).pairs);
  const file = ndarray(
    Float64Array.from({ length: 4 * FRAMES }, (_, i) => 20 + 9 * i % 90),
    [2, 2, 2, 2],
    "float64",
  );
  return await readValues(typed, () => Promise.resolve<NDArray>(file));
}

async function compute(analysis: Analysis, values: Values): Promise<UdfResult> {
  const { ref, finish } = await make(analysis, values, facts);
  const result = await once(ref);
  return finish ? await finish(result) : result;
}

const numbersOf = (result: UdfResult) =>
  Object.values(result).map(({ data }) => Array.from(data as ArrayLike<number>, Number));
const isDark = (result: UdfResult) => numbersOf(result)[0]!.every((value) => value === 0);
const isFinite = (result: UdfResult) => numbersOf(result).every((all) => all.every(Number.isFinite));

/** Whether a number of this kind must be refused, whatever comes out. */
function mustBeRefused({ name }: Analysis, parameter: string, value: unknown): boolean {
  if (typeof value !== "number") return false;
  const isUnlimited = UNLIMITED.includes(parameter) || UNLIMITED.includes(`${name}:${parameter}`);
  return Number.isNaN(value) || value < 0 && !SIGNED.includes(parameter) ||
    Math.abs(value) === Infinity && !isUnlimited;
}

for (const analysis of ANALYSES) {
  const { name, parameters, group } = analysis;
  Deno.test(`${name}: nonsense is refused in words, or gives something defined`, async () => {
    const base = await shown(analysis);
    const plain = await compute(analysis, base);
    const uses = analysis.uses?.(
      Object.fromEntries(Object.entries(base).map(([key, value]) => [key, String(value)])),
    );
    for (const [parameter, { kinds }] of Object.entries(parameters)) {
      if (uses && !uses.includes(parameter)) continue;
      for (const value of kinds.flatMap((kind) => NONSENSE[kind] ?? [])) {
        const what = `${name}:${parameter}=${Array.isArray(value) ? value.join(";") : value}`;
        const result = await compute(analysis, { ...base, [parameter]: value } as Values).catch(
          (error: unknown) => {
            assert(isTilewiseError(error), `${what}: ${error}`);
            return undefined;
          },
        );
        if (!result) continue;
        assert(!mustBeRefused(analysis, parameter, value), `${what} is accepted`);
        assert(isDark(plain) || !isDark(result), `${what} gives zeros`);
        const isFit = group === "Lattice"; // where no disk fits, there is no lattice
        assert(isFit || !isFinite(plain) || isFinite(result), `${what} gives what is not a number`);
      }
    }
    if (!("ri" in parameters && "ro" in parameters)) return;
    const refused = await compute(analysis, { ...base, ri: 40, ro: 20 }).catch((error: unknown) => error);
    assert(isTilewiseError(refused, "invalid"), `${name}:ri=40,ro=20 is accepted`);
  });
}
