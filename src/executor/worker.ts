/**
 * The module that every worker of the pool runs.
 *
 * @module
 */

/// <reference lib="deno.worker" />

import { JobHost } from "./job_host.ts";
import type { ToWorker } from "./protocol.ts";

const host = new JobHost((message) => self.postMessage(message));

self.addEventListener("message", ({ data }: MessageEvent<ToWorker>) => host.receive(data));

// Both are reported to the pool, which replaces this worker; without that the platform would end the process.
self.addEventListener("error", (event) => {
  event.preventDefault();
  host.crashed(event.error ?? new Error(event.message));
});
self.addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  host.crashed(event.reason);
});
