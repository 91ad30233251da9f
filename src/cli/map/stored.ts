/**
 * `tilewise map … --store STORE`: computes parts of the result into a store.
 *
 * @module
 */

import { openOptions } from "../flags/source_flags.ts";
import { mustBeRows, writeMerged } from "../outputs/merged.ts";
import { isChunkedFile, storedFile } from "../outputs/stored_file.ts";
import type { Arguments } from "../shell/args.ts";
import type { CliIo } from "../shell/io.ts";
import { computeUnits, shardOf, storeOf } from "../stores/units.ts";
import { inputOf } from "./filtered.ts";
import { withMap } from "./asked.ts";
import { checkedOutput } from "./in_parts.ts";

/** Computes into the store that `--store` names: one shard, or everything that is missing, and the file then. */
export async function storedMap(args: Arguments, io: CliIo): Promise<number> {
  const out = await checkedOutput(args);
  const isChunked = isChunkedFile(out);
  const store = await storeOf(args, { namesOutput: isChunked });
  const shard = shardOf(args);
  if (!shard && !isChunked) mustBeRows(out);
  return await withMap(args, io, isChunked ? out : undefined, async (asked) => {
    const { operation, options, context, source } = asked;
    const file = { source, open: openOptions(args), input: inputOf(asked), operation, options, context };
    const run = await storedFile(store, file, out, args);
    await computeUnits(store, run, shard ?? { index: 1, count: 1 }, args, io);
    return shard || out === undefined ? 0 : await writeMerged(store, run, out, args, io);
  });
}
