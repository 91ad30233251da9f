/**
 * The declarations of the package, read by the compiler that users have.
 *
 * @module
 */

import { join } from "@std/path";
import { output } from "./processes.ts";
import type { Room } from "./room.ts";
import { toolPath } from "./tools.ts";

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
  files: ["page_with_worker.ts", "worker.ts", "control.ts", "own_udf.ts"],
};

/** Compiles the programs of a room, and all declarations that they need; throws what the compiler says. */
export async function byTypeScript({ folder }: Room): Promise<void> {
  const config = join(folder, "tsconfig.json");
  await Deno.writeTextFile(config, JSON.stringify(CONFIG));
  await output([await toolPath("node"), await toolPath("typescript"), "--project", config], folder);
}
