/**
 * The words of a command that decide its results: shards on other machines are called with the same.
 *
 * @module
 */

import { LOOK_FLAGS } from "../flags/look.ts";
import { RUN_FLAGS, STORE_FLAGS } from "../flags/run_flags.ts";
import { SOURCE_FLAGS } from "../flags/source_flags.ts";
import type { Arguments } from "../shell/args.ts";
import { COMMON_FLAGS } from "../shell/verb.ts";
import { retyped } from "../shell/words.ts";

/** Flags that say where, how fast and how loud a command runs: shards may differ in them. */
const ELSEWHERE = ["output", "workers", "memory", "stall-timeout", "map", "dry-run"];

/** The words of the command that decide its results, flags in their long form. */
export function repeatable({ words }: Arguments): string[] {
  const flags = [...RUN_FLAGS, ...STORE_FLAGS, ...LOOK_FLAGS, ...SOURCE_FLAGS, ...COMMON_FLAGS];
  return retyped(words, flags, [...ELSEWHERE, ...[...STORE_FLAGS, ...COMMON_FLAGS].map(({ name }) => name)]);
}
