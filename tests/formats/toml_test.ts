/** TOML: everything that descriptions have, and what is refused. */

import { assertEquals } from "@std/assert";
import { parseToml } from "../../src/formats/toml.ts";
import { failure } from "./helpers.ts";

Deno.test("tables, keys, strings, numbers, arrays; what is refused", async () => {
  const text = `a = 1 # one
"b c" = 'li\\n' # literal
[x.y]
z.w = [ 1_000, 0x10, -2.5e1, # numbers
  "\\u00e9\\t", [true, false], ]
[x]
v = inf
`;
  assertEquals(JSON.parse(JSON.stringify(parseToml(text, "t"))), {
    a: 1,
    "b c": "li\\n",
    x: { y: { z: { w: [1000, 16, -25, "é\t", [true, false]] } }, v: null },
  });
  for (
    const bad of [
      "a",
      "a =",
      "a = 1 b = 2",
      "a = 1\na = 2",
      "[x",
      "a = [1 2]",
      'a = "x',
      "[a]\n[a]",
      "a = 0_",
      "a = 1\n[a]",
    ]
  ) {
    await failure(Promise.resolve().then(() => parseToml(bad, "t")), "malformed");
  }
});

Deno.test("dates, strings of several lines, tables in one line and in arrays", async () => {
  const text = [
    "d = 2020-01-02T03:04:05Z",
    't = """',
    'a "b" \\t\\',
    "   c",
    'd"""',
    "l = '''x",
    "\\y'''",
    "i = { a = 1, b = { c = [1,",
    "2] } }",
    "[[r]]",
    "n = 1",
    "[r.sub]",
    "q = true",
    "[[r]]",
    "n = 2",
  ].join("\n");
  assertEquals(JSON.parse(JSON.stringify(parseToml(text, "t"))), {
    d: "2020-01-02T03:04:05Z",
    t: 'a "b" \tc\nd',
    l: "x\n\\y",
    i: { a: 1, b: { c: [1, 2] } },
    r: [{ n: 1, sub: { q: true } }, { n: 2 }],
  });
  const deep = `a = ${"[".repeat(100_000)}`;
  for (const bad of [deep, 'a = """x', "a = 1\n[[a]]", "a = { b = 1", "a = { b = 1,, }"]) {
    await failure(Promise.resolve().then(() => parseToml(bad, "t")), "malformed");
  }
});
