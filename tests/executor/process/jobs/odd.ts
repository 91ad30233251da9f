/** A job whose tasks say what no worker says, print, or try what they may not do. */

import { writeSync } from "node:fs";
import { serialize } from "node:v8";
import type { JobHandler, WorkerContext } from "../../../../src/executor/task.ts";

/** What one task does. */
export interface Odd {
  readonly do: keyof typeof ACTIONS;
  readonly path?: string;
  readonly bytes?: number;
  readonly message?: unknown;
  /** Leaves a mark there; then it is done only once. */
  readonly once?: string;
}

/** A frame as workers send them, with as many bytes behind it as it says, or more. */
function frame(message: unknown, behind = 0, more = 0): Uint8Array {
  const body = serialize(message);
  const all = new Uint8Array(16 + body.length + behind + more);
  all.set(new TextEncoder().encode("TWF1"));
  const head = new DataView(all.buffer);
  head.setUint32(4, body.length, true);
  head.setBigUint64(8, BigInt(behind), true);
  all.set(body, 16);
  return all;
}

function may(work: () => unknown): string {
  try {
    work();
    return "may";
  } catch (error) {
    return (error as Error).name;
  }
}

const forever = () => new Promise<never>(() => {});

const ACTIONS = {
  answer: () => "fine",
  text: () => {
    writeSync(1, new TextEncoder().encode("Segmentation fault, core dumped\n"));
    return forever();
  },
  frame: ({ message, bytes }: Odd) => {
    writeSync(1, frame(message, bytes));
    return forever();
  },
  "no message": () => {
    const all = frame({});
    all.fill(0xff, 16);
    writeSync(1, all);
    return forever();
  },
  huge: () => {
    const all = frame({});
    new DataView(all.buffer).setUint32(4, 2 ** 32 - 1, true);
    writeSync(1, all);
    return forever();
  },
  print: () => {
    const { process } = globalThis as unknown as { process: { stdout: { write(text: string): void } } };
    const all = console as unknown as Record<string, (...words: unknown[]) => void>;
    for (const name of ["log", "info", "debug", "dir", "dirxml", "count", "group"]) all[name]!(`by ${name}`);
    console.table([{ by: "table" }]);
    console.time("x");
    console.timeLog("x");
    console.timeEnd("x");
    process.stdout.write("by process\n");
    Deno.stdout.writeSync(new TextEncoder().encode("by Deno\n"));
    return "printed";
  },
  read: ({ path }: Odd) => may(() => Deno.readFileSync(path!)),
  write: ({ path }: Odd) => may(() => Deno.writeTextFileSync(path!, "")),
  env: () => may(() => Deno.env.get("HOME")),
  net: () => may(() => Deno.listen({ port: 0, hostname: "127.0.0.1" })),
  run: () => may(() => new Deno.Command("true").outputSync()),
  sys: () => may(() => Deno.hostname()),
  ffi: () => may(() => Deno.dlopen("libm.so.6", {})),
  memory: (_: Odd, { memory }: WorkerContext) => [...new Uint8Array(memory.buffer, 0, 16)],
  add: (_: Odd, { memory }: WorkerContext) => {
    const bytes = new Uint8Array(memory.buffer);
    for (let i = 0; i < 4; i++) bytes[8 + i] = 100 + bytes[i]!;
    bytes.fill(77, 100, 200);
  },
  fill: () => {
    const kept: unknown[] = [];
    for (;;) kept.push(Array.from({ length: 10_000 }, (_, i) => ({ i })));
  },
} satisfies Record<string, (task: Odd, worker: WorkerContext) => unknown>;

/** The export. */
export function odd(_: object, worker: WorkerContext): JobHandler<Odd, unknown> {
  return {
    run(task) {
      const { once } = task;
      if (once !== undefined && may(() => Deno.writeTextFileSync(once, "", { createNew: true })) !== "may") {
        return "fine at last";
      }
      return (ACTIONS[task.do] as (task: Odd, worker: WorkerContext) => unknown)(task, worker);
    },
  };
}
