/** What the threads of `calls.ts` do: count on the host, and call it. */

import { Caller } from "../../../src/channels/protocol/caller.ts";
import type { ChannelLayout } from "../../../src/channels/protocol/channel.ts";
import { STATUS } from "../../../src/channels/protocol/status.ts";
import type { Service, ServicePlace } from "../../../src/channels/host/services.ts";
import type { JobHandler, WorkerContext } from "../../../src/executor/task.ts";

/** Number of the function that counts. */
export const COUNTED = 64;

/** What a call has come to, for its caller. */
export const FATE = { none: 0, begun: 1, answered: 2, lost: 3, wrong: 4 } as const;

/** What all callers share. */
export interface Callers {
  readonly layout: ChannelLayout;
  /** How often the function has been called for a call. */
  readonly counts: SharedArrayBuffer;
  /** A value of {@link FATE} per call. */
  readonly fates: SharedArrayBuffer;
  /** Calls of one task. */
  readonly calls: number;
}

/** The function of the host: counts that a call has arrived. */
export function countingService({ counts }: { counts: SharedArrayBuffer }, _place: ServicePlace): Service {
  const cells = new Int32Array(counts);
  return {
    functions: new Map([[COUNTED, (call) => {
      Atomics.add(cells, call.arg(0), 1);
      return 3 * call.arg(0) + 1;
    }]]),
  };
}

/** Makes the calls of a task, from the first that has not been begun: a thread before may have ended in the middle. */
export function callingJob(
  { layout, fates, calls }: Callers,
  { memory, index, advance }: WorkerContext,
): JobHandler<number, void> {
  const caller = new Caller(memory, layout), cells = new Int32Array(fates);
  return {
    run(task) {
      for (let call = task * calls; call < (task + 1) * calls; call++) {
        if (Atomics.compareExchange(cells, call, FATE.none, FATE.begun) !== FATE.none) continue;
        Atomics.store(cells, call, fateOf(call, caller.call(index % layout.channels, COUNTED, call)));
        if (call % 64 === 0) advance(0);
      }
    },
  };
}

function fateOf(call: number, result: number): number {
  return result === 3 * call + 1 ? FATE.answered : result === -STATUS.lost ? FATE.lost : FATE.wrong;
}
