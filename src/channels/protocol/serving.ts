/**
 * The loop of a runner: it sleeps until its bell is rung, and answers what is ready until its host stops.
 *
 * While answers are promises, the thread waits in a way that lets them go on; otherwise it watches its
 * bell for a while and then blocks, which wakes sooner. A runner on the thread of the caller never blocks.
 *
 * @module
 */

import { HOST } from "./channel.ts";
import type { ChannelRunner } from "./runner.ts";
import { signOf } from "./threads.ts";
import { Watch } from "./watch.ts";

/** How a runner serves. */
export interface ServeOptions {
  /** Whether the thread may block. Default true. */
  readonly blocks?: boolean;
  /** Most scans per second; 0 or less: as many as there are signs. Default 0. */
  readonly scanRate?: number;
}

/**
 * Answers the calls of a runner until its host is set to `closing` (then what is ready is still answered) or `aborting` (then only
 * what runs is finished), and all answers have been given.
 */
export async function serve(runner: ChannelRunner, options: ServeOptions = {}): Promise<void> {
  const { blocks = true, scanRate = 0 } = options;
  const pace = new Pace(scanRate), watch = new Watch();
  for (;;) {
    const found = look(runner);
    if (found === "over") break;
    const mayBlock = blocks && runner.pending === 0;
    const rest = pace.rest();
    if (rest > 0) await pause(rest, mayBlock);
    if (mayBlock) {
      const { words } = runner.channels, bell = runner.channels.bell(runner.index);
      if (found === "nothing" && scanRate <= 0 && watch.changes(words, bell, 1)) continue;
      sleepAfter(found, runner);
      if (found === "nothing") watch.woke();
    } else if (found === "calls") await turn();
    else await runner.changed(signOf(runner.channels.words, runner.channels.bell(runner.index), 1));
  }
  disarm(runner);
}

/** What a look at all channels has found: calls, nothing, or that the runner is to stop. */
export type Found = "calls" | "nothing" | "over";

/** Answers what is ready. The bell is armed before: who makes a call ready after this look wakes the runner. */
export function look(runner: ChannelRunner): Found {
  const { channels } = runner;
  Atomics.store(channels.words, channels.bell(runner.index), 1);
  if (runner.scan() > 0) return "calls";
  return channels.host !== HOST.open && runner.pending === 0 ? "over" : "nothing";
}

/** Blocks until the bell is rung, after a look that has found nothing. */
export function sleepAfter(found: Found, { channels, index }: ChannelRunner): void {
  if (found === "nothing") Atomics.wait(channels.words, channels.bell(index), 1);
}

function disarm({ channels, index }: ChannelRunner): void {
  Atomics.store(channels.words, channels.bell(index), 0);
}

/** Lets other work of this thread go on. */
function turn(): Promise<void> {
  const { setImmediate } = globalThis as { setImmediate?(work: () => void): unknown };
  return new Promise((resolve) => setImmediate ? setImmediate(resolve) : setTimeout(resolve, 0));
}

async function pause(milliseconds: number, blocks: boolean): Promise<void> {
  if (blocks) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
  else await new Promise((resolve) => setTimeout(resolve, Math.ceil(milliseconds)));
}

/** Keeps scans at most as frequent as is wished. */
class Pace {
  readonly #least: number;
  #next = 0;

  /** At most `scanRate` scans per second. */
  constructor(scanRate: number) {
    this.#least = scanRate > 0 ? 1000 / scanRate : 0;
  }

  /** Milliseconds until the next scan may begin. */
  rest(): number {
    if (this.#least === 0) return 0;
    const now = performance.now();
    const rest = Math.max(0, this.#next - now);
    this.#next = Math.max(now, this.#next) + this.#least;
    return rest;
  }
}
