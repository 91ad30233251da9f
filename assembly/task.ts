/**
 * Programs of `deno task`: `--help` says what `deno.json` says of a task, and what fails is said in one line, with no stack.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { dirname } from "@std/path";
import config from "../deno.json" with { type: "json" };

/** Flags of a task, as `node:util` takes them. */
type Flags = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>["options"]>;

/** What was said for flags. */
type Values<F extends Flags> = ReturnType<typeof parseArgs<{ options: F }>>["values"];

/** Runs the program of a task with the flags of the command line. */
export async function task<F extends Flags>(
  name: keyof typeof config.tasks,
  options: F,
  run: (values: Values<F>) => Promise<void>,
): Promise<void> {
  await inOneLine(name, async () => {
    if (asksForHelp(name)) return;
    await run(parseArgs({ args: Deno.args, options }).values);
  });
}

/** Prints what a task is, where that is asked for. */
export function asksForHelp(name: keyof typeof config.tasks): boolean {
  const asks = Deno.args.some((word) => word === "--help" || word === "-h");
  if (asks) console.log(`deno task ${name}: ${config.tasks[name].description}`);
  return asks;
}

/** Calls `run`; what a user can mend is said in one line, and the program ends with 1. Faults of the program keep their stack. */
export async function inOneLine<T>(name: keyof typeof config.tasks, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Error) || !isMeant(error)) throw error;
    console.error(`deno task ${name}: ${error.message}`);
    return Deno.exit(1);
  }
}

/** Whether an error is an answer: thrown by these programs, by the system, or for a flag that is not known. */
function isMeant(error: Error): boolean {
  const { code } = error as { code?: unknown };
  return error.constructor === Error || /^(E[A-Z]+$|ERR_PARSE_ARGS)/.test(String(code));
}

/** One of `names`, or an error that says which there are. */
export function mustBeOneOf(what: string, found: readonly string[], names: readonly string[]): void {
  const unknown = found.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new Error(`there is no ${what} "${unknown}"; there are ${names.join(", ")}`);
  }
}

/** Makes the folder that a file lies in, before any work is done. */
export async function makeFolderOf(path: string): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true });
}
