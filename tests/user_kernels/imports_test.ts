/** The imports of a module are found one behind the other, whatever kinds come before. */

import { assertEquals } from "@std/assert";
import { readImports } from "../../src/user_kernels/imports.ts";

const name = (text: string) => [text.length, ...new TextEncoder().encode(text)];
/** An import, as it is in a module: names, kind, and what it is. */
const entry = (
  text: string,
  kind: number,
  ...what: number[]
) => [...name("env"), ...name(text), kind, ...what];

/** A module with one type of functions, and these imports. */
function moduleOf(...entries: readonly number[][]): Uint8Array<ArrayBuffer> {
  const section = [entries.length, ...entries.flat()];
  const types = [1, 4, 1, 0x60, 0, 0];
  return Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...types, 2, section.length, ...section]);
}

Deno.test("imports of all kinds are read, with and without limits, as the runtime reads them", () => {
  const entries = [
    entry("constant", 3, 0x7f, 0),
    entry("f", 0, 0),
    entry("variable", 3, 0x7e, 1),
    entry("table", 1, 0x70, 0, 1),
    entry("limited", 1, 0x6f, 1, 1, 0x80, 1),
    entry("variable 2", 3, 0x7d, 1),
    entry("g", 0, 0),
    entry("memory", 2, 1, 1, 0x80, 2),
  ];
  for (const some of [entries, entries.toReversed()]) {
    const module = moduleOf(...some);
    const expected = WebAssembly.Module.imports(new WebAssembly.Module(module));
    const found = readImports(module);
    assertEquals(found.map(({ module, name, kind }) => ({ module, name, kind })), expected as typeof found);
    assertEquals(found.map(({ name, end }) => [name, end - found[0]!.end]).length, 8);
    const last = found.at(-1)!;
    assertEquals(last.end, module.length);
  }
});
