/**
 * The main thread's side of one worker process: its start, its messages, its end.
 *
 * A process shares no memory with this one. The bytes that its tasks read are sent behind their messages. The bytes that tasks
 * have written come back behind their results and are read directly into the memory of the run.
 *
 * @module
 */

import type { Activity } from "../../activity.ts";
import { withResolvers } from "../../portable.ts";
import { fromWire, TilewiseError } from "../../errors.ts";
import { VERSION } from "../../version.ts";
import { Copies, nonsense } from "../copies.ts";
import type { Death } from "../failure.ts";
import type { Done, Opening, ToWorker } from "../protocol.ts";
import type { RemoteOptions } from "../pool/remote.ts";
import type { Remote, RemoteEvents } from "../pool/slot.ts";
import type { Job } from "../task.ts";
import { type Frame, FrameReader, FrameWriter } from "./frames.ts";
import { granting, Grants } from "./grants.ts";
import { launch } from "./launch.ts";
import { type FromProcess, isFromProcess, PROTOCOL } from "./protocol.ts";
import { LastWords } from "./last_words.ts";
import { waitedByProcess } from "./waiting.ts";

/** Milliseconds a process may take to start. */
const START_LIMIT = 30_000;

/** How to start a process. */
export interface ProcessOptions extends RemoteOptions {
  /** What it may do. */
  readonly grants: Grants;
  /** Permissions of processes that are started now: a process that has more than these gets no work. */
  readonly allowed: () => Grants;
  /** The configuration of its modules. */
  readonly configFile?: string;
}

/** One worker process. */
export class ProcessWorker implements Remote {
  ready = false;
  readonly gone: Promise<boolean>;
  readonly #child: Deno.ChildProcess;
  readonly #writer: FrameWriter;
  readonly #words: LastWords;
  readonly #copies = new Copies();
  readonly #leave: (gone: boolean) => void;
  /** The job and permissions for which {@link serves} was last true. */
  #served: { readonly job: Job<unknown>; readonly allowed: Grants } | undefined;
  #greeted = false;
  #dead = false;
  #timer: ReturnType<typeof setTimeout>;

  /** Starts a process; throws if this is not permitted. */
  constructor(private readonly options: ProcessOptions, private readonly events: RemoteEvents) {
    const { promise, resolve } = withResolvers<boolean>();
    this.gone = promise;
    this.#leave = resolve;
    this.#child = launch(options);
    this.#writer = new FrameWriter(this.#child.stdin);
    this.#words = new LastWords(this.#child.stderr);
    this.#child.status.then(() => this.#leave(true));
    this.#timer = setTimeout(() => this.stop("no start", new Error("no answer for 30 s")), START_LIMIT);
    this.#listen(new FrameReader(this.#child.stdout));
  }

  /** Signs of life of code that tasks call. */
  get beat(): number {
    return this.#copies.beat;
  }

  /** What it is doing, as far as it is known. */
  get activity(): Activity | undefined {
    return this.#copies.activity;
  }

  get waited(): number {
    return waitedByProcess(this.#child.pid);
  }

  /** Its number in the operating system. */
  get pid(): number {
    return this.#child.pid;
  }

  serves(job: Job<unknown>): boolean {
    const { grants, allowed } = this.options;
    const now = allowed();
    if (this.#served?.job === job && this.#served.allowed === now) return true;
    if (!grants.covers(Grants.of(job)) || !now.covers(grants)) return false;
    this.#served = { job, allowed: now };
    return true;
  }

  post(message: Opening | ToWorker): void {
    if (this.#dead) return;
    const parcel = this.#copies.pack(message);
    this.#writer.send(parcel.message, parcel.views);
    this.#copies.sent(parcel);
  }

  stop(how: Death["how"], cause?: unknown): void {
    this.#die({ how, busy: true, ...(cause === undefined ? {} : { cause }) });
  }

  giveUp(): void {
    clearTimeout(this.#timer);
    this.#leave(true); // it could never write to the memory of this process
  }

  async #listen(frames: FrameReader): Promise<void> {
    try {
      for (let frame; (frame = await frames.next()) && !this.#dead;) await this.#received(frame, frames);
    } catch (error) {
      return this.stop(this.ready ? "nonsense" : "no start", error);
    } finally {
      frames.stop();
    }
    if (!this.#dead) await this.#ended();
  }

  /** Handles the end of its output: the process has ended, or will never send anything again. */
  async #ended(): Promise<void> {
    const { signal, code } = await this.#child.status;
    const words = await this.#words.all();
    const full = /out of memory/i.test(words);
    const how = !this.ready ? "no start" : full ? "out of memory" : signal ? "killed" : "ended";
    const end = signal ? `was ended by ${signal}` : `has ended with exit code ${code}`;
    const said = `its process ${end}${words ? `; it said: ${words}` : ""}`;
    const text = this.ready ? said : `Cannot start a worker: ${said}`;
    this.stop(how, new TilewiseError("worker", text, { exitCode: code, ...(signal ? { signal } : {}) }));
  }

  async #received({ message, bytes }: Frame, frames: FrameReader): Promise<void> {
    if (!isFromProcess(message)) throw nonsense(`what no worker says: ${inShort(message)}`);
    if (!this.#greeted) return this.#greet(message);
    switch (message.kind) {
      case "hello":
        throw nonsense("hello twice");
      case "ready":
        return this.#started();
      case "strayed":
        return this.events.strayed();
      case "beat":
        return this.#copies.alive(message);
      case "died": {
        const { how, busy, cause, activity } = message;
        return this.#die({ how, busy, ...(cause ? { cause: fromWire(cause) } : {}) }, activity);
      }
      case "done":
        return await this.#done(message, bytes, frames);
      case "failed":
        return this.events.message({ ...message, error: granting(message.error) });
      case "closed":
        this.#copies.closed(message.run);
    }
    this.events.message(message);
  }

  #greet(message: FromProcess): void {
    if (message.kind !== "hello") throw nonsense(`"${message.kind}" instead of hello`);
    const { protocol, version } = message;
    if (protocol !== PROTOCOL || version !== VERSION) {
      throw nonsense(
        `that it is Tilewise ${version} with protocol ${protocol}; this is ${VERSION} with ${PROTOCOL}`,
      );
    }
    this.#greeted = true;
  }

  #started(): void {
    if (this.ready) throw nonsense("ready twice");
    clearTimeout(this.#timer);
    this.ready = true;
    this.events.ready();
  }

  /** Writes the bytes of a finished task to the memory of the run, before its end is reported. */
  async #done(message: Done, bytes: number, frames: FrameReader): Promise<void> {
    for (const view of this.#copies.placesOf(message, bytes)) {
      if (!await frames.read(view, () => !this.#dead)) return; // another run may use the memory by now
    }
    this.#copies.done(message);
    this.events.message(message);
  }

  #die(death: Death, activity = this.activity): void {
    if (this.#dead) return;
    this.#dead = true;
    clearTimeout(this.#timer);
    this.#writer.stop();
    try {
      this.#child.kill("SIGKILL");
    } catch {
      // it has ended
    }
    this.#timer = setTimeout(() => this.giveUp(), this.options.stuckTimeout);
    this.gone.then(() => clearTimeout(this.#timer));
    this.events.died(activity ? { ...death, activity } : death);
  }
}

function inShort(message: unknown): string {
  try {
    return (JSON.stringify(message) ?? typeof message).slice(0, 60);
  } catch {
    return typeof message;
  }
}
