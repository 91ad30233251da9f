/** What every operation makes of labels and masks: an operation without a row here fails to compile. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import type { ValueFacts, ValueRule } from "../../../src/space/axes.ts";
import { VALUE_KINDS } from "../../../src/space/meaning/kinds.ts";
import { valuesBy } from "../../../src/space/meaning/values.ts";
import { TilewiseError } from "../../../src/errors.ts";
import { createContext } from "../../../src/runner/context.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import { open } from "../../../src/formats/open.ts";
import { mapViews } from "../../../src/views/map/map_views.ts";
import { planMap } from "../../../src/views/map/plan.ts";
import { convert } from "../../../src/views/operations/convert.ts";
import { copySamples } from "../../../src/views/operations/copy_samples.ts";
import { downSample } from "../../../src/views/operations/down_sample.ts";
import { median } from "../../../src/views/operations/filters/rank.ts";
import { memoryArray } from "../data.ts";
import { type OperationName, operationNamed, OPERATIONS } from "../../../src/views/registry.ts";
import { viewExpression } from "../../../src/views/operations/expression.ts";
import { viewKernel } from "../../../src/views/operations/kernels/view_kernel.ts";
import { viewFunction } from "../../../src/views/operations/view_function.ts";
import { SPREAD } from "./kernels.ts";
import { OPERATION_ROWS } from "./table.ts";

type Kind = ValueFacts["kind"];
type Name = keyof typeof OPERATION_ROWS;

/** What the results of labels are; `refused`: labels have none. */
const OF_LABELS: Readonly<Record<Name, Kind | "refused">> = {
  boxMean: "amount",
  localMinimum: "label",
  localMaximum: "label",
  gaussian: "amount",
  laplacianOfGaussian: "amount",
  gaussianGradient: "amount",
  sobel: "amount",
  prewitt: "amount",
  scharr: "amount",
  laplacian: "amount",
  copySamples: "label",
  threshold: "mask",
  convert: "label",
  downSample: "refused",
  median: "label",
  percentile: "label",
  unsharp: "amount",
  localVariance: "amount",
  localDeviation: "amount",
  localThreshold: "mask",
  correlate: "amount",
  convolve: "amount",
  opening: "label",
  closing: "label",
  whiteTopHat: "amount",
  blackTopHat: "amount",
  morphologicalGradient: "amount",
  viewExpression: "amount",
  viewFunction: "amount",
  viewKernel: "amount",
};

const LABELS = [3, 8, 21, 40, 77, 101];
const SHAPE = [23, 31];
const names = Object.keys(OF_LABELS) as Name[];
const label = (flat: number) => LABELS[(Math.imul(flat, 0x9e3779b1) >>> 20) % LABELS.length]!;

Deno.test("labels stay labels where results are some of the samples, and nothing averages them as labels", async () => {
  await using context = createContext({ workers: 0 });
  for (const name of names) {
    const row = OPERATION_ROWS[name];
    const dtype = row.dtypes.find((one) => one.startsWith("uint")) ??
      row.dtypes.find((one) => one !== "bool")!;
    const array = { ...memoryArray(SHAPE, dtype, label), values: { kind: "label" } as const };
    const radius = SHAPE.map((_, d) => row.reaches(d, 2) ? 3 : 0);
    const operation = row.operation(radius, dtype);
    if (OF_LABELS[name] === "refused") {
      await assertRejects(() => planMap(array, operation, { context }), TilewiseError, "of labels");
      continue;
    }
    const { values } = await planMap(array, operation, { context });
    assertEquals(values.kind, OF_LABELS[name], name);
    if (values.kind !== "label") continue;
    const { data } = await mapViews(array, operation, { context });
    assert([...data].every((value) => LABELS.includes(Number(value))), `${name} makes other labels`);
  }
});

Deno.test("what samples mean goes through chains; results of bool are masks", async () => {
  await using context = createContext({ workers: 0 });
  const array = { ...memoryArray(SHAPE, "uint16", label), values: { kind: "label" } as const };
  const kindOf = async (...steps: Parameters<typeof planMap>[1][]) =>
    (await planMap(array, steps as never, { context })).values.kind;
  assertEquals(await kindOf(median(), convert({ dtype: "uint32" })), "label");
  const { explain } = await planMap(array, copySamples(), { context });
  assertEquals(explain().split("\n").slice(0, 2), [
    "copySamples over 23 × 31 uint16: 23 × 31 uint16",
    "values: labels of regions",
  ]);
  assertEquals((await planMap(memoryArray(SHAPE, "bool"), copySamples(), { context })).values.kind, "mask");
  assertEquals((await open(ndarray(Uint8Array.of(1), [1, 1], "bool"))).values, { kind: "mask" });
  assertEquals((await open({ data: Uint8Array.of(1), shape: [1, 1] })).values, { kind: "amount" });
});

/** Code of users, of which nothing is known. */
const OF_USERS: readonly string[] = ["viewExpression", "viewFunction", "viewKernel"];

/** The power of the unit that results have, as they say. */
const POWERS: Readonly<Record<string, number>> = { "e-": 1, "e-²": 2 };

