/**
 * `tilewise new`: writes a UDF that works, with its test, to start from.
 *
 * @module
 */

import { HEADS } from "./shell/heads.ts";
import { access, type FileHandle, open, readFile, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { cannot, type TilewiseError } from "../errors.ts";
import { writeError } from "../io/write/calls.ts";
import { codeFolder, home } from "../place.ts";
import { VERSION } from "../version.ts";
import { type Arguments, UsageError } from "./shell/args.ts";
import { type CliIo, outJson, printable } from "./shell/io.ts";
import { kernelTemplate, type Library, udfTemplate } from "./templates.ts";
import type { Verb } from "./shell/verb.ts";

/** The verb. */
export const NEW: Verb = {
  ...HEADS.new,
  least: 2,
  most: 2,
  flags: [
    { name: "kernel", help: "as a kernel in AssemblyScript, compiled when it is first used" },
    { name: "output", short: "o", value: "FOLDER", help: "where to write; default: this folder" },
  ],
  words: { udf: "a function over tiles" },
  examples: [
    [
      "tilewise new udf peaks",
      "peaks.ts and peaks_test.ts, for deno test -A and tilewise run ./peaks.ts SCAN.",
    ],
    ["tilewise new udf peaks --kernel", "The same with its inner loop in peaks.as.ts."],
  ],
  writes: () => true,
  run: newVerb,
};

async function newVerb(args: Arguments, io: CliIo): Promise<number> {
  const [what, name] = args.positionals as [string, string];
  if (what !== "udf") throw new UsageError(`cannot make a new "${what}"; write: tilewise new udf NAME`);
  if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(name)) {
    throw new UsageError(`"${name}" is not a name for a UDF; use letters, digits and _, a letter first`);
  }
  const folder = resolve(args.text("output") ?? ".");
  const facts = { name, library: await libraryFor(folder) };
  const files = args.has("kernel") ? kernelTemplate(facts) : udfTemplate(facts);
  const paths = files.map(({ file }) => join(folder, file));
  for (const path of paths) await refuseExisting(path);
  await writeAllNew(paths, files.map(({ text }) => text));
  if (args.has("json")) outJson(io, { files: paths });
  else for (const path of paths) io.out(`${printable(path)}\n`);
  if (!args.has("quiet")) io.err(`Test it: deno test -A ${printable(join(folder, `${name}_test.ts`))}\n`);
  return 0;
}

async function refuseExisting(path: string): Promise<void> {
  if (await exists(path)) throw taken(path);
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(() => true, () => false);
}

/** Writes all files, or none. */
async function writeAllNew(paths: readonly string[], texts: readonly string[]): Promise<void> {
  const written: string[] = [];
  try {
    for (const [i, path] of paths.entries()) {
      await writeNew(path, texts[i]!);
      written.push(path);
    }
  } catch (error) {
    for (const path of written) await rm(path, { force: true }).catch(() => {});
    throw error;
  }
}

async function writeNew(path: string, text: string): Promise<void> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, "wx"); // fails also if the file was made since it was checked
    await file.writeFile(text);
    await file.close();
  } catch (cause) {
    if ((cause as { code?: string }).code === "EEXIST") throw taken(path);
    if (file) {
      await file.close().catch(() => {});
      await rm(path, { force: true }).catch(() => {}); // an incomplete file would stop the next attempt
    }
    throw writeError(path, cause);
  }
}

function taken(path: string): TilewiseError {
  const text = "it is there already, and nothing is overwritten; choose another name";
  return cannot("write", path, "invalid", text);
}

const PACKAGE = "@tilewise/tilewise";

/** How modules in `folder` import Tilewise: by its name where a configuration knows it, else from where we are. */
async function libraryFor(folder: string): Promise<Library> {
  for (let at = folder;; at = dirname(at)) {
    for (const file of ["deno.json", "deno.jsonc", "package.json"]) {
      const text = await readFile(join(at, file), "utf8").catch(() => "");
      if (text.includes(`"${PACKAGE}`)) return entriesOf(PACKAGE);
    }
    if (dirname(at) === at) break;
  }
  if (!codeFolder().pathname.endsWith("/src/")) return entriesOf(PACKAGE); // the package for npm
  if (home().protocol !== "file:") return entriesOf(`jsr:${PACKAGE}@${VERSION}`);
  return (entry) => new URL(entry === "" ? "mod.ts" : `src/entries/${entry}.ts`, home()).href;
}

function entriesOf(name: string): Library {
  return (entry) => entry === "" ? name : `${name}/${entry}`;
}
