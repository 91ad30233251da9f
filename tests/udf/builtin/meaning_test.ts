/** What every UDF of the table says of its results: a UDF without rules fails, and so does one whose rules are wrong. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { expression } from "../../../src/udf/builtin/expression.ts";
import { mapFrames } from "../../../src/udf/builtin/map_frames.ts";
import { StoredDataset } from "../../../src/dataset/dataset.ts";
import { createContext } from "../../../src/runner/context.ts";
import type { AxisFacts, ValueFacts } from "../../../src/space/axes.ts";
import { open } from "../../../src/formats/open.ts";
import { centreOfMass } from "../../../src/udf/builtin/centre_of_mass.ts";
import { diskDetector } from "../../../src/udf/builtin/detectors.ts";
import { fftOfFrames, fftOfSum } from "../../../src/udf/builtin/fft_of.ts";
import { pickFrames } from "../../../src/udf/builtin/pick_frames.ts";
import { standardDeviation } from "../../../src/udf/builtin/standard_deviation.ts";
import { derive } from "../../../src/udf/interface/derive.ts";
import { udf } from "../../../src/udf/interface/udf_ref.ts";
import { defineUdf } from "../../../src/udf/interface/define_udf.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import type { BufferSpec } from "../../../src/udf/interface/udf.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { BUILTINS } from "../../../src/udf/worker/builtins.ts";
import { declaredBuffers } from "../../../src/udf/buffers/buffers.ts";
import { memoryScan } from "../data.ts";
import { ALL, NAV, SAMPLES, scanOf, SIG } from "./every_builtin.ts";

const NM = { scale: 0.5, offset: -3, unit: "nm", kind: "scan" } as const;
const PER_NM = { scale: 0.25, offset: -2, unit: "1/nm", kind: "detector" } as const;
const AXES: readonly AxisFacts[] = [
  { name: "y", ...NM },
  { name: "x", ...NM },
  { name: "ky", ...PER_NM },
  { name: "kx", ...PER_NM },
];
const ELECTRONS: ValueFacts = { kind: "amount", unit: "e-" };

/** A data set whose file says what it is. */
function told(
  dataset: StoredDataset,
  values: ValueFacts = ELECTRONS,
  axes: readonly AxisFacts[] = AXES,
): StoredDataset {
  return new StoredDataset({ ...dataset, axes, values });
}

Deno.test("every UDF of the table says what the numbers and the dimensions of its results are", async () => {
  assertEquals(Object.keys(SAMPLES).toSorted(), Object.keys(BUILTINS).toSorted());
  await using context = createContext({ workers: 0 });
  const planned = await plan(told(scanOf("uint16")), ALL, { context });
  for (const { key, ref, udf, meta } of planned.udfs) {
    if (ref.export === "kernel") continue; // its buffers are those of users
    const visible = declaredBuffers(udf, meta).filter(([, { use }]) => use !== "private");
    for (const [name, { values, axes, extraShape = [] }] of visible as [string, BufferSpec][]) {
      assert(values !== undefined, `${key}.${name} says what its numbers are`);
      const isOfUser = ref.export === "map_frames"; // so is the shape of what a function returns
      assert(
        isOfUser || extraShape.length === 0 || axes !== undefined,
        `${key}.${name} says what an entry is`,
      );
      if (Array.isArray(axes)) assertEquals(axes.length, extraShape.length, `${key}.${name}`);
    }
  }
});

/** Some positions. */
const SOME = Array.from({ length: 12 }, (_, i) => [i, (7 * i) % 20] as const);

/** How results grow with the samples, by what they say of themselves. */
const POWERS: Readonly<Record<string, number>> = { "e-": 1, "e-²": 2, "px": 0, "px/position": 0, "rad": 0 };