Deno.test("results have the unit that their size has: twice the samples, twice or four times the result", async () => {
  await using context = createContext({ workers: 0 });
  for (const name of names) {
    const row = OPERATION_ROWS[name];
    const dtype = row.dtypes.includes("float64") ? "float64" : row.dtypes.at(-1)!;
    const radius = SHAPE.map((_, d) => row.reaches(d, 2) ? 1 : 0);
    const operation = row.operation(radius, dtype);
    const of = (times: number) => {
      const values = { kind: "amount", unit: "e-" } as const;
      return { ...memoryArray(SHAPE, dtype, (flat) => times * (label(flat) % 32)), values };
    };
    const { values, dtype: made } = await planMap(of(1), operation, { context });
    if (values.unit === undefined) {
      assert(made === "bool" || OF_USERS.includes(name), `${name} forgets the unit`);
      continue;
    }
    const [once, twice] = [
      await mapViews(of(1), operation, { context }),
      await mapViews(of(2), operation, { context }),
    ];
    assertEquals(once.values, values, name);
    const factor = 2 ** POWERS[values.unit]!;
    const expected = Array.from(once.data, Number).map((value) => factor * value);
    assertEquals(Array.from(twice.data, Number), expected, `${name} has ${values.unit}`);
  }
});

Deno.test("every operation of the table says what its results mean, of every kind of samples", async () => {
  for (const name of Object.keys(OPERATIONS) as OperationName[]) {
    const entry = await operationNamed(name);
    for (const kind of VALUE_KINDS) {
      const given = { kind, unit: "nm", missing: -1 };
      if (name === "downSample" && (kind === "label" || kind === "phase")) continue; // it has no means of them
      const rule = entry.values(given, {});
      const made = valuesBy(rule, given, "float64");
      assert(VALUE_KINDS.includes(made.kind), name);
      assertEquals(
        made.missing,
        rule === "same" ? -1 : undefined,
        `${name}: only samples themselves are missing`,
      );
    }
  }
});

Deno.test("means of phases are refused, as they begin again after a turn", async () => {
  await using context = createContext({ workers: 0 });
  const array = { ...memoryArray(SHAPE, "float32", label), values: { kind: "phase", unit: "rad" } as const };
  await assertRejects(
    () => planMap(array, downSample({ factor: 2 }), { context }),
    TilewiseError,
    "of phases",
  );
  const { values } = await planMap(array, downSample({ factor: 2, reduce: "nearest" }), { context });
  assertEquals(values, { kind: "phase", unit: "rad" });
});

Deno.test("down-sampling by nearest keeps the first sample of every block, of labels and others", async () => {
  await using context = createContext({ workers: 0 });
  for (
    const [shape, factor] of [[[23, 31], 2], [[7, 9, 10], 3], [[11], 4], [[5, 8, 9], [1, 2, 4]]] as const
  ) {
    for (const dtype of ["uint8", "uint32", "float64"] as const) {
      const factors = shape.map((_, d) => typeof factor === "number" ? factor : factor[d]!);
      const array = { ...memoryArray(shape, dtype, label), values: { kind: "label" } as const };
      const tile = factors.map((f) => 2 * f);
      const made = await mapViews(array, downSample({ factor, reduce: "nearest" }), { tile, context });
      const strides = shape.map((_, d) => shape.slice(d + 1).reduce((all, n) => all * n, 1));
      const expected = Array.from({ length: made.data.length }, (_, i) => {
        let rest = i, flat = 0;
        for (let d = shape.length - 1; d >= 0; d--) {
          flat += rest % made.shape[d]! * factors[d]! * strides[d]!;
          rest = Math.floor(rest / made.shape[d]!);
        }
        return label(flat);
      });
      assertEquals([made.dtype, [...made.data].map(Number)], [dtype, expected], `${shape} ${dtype}`);
      for (const how of ["mean", "sum"] as const) {
        await assertRejects(
          () => planMap(array, downSample({ factor, reduce: how }), { context }),
          TilewiseError,
          'give { reduce: "nearest" }',
        );
      }
    }
  }
});

Deno.test("code of users says what its results mean; without it, only the type does", async () => {
  await using context = createContext({ workers: 0 });
  const electrons = { kind: "amount", unit: "e-" } as const;
  const array = { ...memoryArray(SHAPE, "float32", label), values: electrons };
  const nm = { kind: "amount", unit: "nm" } as const;
  const makers = {
    expression: (values?: ValueRule) => viewExpression("2 * x", values ? { values } : {}),
    function: (values?: ValueRule) =>
      viewFunction((view, out) => out.data.set(view.data), values ? { values } : {}),
    kernel: (values?: ValueRule) => viewKernel({ source: SPREAD, ...(values ? { values } : {}) }),
  };
  for (const [name, make] of Object.entries(makers)) {
    const of = async (values?: ValueRule) => (await planMap(array, make(values), { context })).values;
    assertEquals(await of(), { kind: "amount" }, name);
    assertEquals(await of("same"), electrons, name);
    assertEquals(await of("squares"), { kind: "amount", unit: "e-²" }, name);
    assertEquals(await of(nm), nm, name);
    assertEquals((await mapViews(array, make(nm), { context })).values, nm, name);
    assertThrows(() => make("sum" as never), TilewiseError, '"same", "sums", "squares", "unknown"');
    assertThrows(() => make({ kind: "length" } as never), TilewiseError, "amount");
  }
});
