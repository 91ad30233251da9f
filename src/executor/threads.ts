/**
 * Threads as the platform has them: web workers, or threads of Node, which Deno has as well. Node has no others.
 *
 * Threads of Node can have a limited heap and can be ended in the middle of a loop, web workers of Deno neither: one of these
 * that hangs goes on for as long as the process, and one that needs too much memory takes the process along. But they start
 * sooner: the calling thread is blocked for 10 ms, for a thread of Node for 25 ms. When a thread of Node is over is
 * seen from its channel, whose other end is closed with it: its locks are released earlier, while a call of the platform
 * may still write to memory. Bun has both: its threads of Node have no limits, and its web workers can be ended in a loop and
 * close their channels when they are over.
 *
 * @module
 */

import type { Hello } from "./protocol.ts";

/** One thread that runs `worker.ts`. */
export interface Thread {
  /** Whether its heap is limited. */
  readonly limited: boolean;
  /** Whether the end of its channel is the end of the thread. */
  readonly closes: boolean;
  /** Sends the only message that goes to the thread itself; all others take its port. */
  greet(hello: Hello): void;
  /** Ends it, as soon as the platform can. */
  terminate(): void;
}

/** What the owner of a thread wants to know. */
export interface ThreadEvents {
  /** It has failed: its code cannot be loaded, or threw where nobody caught it. */
  failed(cause: Error): void;
  /** Its heap is full: the platform has ended it. */
  full(): void;
  /** It has said something on the way that is open to all code that runs on it: nothing of ours. */
  strayed(): void;
}

/** What a thread is to be. */
export interface ThreadOptions {
  /** What debuggers call it. */
  readonly name: string;
  /** The module that it runs, if it is another one than that of all threads. */
  readonly code?: URL;
  /** Most bytes of its heap, where the platform can limit it; it is a thread of Node then. */
  readonly heap?: number;
}

/** Whether there are any threads here. */
export function hasThreads(): boolean {
  return hasWebWorkers() || nodeThreads() !== undefined;
}

/** Starts a thread. */
export function startThread(options: ThreadOptions, events: ThreadEvents): Thread {
  const module = hasWebWorkers() && (options.heap === undefined || isBun()) ? undefined : nodeThreads();
  return module ? nodeThread(module, options, events) : webThread(options, events);
}

/** The code of threads; not written as bundlers look for it, as it knows no jobs. */
let threadCode = new URL(import.meta.resolve("./worker.ts"));

/** Starts a web worker that knows jobs; absent: none has been registered. */
let startKnowing: (() => Worker) | undefined;

/** Web workers are started like this from now on. */
export function registerWorker(start: () => Worker): void {
  startKnowing = start;
}

/**
 * Says where the bundled code of workers is, for bundlers that do not bundle workers by themselves: that of
 * `@tilewise/tilewise/worker`.
 *
 * @example
 * ```ts
 * import { useWorker } from "@tilewise/tilewise/run";
 * useWorker(new URL("worker.js", import.meta.url));
 * ```
 * @category Executors
 */
export function useWorker(code: URL | string): void {
  registerWorker(() => new Worker(code, { type: "module" }));
  threadCode = URL.parse(code) ?? threadCode; // pages may give a path, and have no threads of Node
}

function webThread({ name, code }: ThreadOptions, events: ThreadEvents): Thread {
  const known = code ? undefined : startKnowing?.();
  const worker = known ?? new Worker(code ?? threadCode, { type: "module", name });
  worker.onmessage = () => events.strayed();
  worker.onmessageerror = () => events.strayed();
  worker.onerror = (event) => {
    event.preventDefault();
    events.failed(new Error(event.message));
  };
  return {
    limited: false,
    closes: isBun(),
    greet: (hello) => worker.postMessage(hello, [hello.port]),
    terminate: () => worker.terminate(),
  };
}

/** The part of `node:worker_threads` that is used; page code has none. */
export interface NodeThreads {
  /** Starts a thread. */
  readonly Worker: new (code: URL, options: object) => NodeWorker;
  /** On a thread: how its owner is heard. */
  readonly parentPort: unknown;
}

/** A thread of Node. */
export interface NodeWorker {
  /** Listens to what it says, or to messages that cannot be read. */
  on(event: "message" | "messageerror", heard: (message: never) => void): void;
  /** Listens to its failure. */
  on(event: "error", heard: (error: Error & { readonly code?: string }) => void): void;
  /** Sends it a message. */
  postMessage(message: unknown, transfer?: readonly unknown[]): void;
  /** Ends it. */
  terminate(): Promise<unknown>;
}

/** The part of the global `process` that is used; page code has none. */
interface NodeProcess {
  readonly versions?: { readonly bun?: string };
  getBuiltinModule?(name: string): unknown;
}

function nodeProcess(): NodeProcess | undefined {
  return (globalThis as { process?: NodeProcess }).process;
}

/** The module `node:worker_threads`, where there is one. */
export function nodeThreads(): NodeThreads | undefined {
  return nodeProcess()?.getBuiltinModule?.("node:worker_threads") as NodeThreads | undefined;
}

function hasWebWorkers(): boolean {
  return typeof Worker !== "undefined";
}

function isBun(): boolean {
  return nodeProcess()?.versions?.bun !== undefined;
}

function nodeThread(
  { Worker }: NodeThreads,
  { name, heap }: ThreadOptions,
  events: ThreadEvents,
): Thread {
  const limits = heap === undefined
    ? {}
    : { resourceLimits: { maxOldGenerationSizeMb: Math.floor(heap / 2 ** 20) } };
  const worker = new Worker(localCode(), { name, ...limits });
  worker.on("message", () => events.strayed());
  worker.on("messageerror", () => events.strayed());
  worker.on("error", (error) => {
    if (error.code === "ERR_WORKER_OUT_OF_MEMORY") events.full();
    else events.failed(error);
  });
  return {
    limited: heap !== undefined,
    closes: true,
    greet: (hello) => worker.postMessage(hello, [hello.port]),
    terminate: () => void worker.terminate().catch(() => {}),
  };
}

/** Threads of Node take code from files only, which may import it from anywhere. */
function localCode(): URL {
  if (threadCode.protocol === "file:") return threadCode;
  return new URL(`data:text/javascript,${encodeURIComponent(`import ${JSON.stringify(threadCode.href)};`)}`);
}
