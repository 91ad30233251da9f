/**
 * `tilewise map … --store STORE`: computes parts of the result into a store.
 *
 * @module
 */

import { openOptions } from "../flags/source_flags.ts";
import { mustBeNpy, writeMerged } from "../outputs/merged.ts";
import { isChunkedFile, storedFile } from "../outputs/stored_file.ts";
import { type Arguments, UsageError } from "../shell/args.ts";
import type { CliIo } from "../shell/io.ts";
import { computeUnits, shardOf, storeOf } from "../stores/units.ts";
import { checkFlags } from "./flags.ts";
import { inputOf } from "./filtered.ts";
import { withMap } from "./asked.ts";

/** Computes into the store that `--store` names: one shard, or everything that is missing, and the file then. */
export async function storedMap(args: Arguments, io: CliIo): Promise<number> {
  const out = args.text("output")?.replace(/[/\\]+$/, "");
  const isChunked = isChunkedFile(out);
  checkFlags(args, out);
  const store = await storeOf(args, { namesOutput: isChunked });
  const shard = shardOf(args);
  if (!shard && !isChunked) mustBeNpy(out);
  if (args.has("box")) throw new UsageError("map: --box computes its part at once; leave --store out");
  return await withMap(args, io, isChunked ? out : undefined, async (asked) => {
    const { words: { reduction } } = asked;
    if (reduction) {
      const { name } = reduction.row;
      const text =
        `map: ${name} cannot be computed in parts: it needs the whole image at once. Leave --store ` +
        `out; or map the filters in parts, and ${name} on the file that merge writes`;
      throw new UsageError(text);
    }
    const { operation, options, context, source } = asked;
    const file = { source, open: openOptions(args), input: inputOf(asked), operation, options, context };
    const run = await storedFile(store, file, out, args);
    await computeUnits(store, run, shard ?? { index: 1, count: 1 }, args, io);
    return shard || out === undefined ? 0 : await writeMerged(store, run, out, args, io);
  });
}
