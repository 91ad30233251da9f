/**
 * The declarations of the package, read by the compiler that users have.
 *
 * @module
 */

import config from "../../deno.json" with { type: "json" };
import { join } from "@std/path";
import { output } from "./processes.ts";
import type { Room } from "./room.ts";
import { toolPath } from "../../assembly/tools.ts";

/** What TypeScript is told: programs with all that a page has, and all entries in a program that knows nothing of its platform. */
const PROJECTS = {
  page: {
    lib: ["esnext", "dom", "dom.iterable"],
    target: "esnext",
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    allowImportingTsExtensions: true,
    files: ["entries.ts", "page_with_worker.ts", "control.ts", "own_udf.ts"],
  },
  alone: { lib: ["ES2022"], target: "es2022", files: ["entries.ts"] },
};

/** What is the same in both; declarations of packages are checked as well. */
const OPTIONS = { module: "nodenext", types: [], strict: true, noEmit: true, skipLibCheck: false };

/** A module that has everything that the package has. */
const ENTRIES = Object.keys(config.exports).map((entry, i) =>
  `export * as entry${i} from ${JSON.stringify(entry.replace(".", config.name))};\n`
).join("");

/** Compiles programs of a room, and the declarations of all entries; throws what the compiler says. */
export async function byTypeScript({ folder }: Room): Promise<void> {
  await Deno.writeTextFile(join(folder, "entries.ts"), ENTRIES);
  for (const [name, { files, ...options }] of Object.entries(PROJECTS)) {
    const project = join(folder, `tsconfig-${name}.json`);
    await Deno.writeTextFile(project, JSON.stringify({ compilerOptions: { ...OPTIONS, ...options }, files }));
    await output([await toolPath("node"), await toolPath("typescript"), "--project", project], folder);
  }
}
