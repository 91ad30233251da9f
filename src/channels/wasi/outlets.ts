/**
 * The outputs of instances that are handed over while they run.
 *
 * @module
 */

import type { Route } from "../host/route.ts";
import type { ChannelLayout } from "../protocol/channel.ts";
import type { MemoryRange } from "./files/channel_files.ts";
import type { InstanceSettings } from "./options.ts";
import { Ring } from "./output.ts";
import type { Preopen } from "./program.ts";
import { TilewiseError } from "../../errors.ts";

/** Milliseconds between two looks at a ring, should a sign be lost. */
const LOOK = 100;

/** A ring, and who gets what comes out of it. */
interface Outlet {
  readonly ring: Ring;
  readonly take: (bytes: Uint8Array<ArrayBuffer>) => void;
}

/** Outputs of instances. */
export class Outlets {
  readonly #outlets: Outlet[] = [];
  readonly #tasks: WasiTask[];
  #open = true;

  /** Begins to hand over; `failed` is told what a receiver has thrown. */
  constructor(instances: readonly InstanceSettings[], private readonly failed: (error: unknown) => void) {
    this.#tasks = instances.map(({ args, env, stdin, stdout, stderr }) => ({
      args,
      env,
      stdin,
      ...(stdout ? { stdout: this.#add(stdout) } : {}),
      ...(stderr ? { stderr: this.#add(stderr) } : {}),
    }));
  }

  #add(take: Outlet["take"]): SharedArrayBuffer {
    const outlet = { ring: new Ring(), take };
    this.#outlets.push(outlet);
    this.#pump(outlet);
    return outlet.ring.buffer;
  }

  /** What the workers run. */
  *tasks(): Generator<WasiTask> {
    yield* this.#tasks;
  }

  /** Refuses outputs that are handed over: on the thread of the caller nobody could take them. */
  mustBeNone(): void {
    if (this.#outlets.length === 0) return;
    const text =
      "Cannot hand over output while the program runs: it runs on this thread; create the context with workers, " +
      'or leave "stdout" and "stderr" out';
    throw new TilewiseError("unsupported", text, { option: "stdout" });
  }

  async #pump(outlet: Outlet): Promise<void> {
    while (this.#open) {
      await outlet.ring.written(LOOK);
      if (!this.#hand(outlet)) return;
    }
  }

  /** Hands over what is there; whether that went well. */
  #hand({ ring, take }: Outlet): boolean {
    try {
      const bytes = ring.take();
      if (bytes.length > 0) take(bytes);
      return true;
    } catch (error) {
      this.failed(error);
      return false;
    }
  }

  /** Hands over what is left; for when all instances have ended. */
  drained(): void {
    for (const outlet of this.#outlets) this.#hand(outlet);
  }

  /** Stops. */
  close(): void {
    this.#open = false;
  }
}

/** What all instances of a program share. */
export interface WasiShared {
  /** The program, with a limit of its memory. */
  readonly module: WebAssembly.Module;
  /** What it is called in messages, and as its first argument. */
  readonly name: string;
  /** The channels of the host. */
  readonly layout: ChannelLayout;
  /** Who does the I/O. */
  readonly route: Route;
  /** For each worker, a buffer that the host sees. */
  readonly buffers: readonly MemoryRange[];
  /** Directories that it may use. */
  readonly preopens: readonly Preopen[];
  /** Most bytes of each output that are kept. */
  readonly outputLimit: number;
  /** When to stop, in milliseconds since 1970; `Infinity`: never. */
  readonly until: number;
  /** The limit that `until` follows from, in milliseconds, for messages. */
  readonly timeout: number;
}

/** One instance. */
export interface WasiTask {
  /** Its arguments, without its name. */
  readonly args: readonly string[];
  /** Its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Its standard input. */
  readonly stdin: Uint8Array;
  /** Rings for its output, where it is handed over while the instance runs. */
  readonly stdout?: SharedArrayBuffer;
  /** As `stdout`. */
  readonly stderr?: SharedArrayBuffer;
}

/** How an instance ended. */
export interface WasiEnd {
  /** Its exit code. */
  readonly code: number;
  /** What was kept of its standard output. */
  readonly stdout: Uint8Array<ArrayBuffer>;
  /** What was kept of its standard error. */
  readonly stderr: Uint8Array<ArrayBuffer>;
  /** How many calls it has made. */
  readonly calls: number;
}
