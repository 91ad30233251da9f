/**
 * `tilewise map … --store STORE`: computes parts of the result into a store.
 *
 * @module
 */

import { openOptions } from "../flags/source_flags.ts";
import { mustBeRows, writeMerged } from "../outputs/merged.ts";
import { isChunkedFile, partsFile, storedFile } from "../outputs/stored_file.ts";
import { type Arguments, UsageError } from "../shell/args.ts";
import type { CliIo } from "../shell/io.ts";
import { type InParts, placeOf, storedRun } from "../stores/units.ts";
import { withMap } from "./request.ts";
import { inputOf } from "./filtered.ts";
import { parseBorder } from "../../space/border.ts";
import { parseTraversal } from "../../space/traversal.ts";
import { checkThreads } from "../shell/threads.ts";
import { checkFlags, viewOptions, wordDefaults } from "./flags.ts";
import { mapModules, parseWords, wordsOf } from "./words.ts";

/** Computes into the store that `--store` names: one shard, or everything that is missing, and the file then. */
export async function storedMap(args: Arguments, io: CliIo): Promise<number> {
  const out = await checkedOutput(args);
  const isChunked = isChunkedFile(out);
  const place = await placeOf(args, { namesOutput: isChunked }), { store, shard } = place;
  if (!shard && !isChunked) mustBeRows(out);
  return await withMap(args, io, isChunked ? out : undefined, async (asked) => {
    const { operation, options, context, source } = asked;
    const file = { source, open: openOptions(args), input: inputOf(asked), operation, options, context };
    const run = await storedFile(store, file, out, args);
    const merged = () => out === undefined ? Promise.resolve(0) : writeMerged(store, run, out, args, io);
    return await storedRun(place, run, args, io, merged);
  });
}

/** The name of the file that merge writes, as far as parts depend on it; {@link UsageError} for words that need one machine. */
async function checkedOutput(args: Arguments): Promise<string | undefined> {
  const out = args.text("output")?.replace(/[/\\]+$/, "");
  checkFlags(args, out);
  if (args.has("box")) throw new UsageError("map: --box computes its part at once; leave --store out");
  const { reduction } = await parseWords(wordsOf(args), wordDefaults(args));
  if (reduction) {
    const { name } = reduction.row;
    const text =
      `map: ${name} cannot be computed in parts: it needs the whole image at once. Leave --store ` +
      `out; or map the filters in parts, and ${name} on the file that merge writes`;
    throw new UsageError(text);
  }
  if (args.has("with")) {
    throw new UsageError("map: --with cannot be used in parts, which read one array; leave --store out");
  }
  checkValues(args, out);
  partsFile(out, args);
  return out;
}

/** Refuses numbers and names that mean nothing. */
function checkValues(args: Arguments, out: string | undefined): void {
  checkThreads(args);
  openOptions(args);
  args.value("border", (text) => text.split(",").map(parseBorder));
  args.value("traversal", parseTraversal);
  viewOptions(args, [1, 1], out); // of no shape in particular
}

/** A map in parts. */
export async function mapInParts(args: Arguments): Promise<InParts> {
  const output = await checkedOutput(args);
  if (output === undefined) throw new UsageError("map needs -o OUT");
  const tellsShards = isChunkedFile(output);
  if (!tellsShards) mustBeRows(output);
  return { output, tellsShards, modules: mapModules(wordsOf(args)) };
}
