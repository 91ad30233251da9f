/**
 * What a provider still does when its run has been cancelled: nobody waits for its handlers and sinks then, so that files
 * could be written after the folder was removed.
 *
 * @module
 */

import type { SinkContext, StartContext, StopContext } from "../context.ts";
import type { Provider } from "../provider.ts";
import { declarePutting } from "./placing.ts";

/** A provider that writes files. */
export interface Writer {
  /** Its name. */
  readonly name: string;
  /** The outputs that it takes. */
  readonly outputs: readonly string[];
  /** Makes the files. */
  start(context: StartContext): Promise<void>;
  /** Writes a tile. */
  put(context: SinkContext): void | Promise<void>;
  /** Tiles of an earlier run that need not be computed; absent: none. */
  completed?(): number;
  /** Completes the files, or removes them; nothing else is under way. */
  stop(context: StopContext): Promise<void>;
}

/** The provider of a writer: `stop` waits until what was begun has ended. */
export function writing({ name, outputs, ...writer }: Writer): Provider {
  const under = new Set<Promise<void>>();
  const tracked = async (work: () => void | Promise<void>) => {
    const one = Promise.resolve(work());
    under.add(one);
    await one.finally(() => under.delete(one));
  };
  const sink = declarePutting((context) => tracked(() => writer.put(context)));
  return {
    name,
    sinks: Object.fromEntries(outputs.map((output) => [output, sink])),
    start: (context) => tracked(() => writer.start(context)),
    completed: () => writer.completed?.() ?? 0,
    async stop(context) {
      await Promise.allSettled(under);
      await writer.stop(context);
    },
  };
}
