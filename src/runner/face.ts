/**
 * What users see of a context: how much it may hold, how much runs hold, how to end it. The arena, the executors and the queue
 * are in `context.ts`; {@link insideOf} returns that object.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { inWords } from "../options.ts";
import {
  Context as Inside,
  type ContextOptions,
  createContext as create,
  defaultContext as theDefault,
} from "./context.ts";

/**
 * Where runs of all kinds happen: one byte budget and one set of workers. Runs in one context share both.
 * @category Runs
 */
export interface Context extends AsyncDisposable {
  /** Most bytes that runs may hold in buffers. */
  readonly memory: number;
  /** Worker threads; small runs may stay on the calling thread. 0: all runs stay there. */
  readonly workers: number;
  /** Bytes that runs hold now. */
  readonly used: number;
  /** Most bytes that runs have held at one time. */
  readonly peak: number;
  /** The context in words. */
  explain(): string;
  /** Resolves when no worker uses memory of an earlier run any more. */
  settled(): Promise<unknown>;
  /** Stops all runs, and the workers unless they belong to an executor given by the caller. Later runs are refused. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * A new context with its own memory budget and its own workers. Stop it with `await using`.
 *
 * @param options the budget of memory, the workers, and what their code may do
 * @returns the context, to be disposed of
 *
 * @example
 * ```ts
 * import { createContext } from "@tilewise/tilewise";
 * import { assertEquals } from "@std/assert";
 * await using context = createContext({ memory: "64MiB", workers: 2 });
 * assertEquals(context.explain(), "64 MiB for runs, 0 B in use, 0 B at most so far; 2 workers");
 * ```
 * @category Runs
 */
export function createContext(options?: ContextOptions): Context {
  return create(options);
}

/**
 * The context of runs that are given none: 512 MiB, one worker per core.
 * @category Runs
 */
export function defaultContext(): Context {
  return theDefault();
}

/** The context with its internals; the default context if the call was given none. */
export function insideOf(context: Context | undefined): Inside {
  if (context === undefined) return theDefault();
  if (context instanceof Inside) return context;
  const text = `A context is what createContext() makes; this is ${inWords(context)}`;
  throw new TilewiseError("invalid", text, { option: "context", found: inWords(context) });
}
