/**
 * How long an execution takes: others use the machine too, so time of the processor is what counts.
 *
 * @module
 */

import { cpuUsage } from "node:process";

/** The time since a start. */
export interface Spent {
  /** Milliseconds that the processor has worked; those on the clock where they are fewer, as garbage has threads of its own. */
  readonly milliseconds: number;
  /** Milliseconds on the clock. */
  readonly onClock: number;
}

/** Starts to measure; the result says what has been spent since. */
export function measured(): () => Spent {
  const started = { clock: performance.now(), processor: processorTime() };
  return () => {
    const onClock = performance.now() - started.clock;
    return { onClock, milliseconds: Math.min(onClock, processorTime() - started.processor) };
  };
}

/** Milliseconds that the processor has worked for this process. */
function processorTime(): number {
  const { user, system } = cpuUsage();
  return (user + system) / 1000;
}
