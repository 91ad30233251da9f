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

function greeted(hello: Hello): void {
  const { port } = hello;
  host = new JobHost((message) => port.postMessage(message), hello);
  const receive = host.receive.bind(host);
  port.onmessage = ({ data }) => receive(data);
}

/** Both are reported to the pool, which replaces this worker; without that the platform would end the process. */
function stray(event: Event, error: unknown): void {
  event.preventDefault();
  host?.crashed(error);
}

function listenAsWebWorker(): void {
  const greet = ({ data }: MessageEvent<Hello>) => greeted(data);
  self.addEventListener("message", greet, { once: true });
  self.addEventListener("error", (event) => stray(event, event.error ?? new Error(event.message)));
  self.addEventListener("unhandledrejection", (event) => stray(event, event.reason));
}

/** What is used of Node, whose threads hear nothing by the global scope. */
interface NodeProcess {
  getBuiltinModule(
    name: string,
  ): { parentPort: { once(event: "message", heard: (hello: Hello) => void): void } };
  on(event: "uncaughtException" | "unhandledRejection", heard: (error: unknown) => void): void;
}

function listenAsThreadOfNode({ process }: { readonly process: NodeProcess }): void {
  process.getBuiltinModule("node:worker_threads").parentPort.once("message", greeted);
  process.on("uncaughtException", (error) => host?.crashed(error));
  process.on("unhandledRejection", (error) => host?.crashed(error));
}

if (typeof self.addEventListener === "function") listenAsWebWorker();
else listenAsThreadOfNode(globalThis as unknown as { readonly process: NodeProcess });
