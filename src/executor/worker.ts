/**
 * The module that every worker of the pool runs.
 *
 * The way between a thread and its owner is open to all code that runs on the thread. So only one message takes it, the
 * first; it brings the end of a channel that nobody else has.
 *
 * @module
 */

import { forbidExits } from "./exits.ts";
import { JobHost } from "./job_host.ts";
import type { Hello } from "./protocol.ts";

// Threads of Node lack two names by which code knows that it runs on a worker.
const scope = globalThis as { self?: unknown; WorkerGlobalScope?: unknown };
scope.self ??= globalThis;
scope.WorkerGlobalScope ??= Object.getPrototypeOf(globalThis).constructor;
forbidExits();

let host: JobHost | undefined;

function greeted({ data }: MessageEvent<Hello>): void {
  self.removeEventListener("message", greeted);
  const { port } = data;
  host = new JobHost((message) => port.postMessage(message), data);
  const receive = host.receive.bind(host);
  port.onmessage = ({ data }) => receive(data);
}

self.addEventListener("message", greeted);

// Both are reported to the pool, which replaces this worker; without that the platform would end the process.
self.addEventListener("error", (event) => {
  event.preventDefault();
  host?.crashed(event.error ?? new Error(event.message));
});
self.addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  host?.crashed(event.reason);
});
