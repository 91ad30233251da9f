/** Positions that no image was taken for, in the results of every UDF: not valid, and NaN where a type has it. */

import { assert, assertEquals } from "@std/assert";
import { createContext } from "../../../src/runner/context.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { asNumbers } from "../../../src/space/numbers.ts";
import type { Udf } from "../../../src/udf/interface/udf.ts";
import { udf } from "../../../src/udf/interface/udf_ref.ts";
import { memoryScan } from "../data.ts";
import { ALL, countsAs, NAV } from "./every_builtin.ts";

const FRAMES = NAV[0] * NAV[1];
const AT = [296, 297, 298, 299]; // the last three have no image

Deno.test("blank positions never look measured, in no result of any UDF, picked or where they are", async () => {
  await using context = createContext({ memory: 256 * 2 ** 20, workers: 0 });
  const roi = AT.map((at) => [Math.floor(at / NAV[1]), at % NAV[1]]);
  const scan = countsAs("float32", { syncOffset: 3 });
  let looked = 0;
  for (const [key, results] of Object.entries(await run(await plan(scan, ALL, { context, roi })))) {
    for (const [name, { data, dtype, shape, valid }] of Object.entries(results)) {
      const isPicked = shape[0] === AT.length;
      if (!isPicked && (shape[0] !== NAV[0] || shape[1] !== NAV[1])) continue; // it is of all frames
      const rows = isPicked ? AT.length : FRAMES;
      const numbers = asNumbers(data);
      const [each, marks] = [numbers.length / rows, valid!.length / rows];
      for (const at of AT.slice(1)) {
        const row = isPicked ? at - AT[0]! : at;
        assert(
          !valid!.subarray(row * marks, (row + 1) * marks).includes(1),
          `${key} ${name} is marked as valid`,
        );
        const none = /float|complex/.test(dtype) ? NaN : 0;
        for (let i = row * each; i < (row + 1) * each; i++) assertEquals(numbers[i], none, `${key} ${name}`);
      }
      looked++;
    }
  }
  assert(looked > Object.keys(ALL).length / 2, `only ${looked} results`);
});

Deno.test("preprocess keeps what it writes at blank positions, and nothing in buffers that it leaves as they are", async () => {
  await using context = createContext({ memory: 16 * 2 ** 20, workers: 0 });
  const own: Udf<
    { kept: "float64"; some: "float64"; sum: "float64"; least: "int16"; most: "int64"; made: "float64" }
  > = {
    name: "own",
    buffers: {
      some: { kind: "nav", dtype: "float64" },
      kept: { kind: "nav", dtype: "float64" },
      sum: { kind: "nav", dtype: "float64" },
      least: { kind: "nav", dtype: "int16", merge: "min" },
      most: { kind: "nav", dtype: "int64", merge: "max" },
      made: { kind: "nav", dtype: "float64", use: "result" },
    },
    preprocess({ kept, some }, { side }) {
      if (side !== "main") return;
      kept.fill(-1);
      some[0] = 3; // and leaves the other as it was
    },
    results: ({ kept }) => ({ made: kept.map((value) => Math.max(0, value)) }),
    processFrame({ data }, { kept, some, sum, least, most }) {
      kept[0] =
        some[0] =
        sum[0] =
        least[0] =
          Number(data[0]);
      most[0] = BigInt(data[0]!);
    },
  };
  const scan = memoryScan([5, 7], [2], [1], "uint8", { syncOffset: 1 });
  const { it } = await run(await plan(scan, { it: udf(own) }, { context }));
  const found = Object.entries(it).map(([name, { data }]) => [name, ...Array.from(data, Number)]);
  assertEquals(found.toSorted(), [
    ["kept", 7, -1],
    ["least", 7, 0],
    ["made", 7, 0],
    ["most", 7, 0],
    ["some", 7, 0],
    ["sum", 7, NaN],
  ]);
});

Deno.test("what preprocess leaves as it is stays unmeasured in any type, also in rows of a buffer that it has written", async () => {
  await using context = createContext({ memory: 16 * 2 ** 20, workers: 0 });
  for (const writes of [true, false]) {
    const own: Udf<{ count: "int64"; least: "float32"; made: "float64" }> = {
      name: "own",
      buffers: {
        count: { kind: "nav", dtype: "int64" },
        least: { kind: "nav", dtype: "float32", merge: "min" },
        made: { kind: "nav", dtype: "float64", use: "result" },
      },
      preprocess({ least }, { side }) {
        if (side === "main" && writes) least[1] = 2;
      },
      results: ({ count }) => ({ made: Float64Array.from(count, Number) }),
      processFrame({ data }, { count, least }) {
        count[0] = BigInt(data[0]!);
        least[0] = Number(data[0]);
      },
    };
    const scan = memoryScan([5, 7], [3], [1], "uint8", { syncOffset: 1 });
    const { it } = await run(await plan(scan, { it: udf(own) }, { context }));
    const found = [it.count, it.least, it.made].map(({ data }) => Array.from(data, Number));
    assertEquals(
      found,
      writes ? [[7, 0, 0], [7, 2, NaN], [7, 0, 0]] : [[7, 0, 0], [7, NaN, NaN], [7, NaN, NaN]],
    );
  }
});
