/** Every example of the pages holds, and those in comments of all that is not the library; how examples are found. */

import { assertEquals, assertRejects } from "@std/assert";
import { examplesIn, runExample, testExamples } from "./examples.ts";

/** Pages whose programs run with what they need, or are compared with what others print. */
const ELSEWHERE = ["src/", "docs/coming_from/", "docs/tutorials/"];

testExamples((path) => !ELSEWHERE.some((folder) => path.startsWith(folder)));

const FENCE = "`".repeat(3);

Deno.test("an example has the lines of its block, and imports what it uses of its module", () => {
  const text = `/**
 * Adds.
 * @example
 * ${FENCE}ts
 * import { assertEquals, assertRejects } from "@std/assert";
 * assertEquals(add(1, 2), 3);
 * ${FENCE}
 */
export function add(a: number, b: number): number {
  return a + b;
}

export const unused = "${FENCE}ts";
`;
  const [found, ...more] = examplesIn("src/add.ts", text);
  assertEquals(more, []);
  assertEquals(found!.name, "src/add.ts#4-7");
  const [first, ...code] = found!.code.split("\n");
  assertEquals(first, `import { add } from ${JSON.stringify(import.meta.resolve("../../src/add.ts"))};`);
  assertEquals(
    code.join("\n"),
    'import { assertEquals, assertRejects } from "@std/assert";\nassertEquals(add(1, 2), 3);\n',
  );
});

Deno.test("blocks of a page are examples if they are code, and not if they say ignore", () => {
  const blocks = ["ts", "ts ignore", "sh", "", "js"].map((kind, i) => `${FENCE}${kind}\n${i};\n${FENCE}\n`);
  assertEquals(examplesIn("a.md", blocks.join("\n")).map(({ name, code }) => [name, code]), [
    ["a.md#1-3", "0;\n"],
    ["a.md#17-19", "4;\n"],
  ]);
});

Deno.test("what an example imports or declares itself is not imported again", () => {
  const comment = (code: string) =>
    `/**\n * ${FENCE}ts\n * ${code}\n * ${FENCE}\n */\nexport const box = 1;\n`;
  for (
    const code of [
      "const box = 2;",
      "class box {}",
      'import { box } from "./b.ts";',
      "const { a, box } = c;",
      "let x;",
    ]
  ) {
    assertEquals(examplesIn("a.ts", comment(code))[0]!.code, `${code}\n`);
  }
});

Deno.test("an example that is wrong fails, also in a thread of its own", async () => {
  for (const first of ["", "function useAll() {}\nuseAll();\n"]) {
    const code = `${first}const a: number = 1;\nif (a < 2) throw new RangeError("wrong");\n`;
    await assertRejects(() => runExample({ name: "a.md#1-4", code }), Error, "wrong");
  }
});
