/**
 * Traps of programs as typed errors.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { reasonOf } from "../../reason.ts";

/** Why a program was stopped by its machine. */
export type Trap =
  | "unreachable"
  | "out of bounds"
  | "stack overflow"
  | "division by zero"
  | "bad call"
  | "number out of range"
  | "other";

/** What the engines say, V8 first; the words of Firefox and Safari where they differ. */
const WORDS: readonly (readonly [RegExp, Trap, string])[] = [
  [
    /unreachable/i,
    "unreachable",
    "it ran into code that is never to be reached, as abort() and a failed assert() do",
  ],
  [/call stack|recursion/i, "stack overflow", "its calls are nested too deeply"],
  [/out of bounds|outside/i, "out of bounds", "it used an address outside of its memory or table"],
  [/divide by zero|division by zero/i, "division by zero", "it divided a whole number by zero"],
  [
    /signature|null function|indirect call/i,
    "bad call",
    "it called a function by an address that is none of that kind",
  ],
  [/unrepresentable|overflow|out of range/i, "number out of range", "a number does not fit its type"],
];

/** The error for what an instance threw. `details.trap` is a {@link Trap}. */
export function trapError(error: unknown, program: string): TilewiseError {
  const reason = reasonOf(error);
  const [, trap, text] = WORDS.find(([words]) => words.test(reason)) ?? [/./, "other" as const, reason];
  const message = `The program ${program} was stopped: ${text}`;
  const failure = new TilewiseError("udf", message, { program, trap, found: reason }, { cause: error });
  if (error instanceof Error && error.stack) failure.stack = error.stack;
  return failure;
}
