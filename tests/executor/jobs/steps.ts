/** A job whose tasks say what the handler shall do: count, wait, throw, hang, or take its worker down. */

import { TilewiseError } from "../../../src/errors.ts";
import { endThread } from "../../../src/executor/exits.ts";
import type { JobHandler, WorkerContext } from "../../../src/executor/task.ts";
import { type Cells, cellsIn } from "./cells.ts";

/** Cells of the shared counters; one per task follows from `DEATHS`. */
export const OPENED = 0, CLOSED = 1, RAN = 2, RELEASE = 3, FINISHED = 4, DEATHS = 5;

/** What all tasks share. */
export interface Shared {
  /** The counters: shared memory, or the folder of their files where there is none. */
  readonly cells: SharedArrayBuffer | string;
  readonly fail?: "open" | "close" | "hang in open";
  readonly token?: { readonly name: string };
}

/** What one task does. `times`: only so often, over all attempts at `cell`. */
export interface Step {
  readonly do: keyof typeof ACTIONS;
  readonly value?: number;
  readonly ms?: number;
  readonly times?: number;
  readonly cell?: number;
  /** A file: while it is there, the step does not come back. */
  readonly path?: string;
}

/** What a task answers. */
export interface Answer {
  readonly value: number;
  readonly worker: number;
  readonly handler: number;
  readonly sameShared: boolean;
}

type Act = (step: Step, worker: WorkerContext, cells: Cells) => void | Promise<void>;

const forever = () => new Promise<never>(() => {});
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const ACTIONS = {
  answer: () => {},
  sleep: ({ ms }) => sleep(ms!),
  busy: ({ ms }) => {
    for (const end = performance.now() + ms!; performance.now() < end;);
  },
  advance: async ({ value, ms }, worker) => {
    worker.advance(value!);
    await sleep(ms ?? 0);
  },
  beat: async ({ ms }, worker) => {
    for (const end = performance.now() + ms!; performance.now() < end;) {
      worker.advance(1);
      await sleep(20);
    }
  },
  poll: ({ ms }, worker) => {
    const end = performance.now() + (ms ?? 20_000); // what a thread of its own memory is never told: no thread must outlive the test
    while (!worker.cancelled() && performance.now() < end); // a kernel that asks for every tile
    throw new TilewiseError("aborted", "polled");
  },
  listen: (_, { signal }) => new Promise<void>((_, reject) => signal.addEventListener("abort", reject)),
  // Ignores every wish to stop, until the test lets it go: no thread must outlive the test.
  hang: ({ ms }, _, cells) => {
    const end = performance.now() + (ms ?? 20_000);
    while (cells.load(RELEASE) === 0 && performance.now() < end);
  },
  // Does not come back from a call of the platform, where nothing can end a thread.
  block: ({ path }) => {
    const args = ["-c", 'while [ -e "$0" ]; do sleep 0.02; done', path!];
    new Deno.Command("sh", { args }).outputSync();
  },
  never: forever,
  throw: ({ value }) => {
    throw new RangeError(`step ${value}`);
  },
  "throw typed": () => {
    throw new TilewiseError("truncated", "ends early", { file: "scan.raw", offset: 512 }, {
      cause: new Error("inner"),
    });
  },
  "throw text": () => {
    throw "only text";
  },
  unclonable: () => {},
  end: () => {
    endThread();
    return forever();
  },
  close: () => self.close(),
  exit: () => Deno.exit(),
  "process.exit": () =>
    void (globalThis as unknown as { process: { exit(code: number): never } }).process.exit(0),
  // What the pool and its workers say to each other, and worse, on the way that is open to everybody.
  forge: async ({ ms }) => {
    const { postMessage } = self as unknown as { postMessage?(message: unknown): void };
    const runs = [...Array(20).keys()];
    const forged = ["closed", "done", "failed", "opened", "crashed", "ready"].flatMap((kind) =>
      runs.map((run) => ({ kind, run, index: 0, value: "forged", units: 1, busy: true, error: {} }))
    );
    for (const message of [null, undefined, 7, "text", {}, [], ...forged]) postMessage?.(message);
    await sleep(ms ?? 0);
  },
  "take over": () => {
    const scope = self as unknown as Record<string, unknown>;
    const before = { onmessage: scope.onmessage, postMessage: scope.postMessage };
    Object.assign(scope, { onmessage: () => {}, postMessage: () => {} });
    self.dispatchEvent(new MessageEvent("message", { data: { kind: "close", run: 0 } }));
    self.dispatchEvent(new MessageEvent("message", { data: null }));
    Object.assign(scope, before);
  },
  fill: () => {
    const kept: unknown[] = [];
    for (;;) kept.push(Array.from({ length: 10_000 }, (_, i) => ({ i })));
  },
  "throw nothing": () => {
    throw Object.create(null);
  },
  "throw in a circle": () => {
    const error = new Error("outer");
    error.cause = new Error("inner", { cause: error });
    throw error;
  },
  reject: () => {
    Promise.reject(new Error("nobody listens"));
    return forever();
  },
  uncaught: () => {
    setTimeout(() => {
      throw new Error("out of line");
    }, 0);
    return forever();
  },
} satisfies Record<string, Act>;

let handlers = 0;

/** The export. */
export async function steps(shared: Shared, worker: WorkerContext): Promise<JobHandler<Step, unknown>> {
  const cells = cellsIn(shared.cells);
  if (shared.fail === "open") throw new RangeError("cannot open");
  if (shared.fail === "hang in open") await forever();
  cells.add(OPENED);
  const handler = handlers++;
  let seen: Shared["token"];
  return {
    async run(step) {
      cells.add(RAN);
      const due = step.times === undefined || cells.add(DEATHS + step.cell!) < step.times;
      if (due) await (ACTIONS[step.do] as Act)(step, worker, cells);
      cells.add(FINISHED);
      if (step.do === "unclonable") return () => {};
      seen ??= shared.token;
      return { value: step.value ?? 0, worker: worker.index, handler, sameShared: seen === shared.token };
    },
    close() {
      cells.add(CLOSED);
      if (shared.fail === "close") throw new RangeError("cannot close");
    },
  };
}

/** An export that is not a function. */
export const notAFunction = 7;

/** An export whose result is not a handler. */
export const noHandler = () => ({});
