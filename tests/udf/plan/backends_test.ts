/** Tiles in every form, from dense and from sparse data: the same samples, whatever is converted to what. */

import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import type { Backend } from "../../../src/dataset/facts.ts";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { TilewiseError } from "../../../src/errors.ts";
import type { DType } from "../../../src/space/dtype.ts";
import { type NDArray, ndarray } from "../../../src/space/ndarray.ts";
import type { Shape } from "../../../src/space/shape.ts";
import { createContext } from "../../../src/runner/context.ts";
import type { PlanOptions } from "../../../src/udf/plan/plan.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { udf, type UdfRef } from "../../../src/udf/interface/udf_ref.ts";
import { csrScan, sparseCounts } from "../csr_data.ts";
import { memoryScan, numbers } from "../data.ts";

const [NAV, SIG, FRAMES, PIXELS] = [[6, 7], [9, 12], 42, 108] as const;
const VALUES = sparseCounts(FRAMES, PIXELS);
const FORMS: readonly Backend[] = ["dense", "csr", "csc", "coo"];
const METHODS = ["tile", "frame", "partition"] as const;

const module = import.meta.resolve("./sparse_udf.ts");
const copy = (params: Record<string, unknown>) => udf(module, { params: params as UdfRef["params"] });

type Make = (values: Float64Array, nav: Shape, sig: Shape, dtype: DType) => StoredDataset;

const scans: Record<string, Make> = {
  dense: (...scan) => memoryScan(...scan),
  "big-endian": (...scan) => memoryScan(...scan, { order: "big", frameHeaderBytes: 5 }),
  csr: (...scan) => csrScan(...scan),
  "big-endian csr": (...scan) => csrScan(...scan, { order: "big", indexDType: "int64" }),
  "untidy csr": (...scan) => csrScan(...scan, { untidy: true, indexDType: "uint16" }),
};

/** That the frames hold `values`; says where not, as listing them all would take long. */
function assertFrames(found: NDArray | undefined, values: ArrayLike<number>, text = ""): void {
  const at = numbers(found!.data).findIndex((value, i) => value !== values[i]);
  assertEquals(at, -1, `${text}: sample ${at} is ${found!.data[at]}, not ${values[at]}`);
}

async function compute(
  dataset: StoredDataset,
  udfs: Record<string, UdfRef>,
  options: PlanOptions = {},
  workers = 0,
) {
  await using context = createContext({ memory: 64 * 2 ** 20, workers });
  return await run(await plan(dataset, udfs, { context, ...options }));
}

for (const [name, scan] of Object.entries(scans)) {
  Deno.test(`${name}: every form, method and type has the same samples`, async () => {
    for (const dtype of ["uint8", "uint16", "float32", "float64", "int64"] as const) {
      const udfs = Object.fromEntries(FORMS.flatMap((form) =>
        METHODS.flatMap((method) => [
          [`${form} ${method}`, copy({ backends: [form], method })],
          [`${form} ${method} float64`, copy({ backends: [form], method, dtype: "float64" })],
        ])
      ));
      const results = await compute(scan(VALUES, NAV, SIG, dtype), udfs);
      for (const [key, { frame, form }] of Object.entries(results)) {
        assertEquals(numbers(frame!.data), [...VALUES], `${dtype} ${key}`);
        assertEquals(
          new Set(numbers(form!.data)),
          new Set([FORMS.findIndex((name) => key.startsWith(name))]),
        );
      }
    }
  });

  Deno.test(`${name}: tiles that are parts of frames have the same samples`, async () => {
    const data = scan(sparseCounts(5, 19200), [5], [64, 300], "uint16");
    const tiling = { depth: 4, totalBytes: 40000 };
    const udfs = Object.fromEntries(
      FORMS.flatMap((form) => [
        [form, copy({ backends: [form], tiling })],
        [`${form} float32`, copy({ backends: [form], tiling, dtype: "float32" })],
      ]),
    );
    assert((await plan(data, udfs)).scheme.slices.length > 1);
    const expected = sparseCounts(5, 19200);
    for (const { frame } of Object.values(await compute(data, udfs))) {
      assertFrames(frame, expected);
    }
    for (const [form, ref] of Object.entries(udfs)) {
      const { it } = await compute(data, { it: ref });
      assertFrames(it!.frame, expected, form);
    }
  });
}