Deno.test("results have the unit that their size has: four times the samples, once, 4 or 16 times the result", async () => {
  await using context = createContext({ workers: 0 });
  const counts = Float64Array.from(
    { length: 300 * 24 * 27 },
    (_, i) => (Math.imul(i, 0x9e3779b1) >>> 20) % 61,
  );
  const of = async (times: number) => {
    const scan = memoryScan(counts.map((one) => one * times), NAV, SIG, "float32");
    return await run(await plan(told(scan), ALL, { roi: SOME, context }));
  };
  const [once, times4] = [await of(1), await of(4)];
  let seen = 0;
  for (const [key, results] of Object.entries(once)) {
    for (const [name, { data, values, axes = [], shape }] of Object.entries(results)) {
      assertEquals(axes.length, shape.length, `${key}.${name}`);
      const power = values?.unit === undefined ? undefined : POWERS[values.unit];
      if (power === undefined || /^(correlate_pattern|refine_lattice|strain_map)/.test(key)) continue; // they compare logarithms
      seen++;
      const other = times4[key]![name]!.data;
      data.forEach((value: number | bigint, i: number) => {
        const [expected, found] = [Number(value) * 4 ** power, Number(other[i])];
        const slack = 1e-5 * Math.max(1, Math.abs(expected));
        const isSame = Number.isNaN(expected) ? Number.isNaN(found) : !(Math.abs(found - expected) > slack);
        assert(isSame, `${key}.${name} in ${values!.unit}: ${expected}, ${found}`);
      });
    }
  }
  assert(seen > 30, `${seen} results have a unit`);
});

Deno.test("results have the axes of the scan or of the frame, and further ones that say what they count", async () => {
  await using context = createContext({ workers: 0 });
  const scan = told(scanOf("uint16"));
  const udfs = {
    bf: diskDetector(),
    com: centreOfMass({ scanRotation: 30, flipY: true, regression: 0 }),
    std: standardDeviation(),
    fft: fftOfSum(),
    each: fftOfFrames(),
    picked: pickFrames(),
  };
  const found = await run(await plan(scan, udfs, { roi: [[0, 1], [2, 3]], context }));
  const whole = await run(await plan(scan, { com: centreOfMass() }, { context }));
  assertEquals([found.bf.intensity.axes, found.bf.intensity.values], [AXES.slice(0, 2), ELECTRONS]);
  assertEquals([found.std.var.axes, found.std.var.values], [AXES.slice(2), { kind: "amount", unit: "e-²" }]);
  const component = { name: "component", names: ["y", "x"] };
  assertEquals(found.com.field.axes, [...AXES.slice(0, 2), component]);
  assertEquals(found.com.field.values, { kind: "vector", unit: "px" });
  assertEquals(found.com.calibrated!.values, { kind: "vector", unit: "1/nm" });
  assertEquals(found.picked.intensity.axes, [{ name: "frame", kind: "series" }, ...AXES.slice(2)]);
  const spectrum = [
    { name: "ky", scale: 1 / (24 * 0.25), offset: -12 / (24 * 0.25), unit: "nm" },
    { name: "kx", scale: 1 / (27 * 0.25), offset: -13 / (27 * 0.25), unit: "nm" },
  ];
  assertEquals(found.fft.magnitude.axes, spectrum);
  assertEquals(found.fft.fft.values, { kind: "complex", unit: "e-" });
  assertEquals(found.each.magnitude.axes, [{ name: "frame", kind: "series" }, ...spectrum]);
  assertEquals(whole.com.calibrated!.data, whole.com.field.data.map((value) => value * 0.25));
  assertEquals(
    "calibrated" in (await run(await plan(scanOf("uint16"), { com: centreOfMass() }, { context }))).com,
    false,
  );
});

Deno.test("pixels that are not square are scaled along the axes of the detector, before shifts are turned", async () => {
  await using context = createContext({ workers: 0 });
  const axes = [...AXES.slice(0, 2), { ...PER_NM, name: "ky", scale: 2 }, {
    ...PER_NM,
    name: "kx",
    scale: 0.5,
  }];
  const scan = told(scanOf("uint16"), ELECTRONS, axes);
  const udfs = {
    plain: centreOfMass(),
    turned: centreOfMass({ scanRotation: 90 }),
    flipped: centreOfMass({ flipY: true }),
  };
  const { plain, turned, flipped } = await run(await plan(scan, udfs, { context }));
  for (let i = 0; i < plain.field_y.data.length; i++) {
    const [y, x] = [2 * plain.field_y.data[i]!, 0.5 * plain.field_x.data[i]!];
    const close = (data: Float64Array, dy: number, dx: number) =>
      assert(Math.hypot(data[2 * i]! - dy, data[2 * i + 1]! - dx) < 1e-12);
    close(plain.calibrated!.data, y, x);
    close(flipped.calibrated!.data, -y, x);
    close(turned.calibrated!.data, x, -y); // from x towards y
  }
});

