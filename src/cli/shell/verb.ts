/**
 * A verb of the command line: its flags, its help, and what it does.
 *
 * @module
 */

import type { Arguments } from "./args.ts";
import type { CliIo } from "./io.ts";

/**
 * One flag.
 * @category Command line
 */
export interface Flag {
  /** Its name, without dashes. */
  readonly name: string;
  /** One letter for it. */
  readonly short?: string;
  /** Another name for it, which help does not show. */
  readonly also?: string;
  /** The heading under which help shows it; absent: it is among the flags of the verb itself. */
  readonly group?: string;
  /** What its value is called in help; absent: it has none. */
  readonly value?: string;
  /** Whether it may also be given without the value, which then follows `=`. */
  readonly optional?: true;
  /** Whether it may be given several times. */
  readonly multiple?: boolean;
  /** What its value may be, for completions; absent: a file, or what only the user knows. */
  readonly values?: readonly string[];
  /** The option of the library that it sets: errors that name the option then name the flag. */
  readonly option?: string;
  /** What it does. */
  readonly help: string;
}

/**
 * What the list of verbs shows of a verb.
 * @category Command line
 */
export interface VerbHead {
  /** Its name. */
  readonly name: string;
  /** What it does, in one line. */
  readonly summary: string;
  /** Its arguments, as in `SOURCE…`. */
  readonly usage: string;
}

/**
 * A verb in the list of verbs: its code is loaded when it is used, so that a command takes the memory of one verb only.
 * @category Command line
 */
export interface VerbEntry extends VerbHead {
  /** The verb. */
  load(): Promise<Verb>;
}

/**
 * A verb.
 * @category Command line
 */
export interface Verb extends VerbHead {
  /** Fewest arguments. */
  readonly least: number;
  /** Most arguments; absent: any number. */
  readonly most?: number;
  /** Its flags, without those that all verbs have. */
  readonly flags: readonly Flag[];
  /** Flags that it hands on to another verb, whose help has them. */
  readonly passed?: readonly Flag[];
  /** Words that its arguments may begin with, for completions: what each means. */
  readonly words?: Readonly<Record<string, string>>;
  /** More help, such as the names it knows. */
  readonly notes?: readonly string[];
  /** The help on the subject that `words` name; `undefined` if they name none. */
  topic?(words: readonly string[]): string | undefined;
  /** Commands that can be typed as they are, with what they do. */
  readonly examples: readonly (readonly [command: string, meaning: string])[];
  /** The source that its errors are about; absent: it has none, or reports errors of its sources by itself. */
  source?(args: Arguments): string | undefined;
  /** How it takes several sources, with `--stack` and `--each`; absent: these are not flags of it. */
  readonly several?: Several;
  /** Whether it writes files with these arguments; absent: it never does. */
  writes?(args: Arguments): boolean;
  /** Runs it; the exit code. */
  run(args: Arguments, io: CliIo): Promise<number>;
}

/**
 * How a verb takes several sources.
 * @category Command line
 */
export interface Several {
  /** Whether a word says what is to be done with the sources behind it; absent: the verb has no such words. */
  isWord?(word: string): boolean;
  /** Where the result goes: behind `-o`, or as the last argument; absent: to stdout. */
  readonly out?: "flag" | "argument";
  /** The ending of each result with `--each`, unless `--as` says another; `""`: a folder; absent: `--as` must say it. */
  readonly ending?: string;
  /** Refuses words and flags that mean nothing, whatever the source is; with `--each` before the first is opened. */
  check?(args: Arguments): unknown;
}

/** The flags under a heading. */
export function grouped<F extends Flag>(group: string, flags: readonly F[]): F[] {
  return flags.map((flag) => ({ ...flag, group }));
}

/** Flags that every verb has. */
export const COMMON_FLAGS: readonly Flag[] = grouped("Every verb", [
  { name: "json", help: "one JSON object per line on stdout" },
  {
    name: "quiet",
    short: "q",
    help: "no progress, no warnings, no pictures in the terminal or beside results",
  },
  { name: "help", short: "h", help: "this text" },
]);
