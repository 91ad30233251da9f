/** Colours only as the terminal says that it has them. */

import { assert, assertEquals } from "@std/assert";
import { coloursOf } from "../../../src/cli/shell/streams.ts";
import type { Colours } from "../../../src/pictures/colours/palette.ts";

const colours = (variables: Record<string, string>, isTerminal = true, system = "linux") =>
  coloursOf({ env: (name) => variables[name], isTerminal, system });

Deno.test("true colour where the terminal says so, 256 colours or none as TERM says", () => {
  const cases: [Record<string, string>, Colours][] = [
    [{ TERM: "xterm-256color", COLORTERM: "truecolor" }, true],
    [{ TERM: "xterm", COLORTERM: "24bit" }, true],
    [{ TERM: "xterm-direct" }, true],
    [{ TERM: "xterm-256color", WT_SESSION: "5ad0f1c1" }, true],
    [{ WT_SESSION: "5ad0f1c1" }, true],
    [{ TERM: "xterm-256color" }, 256],
    [{ TERM: "screen-256color", COLORTERM: "yes" }, 256],
    [{ TERM: "xterm" }, false],
    [{ TERM: "linux" }, false],
    [{ TERM: "dumb", COLORTERM: "truecolor" }, false],
    [{}, false],
  ];
  for (const [variables, expected] of cases) {
    assertEquals(colours(variables), expected, JSON.stringify(variables));
  }
  assertEquals(colours({}, true, "windows"), 256);
  assertEquals(colours({ TERM: "xterm-256color", COLORTERM: "truecolor" }, false), false);
});

Deno.test("NO_COLOR switches colours off, FORCE_COLOR sets how many, also where there is no terminal", () => {
  const full = { TERM: "xterm-256color", COLORTERM: "truecolor" };
  assertEquals(colours({ ...full, NO_COLOR: "1" }), false);
  assertEquals(colours({ ...full, NO_COLOR: "1", FORCE_COLOR: "3" }), false);
  assertEquals(colours({ ...full, NO_COLOR: "" }), true);
  const levels: [string, Colours][] = [["0", false], ["false", false], ["1", 16], ["2", 256], ["3", true]];
  for (const [level, expected] of levels) {
    for (const isTerminal of [true, false]) {
      assertEquals(colours({ ...full, FORCE_COLOR: level }, isTerminal), expected, level);
    }
  }
  assertEquals(colours({ ...full, FORCE_COLOR: "" }, false), false);
  assertEquals(colours({ ...full, FORCE_COLOR: "true" }, false), true);
  assertEquals(colours({ TERM: "xterm-256color", FORCE_COLOR: "yes" }, false), 256);
  assertEquals(colours({ FORCE_COLOR: "true" }, false), 16);
});

const MAIN = decodeURIComponent(new URL("../../../src/cli/main.ts", import.meta.url).pathname);
const MODULE = new URL("../../../src/cli/shell/permissions.ts", import.meta.url).href;

/** What a program says that reads environment variables as the command line does. */
async function said(flags: string[], code: string, env: Record<string, string>): Promise<string> {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/a.ts`, code);
    const args = ["run", "--no-prompt", "--no-check", ...flags, `${folder}/a.ts`];
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), { args, env }).output();
    return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("without permission for the environment there is no colour, and no question", async () => {
  const code = `import { environment } from ${JSON.stringify(MODULE)};
console.log(environment("TERM"), environment("COLORTERM"));`;
  const env = { TERM: "xterm", COLORTERM: "truecolor", NO_COLOR: "1" };
  assertEquals(await said([], code, env), "undefined undefined\n");
  assertEquals(await said(["--allow-env=TERM"], code, env), "xterm undefined\n");
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--no-check", MAIN, "--version"],
    env,
  }).output();
  assert(success, new TextDecoder().decode(stderr));
});
