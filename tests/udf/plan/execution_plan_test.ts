/** Which UDF gets its tiles in which form: the rules, over a table with a second device. */

import "../../fences/mod.ts";
import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import type { Backend } from "../../../src/dataset/facts.ts";
import { TilewiseError } from "../../../src/errors.ts";
import { BACKENDS, type BackendTable, cheapestChain } from "../../../src/udf/plan/backends.ts";
import { type BackendSide, executionPlan } from "../../../src/udf/plan/execution_plan.ts";

type B = Backend | "gcxs" | "gpu-dense" | "gpu-coo" | "gpu-csr";
type D = "cpu" | "gpu";

const CPU = ["dense", "csr", "csc", "coo", "gcxs"] as const;
const GPU = ["gpu-dense", "gpu-coo", "gpu-csr"] as const;
const ALL: readonly B[] = [...CPU, ...GPU];

/** Every pair converts; what crosses between dense and sparse, or between devices, costs more. */
const TABLE: BackendTable<B, D> = {
  facts: {
    dense: { device: "cpu", sparse: false },
    csr: { device: "cpu", sparse: true },
    csc: { device: "cpu", sparse: true },
    coo: { device: "cpu", sparse: true },
    gcxs: { device: "cpu", sparse: true },
    "gpu-dense": { device: "gpu", sparse: false },
    "gpu-coo": { device: "gpu", sparse: true },
    "gpu-csr": { device: "gpu", sparse: true },
  },
  conversions: ALL.flatMap((from) =>
    ALL.filter((to) => to !== from).map((to) => {
      const dense = (form: B) => form.endsWith("dense");
      const gpu = (form: B) => form.startsWith("gpu");
      const cost = 10 + (dense(from) === dense(to) ? 0 : 500) + (gpu(from) === gpu(to) ? 0 : 50) +
        (to === "gcxs" ? 300 : 0) + ALL.indexOf(to);
      return { from, to, cost, how: "" };
    })
  ),
};

const side = (name: string, ...backends: readonly B[]): BackendSide<B> => ({ name, backends });

function planned(dataset: readonly B[], udfs: readonly (readonly B[])[], device?: D, allowed?: readonly B[]) {
  const plan = executionPlan<B, D>({
    udfs: udfs.map((backends, u) => side(`udf${u}`, ...backends)),
    dataset: side("data", ...dataset),
    ...(device ? { device } : {}),
    ...(allowed ? { allowed } : {}),
  }, TABLE);
  const known = plan.groups.flatMap(({ udfs }) => udfs).toSorted();
  assertEquals(known, [...udfs.keys()], "every UDF is in one group");
  plan.groups.forEach(({ backend, udfs: members, chain }, g) => {
    assertEquals(chain.at(-1), backend);
    const there = plan.groups.slice(0, g).flatMap(({ chain }) => chain);
    assertEquals(
      g === 0 ? plan.source === chain[0] : there.includes(chain[0]!),
      true,
      "chains start somewhere",
    );
    for (const u of members) assertEquals([plan.backends[u], udfs[u]!.includes(backend)], [backend, true]);
  });
  return {
    source: plan.source,
    groups: plan.groups.map(({ backend, udfs }) => [backend, ...udfs.toSorted()]),
  };
}

Deno.test("one form on each side: there is no choice, on any device", () => {
  for (const left of ALL) {
    for (const right of ALL) {
      for (const device of [undefined, "cpu", "gpu"] as const) {
        assertEquals(planned([left], [[right]], device), { source: left, groups: [[right, 0]] });
      }
    }
  }
});

Deno.test("a form that the data set has and both UDFs take wins", () => {
  for (const right of ALL) {
    assertEquals(planned(ALL, [ALL, [right]]), { source: right, groups: [[right, 0, 1]] });
  }
});

Deno.test("a UDF that takes anything gets the form of the data set", () => {
  for (const left of ALL) assertEquals(planned([left], [ALL]), { source: left, groups: [[left, 0]] });
});

Deno.test("the plan can be restricted to a form, whatever the device", () => {
  for (const only of ALL) {
    for (const device of [undefined, "cpu", "gpu"] as const) {
      assertEquals(planned(ALL, [ALL], device, [only]), { source: only, groups: [[only, 0]] });
    }
  }
});

