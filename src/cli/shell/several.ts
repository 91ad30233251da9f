/**
 * Commands with several sources: as one series (`--stack`), or one after another (`--each`).
 *
 * @module
 */

import { type Arguments, storeFlag, UsageError } from "./args.ts";
import { type Flag, grouped, type Several } from "./verb.ts";

/** The flags, for verbs that take several sources. */
export const SEVERAL_FLAGS: readonly Flag[] = grouped("Several sources", [
  {
    name: "stack",
    help:
      "several sources of one shape, or a folder of them, as one series: a new first axis counts them; run and map do so for several files where -o is a file",
  },
  {
    name: "each",
    help: "several sources, or a folder of them, one after another; a bad one does not stop the others",
  },
]);

/** The flag for the kind of results, for verbs that write files. */
export const AS_FLAG: Flag = {
  name: "as",
  group: "Several sources",
  value: "ENDING",
  help:
    "with --each: the ending of each result in the folder -o, such as npy, tif, ome.zarr, hspy (HyperSpy), emd (py4DSTEM) or nxs (NeXus)",
};

/** The words of a command by what they are. */
export interface Parts {
  /** What is to be done: UDFs, filters. */
  readonly words: readonly string[];
  /** The sources. */
  readonly sources: readonly string[];
  /** Where the result goes, if that is the last word. */
  readonly out?: string;
}

/** Whether a command takes several sources. */
export function hasSeveral(args: Arguments): boolean {
  return args.has("stack") || args.has("each");
}

/** The words of a command: without `--stack` and `--each` it has one source, behind all that is to be done. */
export function partsIn(args: Arguments, { isWord = () => false, out }: Several): Parts {
  const { positionals } = args;
  if (args.has("stack") && args.has("each")) {
    throw new UsageError(
      "--stack makes one series of all sources, --each takes them one by one: give one of them",
    );
  }
  const isLast = out === "argument" && !args.has("each");
  const end = isLast ? positionals.length - 1 : positionals.length;
  const given = positionals.slice(0, end);
  const ends = isLast ? { out: positionals[end]! } : {};
  if (!hasSeveral(args)) {
    const count = out === "argument" ? 0 : end - 1;
    return { words: given.slice(0, count), sources: given.slice(count), ...ends };
  }
  const first = given.findIndex((word, n) => !(isWord(word) || (n === 0 && out === "flag")));
  if (first < 0) {
    throw new UsageError(`${args.has("stack") ? "--stack" : "--each"} needs sources: the command names none`);
  }
  const stored = storeFlag(args);
  if (stored) {
    throw new UsageError(
      `--${stored} is for one source: convert the series into one file first, with --stack`,
    );
  }
  return { words: given.slice(0, first), sources: given.slice(first), ...ends };
}
