/**
 * Functions that would end the thread or the process, and what happens when code of users calls them: an error.
 *
 * A UDF that calls `Deno.exit()` would end a program without a word and with code 0, or a worker in the middle of a task.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";

type Exit = (...words: unknown[]) => unknown;
type Holder = Record<string, unknown>;

/** Where the functions are, and what they are called. */
function exits(): [holder: Holder, name: string, called: string][] {
  const { Deno: deno, process } = globalThis as unknown as { Deno?: Holder; process?: Holder };
  const all: [Holder | undefined, string, string][] = [
    [deno, "exit", "Deno.exit"],
    [process, "exit", "process.exit"],
    [process, "reallyExit", "process.exit"],
    [process, "abort", "process.abort"],
    [globalThis as unknown as Holder, "close", "close"],
  ];
  return all.filter((row): row is [Holder, string, string] => typeof row[0]?.[row[1]] === "function");
}

/** What ends this thread, as it was before anything was replaced. */
const close = (globalThis as { close?: Exit }).close;

/** Ends this worker as `close()` does; for tests of what then happens, as code of users cannot. */
export function endThread(): void {
  close?.call(globalThis);
}

let forbidden = false;

/** From now on, all of them throw an error, for good. */
export function forbidExits(): void {
  replaceExits();
  forbidden = true;
}

/** Runs `work`; meanwhile they throw an error. */
export function withoutExits<T>(work: () => T): T {
  if (forbidden) return work();
  const putBack = replaceExits();
  try {
    return work();
  } finally {
    putBack();
  }
}

/** All of them throw an error, until what is returned is called. */
function replaceExits(): () => void {
  const replaced = exits().map(([holder, name, called]) => {
    const own = holder[name];
    holder[name] = () => {
      throw exitError(called);
    };
    return () => void (holder[name] = own);
  });
  return () => replaced.forEach((putBack) => putBack());
}

function exitError(called: string): TilewiseError {
  const text =
    `A user-defined function called ${called}(), which would end the program: it may throw an error`;
  return new TilewiseError("udf", text, { found: `${called}()` });
}
