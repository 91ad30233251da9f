/**
 * How many threads a command uses.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { MOST_WORKERS } from "../../executor/pool/pool.ts";
import { unreadableCode } from "../../executor/thread_code.ts";
import { type Context, createContext, INLINE_BYTES } from "../../runner/context.ts";
import { parseBytes } from "../../space/size.ts";
import type { Arguments } from "./args.ts";
import type { CliIo } from "./io.ts";

/** The number of worker threads from `--workers`; more than the maximum are refused. */
export function workersAsked(args: Arguments): number | undefined {
  return args.count("workers", 0, MOST_WORKERS);
}

/** The context of `--memory` and `--workers`, or of so many workers. */
export function contextOf(args: Arguments, workers: number | undefined = workersAsked(args)): Context {
  const memory = args.value("memory", parseBytes);
  return createContext(defined({ memory, workers }));
}

/** Refuses `--memory`, `--workers` and `--stall-timeout` that mean nothing; called before anything is opened. */
export function checkThreads(args: Arguments): void {
  args.value("memory", parseBytes);
  workersAsked(args);
  stallOf(args);
}

/** Milliseconds that a worker may be without progress: `--stall-timeout`. */
export function stallOf(args: Arguments): number {
  return 1000 * (args.count("stall-timeout", 1) ?? 30);
}

/** The value of `--workers`; without it 0, with a warning, if a run over `bytes` would need threads that may not be started. */
export function threadsFor(args: Arguments, io: CliIo, bytes: number): number | undefined {
  const asked = workersAsked(args);
  if (asked !== undefined || bytes <= INLINE_BYTES) return asked;
  const code = unreadableCode();
  if (code === undefined) return undefined;
  if (!args.has("quiet")) {
    io.err(
      `tilewise: warning: computing on one thread, as workers may not read ${code}; add --allow-read=${code}\n`,
    );
  }
  return 0;
}

/**
 * The context for operations over views of `bytes`, by `--memory` and `--workers`: without threads where starting them takes
 * longer than to filter a small array, or one with little work per sample.
 */
export function contextForViews(
  args: Arguments,
  io: CliIo,
  bytes: number,
  isLight: boolean = bytes <= INLINE_BYTES,
): Context {
  const memory = args.value("memory", parseBytes);
  const workers = workersAsked(args) ?? (isLight ? 0 : threadsFor(args, io, bytes));
  return createContext({
    ...defined({ memory, workers }),
    stallTimeout: stallOf(args),
  });
}
