/**
 * Other runtimes give the bits that Deno gives: `deno task proof [--runtime node|bun|deno|vite|esbuild|deno-bundle|back-ends|types]…`.
 *
 * Deno runs a program by the modules of the checkout; the others run it by the package that `deno task pack` makes,
 * installed by npm, inline and on 2 workers: Node, Bun, Deno, and pages in Chromium that Vite, esbuild and Deno have bundled. What
 * is not there is fetched into the user's cache, but Chromium. Node and Bun also run the command line, every verb of it (`worker`, `status`, `cancel` where Redis is installed).
 *
 * `back-ends` checks the rules of file stores on private files of a page, and in Node. `types` has TypeScript compile programs by the declarations of the package.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { mustBeOneOf, task } from "../../assembly/task.ts";
import { byBackEnds } from "./back_ends.ts";
import { byChromium } from "./browser.ts";
import { byDenoBundle, byEsbuild, byVite } from "./bundles.ts";
import { commandBy, commandByDeno, type Lines } from "./command.ts";
import { byBun, byDeno, byDenoPackage, byNode, type Found } from "./processes.ts";
import { byTypeScript } from "./declarations.ts";
import { byImportMap } from "./plain.ts";
import { byRefusals } from "./refusals.ts";
import { makeRoom, type Room } from "./room.ts";

/** What is asked. */
interface Answers {
  /** The program, where there is anything to run it. */
  readonly found?: Found;
  /** The command, where there is a command line. */
  readonly lines?: Lines;
}

/** Who is asked, by name. */
const RUNTIMES: Readonly<Record<string, (room: Room) => Promise<Answers>>> = {
  node: async (room) => ({ found: await byNode(room, "node"), lines: await commandBy("node", room) }),
  node22: async (room) => ({ found: await byNode(room, "node22"), lines: await commandBy("node22", room) }),
  node20: async (room) => ({ found: await byNode(room, "node20"), lines: await commandBy("node20", room) }),
  bun: async (room) => ({ found: await byBun(room), lines: await commandBy("bun", room) }),
  deno: async (room) => ({ found: await byDenoPackage(room) }),
  vite: async (room) => ({ found: await byChromium(await byVite(room), room) }),
  esbuild: async (room) => ({ found: await byChromium(await byEsbuild(room), room) }),
  plain: async (room) => ({ found: await byChromium(await byImportMap(room), room, "plain.html") }),
  refusals: async (room) => (await byRefusals(room), {}),
  "back-ends": async (room) => (await byBackEnds(room), {}),
  types: async (room) => (await byTypeScript(room), {}),
  "deno-bundle": async (room) => ({ found: await byChromium(await byDenoBundle(room), room) }),
};

/** Asks runtimes and compares; the names of those that find something else. */
async function prove(names: readonly string[]): Promise<string[]> {
  await using room = await makeRoom();
  const expected = { found: await byDeno(room.data), lines: await commandByDeno(room) };
  assertEquals(expected.found.workers, expected.found.inline, "Deno's workers find something else");
  const failed: string[] = [];
  for (const name of names) {
    const start = performance.now();
    try {
      compare(await RUNTIMES[name]!(room), expected);
      console.log(`${name}: fine (${((performance.now() - start) / 1000).toFixed(1)} s)`);
    } catch (error) {
      failed.push(name);
      console.log(`${name}: ${(error as Error).message}`);
    }
  }
  return failed;
}

function compare({ found, lines = {} }: Answers, expected: Required<Answers>): void {
  const { inline, control } = expected.found;
  for (const digests of [found?.inline, found?.workers, found?.unshared, found?.unsharedWorkers]) {
    if (digests) assertEquals(digests, inline);
  }
  for (const [name, came] of Object.entries(found?.control ?? {})) assertEquals(came, control![name]);
  if (found) assertEquals(found.channels, expected.found.channels);
  for (const [name, line] of Object.entries(lines)) assertEquals(line, expected.lines[name]);
}

if (import.meta.main) {
  const all = Object.keys(RUNTIMES);
  await task("proof", { runtime: { type: "string", multiple: true } }, async ({ runtime: names = all }) => {
    mustBeOneOf("runtime", names, all);
    Deno.exit((await prove(names)).length > 0 ? 1 : 0);
  });
}
