/** Every default is the one of the specification, or has a reason; leaving a parameter out gives the bits of its default. */

import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { type Analysis, type AnalysisContext, make, type Values } from "../../../src/analyses/analysis.ts";
import { ANALYSES, findAnalysis } from "../../../src/analyses/words.ts";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import type { UdfResult } from "../../../src/udf/interface/buffer_types.ts";
import { createContext } from "../../../src/runner/context.ts";
import { latticePoints } from "../../../src/udf/builtin/blobfinder/lattice.ts";
import { expression } from "../../../src/udf/builtin/expression.ts";
import { mapFrames, type MapOptions } from "../../../src/udf/builtin/map_frames.ts";
import { BUILTINS } from "../../../src/udf/worker/builtins.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import type { UdfRef } from "../../../src/udf/interface/udf_ref.ts";
import { addDisk, congruential } from "../blobfinder/frames.ts";
import { takesNone } from "../builtin/every_builtin.ts";
import { memoryScan } from "../data.ts";
import { CELL, DEFAULTS, RADIUS, type Row, type Size } from "./defaults_table.ts";

/** Odd and even along each dimension, each of them the shorter one once. */
const SIZES = [[45, 56], [56, 45]] as const;

type Sides = typeof SIZES[number];

const scans = new Map<Sides, StoredDataset>();

/** 3 × 3 frames of noise with disks on a lattice that grows from frame to frame. */
function scanOf(size: Sides): StoredDataset {
  const known = scans.get(size);
  if (known) return known;
  const [h, w] = size;
  const random = congruential(h);
  const values = Float64Array.from({ length: 9 * h * w }, () => Math.floor(12 * random.next().value!));
  for (let n = 0; n < 9; n++) {
    const frame = values.subarray(n * h * w, (n + 1) * h * w);
    const stretch = (v: readonly [number, number]) =>
      [v[0] * (1 + 0.004 * n), v[1] * (1 - 0.002 * n)] as const;
    const lattice = { zero: [h / 2 + 0.3, w / 2 - 0.4], a: stretch(CELL.a), b: stretch(CELL.b) } as const;
    latticePoints(lattice, { frame: [h, w], margin: 3 }).peaks.forEach((peak, p) => {
      const height = 60 + 20 * ((p + n) % 5);
      addDisk(frame, [h, w], peak, RADIUS, (share, i) => frame[i]! += Math.floor(height * share));
    });
  }
  const scan = memoryScan(values, [3, 3], size, "uint16");
  scans.set(size, scan);
  return scan;
}

/** Results as text that has every bit, and the lattice that a first pass found. */
interface Outcome {
  readonly bits: string;
  readonly lattice?: Size["lattice"];
}

const outcomes = new Map<string, Promise<Outcome>>();

function bitsOf(result: UdfResult): string {
  const arrays = Object.entries(result).map(([name, { data, shape, dtype }]) => {
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    return [name, dtype, shape, new TextDecoder("latin1").decode(bytes)];
  });
  return JSON.stringify(arrays);
}

function compute(analysis: Analysis, values: Values, size: Sides): Promise<Outcome> {
  const key = JSON.stringify([analysis.name, values, size]);
  const known = outcomes.get(key) ?? computeNew(analysis, values, size);
  outcomes.set(key, known);
  return known;
}

const context = createContext({ memory: 64 * 2 ** 20, workers: 0 });

async function computeNew(analysis: Analysis, values: Values, size: Sides): Promise<Outcome> {
  const dataset = scanOf(size);
  let lattice: Size["lattice"] | undefined;
  const once = async (ref: UdfRef) => (await run(await plan(dataset, { it: ref }, { context }))).it!;
  const facts: AnalysisContext = {
    dataset,
    firstPass: once,
    tell: (_, found) => void (lattice ??= found.lattice as Size["lattice"] | undefined),
    selects: false,
  };
  const { ref, finish } = await make(analysis, values, facts);
  const result = await once(ref);
  return { bits: bitsOf(finish ? await finish(result) : result), ...(lattice ? { lattice } : {}) };
}

/** The values that a row means: one, or several that go together. */
function valuesOf(parameter: string, value: unknown, size: Size): Values {
  const given = typeof value === "function" ? value(size) : value;
  const isGroup = typeof given === "object" && given !== null && !Array.isArray(given) && !("data" in given);
  return (isGroup ? given : { [parameter]: given }) as Values;
}

/** Something else of the same kind. */
function another({ other, parameter }: Row, value: Values[string]): unknown {
  if (other !== undefined) return other;
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return value * 0.6 + 1;
  if (Array.isArray(value)) return value.map((v) => Number(v) + 3);
  throw new Error(`the row of ${parameter} needs another value`);
}

