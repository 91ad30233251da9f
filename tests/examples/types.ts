/**
 * Checks the types of the cells of all notebooks, and of all entries, with the options of Deno, which readers have: a part of
 * `deno task static`.
 *
 * @module
 */

import { fromFileUrl } from "@std/path";
import config from "../../deno.json" with { type: "json" };
import { notebooks } from "./notebooks.ts";

const MAP = fromFileUrl(new URL("../../deno.json", import.meta.url));

/** A program of somebody else that has everything. */
const ENTRIES = Object.keys(config.exports).map((entry, i) =>
  `export * as entry${i} from ${JSON.stringify(entry.replace(".", config.name))};\n`
).join("");

/** Checks the cells of each notebook as one module in `folder`, and all entries; the exit code. */
async function checkCells(folder: string): Promise<number> {
  const files = notebooks().map(({ name, code }) => {
    const file = `${folder}/${name}.ts`;
    Deno.writeTextFileSync(file, `${code.join(";\n\n")};\n\nexport {};\n`);
    return file;
  });
  files.push(`${folder}/entries.ts`);
  Deno.writeTextFileSync(files.at(-1)!, ENTRIES);
  const args = ["check", "--quiet", "--no-config", `--import-map=${MAP}`, ...files];
  return (await new Deno.Command(Deno.execPath(), { args }).spawn().status).code;
}

if (import.meta.main) {
  const folder = await Deno.makeTempDir();
  const code = await checkCells(folder).finally(() => Deno.remove(folder, { recursive: true }));
  Deno.exit(code);
}
