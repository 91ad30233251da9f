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
import { type FromProcess, isFromProcess, PROTOCOL } from "./protocol.ts";
import { systemThread, waitedBy } from "../system_thread.ts";
import { deniedError, folderOf, isDenied } from "../../io/source/permission.ts";
import { reasonOf, withoutColours } from "../../reason.ts";

/** Milliseconds a process may take to start. */
const START_LIMIT = 30_000;

/** How to start a process. */
interface ProcessOptions extends RemoteOptions {
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

/** Most letters that are kept. */
const MOST = 2000;

/** Milliseconds to wait for the end of the stream: a child of the process may keep it open. */
const PATIENCE = 200;

/** The end of what a stream brings. */
class LastWords {
  readonly #over: Promise<void>;
  #kept = "";

  /** Reads `stream` to its end. */
  constructor(stream: ReadableStream<Uint8Array>) {
    this.#over = this.#read(stream).catch(() => {}); // the process is gone
  }

  /** The kept text, when the stream has ended. */
  async all(): Promise<string> {
    const { promise, resolve } = withResolvers<void>();
    const timer = setTimeout(resolve, PATIENCE);
    await Promise.race([this.#over, promise]);
    clearTimeout(timer);
    return withoutColours(this.#kept).trim();
  }

  async #read(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const bytes of stream) {
      this.#kept = (this.#kept + decoder.decode(bytes, { stream: true })).slice(-MOST);
      Deno.stderr.writeSync(bytes);
    }
  }
}

/** Milliseconds for which the thread of a process that has waited longest has waited for a processor; 0 where nobody tells. */
export function waitedByProcess(pid: number): number {
  if (systemThread() === undefined) return 0;
  try {
    const threads = [...Deno.readDirSync(`/proc/${pid}/task`)];
    return Math.max(0, ...threads.map(({ name }) => waitedBy(`${pid}/task/${name}`)));
  } catch {
    return 0; // it has ended
  }
}

/** How to start a process. */
interface LaunchOptions {
  /** Its number. */
  readonly index: number;
  /** Its permissions. */
  readonly grants: Grants;
  /** The configuration of its modules; default: that of the main module of this process. */
  readonly configFile?: string;
  /** Most bytes of its heap. */
  readonly heap?: number;
}

/** Starts it; errors: `permission` where this process may not start others, `worker` where it cannot. */
export function launch({ index, grants, configFile, heap }: LaunchOptions): Deno.ChildProcess {
  const args = [
    "run",
    "--quiet",
    "--no-prompt",
    "--cached-only",
    ...configFlags(configFile),
    ...(heap === undefined ? [] : [`--v8-flags=--max-old-space-size=${Math.floor(heap / 2 ** 20)}`]),
    ...grants.flags(),
    import.meta.resolve("./child.ts"),
    String(index),
  ];
  try {
    const command = new Deno.Command(Deno.execPath(), {
      args,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    });
    return command.spawn();
  } catch (error) {
    const problem = "Cannot start a worker process";
    if (isDenied(error)) throw deniedError(problem, error, { option: "executor" });
    throw new TilewiseError("worker", `${problem}: ${reasonOf(error)}`, {}, { cause: error });
  }
}

/** The configuration that this process has found for its main module, so that imports of users resolve in the same way. */
function configFlags(config: string | undefined): string[] {
  if (config !== undefined) return [`--config=${config}`];
  const found = configOf(Deno.mainModule);
  return found === undefined ? ["--no-config"] : [`--config=${found}`];
}

let known: { readonly main: string; readonly found: string | undefined } | undefined;

function configOf(main: string): string | undefined {
  if (known?.main !== main) known = { main, found: look(main) };
  return known.found;
}

function look(main: string): string | undefined {
  for (let folder = new URL("./", main), above; folder.href !== above?.href; folder = new URL("../", above)) {
    above = folder;
    for (const name of ["deno.json", "deno.jsonc"]) {
      const path = folderOf(new URL(name, folder));
      if (path !== undefined && isThere(path)) return path;
    }
  }
  return undefined;
}

function isThere(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false; // or may not be looked at
  }
}
