/**
 * The threads of the platform: web workers, or threads of Node, which Deno has as well. Node has no web workers.
 *
 * Threads of Node can have a limited heap and can be ended in the middle of a loop. Web workers of Deno have neither: one that
 * hangs runs for as long as the process, and one that needs too much memory ends the process. But web workers start faster:
 * they block the calling thread for 10 ms, a thread of Node blocks it for 25 ms. The end of a thread of Node is known from its
 * channel, which is closed with the thread; its locks are released earlier, when a call of the platform may still write to
 * memory. Bun has both kinds: its threads of Node have no heap limit, and its web workers can be ended in a loop and close
 * their channels when they end.
 *
 * @module
 */

import { nodeModule, parseUrl } from "../portable.ts";
import { startBundled, threadCode } from "../threads.ts";
import { TilewiseError } from "../errors.ts";
import { reasonOf } from "../reason.ts";
import type { Hello } from "./protocol.ts";

/** One thread that runs `worker.ts`. */
export interface Thread {
  /** Whether its heap is limited. */
  readonly limited: boolean;
  /** Whether its channel is closed when the thread ends. */
  readonly closes: boolean;
  /** Sends the only message that goes to the thread itself; all others go through its port. */
  greet(hello: Hello): void;
  /** Ends it, as soon as the platform can. */
  terminate(): void;
}

/** Events that the owner of a thread handles. */
interface ThreadEvents {
  /** The thread has failed: its code cannot be loaded, or threw an error that was not caught. */
  failed(cause: Error): void;
  /** Its heap is full: the platform has ended it. */
  full(): void;
  /** The thread has sent a message outside of its channel: code of users did this, not Tilewise. */
  strayed(): void;
}

/** How to start a thread. */
export interface ThreadOptions {
  /** What debuggers call it. */
  readonly name: string;
  /** The module that it runs, if not the usual one. */
  readonly code?: URL;
  /** Most bytes of its heap, where the platform can limit it; with this option it is a thread of Node. */
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

/** The code of threads that {@link useWorker} has named. */
let named: URL | undefined;

/** Starts a web worker that knows all jobs; absent: there is none, or it is not known where. */
let startKnowing: (() => Worker) | undefined = startBundled;

/** Makes `start` the way to start web workers. */
export function registerWorker(start: () => Worker): void {
  startKnowing = start;
}

/**
 * Says where the bundled code of workers is, `@tilewise/tilewise/worker`, for bundlers that do not bundle workers.
 *
 * @param code the address of the bundled module, or its text
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
  named = parseUrl(code) ?? named; // pages may give a path, and have no threads of Node
}

function webThread({ name, code }: ThreadOptions, events: ThreadEvents): Thread {
  const worker = (code ? undefined : knowingWorker()) ?? startWeb(code ?? named ?? threadCode(), name);
  worker.onmessage = () => events.strayed();
  worker.onmessageerror = () => events.strayed();
  worker.onerror = (event) => {
    event.preventDefault();
    events.failed(
      event.message ? new Error(event.message) : notLoaded(String(code ?? named ?? threadCode())),
    );
  };
  return {
    limited: false,
    closes: isBun(),
    greet: (hello) => worker.postMessage(hello, [hello.port]),
    terminate: () => worker.terminate(),
  };
}

/** A worker that knows all jobs, if one was registered. Errors: `unsupported` where the browser refuses its address. */
function knowingWorker(): Worker | undefined {
  try {
    return startKnowing?.();
  } catch (cause) {
    const text =
      `Cannot start a worker: the browser refuses its code (${reasonOf(cause)}). A page starts workers ` +
      "of its own origin only, and those that its Content-Security-Policy allows: serve the bundled worker with the " +
      "page and say where it is, useWorker(), or compute without: createContext({ workers: 0 })";
    throw new TilewiseError("unsupported", text, { option: "workers" }, { cause });
  }
}

/** A page may start workers of its own origin only: code from elsewhere is imported by a worker of the page. */
function startWeb(code: URL, name: string): Worker {
  const here: { readonly origin: string; readonly protocol: string } | undefined = globalThis.location;
  if (!here?.protocol.startsWith("http") || here.origin === code.origin) {
    return new Worker(code, { type: "module", name });
  }
  const importing = new Blob([`import ${JSON.stringify(code.href)};`], { type: "text/javascript" });
  const url = importers.get(code.href) ?? URL.createObjectURL(importing);
  importers.set(code.href, url);
  return new Worker(url, { type: "module", name });
}

/** URLs of modules that import code from elsewhere, by the URL of that code. */
const importers = new Map<string, string>();

/** Browsers say nothing about code that they do not load: a policy forbids it, or it is not there. */
function notLoaded(code: string): TilewiseError {
  const text =
    `Cannot start a worker: the browser does not load its code. Either ${code} is not there (a bundler ` +
    'must bundle it: see useWorker()), or the Content-Security-Policy of the page forbids it (allow "worker-src ' +
    "'self'\"); createContext({ workers: 0 }) computes without workers";
  return new TilewiseError("unsupported", text, { file: code, option: "workers" });
}

/** The module `node:worker_threads`, where there is one. */
function nodeThreads() {
  return nodeModule("node:worker_threads");
}

function hasWebWorkers(): boolean {
  return typeof Worker !== "undefined";
}

function isBun(): boolean {
  const { Deno: deno, process } = globalThis as { Deno?: unknown; process?: { versions?: { bun?: string } } };
  return deno === undefined && process?.versions?.bun !== undefined;
}

function nodeThread(
  { Worker }: NonNullable<ReturnType<typeof nodeThreads>>,
  { name, code, heap }: ThreadOptions,
  events: ThreadEvents,
): Thread {
  const limits = heap === undefined
    ? {}
    : { resourceLimits: { maxOldGenerationSizeMb: Math.floor(heap / 2 ** 20) } };
  const worker = new Worker(localCode(code ?? named ?? threadCode()), { name, ...limits });
  worker.on("message", () => events.strayed());
  worker.on("messageerror", () => events.strayed());
  worker.on("error", (error: Error & { readonly code?: string }) => {
    if (error.code === "ERR_WORKER_OUT_OF_MEMORY") events.full();
    else events.failed(error);
  });
  return {
    limited: heap !== undefined,
    closes: true,
    greet: (hello) => worker.postMessage(hello, [hello.port as never]),
    terminate: () => void worker.terminate().catch(() => {}),
  };
}

/** Threads of Node load code from files only; such a file may import code from anywhere. */
function localCode(code: URL): URL {
  if (code.protocol === "file:") return code;
  return new URL(`data:text/javascript,${encodeURIComponent(`import ${JSON.stringify(code.href)};`)}`);
}
