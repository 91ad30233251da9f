/** UDFs that do not come back, or end the program, in one of their functions. */

import type { DType } from "../../../src/space/dtype.ts";
import type { Udf } from "../../../src/udf/interface/udf.ts";

interface Options {
  /** The function that misbehaves. */
  readonly at: keyof Udf | "factory";
  /** What it does. */
  readonly how?: "loop" | "wait" | "exit" | "process exit" | "timer exit" | "reject" | "timer" | "circle";
  /** Written before it does. */
  readonly marker?: string;
}

/** A UDF that misbehaves at `at`. */
export default function stuck({ at, how = "loop", marker }: Options): Udf<Record<"x" | "sum", DType>> {
  const bad = () => {
    if (marker) Deno.writeTextFileSync(marker, at);
    misbehave(how);
  };
  if (at === "factory") bad();
  const good: Udf<Record<"x" | "sum", DType>> = {
    name: "stuck",
    buffers: { x: { kind: "nav" }, sum: { kind: "single" } },
    processFrame: (_, { x, sum }) => {
      x[0] = 1;
      sum[0] = Number(sum[0]) + 1;
    },
    merge: (into, from) => {
      into.sum[0] = Number(into.sum[0]) + Number(from.sum[0]);
    },
  };
  if (at === "factory") return good;
  const own = good[at] as ((...words: unknown[]) => unknown) | undefined;
  const misbehaving = (...words: unknown[]) => {
    if (at !== "preprocess" || (words[1] as { side: string }).side === "main") bad();
    return own?.(...words) ?? {};
  };
  return { ...good, [at]: misbehaving };
}

function misbehave(how: NonNullable<Options["how"]>): void {
  const { process } = globalThis as unknown as { process: { exit(code?: number): void } };
  if (how === "loop") { for (;;); }
  if (how === "wait") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); // takes no time of the processor
  if (how === "exit") Deno.exit();
  if (how === "process exit") process.exit(0);
  if (how === "timer exit") soon(() => Deno.exit());
  if (how === "timer") {
    soon(() => {
      throw new Error("out of line");
    });
  }
  if (how === "reject") Promise.reject(new Error("nobody listens"));
  if (how === "circle") {
    const error = new Error("outer");
    error.cause = new Error("inner", { cause: error });
    throw error;
  }
}

/** Sets a timer, and computes for so long that others are given a turn before the run ends. */
function soon(act: () => void): void {
  setTimeout(act, 0);
  const start = performance.now();
  while (performance.now() - start < 30);
}
