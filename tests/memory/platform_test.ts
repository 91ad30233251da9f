/** What a platform must have is asked once, before anything else can fail; no room for an array is an error of ours. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { fullError } from "../../src/memory/full.ts";

const ARENA = new URL("../../src/memory/arena.ts", import.meta.url).href;
const CONFIG = fromFileUrl(new URL("../../deno.json", import.meta.url));

/** What an arena says where `before` has run. */
async function said(before: string, ...flags: string[]): Promise<string> {
  const code = `${before}; const { Arena } = await import(${JSON.stringify(ARENA)}); ` +
    'try { new Arena({ budget: 65536 }); console.log("fine"); } catch (error) { console.log(error.code, error.message); }';
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--no-check", `--config=${CONFIG}`, ...flags, code],
  }).output();
  return new TextDecoder().decode(stdout).trim();
}

Deno.test("WebAssembly, its vectors and the permission to compile are asked for first", async () => {
  assertEquals(await said(""), "fine");
  const cases: readonly [before: string, flags: readonly string[], text: string][] = [
    [
      "",
      ["--v8-flags=--no-enable-sse4-1"],
      "unsupported Cannot compute here: Tilewise needs WebAssembly with 128-bit SIMD",
    ],
    [
      "delete globalThis.WebAssembly",
      [],
      "unsupported Cannot compute here: Tilewise needs WebAssembly, which",
    ],
    [
      'WebAssembly.Module = class { constructor() { throw new WebAssembly.CompileError("refused by a policy"); } }',
      [],
      "'wasm-unsafe-eval'\" (refused by a policy)",
    ],
  ];
  for (const [before, flags, text] of cases) {
    if (flags.length > 0 && Deno.build.arch !== "x86_64") continue; // other processors have their vectors in any case
    assertStringIncludes(await said(before, ...flags), text);
  }
});

Deno.test("no room for an array is over-budget, in the words of any engine; other errors are left alone", () => {
  for (const words of ["Array buffer allocation failed", "Out of memory", "out of memory"]) {
    const error = fullError("Task 3 failed", new RangeError(words));
    assertEquals([error?.code, error?.details.found], ["over-budget", words]);
  }
  assertEquals(fullError("x", new RangeError("Invalid array length")), undefined);
  assertEquals(fullError("x", "out of memory"), undefined);
  let found: unknown;
  try {
    new ArrayBuffer(2 ** 52);
  } catch (error) {
    found = error;
  }
  assertEquals(fullError("x", found)?.code, "over-budget");
});
