/**
 * The job that runs programs: one task per instance.
 *
 * @module
 */

import { during } from "../../activity.ts";
import { TilewiseError } from "../../errors.ts";
import type { JobHandler, WorkerContext } from "../../executor/task.ts";
import { filesOfKernel } from "../host/files.ts";
import { fileCalls } from "../host/route.ts";
import type { ByteFiles } from "./common/descriptors.ts";
import { ChannelFiles } from "./files/channel_files.ts";
import { DirectFiles } from "./files/direct_files.ts";
import { lateError, stopped } from "./common/codes.ts";
import { KeptOutput, Ring } from "./output.ts";
import { runProgram } from "./program.ts";
import type { WasiEnd, WasiShared, WasiTask } from "./outlets.ts";

/** Bytes of standard error that the error of a trap has. */
const LAST_WORDS = 2000;

/** Of so many calls one looks at the clock. */
const CLOCK_LOOK = 256;

/** The handler on one worker. */
export function wasiJob(shared: WasiShared, worker: WorkerContext): JobHandler<WasiTask, WasiEnd> {
  const { route, layout, buffers, name } = shared;
  const calls = fileCalls(route, worker.memory, layout, "wait", "chunk");
  const channel = worker.index % layout.channels;
  const activity = { text: `the program ${name}`, details: { program: name } };
  const direct = route === "direct" ? filesOfKernel(worker.memory, layout) : undefined;
  const filesFor = (): ByteFiles =>
    direct
      ? new DirectFiles(direct)
      : new ChannelFiles(calls, channel, worker.memory, buffers[worker.index]!);
  return {
    run(task) {
      const files = filesFor();
      return during(activity, () => runTask(shared, task, worker, files));
    },
    close: () => calls.closeAll(),
  };
}

function runTask(shared: WasiShared, task: WasiTask, worker: WorkerContext, files: ByteFiles): WasiEnd {
  const { module, name, preopens, outputLimit, until, timeout } = shared;
  const { args, env, stdin } = task;
  let calls = 0;
  const look = () => {
    if (worker.cancelled()) throw stopped();
    if (calls % CLOCK_LOOK === 0 && now() > until) throw lateError(name, timeout);
    worker.advance(1);
    calls++;
  };
  const [stdout, stderr] = [new KeptOutput(outputLimit, "stdout"), new KeptOutput(outputLimit, "stderr")];
  try {
    const code = runProgram(module, {
      args: [name, ...args],
      env,
      stdin,
      preopens,
      files,
      look,
      stdout: outlet(task.stdout, stdout, look),
      stderr: outlet(task.stderr, stderr, look),
    });
    return { code, stdout: stdout.bytes(), stderr: stderr.bytes(), calls };
  } catch (error) {
    throw withLastWords(error, stderr.bytes());
  }
}

const now = () => performance.timeOrigin + performance.now();

function outlet(ring: SharedArrayBuffer | undefined, kept: KeptOutput, look: () => void): KeptOutput["put"] {
  if (!ring) return kept.put;
  const out = new Ring(ring);
  return (pieces) => out.put(pieces, look);
}

/** The error of a program has what it wrote to standard error last. */
function withLastWords(error: unknown, stderr: Uint8Array): unknown {
  if (!(error instanceof TilewiseError) || stderr.length === 0) return error;
  const text = new TextDecoder().decode(stderr.slice(-LAST_WORDS));
  const last = text.trimEnd().split("\n").at(-1);
  const { code, message, details, cause, stack } = error;
  const failure = new TilewiseError(
    code,
    `${message}; its last words: ${last}`,
    { ...details, stderr: text },
    { cause },
  );
  if (stack) failure.stack = stack;
  return failure;
}
