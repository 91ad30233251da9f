/**
 * The score that JSR will give the package, computed from the repository: `deno task score`.
 *
 * JSR counts at most 17 points. The description and the runtimes are settings of the package there, which no file says.
 *
 * @module
 */

import { ENTRIES, entryModules } from "./entries.ts";
import { thingsOf } from "./walk.ts";
import { task } from "../../assembly/task.ts";

const MOST = 17;
const ROOT = new URL("../../", import.meta.url);
const read = (path: string) => Deno.readTextFileSync(new URL(path, ROOT));

/** A line of the score. */
interface Line {
  readonly what: string;
  readonly points: number;
  readonly most: number;
}

/** All lines. `slow`: whether types of exports must be inferred, which `deno publish` says. */
export async function scoreLines(slow: boolean): Promise<Line[]> {
  const modules = [...(await entryModules()).values()];
  const symbols = modules.flatMap(({ symbols }) => symbols).map((symbol) => [...thingsOf(symbol)][0]!);
  const documented = symbols.filter((thing) => thing.documented).length / symbols.length;
  const readme = read("README.md"), workflow = read(".github/workflows/publish.yml");
  const isProven = /^\s*id-token: write/m.test(workflow) && /run: deno publish$/m.test(workflow);
  const told = modules.filter(({ module_doc: doc }) => (doc?.doc ?? "").trim() !== "").length;
  const line = (what: string, ok: boolean, most: number): Line => ({ what, points: ok ? most : 0, most });
  return [
    line("README.md", readme.trim() !== "", 2),
    line("an example in README.md", /^```/m.test(readme), 1),
    line("a description of every entry", told === ENTRIES.size, 1),
    { what: "80 % of symbols documented", points: Math.floor(Math.min(documented / 0.8, 1) * 5), most: 5 },
    line("no type that must be inferred", !slow, 5),
    line("provenance", isProven, 1),
    line("the description, a setting", true, 1),
    line("a runtime, a setting", true, 1),
    line("several runtimes, a setting", true, 1),
  ];
}

/** Whether `deno publish` finds types that it would have to infer. */
async function hasSlowTypes(): Promise<boolean> {
  const args = ["publish", "--dry-run", "--allow-dirty", "--no-check"];
  const { success } = await new Deno.Command(Deno.execPath(), {
    args,
    cwd: ROOT,
    stdout: "null",
    stderr: "null",
  }).output();
  return !success;
}

if (import.meta.main) {
  await task("score", {}, async () => {
    const lines = await scoreLines(await hasSlowTypes());
    for (const { what, points, most } of lines) console.log(`${points}/${most}  ${what}`);
    const sum = Math.min(MOST, lines.reduce((sum, { points }) => sum + points, 0));
    console.log(`${sum}/${MOST}`);
    if (sum < MOST) Deno.exit(1);
  });
}
