/** Every rule has a test, and every test that the table names is there. */

import "../../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import { SECTIONS } from "./table.ts";

const TESTS = new URL("../../", import.meta.url);

/** The names of tests in a file, as patterns: what a template puts in may be anything. */
async function patternsOf(file: string): Promise<RegExp[]> {
  const source = await Deno.readTextFile(new URL(`${file}_test.ts`, TESTS));
  const calls = source.matchAll(/\b(Deno\.test|both)\(\s*(?:"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g);
  return [...calls].map(([, call, plain, template]) => {
    const escaped = (text: string) => text.replace(/[.*+?^$()[\]{}|\\]/g, "\\$&");
    const name = plain ?? template!;
    const literal = plain ? escaped(name) : withoutHoles(name).map(escaped).join(".+");
    return new RegExp(`^${literal}${call === "both" ? " \\((inline|2 workers)\\)" : ""}$`);
  });
}

/** The parts of a template between its expressions, which may hold templates and braces themselves. */
function withoutHoles(template: string): string[] {
  const parts: string[] = [];
  let [part, depth] = ["", 0];
  for (let i = 0; i < template.length; i++) {
    const char = template[i]!;
    if (depth > 0) depth += { "{": 1, "}": -1 }[char] ?? 0;
    else if (!template.startsWith("${", i)) part += char;
    else {
      parts.push(part);
      [part, depth] = ["", 1];
      i++;
    }
  }
  return [...parts, part];
}

Deno.test("every line of every section has a rule, and every rule a test", () => {
  for (const { section, lines, rules } of SECTIONS) {
    const found = [...new Set(rules.map(({ line }) => line))].sort((a, b) => a - b);
    assertEquals(found, Array.from({ length: lines }, (_, i) => i + 1), section);
    for (const { line, rule, tests } of rules) assert(tests.length > 0 && rule, `${section}, line ${line}`);
  }
});

Deno.test("every test that the table names is there", async () => {
  const files = new Map<string, RegExp[]>();
  const missing: string[] = [];
  for (const { section, line, test } of named()) {
    const [file, ...rest] = test.split("#") as [string, ...string[]];
    if (!files.has(file)) files.set(file, await patternsOf(file));
    const name = rest.join("#");
    if (!files.get(file)!.some((pattern) => pattern.test(name))) missing.push(`${section}/${line}: ${test}`);
  }
  assertEquals(missing, []);
  assert(files.size > 30);
});

function named() {
  return SECTIONS.flatMap(({ section, rules }) =>
    rules.flatMap(({ line, tests }) => tests.map((test) => ({ section, line, test })))
  );
}

const SPEC = new URL("../../../../shared/spec/libertem.md", import.meta.url);
const missing = await Deno.stat(SPEC).then(() => false, () => true);

Deno.test({
  name: "the sections have as many lines as the specification",
  ignore: missing, // it lies beside this checkout, or not
  fn: async () => {
    const counted = new Map<string, number>();
    let section = "";
    const lines = (await Deno.readTextFile(SPEC)).split("\n").map((line) => line.trim());
    lines.forEach((line, i) => {
      if (line.startsWith("#")) section = line.match(/^#+ (\d+\.\d+) /)?.[1] ?? "";
      else if (line && !/^(---|\|---)/.test(line) && !lines[i + 1]?.startsWith("|---")) {
        counted.set(section, (counted.get(section) ?? 0) + 1);
      }
    });
    for (const { section, lines } of SECTIONS) {
      if (/^\d+\.\d+$/.test(section)) assertEquals(lines, counted.get(section), section);
    }
  },
});
