/**
 * The command line of the soak test.
 *
 * @module
 */

import { readArguments } from "../../bench/arguments.ts";
import type { Part, SoakOptions } from "./part.ts";

/** The options. */
export interface SoakCommand extends SoakOptions {
  /** Only this part. */
  readonly only?: string;
  /** One JSON object per line. */
  readonly json: boolean;
  /** Show the help. */
  readonly help: boolean;
}

/** What the help says. */
export function helpOf(parts: readonly Part[]): string {
  const width = Math.max(...parts.map(({ name }) => name.length));
  return [
    "deno task soak [options]",
    "",
    "Runs Tilewise under faults, seeded and bounded: a result is right or the error says what failed, old files stay,",
    "nothing is left behind. It ends with 1 if a promise was broken.",
    "",
    "  --seed S      another series of random numbers (default 1)",
    "  --only PART   only this part",
    "  --quick       fewer cases",
    "  --json        one JSON object per line: findings, then rows of the table, then the summary",
    "  --help        this text",
    "",
    "Parts:",
    ...parts.map(({ name, help }) => `  ${name.padEnd(width)}  ${help}`),
  ].join("\n");
}

/** Reads the command line; an error says what is wrong with it. */
export function readOptions(words: readonly string[], parts: readonly Part[]): SoakCommand {
  const { options, names } = readArguments(words, ["seed", "only"], ["quick", "json", "help"]);
  if (names.length > 0) throw new Error(`Cannot use "${names[0]}": see --help`);
  const { seed = "1", only, quick, json, help } = options;
  if (!/^\d+$/.test(seed)) throw new Error(`Cannot use --seed ${seed}: it must be a whole number`);
  if (only !== undefined && !parts.some(({ name }) => name === only)) {
    throw new Error(`There is no part "${only}"; there are ${parts.map(({ name }) => name).join(", ")}`);
  }
  return {
    seed: Number(seed),
    ...(only === undefined ? {} : { only }),
    quick: quick !== undefined,
    json: json !== undefined,
    help: help !== undefined,
  };
}
