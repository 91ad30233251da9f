/** The table of kernels, and what is made of it. */

import { assertEquals, assertThrows } from "@std/assert";
import { type Export, exportsOf } from "../../assembly/families.ts";
import { familiesSource, packsSource, sampleTypesSource } from "../../assembly/sources.ts";
import { kernelRows } from "../oracles/rows/catalogue.ts";
import type { Declaration } from "../../assembly/table/declaration.ts";
import { FAMILIES, TABLE } from "../../assembly/table/table.ts";
import { packModule } from "../../src/kernels/code.ts";
import { loadKernels, PACKS } from "../../src/kernels/wasm.ts";

await loadKernels();

const declared: Declaration = {
  pack: "core",
  file: "f",
  body: "b",
  params: { data: "in T", n: "i32" },
  types: ["uint8"],
};

Deno.test("packs have the kernels that the table gives them, with as many parameters", () => {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const found = PACKS.flatMap((pack) => {
    const { exports } = new WebAssembly.Instance(packModule(pack, false), { env: { memory } });
    return Object.entries(exports).map(([name, kernel]) => [pack, name, (kernel as () => void).length]);
  });
  const kernels = PACKS.flatMap((pack) => exportsOf(TABLE).filter((one) => one.pack === pack));
  const expected = kernels.map(({ pack, name, params }) => [pack, name, Object.keys(params).length]);
  assertEquals(found, expected);
});

Deno.test("a family stands in one file of the table", () => {
  assertEquals(Object.values(TABLE).flatMap((families) => Object.keys(families)), Object.keys(FAMILIES));
});

/** Types see names that a row forgets, but not numbers that a twin leaves out. */
function twinFaults(exports: readonly Export[]): string[] {
  const rows = new Map([...kernelRows()].map((row) => [row.name, row]));
  const memory = new WebAssembly.Memory({ initial: 1 });
  return exports.flatMap(({ name, family, params }) => {
    const row = rows.get(name);
    if (!row) return [`${name} has no row in tests/oracles/rows/`];
    const [twin, kernel] = [row.reference(memory).length, Object.keys(params).length];
    return twin === kernel
      ? []
      : [`the twin of ${family} takes ${twin} parameters, its kernels take ${kernel}`];
  });
}

Deno.test("twins and rows follow the table", () => {
  assertEquals([...new Set(twinFaults(exportsOf(TABLE)))], []);
});

Deno.test("a twin that leaves out a parameter, and a kernel without a row, are found", () => {
  const sums: Declaration = FAMILIES["sum_frames"]!;
  const more: Declaration = { ...sums, params: { ...sums.params, more: "i32" }, types: ["uint8"] };
  const exports = exportsOf({ any: { sum_frames: more, other: declared } });
  assertEquals(twinFaults(exports), [
    "the twin of sum_frames takes 5 parameters, its kernels take 6",
    "other_u8 has no row in tests/oracles/rows/",
  ]);
});

Deno.test("the comment of a declaration is the documentation of its signature", () => {
  const text = `export const ANY = {\n  /**\n   * Adds.\n   * Exactly.\n   */\n  sum: {\n    file: "f",\n`;
  const source = familiesSource({ any: { sum: declared } }, () => text);
  const signature = "  /**\n   * Adds.\n   * Exactly.\n   */\n  sum: (data: number, n: number) => void;\n";
  assertEquals(source.includes(signature), true);
  const silent = () => familiesSource({ any: { sum: declared } }, () => text.replace("/**", "/*"));
  assertThrows(silent, Error, "assembly/table/any.ts: sum has no comment that says what it does");
});

Deno.test("sample types have the names of their lists, where they have one", () => {
  const source = sampleTypesSource({ any: { ...TABLE.correct, sum: { ...declared, types: ["int8"] } } });
  assertEquals(source.includes("  correct_f32: { types: ALL, orders: true },\n"), true);
  assertEquals(source.includes('  sum: { types: ["int8"] },\n'), true);
  assertEquals(source.includes("import { ALL, FLOATS, type SampleTypes } from"), true);
});

Deno.test("packs list their families in the order of the table", () => {
  const source = packsSource({ first: { ...TABLE.correct, sum: declared }, second: { more: declared } });
  assertEquals(source.includes('  core: ["sum", "more"],\n'), true);
  assertEquals(
    source.includes('  corrections: ["correct_f32", "correct_f64", "correct_pairs", "patch"],\n'),
    true,
  );
  assertEquals(source.includes("  fft: [],\n"), true);
});

Deno.test("float16 needs bodies of its own", () => {
  const half: Declaration = { ...declared, types: ["float16"], orders: true };
  assertThrows(() => exportsOf({ any: { sum: half } }), Error, "sum: float16");
  const own = exportsOf({ any: { sum: { ...half, half: ["little", "big"] } } });
  assertEquals(own.map(({ name, call }) => [name, call]), [
    ["sum_f16", "little(data, n)"],
    ["sum_f16be", "big(data, n)"],
  ]);
});
