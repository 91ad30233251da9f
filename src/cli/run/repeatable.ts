/**
 * The words of a command that decide its results: shards on other machines are called with the same.
 *
 * @module
 */

import { LOOK_FLAGS } from "../flags/look.ts";
import { RUN_FLAGS, STORE_FLAGS } from "../flags/run_flags.ts";
import { SOURCE_FLAGS } from "../flags/source_flags.ts";
import type { Arguments } from "../shell/args.ts";
import { COMMON_FLAGS, type Flag } from "../shell/verb.ts";
import { wordsIn } from "../shell/words.ts";

/** Flags that say where, how fast and how loud a command runs: shards may differ in them. */
const ELSEWHERE = ["output", "workers", "memory", "stall-timeout", "dry-run"];

/** The words of the command that decide its results, flags in their long form. */
export function repeatable({ words }: Arguments, more: readonly Flag[] = []): string[] {
  const flags = [...RUN_FLAGS, ...STORE_FLAGS, ...LOOK_FLAGS, ...SOURCE_FLAGS, ...COMMON_FLAGS, ...more];
  const dropped = [...ELSEWHERE, ...[...STORE_FLAGS, ...COMMON_FLAGS, ...more].map(({ name }) => name)];
  return [...wordsIn(words, flags)].flatMap((word) => {
    if (word.kind === "positional") return [word.value];
    if (dropped.includes(word.name)) return [];
    return [word.value === undefined ? `--${word.name}` : `--${word.name}=${word.value}`];
  });
}