Deno.test("two forms without conversion: the first of the data set", () => {
  assertEquals(planned(["coo", "dense"], [ALL]), { source: "coo", groups: [["coo", 0]] });
  assertEquals(planned(["dense", "coo"], [ALL]), { source: "dense", groups: [["dense", 0]] });
});

Deno.test("on another device sparse stays sparse and dense stays dense", () => {
  const mixed: readonly B[] = ["dense", "coo", "gpu-dense", "gpu-coo"];
  assertEquals(planned(["csr", "coo", "dense"], [mixed], "gpu"), { source: "csr", groups: [["gpu-coo", 0]] });
  assertEquals(planned(["dense"], [["dense", "gpu-coo", "gpu-dense"]], "gpu"), {
    source: "dense",
    groups: [["gpu-dense", 0]],
  });
});

Deno.test("most UDFs first, then the place in their lists, then the cost of the conversion", () => {
  const order = planned(["dense"], [["csr", "csc", "coo"], ["csr", "coo"], ["gcxs", "coo"]]);
  // coo serves all three, though none likes it best
  assertEquals(order, { source: "dense", groups: [["coo", 0, 1, 2]] });
  const two = planned(["dense"], [["csr", "csc", "coo"], ["csr", "coo"], ["gcxs", "gpu-coo"]]);
  assertEquals(two, { source: "dense", groups: [["csr", 0, 1], ["gcxs", 2]] });
  for (const dataset of [["gpu-dense", "dense"], ["dense", "gpu-dense"], ["dense"]] as const) {
    for (const device of [undefined, "cpu", "gpu"] as const) {
      for (const last of [["csc", "gcxs"], ["gcxs", "csc"]] as const) {
        const udfs = [["csr", "csc", "coo"], ["csr", "gpu-csr", "coo"], ["gcxs", "coo"], last] as const;
        if (device === "gpu") continue; // the UDF that can run there does, see below
        const found = planned(dataset, udfs, device);
        assertEquals(found.source, "dense");
        assertEquals(found.groups.toSorted(), [["coo", 0, 1, 2], [last[0], 3]]);
      }
    }
  }
});

Deno.test("what the device has no form for runs elsewhere", () => {
  const found = planned(["dense"], [["csr", "gpu-csr"], ["csr"], ["dense", "csr"]], "gpu");
  assertEquals(found.source, "dense");
  assertEquals(found.groups.toSorted(), [["csr", 1], ["dense", 2], ["gpu-csr", 0]]);
});

Deno.test("no common back end: the error names both sides", () => {
  const fails = (dataset: readonly B[], udf: readonly B[], allowed?: readonly B[]) =>
    assertThrows(() => planned(dataset, [udf], undefined, allowed), TilewiseError, "no common back end");
  const error = fails(ALL, ["gpu-dense"], CPU);
  assertEquals(error.code, "udf");
  for (
    const part of ['UDF "udf0"', "data", "takes gpu-dense", "the data set has dense, csr", "allows dense"]
  ) {
    assertStringIncludes(error.message, part);
  }
  assertStringIncludes(fails(["dense"], ["dok" as B]).message, "dok is none of dense, csr");
  fails(["dense"], []);
});

Deno.test("the table of this version: dense and csr lead to everything, in cheap steps", () => {
  for (const from of ["dense", "csr"] as const) {
    for (const to of ["dense", "csr", "csc", "coo"] as const) {
      const { forms } = cheapestChain([from], [to], BACKENDS)!;
      assertEquals([forms[0], forms.at(-1)], [from, to]);
      assertEquals(forms.length <= 3, true);
    }
  }
  assertEquals(cheapestChain(["dense"], ["csc"], BACKENDS)!.forms, ["dense", "csr", "csc"]);
  const plan = executionPlan({
    udfs: [{ name: "a", backends: ["csc"] }, { name: "b", backends: ["csr"] }, {
      name: "c",
      backends: ["dense"],
    }],
    dataset: { name: "d", backends: ["dense"] },
    device: "cpu",
  });
  assertEquals(plan.groups.map(({ chain }) => chain.join(" ")), ["dense", "dense csr", "csr csc"]);
  assertStringIncludes(plan.groups[2]!.why, "csr → csc");
});
