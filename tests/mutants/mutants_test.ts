/** Faults are planted in code only, in a copy, and the tests that are nearest to them are run. */

import { assert, assertEquals } from "@std/assert";
import { withFolder } from "../cli/harness.ts";
import { codeOf } from "./code.ts";
import { faultsIn, planted } from "./faults.ts";
import { Importers } from "./nearest.ts";
import { Copy } from "./trial.ts";

Deno.test("comments, strings, patterns and the text of templates are no code", () => {
  const rows: readonly (readonly [string, string])[] = [
    ["a / b / c", "a·/·b·/·c"],
    ['x = "a\\"+1"; // -', "x·=········;·····"],
    ["x = /[/]+\\/1/g.test(a / 2)", "x·=··········g.test(a·/·2)"],
    ["`${a + `${b}-`}+` + 1", "···a·+····b·······+·1"],
    ["/* 1\n+ */ + f({ a: `${{ b }}` })", "····\n·····+·f({·a:····{·b·}···})"],
  ];
  for (const [text, code] of rows) assertEquals(codeOf(text).replaceAll(" ", "·"), code);
  assertEquals(codeOf("a\n'b'\n").length, 6);
});

Deno.test("every kind of fault is found where it can be, and nowhere else", () => {
  const faults = (text: string) => faultsIn(text).map((fault) => `${fault.kind}: ${planted(text, fault)}`);
  assertEquals(faults("if (a < b) return;"), [
    "comparison: if (a <= b) return;",
    "guard: if (true ? false : a < b) return;",
    "jump: if (a < b) ;",
  ]);
  assertEquals(faults("x = -Math.floor(y[0] + 1);"), [
    "sign: x = +Math.floor(y[0] + 1);",
    "sign: x = -Math.floor(y[0] - 1);",
    "off by one: x = -Math.floor(y[0]);",
    "constant: x = -Math.floor(y[1] + 1);",
    "constant: x = -Math.floor(y[0] + 0);",
    "rounding: x = -Math.ceil(y[0] + 1);",
    "axes: x = -Math.floor(y[1] + 1);",
  ]);
  assertEquals(faults("\n  await f(a, b);\n").map((text) => text.replaceAll("\n", "")), [
    "axes:   await f(b, a);",
    "await:   f(a, b);",
    "missing call:   ;",
  ]);
  assertEquals(
    faults('import a from "1"; type A = Array<B>; f("a" + b); const t = [1, 2, 3, 4, 5, 6, 7];'),
    [],
  );
});

const SOURCE = `export const half = (n: number): number => Math.floor(n / 2);\n`;
const TEST = `import { half } from "../src/half.ts";
Deno.test("half", () => { if (half(3) !== 1) throw new Error("wrong"); });\n`;

Deno.test("a fault is found by the nearest test, by types, or survives; the checkout stays as it is", async () => {
  await withFolder(async (folder) => {
    const root = `${folder}/checkout`;
    await Deno.mkdir(`${root}/src`, { recursive: true });
    await Deno.mkdir(`${root}/tests`);
    await Deno.writeTextFile(`${root}/src/half.ts`, SOURCE);
    await Deno.writeTextFile(`${root}/src/other.ts`, `export { half } from "./half.ts";\n`);
    await Deno.writeTextFile(`${root}/tests/half_test.ts`, TEST);
    await Deno.writeTextFile(
      `${root}/tests/a_test.ts`,
      TEST.replace("half.ts", "other.ts").replace("!== 1", "< 0"),
    );
    await Deno.writeTextFile(`${root}/tests/broken_test.ts`, TEST.replace("!== 1", "=== 1"));
    const tests = (await Importers.read(root, {})).testsOf("src/half.ts");
    assertEquals(tests, ["tests/half_test.ts", "tests/broken_test.ts", "tests/a_test.ts"]);
    await using copy = await Copy.of(root);
    const ends: Record<string, string> = {};
    for (
      const [from, to] of [["floor", "ceil"], ["n / 2", "n % 2"], ["n / 2)", "n / 2) as never as string"]]
    ) {
      const trial = { file: "src/half.ts", original: SOURCE, text: SOURCE.replace(from!, to!) };
      ends[to!] = await copy.tried(trial, tests);
    }
    assertEquals(ends, { ceil: "found", "n % 2": "survived", "n / 2) as never as string": "by types" });
    assertEquals(await Deno.readTextFile(`${root}/src/half.ts`), SOURCE);
    assert(!(await Deno.stat(`${root}/tmp`).then(() => true, () => false)));
  });
});
