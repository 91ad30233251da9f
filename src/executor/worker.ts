/**
 * The module that every worker of the pool runs.
 *
 * All code that runs on a thread can use the message port between the thread and its owner. Therefore only the first message
 * takes it; that message brings one end of a private channel for all others.
 *
 * @module
 */

import type Process from "node:process";
import { Board } from "../activity.ts";
import { nodeModule } from "../portable.ts";
import { toWire } from "../errors.ts";
import { forbidExitsToUsers } from "./exits.ts";
import { JobHost } from "./job_host.ts";
import type { FromWorker, Hello } from "./protocol.ts";
import { usePackages } from "../packages.ts";
import { useThreadNumber } from "./thread_number.ts";

// Threads of Node lack two names by which code knows that it runs on a worker.
const scope = globalThis as { self?: unknown; WorkerGlobalScope?: unknown };
scope.self ??= globalThis;
scope.WorkerGlobalScope ??= Object.getPrototypeOf(globalThis).constructor;
forbidExitsToUsers();

/** What handles the messages of the owner. */
interface Host {
  receive(message: never): void;
  crashed(error: unknown): void;
}

let host: Host | undefined;

async function greeted(hello: Hello): Promise<void> {
  const { port, thread, board, packages } = hello;
  useThreadNumber(thread);
  usePackages(packages);
  try {
    const found = host = board
      ? new JobHost(port.postMessage.bind(port), hello, new Board(board))
      : await ownMemoryHost(hello);
    port.onmessage = ({ data }) => found.receive(data as never); // messages wait until there is somebody to take them
  } catch (error) {
    port.postMessage({ kind: "crashed", busy: false, error: toWire(error) } satisfies FromWorker);
  }
}

/** The host of a thread that shares no memory; its code is loaded where there is none to share. */
async function ownMemoryHost(hello: Hello): Promise<Host> {
  const { OwnMemoryHost } = await import("./own_memory.ts");
  return new OwnMemoryHost(hello);
}

/** Reports stray errors and rejections to the pool, which replaces this worker; otherwise the platform would end the process. */
function stray(event: Event, error: unknown): void {
  event.preventDefault();
  host?.crashed(error);
}

function listenAsWebWorker(): void {
  const greet = (event: Event) => greeted((event as MessageEvent<Hello>).data);
  self.addEventListener("message", greet, { once: true });
  self.addEventListener("error", (event) => stray(event, event.error ?? new Error(event.message)));
  self.addEventListener("unhandledrejection", (event) => stray(event, event.reason));
}

/** Threads of Node get no messages through the global scope. */
function listenAsThreadOfNode(): void {
  nodeModule("node:worker_threads")!.parentPort!.once("message", greeted);
  const { process } = globalThis as unknown as { process: Pick<typeof Process, "on"> };
  process.on("uncaughtException", (error) => host?.crashed(error));
  process.on("unhandledRejection", (error) => host?.crashed(error));
}

if (typeof self.addEventListener === "function") listenAsWebWorker();
else listenAsThreadOfNode();
