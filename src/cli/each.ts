/**
 * `--each`: a verb for one source after another, each with results of its own in one folder; a bad one does not stop the others.
 *
 * @module
 */

import { TARGETS } from "../sinks/registry.ts";
import { readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { logOpened } from "../io/file/error.ts";
import { sameFiles } from "../io/file/same_file.ts";
import { throwIfAborted } from "../errors.ts";
import { reportOf } from "./flags/option_flags.ts";
import { openOptions } from "./flags/source_flags.ts";
import { listedSources } from "./inputs/folder_sources.ts";
import { type Arguments, UsageError } from "./shell/args.ts";
import { type CliIo, oneLine, outJson, printable } from "./shell/io.ts";
import { changed } from "./shell/parse_arguments.ts";
import { type Parts, partsIn } from "./shell/several.ts";
import type { Several, Verb } from "./shell/verb.ts";

/** Runs `verb` for every source of the command; 1 if one of them failed. */
export async function runEach(verb: Verb, args: Arguments, io: CliIo): Promise<number> {
  const { several = {} } = verb;
  const { words, sources: named } = partsIn(args, several);
  const folder = await folderOf(verb, args);
  const sources = await listedSources(named, openOptions(args, io.signal));
  const outs = outputsOf(sources, folder, endingOf(verb, args));
  const commands = sources.map((source, n) =>
    commandFor(verb, { words, sources: [source], ...(outs ? { out: outs[n]! } : {}) }, args)
  );
  await several.check?.(commands[0]!);
  const failed: string[] = [];
  const there = folder === undefined ? [] : await sourcesIn(folder, sources);
  for (const [n, command] of commands.entries()) {
    const source = sources[n]!;
    if (!args.has("quiet") && sources.length > 1) {
      io.err(`tilewise: source ${n + 1} of ${sources.length}: ${printable(source)}\n`);
    }
    const stem = stemOf(source).toLowerCase(); // no result may replace a source that comes later
    for (const [name, other] of there) if (name.startsWith(stem)) command.inputs.add(other);
    if (!await hasWorked(verb, command, source, io)) failed.push(source);
    throwIfAborted(io.signal);
  }
  tell(sources, failed, args, io);
  return failed.length > 0 ? 1 : 0;
}

/** Whether a command ended well; what went wrong is said as that of a single source is. */
async function hasWorked(verb: Verb, command: Arguments, source: string, io: CliIo): Promise<boolean> {
  using _reading = logOpened(command.inputs);
  try {
    return await verb.run(command, io) === 0;
  } catch (error) {
    throwIfAborted(io.signal);
    const { code, message } = error instanceof UsageError
      ? { code: "invalid", message: oneLine(error.message) }
      : reportOf(error);
    if (code === undefined) throw error;
    if (command.has("json")) outJson(io, { source, error: { code, message } });
    else io.err(`tilewise: [${code}] ${message}\n`);
    return false;
  }
}

/** How many sources there were, and which of them failed. */
function tell(sources: readonly string[], failed: readonly string[], args: Arguments, io: CliIo): void {
  const done = sources.length - failed.length;
  if (args.has("json")) return outJson(io, { each: { sources: sources.length, done, failed } });
  if (args.has("quiet") && failed.length === 0) return;
  const names = failed.length > 0 ? `; these failed: ${failed.map(printable).join(", ")}` : "";
  io.err(`tilewise: ${done} of ${sources.length} sources done${names}\n`);
}

/** The folder of the results; `undefined` where there are none. */
async function folderOf({ name, several }: Verb, args: Arguments): Promise<string | undefined> {
  const folder = args.text("output");
  if (several?.out === undefined) return undefined;
  if (folder === undefined) {
    if (args.has("as")) throw new UsageError("--as is for results in a folder: add -o FOLDER");
    if (several.out === "flag") return undefined;
    throw new UsageError(`${name} --each needs a folder for the results: add -o FOLDER`);
  }
  const found = await stat(folder).catch(() => undefined);
  const isFile = found ? !found.isDirectory() : /\.\w+$/.test(folder);
  if (isFile || folder === "-") {
    throw new UsageError(
      `--each writes into a folder, and ${folder} is ${
        found ? "a file" : "called like a file"
      }: name a folder ` +
        "after -o, and the kind of results after --as",
    );
  }
  return folder;
}

/**
 * The sources that a result in `folder` could replace, by names in it in lower case: those that lie there, and those to which a name
 * there leads. Looked for once: each of thousands of results would look at thousands of sources.
 */
async function sourcesIn(
  folder: string,
  sources: readonly string[],
): Promise<[name: string, source: string][]> {
  const real = await realpath(folder).catch(() => undefined);
  if (real === undefined) return []; // there is no such folder yet
  const names = await readdir(real).catch(() => []);
  const led = await sameFiles(names.map((name) => join(real, name)), sources);
  const found = led.map(([path, source]): [string, string] => [basename(path).toLowerCase(), source]);
  for (const source of sources) {
    const [name = ""] = relative(real, await realpath(source).catch(() => dirname(real))).split(sep);
    if (name !== "" && name !== "..") found.push([name.toLowerCase(), source]);
  }
  return found;
}

/** The ending of each result; empty: a folder. */
function endingOf({ name, several }: Verb, args: Arguments): string {
  const asked = args.text("as")?.replace(/^\./, "");
  const target = TARGETS.find(({ id }) => id === asked); // nexus is .nxs
  const ending = target?.endings[0].slice(1) ?? asked ?? several?.ending;
  if (ending !== undefined || several?.out === undefined) return ending ?? "";
  throw new UsageError(
    `${name} --each needs the kind of results: add --as ENDING, such as --as npy or --as ome.zarr`,
  );
}

/** The name of a source without its folder and its endings. */
function stemOf(source: string): string {
  const plain = basename(source.replace(/[?#].*$/, "").replace(/[/\\]+$/, ""));
  return plain.replace(/(\.ome|\.ps)?\.[A-Za-z]\w*(\.gz|\.zip)?$/, "") || plain;
}

/** Where the result of each source goes; {@link UsageError} if that is one place for two of them. */
function outputsOf(sources: readonly string[], folder: string | undefined, ending: string) {
  if (folder === undefined) return undefined;
  const outs = sources.map((source) =>
    join(folder, `${stemOf(source)}${ending === "" ? "/" : `.${ending}`}`)
  );
  const seen = new Map<string, string>();
  outs.forEach((out, n) => {
    const key = out.toLowerCase(); // some file systems do not tell the case
    const before = seen.get(key);
    if (before !== undefined) {
      throw new UsageError(
        `${before} and ${
          sources[n]
        } would have the same result, ${out}: give one of them another name, or a ` +
          "command of its own",
      );
    }
    seen.set(key, sources[n]!);
  });
  return outs;
}

/** The command for one source, as it could have been typed: manifests keep it, and `replay` repeats it. */
function commandFor(verb: Verb, { words, sources, out }: Parts, args: Arguments): Arguments {
  const where: Several["out"] = out === undefined ? undefined : verb.several?.out;
  return changed(verb, args, {
    without: ["each", "as", "output"],
    flags: where === "flag" ? [`--output=${out}`] : [],
    positionals: [...words, ...sources, ...where === "argument" ? [out!] : []],
  });
}
