/**
 * The command `tilewise`: finds the verb, runs it, and turns errors into one line and an exit code.
 *
 * Exit codes: 0 done, 1 something failed, 2 the command was not understood, 130 interrupted.
 *
 * @module
 */

import { logOpened } from "../io/file/error.ts";
import { VERSION } from "../version.ts";
import { type Arguments, UsageError } from "./shell/args.ts";
import { nearest } from "../options.ts";
import type { ErrorReport } from "./flags/option_flags.ts";
import { HEADS } from "./shell/heads.ts";
import { mainHelp, verbHelp, wrapped } from "./shell/help.ts";
import { exitProcess, hostIo } from "./shell/host.ts";
import { type CliIo, oneLine, outJson } from "./shell/io.ts";
import { asSeries, parseArguments } from "./shell/parse_arguments.ts";
import { interruptCode } from "./shell/signals.ts";
import { system } from "./shell/system.ts";
import type { Verb, VerbEntry } from "./shell/verb.ts";

export type { Colours } from "../pictures/colours/palette.ts";
export type { Arguments } from "./shell/args.ts";
export type { CliIo } from "./shell/io.ts";
export type { Flag, Several, Verb, VerbEntry, VerbHead } from "./shell/verb.ts";

/**
 * Every verb, in the order of the help.
 * @category Command line
 */
export const VERBS: readonly VerbEntry[] = [
  { ...HEADS.info, load: async () => (await import("./info.ts")).INFO },
  { ...HEADS.stats, load: async () => (await import("./stats.ts")).STATS },
  { ...HEADS.pick, load: async () => (await import("./pick.ts")).PICK },
  { ...HEADS.run, load: async () => (await import("./run/run.ts")).RUN },
  { ...HEADS.merge, load: async () => (await import("./run/merge.ts")).MERGE },
  { ...HEADS.worker, load: async () => (await import("./cluster/worker.ts")).WORKER },
  { ...HEADS.status, load: async () => (await import("./cluster/status.ts")).STATUS },
  { ...HEADS.cancel, load: async () => (await import("./cluster/cancel.ts")).CANCEL },
  { ...HEADS.submit, load: async () => (await import("./submit.ts")).SUBMIT },
  { ...HEADS.map, load: async () => (await import("./map/map.ts")).MAP },
  { ...HEADS.convert, load: async () => (await import("./convert/convert.ts")).CONVERT },
  { ...HEADS.predict, load: async () => (await import("./radio/predict.ts")).PREDICT },
  { ...HEADS.image, load: async () => (await import("./radio/image.ts")).IMAGE },
  { ...HEADS.uvplot, load: async () => (await import("./radio/uvplot.ts")).UVPLOT },
  { ...HEADS.replay, load: async () => (await import("./replay.ts")).REPLAY },
  { ...HEADS.new, load: async () => (await import("./new.ts")).NEW },
  { ...HEADS.view, load: async () => (await import("./view/view.ts")).VIEW },
  { ...HEADS.demo, load: async () => (await import("./demo/demo.ts")).DEMO },
  { ...HEADS.doctor, load: async () => (await import("./doctor/doctor.ts")).DOCTOR },
  {
    ...HEADS.completions,
    load: async () => (await import("./completions/completions.ts")).completionsOf(VERBS),
  },
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
    return await report(error, io);
  }
}

async function dispatch([word, ...rest]: readonly string[], io: CliIo): Promise<number> {
  if (word === "--version" || word === "-V") return say(io, `tilewise ${VERSION}\n`);
  if (word === "--help" || word === "-h" || (word === "help" && rest.length === 0)) {
    return sayHelp(io, mainHelp(VERBS));
  }
  if (word === "help") return sayHelp(io, helpOn(await findVerb(rest[0]!).load(), rest.slice(1)));
  if (word === undefined) throw new UsageError(`no verb was given; write one of ${verbNames()}`);
  const verb = await findVerb(word).load();
  const parsed: Arguments = asSeries(verb, parseArguments(verb, rest));
  return parsed.has("help") ? sayHelp(io, helpOn(verb, parsed.positionals)) : await runVerb(verb, parsed, io);
}

/** With `--json` a failure is an object on stdout, as results are. */
async function runVerb(verb: Verb, args: Arguments, io: CliIo): Promise<number> {
  using _reading = logOpened(args.inputs);
  if (verb.writes?.(args)) io.goOn?.();
  try {
    return args.has("each")
      ? await (await import("./each.ts")).runEach(verb, args, io)
      : await verb.run(args, io);
  } catch (error) {
    if (!args.has("json") || error instanceof UsageError || io.signal.aborted) throw error;
    const { code, message } = await told(error);
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

function findVerb(word: string): VerbEntry {
  const verb = VERBS.find(({ name }) => name === word);
  if (verb) return verb;
  const near = nearest(word, [...VERBS.map(({ name }) => name), "--help", "--version"]);
  const what = word.startsWith("-") ? `flag "${word}" comes before the verb or` : `verb "${word}"`;
  throw new UsageError(
    `the ${what} is unknown; ${near ? `did you mean ${near}?` : `there are ${verbNames()}`}`,
  );
}

function verbNames(): string {
  return VERBS.map(({ name }) => name).join(", ");
}

function sayHelp(io: CliIo, text: string): number {
  return say(io, io.outIsTerminal ? wrapped(text, io.columns) : text);
}

function say(io: CliIo, text: string): number {
  io.out(text);
  return 0;
}

/** One line on stderr, and the exit code for it. */
async function report(error: unknown, io: CliIo): Promise<number> {
  if (error instanceof UsageError) {
    io.err(`tilewise: ${oneLine(error.message)}\n`);
    return 2;
  }
  const { code, message } = await told(error);
  if (io.signal.aborted) {
    io.err(`tilewise: interrupted: ${message}\n`);
    return interruptCode(io.signal);
  }
  io.err(`tilewise: ${code === undefined ? "" : `[${code}] `}${message}\n`);
  return 1;
}

/** The report for an error. It names flags and formats, whose code is loaded only for it. */
async function told(error: unknown): Promise<ErrorReport> {
  const { reportOf } = await import("./flags/option_flags.ts");
  return reportOf(error);
}

// Not by leaving the event loop: a worker that hangs in a UDF of the user would keep the process alive.
if (import.meta.main) exitProcess(await main(system.args, hostIo()));
