/**
 * Functions that would end the thread or the process throw an error when code of users calls them.
 *
 * A UDF that calls `Deno.exit()` would end a program silently and with code 0, or a worker in the middle of a task.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";

type Exit = (...words: unknown[]) => unknown;
type Holder = Record<string, unknown>;

/** Where the functions are, and what they are called. */
type ExitFunction = readonly [holder: Holder, name: string, called: string];

let places: readonly ExitFunction[] | undefined;

function findExits(): readonly ExitFunction[] {
  const { Deno: deno, process } = globalThis as unknown as { Deno?: Holder; process?: Holder };
  const all: (readonly [Holder | undefined, string, string])[] = [
    [deno, "exit", "Deno.exit"],
    [process, "exit", "process.exit"],
    [process, "reallyExit", "process.exit"],
    [process, "abort", "process.abort"],
    [globalThis as unknown as Holder, "close", "close"],
  ];
  return all.filter((row): row is ExitFunction => typeof row[0]?.[row[1]] === "function");
}

/** The function that ends this thread, as it was before it was replaced. */
const close = (globalThis as { close?: Exit }).close;

/** Ends this worker as `close()` does. For tests: code of users cannot do this. */
export function endThread(): void {
  close?.call(globalThis);
}

let forbidden = false;

/** Makes all of these functions throw an error from now on. */
export function forbidExits(): void {
  replaceExits();
  forbidden = true;
}

/** Whether they are forbidden as soon as code of users comes. */
let awaited = false;

/**
 * Makes all of these functions throw an error when {@link usersCodeComes}. Threads that load no code of users need not look for
 * them: `process` alone takes 4 MiB in every thread that asks for it.
 */
export function forbidExitsToUsers(): void {
  awaited = true;
}

/** Notes that code of users is about to be loaded on this thread. */
export function usersCodeComes(): void {
  if (awaited && !forbidden) forbidExits();
}

/** Runs `work`; meanwhile these functions throw an error. */
export function withoutExits<T>(work: () => T): T {
  if (forbidden || awaited) return work();
  const putBack = replaceExits();
  try {
    return work();
  } finally {
    putBack();
  }
}

/** Makes all of these functions throw an error, until the returned function is called. */
function replaceExits(): () => void {
  places ??= findExits();
  const all = places;
  const own = all.map(([holder, name]) => holder[name]);
  for (const [holder, name, called] of all) holder[name] = REFUSALS[called];
  return () => all.forEach(([holder, name], i) => holder[name] = own[i]);
}

const REFUSALS: Readonly<Record<string, Exit>> = Object.fromEntries(
  ["Deno.exit", "process.exit", "process.abort", "close"].map((called) => [called, () => {
    throw exitError(called);
  }]),
);

function exitError(called: string): TilewiseError {
  const text =
    `A user-defined function called ${called}(), which would end the program: it may throw an error`;
  return new TilewiseError("udf", text, { found: `${called}()` });
}
