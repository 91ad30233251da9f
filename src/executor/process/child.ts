/**
 * The module that a worker process runs: a thread computes, this one listens.
 *
 * This thread never waits for the other one. When the process that has started this one ends, the standard input of this process
 * ends; this thread notices it and ends the process immediately, in the middle of any work.
 *
 * @module
 */

import { VERSION } from "../../version.ts";
import type { OpenCopy, ToCopy } from "../copies.ts";
import { FrameReader, FrameWriter } from "./frames.ts";
import { type FromProcess, PROTOCOL } from "./protocol.ts";
import { TilewiseError, toWire } from "../../errors.ts";
import { reasonOf } from "../../reason.ts";
import { Control } from "../control.ts";
import { type CopiedRun, CopiedRuns } from "../copied_runs.ts";
import type { Death } from "../failure.ts";
import type { Done, End, Failed, RunMessage, Task } from "../protocol.ts";
import { RemoteWorker } from "../pool/remote.ts";
import { ownViews, viewsOf } from "../memory_rows.ts";

// Passes messages between the pipe and the thread of a worker process, together with the bytes that follow them.
//
// To the thread this is its pool: both share a memory, a control block and a board, as in a pool of threads. The memory is as
// large as that of the run, with the same addresses; the operating system backs only the pages that are touched.

/** Milliseconds between two checks of the thread. */
const LOOK = 10;

/** The thread of a process, and the runs that it knows. */
class Relay {
  readonly #thread: RemoteWorker;
  readonly #runs = new CopiedRuns();
  #beats = "";
  /** A task that writes to the same bytes as others: they must be sent before the next task begins. `#waiting`: those that wait. */
  #writing: Task | undefined;
  readonly #waiting: (Task | End)[] = [];

  /** Starts the thread; its messages go to `out`. */
  constructor(index: number, private readonly out: FrameWriter) {
    const code = new URL(import.meta.resolve("./thread.ts"));
    this.#thread = new RemoteWorker({ index, name: `tilewise ${index}`, stuckTimeout: 1000, code }, {
      ready: () => this.#send({ kind: "ready" }),
      message: (message) => this.#answer(message),
      strayed: () => this.#send({ kind: "strayed" }),
      died: (death) => this.#died(death),
    });
    setInterval(() => this.#look(), LOOK);
  }

  /** Takes a message, and the bytes behind it. */
  async receive(message: ToCopy, frames: FrameReader): Promise<void> {
    if (message.kind === "open") return await this.#open(message, frames);
    const run = this.#runs.get(message.run);
    if (!run) return; // it could not be opened
    if (message.kind === "cancel") {
      run.control.stop();
      return this.#thread.post(message);
    }
    if (message.kind !== "task") return this.#pass(message);
    const { reads, writes, ...task } = message;
    await readAll(frames, viewsOf(run.memory, reads));
    run.writes.set(task.index, writes);
    this.#pass(task);
  }

  #pass(message: Task | End): void {
    if (this.#writing) return void this.#waiting.push(message);
    this.#thread.post(message);
    if (message.kind !== "task") return;
    const writes = this.#runs.get(message.run)?.writes.get(message.index);
    if (writes?.some(({ from }) => from !== undefined)) this.#writing = message;
  }

  /** The bytes that a task has written have been sent: the next task may write. */
  async #release({ run, index }: Done | Failed): Promise<void> {
    if (this.#writing?.run !== run || this.#writing.index !== index) return;
    await this.out.written;
    this.#writing = undefined;
    for (const message of this.#waiting.splice(0)) this.#pass(message);
  }

  async #open(message: OpenCopy, frames: FrameReader): Promise<void> {
    const { run, job, reads } = message;
    try {
      const { memory, control } = this.#runs.open(message, new Control());
      await readAll(frames, viewsOf(memory, reads));
      this.#thread.post({ kind: "open", run, job, memory, control: control.buffer });
    } catch (error) {
      this.#send({ kind: "failed", run, error: toWire(error) });
    }
  }

  #answer(message: RunMessage): void {
    const run = this.#runs.get(message.run);
    if (message.kind === "closed") this.#runs.close(message.run);
    if (message.kind === "done" && run) this.#done(message, run);
    else this.#send(message);
    if (message.kind === "done" || message.kind === "failed") this.#release(message);
  }

  #done(message: Done, { memory }: CopiedRun): void {
    const writes = this.#runs.takeWrites(message.run, message.index);
    try {
      this.out.send(message, ownViews(memory, writes));
    } catch (error) {
      const text = `Cannot send the result of task ${message.index} to another process: ${reasonOf(error)}`;
      const failure = new TilewiseError("udf", text, {}, { cause: error });
      this.#send({ kind: "failed", run: message.run, index: message.index, error: toWire(failure) });
    }
  }

  /** Sends signs of life, if there are new ones. */
  #look(): void {
    if (this.#runs.count === 0) return;
    const beat = this.#runs.beat({ beat: this.#thread.beat, current: this.#thread.activity });
    const text = JSON.stringify(beat);
    if (text === this.#beats) return;
    this.#beats = text;
    this.#send(beat);
  }

  #send(message: FromProcess): void {
    this.out.send(message);
  }

  /** The process ends with its thread. */
  #died({ how, busy, cause, activity }: Death): void {
    this.#send({
      kind: "died",
      how,
      busy,
      ...(cause === undefined ? {} : { cause: toWire(cause) }),
      ...(activity ? { activity } : {}),
    });
    this.out.written.then(() => Deno.exit(1));
  }
}

async function readAll(frames: FrameReader, views: readonly Uint8Array[]): Promise<void> {
  for (const view of views) await frames.read(view, () => true);
}

// A terminal sends Ctrl-C to all of its processes: the parent process decides what ends.
Deno.addSignalListener("SIGINT", () => {});

const frames = new FrameReader(Deno.stdin.readable);
const out = new FrameWriter(Deno.stdout.writable);
out.send({ kind: "hello", protocol: PROTOCOL, version: VERSION });
const relay = new Relay(Number(Deno.args[0]), out);
try {
  for (let frame; (frame = await frames.next());) await relay.receive(frame.message as ToCopy, frames);
} finally {
  Deno.exit();
}
