/**
 * The thread of a host: a web worker, or a thread of Node where there are no web workers.
 *
 * @module
 */

import type { WireError } from "../../errors.ts";
import { nodeThreads } from "../../executor/threads.ts";

/** Messages of the thread. */
export type HostMessage = "serving" | "ended" | {
  /** Why it had to stop serving. */
  readonly error: WireError;
};

/** Events that the owner of the thread handles. */
export interface HostThreadEvents {
  /** It has sent a message. */
  said(message: HostMessage): void;
  /** It has failed, for this reason. */
  failed(reason: string): void;
}

/** The thread. */
export interface HostThread {
  /** Sends it a message. */
  postMessage(message: object): void;
  /** Ends it, as soon as the platform can. */
  terminate(): void;
}

/** Starts the thread. */
export function startHostThread(events: HostThreadEvents): HostThread {
  return typeof Worker === "undefined" ? threadOfNode(events) : webWorker(events);
}

function webWorker({ said, failed }: HostThreadEvents): HostThread {
  const worker = new Worker(new URL("./host_worker.ts", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }: MessageEvent<HostMessage>) => said(data);
  worker.onerror = (event) => {
    event.preventDefault();
    failed(event.message);
  };
  return worker;
}

function threadOfNode({ said, failed }: HostThreadEvents): HostThread {
  const { Worker } = nodeThreads()!;
  const worker = new Worker(new URL(import.meta.resolve("./host_worker.ts")), { name: "tilewise host" });
  worker.on("message", said);
  worker.on("error", ({ message }) => failed(message));
  return { postMessage: (message) => worker.postMessage(message), terminate: () => void worker.terminate() };
}