Deno.test("regions of interest, sync offsets and workers", async () => {
  const udfs = Object.fromEntries(FORMS.map((form) => [form, copy({ backends: [form] })]));
  const roi = Uint8Array.from({ length: FRAMES }, (_, i) => i % 3 === 0 || i > 35 ? 1 : 0);
  for (const syncOffset of [0, 5, -4]) {
    const of = (dataset: StoredDataset, options: PlanOptions, workers: number) =>
      compute(dataset, udfs, options, workers);
    for (const options of [{}, { roi }, { roi: [[1, 2]] }]) {
      const dense = memoryScan(VALUES, NAV, SIG, "uint16", { syncOffset });
      const expected = await of(dense, options, 0);
      for (const workers of [0, 3]) {
        if (workers > 0 && syncOffset !== 5) continue; // starting workers takes time; once is enough
        const found = await of(csrScan(VALUES, NAV, SIG, "uint16", { syncOffset }), options, workers);
        for (const form of FORMS) {
          assertEquals(found[form]!.frame!.data, expected.dense!.frame!.data, `${form} ${syncOffset}`);
          assertEquals(found[form]!.frame!.valid, expected.dense!.frame!.valid);
        }
      }
    }
  }
});

Deno.test("the plan tells, and counts the entries of the largest block", async () => {
  await using context = createContext({ memory: 64 * 2 ** 20, workers: 0 });
  const udfs = {
    a: copy({ backends: ["csr"] }),
    b: copy({ backends: ["dense"] }),
    c: copy({ backends: ["csc"] }),
  };
  const both = await plan(csrScan(VALUES, NAV, SIG, "uint16"), udfs, { context });
  assertEquals(both.udfs.map(({ backend }) => backend), ["csr", "dense", "csc"]);
  assertEquals(both.execution.source, "csr");
  const text = both.explain();
  for (const line of ["form       csr: as the data set has it", "csr → dense", "csr → csc"]) {
    assertStringIncludes(text, line);
  }
  const all = VALUES.filter((value) => value !== 0).length;
  assertEquals(both.memory.entries, all);
  assertEquals(both.bytesToRead, all * 6);
  const roi = await plan(csrScan(VALUES, NAV, SIG, "uint16"), udfs, { context, roi: [[0, 0]] });
  assertEquals(roi.memory.entries, VALUES.slice(0, PIXELS).filter((value) => value !== 0).length);
  const plain = await plan(memoryScan(VALUES, NAV, SIG, "uint16"), { b: udfs.b }, { context });
  assert(!plain.explain().includes("form "));
});

Deno.test("forms can be restricted; a UDF without a common one is refused", async () => {
  const any = copy({ backends: ["dense", "csr", "csc", "coo"] });
  for (const form of FORMS) {
    const { it } = await compute(csrScan(VALUES, NAV, SIG, "uint16"), { it: any }, { backends: [form] });
    assertEquals(new Set(numbers(it!.form!.data)), new Set([FORMS.indexOf(form)]));
    assertEquals(numbers(it!.frame!.data), [...VALUES]);
  }
  const dense = copy({ backends: ["dense"] });
  const error = await assertRejects(
    () => compute(csrScan(VALUES, NAV, SIG, "uint16"), { dense }, { backends: ["csr"] }),
    TilewiseError,
    "no common back end",
  );
  assertEquals(error.code, "udf");
});

Deno.test("a form that a UDF did not ask for is an error that says so", async () => {
  const sly = {
    name: "sly",
    buffers: { x: { kind: "nav" } },
    processTile: (tile: { readonly csr: unknown }) => void tile.csr,
  } as const;
  await assertRejects(
    () => compute(memoryScan(VALUES, NAV, SIG, "uint8"), { x: udf(sly) }),
    TilewiseError,
    "dense",
  );
  const raw = copy({ backends: ["csr"] });
  const wants = {
    ...sly,
    backends: ["csr"],
    processTile: (tile: { readonly raw: unknown }) => void tile.raw,
  } as const;
  await assertRejects(
    () => compute(csrScan(VALUES, NAV, SIG, "uint8"), { x: udf(wants), raw }),
    TilewiseError,
    "raw",
  );
});

Deno.test("corrections make sparse data dense before anybody sees it", async () => {
  const dark = ndarray(Float32Array.from({ length: PIXELS }, (_, i) => i / 8), SIG, "float32");
  const any = copy({ backends: ["csr", "dense"], dtype: "float64" });
  const { it } = await compute(csrScan(VALUES, NAV, SIG, "uint16"), { it: any }, { corrections: { dark } });
  assertEquals(numbers(it!.frame!.data), [...VALUES].map((value, i) => value - (i % PIXELS) / 8));
  assertEquals(new Set(numbers(it!.form!.data)), new Set([0]));
});
