/**
 * The command line of the comparison.
 *
 * @module
 */

import { readArguments } from "../../bench/arguments.ts";

/** What the help says. */
export const HELP = `deno task compare [options]       LiberTEM: below
deno task compare files [options] TIFF, Zarr, views and filters: deno task compare files --help

Computes the same with Tilewise and with LiberTEM and libertem-blobfinder on random data sets, and compares. The peers
are installed from their package registry on first use, into a folder outside of the tree.

  --seed S                another series of data sets (default 1)
  --runs N                so many data sets (default 500)
  --run K                 only data set K of the series
  --only WORD[,WORD]      only these works, such as com or mask
  --keep FOLDER           writes the inputs and both results of every unexplained difference there
  --json                  one JSON object a line: differences, then rows of the table, then the summary
  --quick                 40 data sets
  --list                  the words, and exits
  --venv FOLDER           where the peers are, or will be
  --allow-missing-peers   where they cannot be installed, end with 0
  --help                  this text

It ends with 1 if a difference is unexplained, or the peers are missing. Deliberate differences and their reasons are in
tests/compare/verdict/differences.ts.`;

/** The options. */
export interface CompareOptions {
  readonly seed: number;
  readonly runs: number;
  readonly run?: number;
  readonly only?: readonly string[];
  readonly keep?: string;
  readonly venv?: string;
  readonly json: boolean;
  readonly list: boolean;
  readonly help: boolean;
  readonly allowMissingPeers: boolean;
}

/** Reads the command line; an error says what is wrong with it. */
export function readOptions(words: readonly string[]): CompareOptions {
  const { options, names } = readArguments(
    words,
    ["seed", "runs", "run", "only", "keep", "venv"],
    ["json", "quick", "list", "allow-missing-peers", "help"],
  );
  if (names.length > 0) throw new Error(`Cannot use "${names[0]}": see --help`);
  const { seed, runs, run, only, keep, venv, quick } = options;
  return {
    seed: wholeNumber("seed", seed ?? "1"),
    runs: wholeNumber("runs", runs ?? (quick ? "40" : "500")),
    ...(run === undefined ? {} : { run: wholeNumber("run", run) }),
    ...(only === undefined ? {} : { only: only.split(",") }),
    ...(keep === undefined ? {} : { keep }),
    ...(venv === undefined ? {} : { venv }),
    json: options.json !== undefined,
    list: options.list !== undefined,
    help: options.help !== undefined,
    allowMissingPeers: options["allow-missing-peers"] !== undefined,
  };
}

function wholeNumber(name: string, text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new Error(`Cannot use --${name} ${text}: it must be a whole number`);
}