async function checkRow(row: Row, sides: Sides): Promise<void> {
  const { word, parameter, beside = {} } = row;
  const what = `${word}:${parameter} ${JSON.stringify(beside)} ${sides.join(" × ")}`;
  const analysis = findAnalysis(word)!;
  const { bits, lattice } = await compute(analysis, beside, sides);
  const [h, w] = sides;
  const size = { h, w, least: Math.min(h, w), lattice: lattice! };
  const values = valuesOf(parameter, row.is, size);
  const { preset = "", words = [] } = analysis.parameters[parameter]!;
  if (words.includes(preset) || shown(preset) !== preset) { // no words that only people understand
    assertEquals(shown(preset), row.is, `${what}: the help says ${preset}`);
  }
  assert(
    (await compute(analysis, { ...beside, ...values }, sides)).bits === bits,
    `${what} is not the default`,
  );
  if (row.other === "none does") return;
  const others = valuesOf(parameter, another(row, values[parameter]!), size);
  assertNotEquals(
    (await compute(analysis, { ...beside, ...others }, sides)).bits,
    bits,
    `${what} does nothing`,
  );
}

/** What the help says, as a value; words for no limit are Infinity. */
function shown(preset: string): unknown {
  if (preset === "true" || preset === "false") return preset === "true";
  if (preset === "all" || preset === "no limit") return Infinity;
  if (/^-?[\d.]+$/.test(preset)) return Number(preset);
  if (/^\d:\d$/.test(preset)) return preset.split(":").map(Number);
  return preset;
}

for (const { name, group } of ANALYSES.filter(({ parameters }) => Object.keys(parameters).length > 0)) {
  Deno.test(`${name}: parameters that are left out have their defaults`, async () => {
    const rows = DEFAULTS.filter(({ word, is }) => word === name && is !== undefined);
    const sizes = group === "Lattice" ? SIZES.slice(0, 1) : SIZES; // as sizes hardly matter, and it takes long
    for (const sides of sizes) for (const row of rows) await checkRow(row, sides);
  });
}

Deno.test("the table has every parameter of every analysis, and a reason wherever it goes its own way", () => {
  const known = ANALYSES.flatMap(({ name, parameters }) =>
    Object.keys(parameters).map((key) => `${name}:${key}`)
  );
  const listed = DEFAULTS.map(({ word, parameter }) => `${word}:${parameter}`);
  assertEquals([...new Set(listed)].toSorted(), known.toSorted());
  for (const { word, parameter, spec, is, reason } of DEFAULTS) {
    const { preset } = findAnalysis(word)!.parameters[parameter]!;
    if (is === undefined) {
      assert(preset === undefined || preset === "–", `${word}:${parameter} has a default`);
    } else if (spec === "") assert(reason, `${word}:${parameter} has no reason`);
  }
});

/** Built-in UDFs whose parameters no word has. */
const OTHERS: Readonly<
  Record<string, "no parameters of users" | "the user's own" | (() => Promise<void>)>
> = {
  record_frames: "no parameters of users",
  kernel: "the user's own",
  family: "the user's own",
  map_frames: async () => {
    const module = import.meta.resolve("../builtin/map_functions.ts");
    const result = async (options: MapOptions) => {
      const ref = mapFrames(module, options);
      return bitsOf((await run(await plan(scanOf(SIZES[0]), { ref }))).ref!);
    };
    assertEquals(
      await result({ input: "float32", monitor: false, dtype: "float64", shape: [] }),
      await result({}),
    );
  },
  expression: async () => {
    const result = async (precision?: "float32" | "float64") => {
      const ref = expression("sum(sqrt(x))", precision ? { precision } : {});
      return bitsOf((await run(await plan(scanOf(SIZES[0]), { ref }))).ref!);
    };
    assertEquals(await result("float32"), await result()); // integers of 16 bits
    assertNotEquals(await result("float64"), await result());
  },
};

Deno.test("every built-in UDF has a word in the table, or a line of its own", async () => {
  const words = ANALYSES.filter(({ name }) => DEFAULTS.some(({ word }) => word === name));
  const known = [...words.map(({ name }) => name), ...Object.keys(OTHERS)];
  for (const name of Object.keys(BUILTINS)) {
    assert(known.includes(name) || await takesNone(name), `${name} has parameters, and no word for them`);
  }
  for (const check of Object.values(OTHERS)) if (typeof check === "function") await check();
});
