/**
 * The command `tilewise`: finds the verb, runs it, and turns errors into one line and an exit code.
 *
 * Exit codes: 0 done, 1 something failed, 2 the command was not understood, 130 interrupted.
 *
 * @module
 */

import { logOpened } from "../io/file/opened.ts";
import { VERSION } from "../version.ts";
import { type Arguments, UsageError } from "./shell/args.ts";
import { nearest } from "../options.ts";
import { asTold } from "./flags/failure.ts";
import { CONVERT } from "./convert.ts";
import { DEMO } from "./demo/demo.ts";
import { mainHelp, verbHelp } from "./shell/help.ts";
import { exitProcess, hostIo } from "./shell/host.ts";
import { INFO } from "./info.ts";
import { MAP } from "./map/map.ts";
import { type CliIo, oneLine, outJson } from "./shell/io.ts";
import { NEW } from "./new.ts";
import { parseArguments } from "./shell/parse_arguments.ts";
import { PICK } from "./pick.ts";
import { PREDICT } from "./radio/predict.ts";
import { UVPLOT } from "./radio/uvplot.ts";
import { REPLAY } from "./run/replay.ts";
import { RUN } from "./run/run.ts";
import { interruptCode } from "./shell/signals.ts";
import { system } from "./shell/system.ts";
import { STATS } from "./stats.ts";
import type { Verb } from "./shell/verb.ts";

export type { Colours } from "../pictures/palette.ts";
export type { Arguments } from "./shell/args.ts";
export type { CliIo } from "./shell/io.ts";
export type { Flag, Verb } from "./shell/verb.ts";

/**
 * Every verb, in the order of the help.
 * @category Command line
 */
export const VERBS: readonly Verb[] = [
  INFO,
  STATS,
  PICK,
  RUN,
  MAP,
  CONVERT,
  PREDICT,
  UVPLOT,
  REPLAY,
  NEW,
  DEMO,
];

/**
 * Runs one command.
 *
 * @param args what was typed after `tilewise`
 * @param io where its output goes
 * @returns the exit code
 * @category Command line
 */
export async function main(args: readonly string[], io: CliIo): Promise<number> {
  try {
    return await dispatch(args, io);
  } catch (error) {
    return report(error, io);
  }
}

function dispatch([word, ...rest]: readonly string[], io: CliIo): number | Promise<number> {
  if (word === "--version" || word === "-V") return say(io, `tilewise ${VERSION}\n`);
  if (word === "--help" || word === "-h" || (word === "help" && rest.length === 0)) {
    return say(io, mainHelp(VERBS));
  }
  if (word === "help") return say(io, helpOn(findVerb(rest[0]!), rest.slice(1)));
  if (word === undefined) throw new UsageError(`no verb was given; write one of ${verbNames()}`);
  const verb = findVerb(word);
  const parsed: Arguments = parseArguments(verb, rest);
  return parsed.has("help") ? say(io, helpOn(verb, parsed.positionals)) : runVerb(verb, parsed, io);
}

/** With `--json` a failure is an object on stdout, as results are. */
async function runVerb(verb: Verb, args: Arguments, io: CliIo): Promise<number> {
  using _reading = logOpened(args.inputs);
  if (verb.writes?.(args)) io.goOn?.();
  try {
    return await verb.run(args, io);
  } catch (error) {
    if (!args.has("json") || error instanceof UsageError || io.signal.aborted) throw error;
    const { code, message } = asTold(error);
    if (code === undefined) throw error;
    const source = verb.source?.(args);
    outJson(io, { ...(source === undefined ? {} : { source }), error: { code, message } });
    return 1;
  }
}

/** The help of a verb, or of the subject that the words after it name. */
function helpOn(verb: Verb, words: readonly string[]): string {
  return (words.length > 0 ? verb.topic?.(words) : undefined) ?? verbHelp(verb);
}

function findVerb(word: string): Verb {
  const verb = VERBS.find(({ name }) => name === word);
  if (verb) return verb;
  const near = nearest(word, VERBS.map(({ name }) => name));
  const what = word.startsWith("-") ? `flag "${word}" comes before the verb or` : `verb "${word}"`;
  throw new UsageError(
    `the ${what} is unknown; ${near ? `did you mean ${near}?` : `there are ${verbNames()}`}`,
  );
}

function verbNames(): string {
  return VERBS.map(({ name }) => name).join(", ");
}

function say(io: CliIo, text: string): number {
  io.out(text);
  return 0;
}

/** One line on stderr, and the exit code for it. */
function report(error: unknown, io: CliIo): number {
  if (error instanceof UsageError) {
    io.err(`tilewise: ${oneLine(error.message)}\n`);
    return 2;
  }
  const { code, message } = asTold(error);
  if (io.signal.aborted) {
    io.err(`tilewise: interrupted: ${message}\n`);
    return interruptCode(io.signal);
  }
  io.err(`tilewise: ${code === undefined ? "" : `[${code}] `}${message}\n`);
  return 1;
}

// Not by leaving the event loop: a worker that hangs in a UDF of the user would keep the process alive.
if (import.meta.main) exitProcess(await main(system.args, hostIo()));
