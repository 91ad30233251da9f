/**
 * Providers that write files, and what they still do when their run has been cancelled: nobody waits for their handlers and sinks
 * then, so that files could be written after the folder was removed.
 *
 * @module
 */

import type { SinkContext, StartContext } from "../context.ts";
import type { Provider } from "../provider.ts";
import { declarePutting } from "./placing.ts";

/** Files that are being written. They are disposed of at the end: what has no name then is removed, unless it can be resumed. */
export interface OpenFiles extends AsyncDisposable {
  /** Tiles of an earlier run that need not be computed. Default 0. */
  readonly completed?: number;
  /** Writes an output of a tile. */
  put(context: SinkContext): void | Promise<void>;
  /** The run is complete: gives the files their names. */
  finish(): void | Promise<void>;
  /** The run has failed. */
  fail?(): void;
}

/** A provider that writes files. */
interface Writer {
  /** Its name. */
  readonly name: string;
  /** The outputs that it takes. */
  readonly outputs: readonly string[];
  /** Whether it goes on with an earlier run: then tiles must come in their order. Default false. */
  readonly resumes?: boolean;
  /** Makes the files. */
  open(context: StartContext): Promise<OpenFiles>;
}

/** The provider of a writer: `stop` waits until what was begun has ended. */
export function writing({ name, outputs, resumes, open }: Writer): Provider {
  let files: OpenFiles | undefined;
  const under = new Set<Promise<void>>();
  const tracked = async (work: () => void | Promise<void>) => {
    const one = Promise.resolve(work());
    under.add(one);
    await one.finally(() => under.delete(one));
  };
  const sink = declarePutting((context) => tracked(() => files!.put(context)), resumes);
  return {
    name,
    sinks: Object.fromEntries(outputs.map((output) => [output, sink])),
    start: (context) => tracked(async () => void (files = await open(context))),
    completed: () => files?.completed ?? 0,
    async stop({ error }) {
      await Promise.allSettled(under);
      await using last = files;
      files = undefined;
      if (error === undefined) await last?.finish();
      else last?.fail?.();
    },
  };
}
