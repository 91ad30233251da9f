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

const CONFIG = {
  compilerOptions: {
    target: "esnext",
    module: "nodenext",
    lib: ["esnext", "dom", "dom.iterable"],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    allowImportingTsExtensions: true,
  },
  files: ["entries.ts", "page_with_worker.ts", "control.ts", "own_udf.ts"],
};

/** A module that has everything that the package has. */
const ENTRIES = Object.keys(config.exports).map((entry, i) =>
  `export * as entry${i} from ${JSON.stringify(entry.replace(".", config.name))};\n`
).join("");

/** Compiles programs of a room, and the declarations of all entries; throws what the compiler says. */
export async function byTypeScript({ folder }: Room): Promise<void> {
  const project = join(folder, "tsconfig.json");
  await Deno.writeTextFile(project, JSON.stringify(CONFIG));
  await Deno.writeTextFile(join(folder, "entries.ts"), ENTRIES);
  await output([await toolPath("node"), await toolPath("typescript"), "--project", project], folder);
}