Deno.test("frames that are picked from labels are labels; sums of labels are amounts without a unit", async () => {
  await using context = createContext({ workers: 0 });
  const labels = told(scanOf("uint16"), { kind: "label" });
  const { picked, bf } = await run(
    await plan(labels, { picked: pickFrames(), bf: diskDetector() }, { roi: [[0, 0]], context }),
  );
  assertEquals([picked.intensity.values, bf.intensity.values], [{ kind: "label" }, undefined]);
});

Deno.test("UDFs of users say what their results are; what they do not say follows from type and kind", async () => {
  await using context = createContext({ workers: 0 });
  const own = udf(defineUdf({
    name: "own",
    buffers: {
      total: { kind: "nav", dtype: "float64", values: "sums" },
      angle: { kind: "nav", values: { kind: "phase", unit: "rad" } },
      both: { kind: "nav", extraShape: [2], axes: [{ name: "half", names: ["left", "right"] }] },
    },
    processFrame() {},
  }));
  const derived = derive(own, {
    buffers: { squared: { kind: "nav", dtype: "float64", values: "squares" } },
    results: ({ total }) => ({
      squared: total.data.map((one) => one * one),
      list: {
        ...ndarray(new Float32Array(2), [2], "float32"),
        axes: [{ name: "k" }],
        values: { kind: "vector" } as const,
      },
    }),
  });
  const { made } = await run(await plan(told(scanOf("uint16")), { made: derived }, { context }));
  assertEquals(made.total.values, ELECTRONS);
  assertEquals(made.angle.values, { kind: "phase", unit: "rad" });
  assertEquals([made.both.values, made.both.axes?.at(-1)], [undefined, {
    name: "half",
    names: ["left", "right"],
  }]);
  assertEquals(made.squared.values, { kind: "amount", unit: "e-²" });
  assertEquals([made.list.axes, made.list.values], [[{ name: "k" }], { kind: "vector" }]);
});

Deno.test("what is kept in memory, and opened again, says the same", async () => {
  await using context = createContext({ workers: 0 });
  const { keepSamples } = await import("../../../src/udf/run/keep.ts");
  const kept = await keepSamples(told(scanOf("uint16")), { context });
  assertEquals([kept.values, kept.axes], [ELECTRONS, told(scanOf("uint16")).axes]);
  const { bf } = await run(await plan(kept, { bf: diskDetector() }, { context }));
  const opened = await open(bf.intensity);
  assertEquals([opened.values, opened.axes.map(({ unit }) => unit)], [ELECTRONS, ["nm", "nm"]]);
});

Deno.test("expressions and functions of users say what their results mean; without it, only the type does", async () => {
  await using context = createContext({ workers: 0 });
  const scan = told(scanOf("uint16"));
  const pair = mapFrames((frame) => [frame[0]!, frame[1]!], {
    values: { kind: "vector", unit: "nm" },
    axes: [{ name: "component", names: ["y", "x"] }],
  });
  const udfs = {
    plain: expression({ sum: "sum(x)", image: "frames.mean(x)" }),
    sums: expression({ sum: "sum(x)", image: "frames.mean(x)" }, { values: "sums" }),
    squares: expression("sum(x * x)", { values: "squares" }),
    plainPair: mapFrames((frame) => [frame[0]!, frame[1]!]),
    pair,
  };
  const found = await run(await plan(scan, udfs, { roi: [[0, 1], [2, 3]], context }));
  assertEquals([found.plain.sum.values, found.plain.image.values], [undefined, undefined]);
  assertEquals([found.sums.sum.values, found.sums.image.values], [ELECTRONS, ELECTRONS]);
  assertEquals(found.squares.value.values, { kind: "amount", unit: "e-²" });
  assertEquals(found.plainPair.result.values, undefined);
  assertEquals(found.pair.result.values, { kind: "vector", unit: "nm" });
  assertEquals(found.pair.result.axes!.at(-1), { name: "component", names: ["y", "x"] });
  assertThrows(() => expression("sum(x)", { values: "sum" as never }), TilewiseError, '"same", "sums"');
  assertThrows(() => mapFrames(() => 1, { values: { kind: "size" } as never }), TilewiseError, "amount");
});
