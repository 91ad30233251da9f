/**
 * Writing to stdout and stderr, whose readers may go away, as `tilewise … | head -1` makes them.
 *
 * A command that only prints ends then, as other programs do at a broken pipe. One that writes files continues silently: its
 * files are complete when it ends. Environment variables say which colours a terminal shows.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { system } from "./system.ts";
import type { Colours } from "../../pictures/colours/palette.ts";

/** Exit code of a command whose reader went away: 128 and the number of SIGPIPE. */
const BROKEN_PIPE = 141;

/** The calls that write to a stream; tests replace them. */
interface StreamCalls {
  /** Writes some of `bytes`, from its byte `at` on; the number of bytes written. */
  write(fd: 1 | 2, bytes: Uint8Array, at: number): number;
  /** Ends the process. */
  exit(code: number): never;
}

/** Milliseconds to wait for a slow reader. */
const PAUSE = 1;

/** The two streams of a process. */
export class Streams {
  readonly #gone = new Set<1 | 2>();
  #goesOn = false;

  /** Streams that are written with `calls`. */
  constructor(private readonly calls: StreamCalls) {}

  /** Makes the process continue when a reader goes away. */
  goOn(): void {
    this.#goesOn = true;
  }

  /** Writes all of `text` to stdout; any failure other than a missing reader is an error. */
  out(text: string | Uint8Array): void {
    const error = this.#write(1, text);
    if (error === undefined) return;
    if (isBroken(error)) return this.#goesOn ? undefined : this.calls.exit(BROKEN_PIPE);
    const { code, message } = error;
    const reason = code === "ENOSPC" ? "the disk is full" : message;
    const details = { file: "stdout", found: code ?? "error" };
    throw new TilewiseError("io", `Cannot write to stdout: ${reason}`, details, { cause: error });
  }

  /** Writes all of `text` to stderr, if it has a reader. */
  err(text: string): void {
    this.#write(2, text);
  }

  #write(fd: 1 | 2, text: string | Uint8Array): (Error & { code?: string }) | undefined {
    if (this.#gone.has(fd)) return undefined;
    const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
    for (let at = 0; at < bytes.length;) {
      try {
        at += this.calls.write(fd, bytes, at);
      } catch (error) {
        if ((error as { code?: string }).code === "EAGAIN") pause();
        else {
          this.#gone.add(fd);
          return error as Error;
        }
      }
    }
    return undefined;
  }
}

/** The calls of the operating system. */
export const systemStreams: Omit<StreamCalls, "exit"> = {
  write: (fd, bytes, at) => system.write(fd, bytes.subarray(at)),
};

/** Whether the reader or the terminal has gone. */
function isBroken({ code }: { readonly code?: string }): boolean {
  return ["EPIPE", "EIO", "EBADF", "ECONNRESET"].includes(code ?? "");
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
}

/** Facts about the place where output goes. */
interface Surroundings {
  /** The value of an environment variable; `undefined` where it is not set, or may not be read. */
  readonly env: (name: string) => string | undefined;
  /** Whether output goes to a terminal. */
  readonly isTerminal: boolean;
  /** The operating system, as Deno calls it. */
  readonly system?: string;
}

/**
 * The colours for output: none with `NO_COLOR`; those of `FORCE_COLOR` (0 none, 1 16 colours, 2 256, 3 all, anything
 * else what the terminal has); otherwise what a terminal says of itself, and none elsewhere.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const variables: Record<string, string> = { TERM: "xterm-256color" };
 * const env = (name: string) => variables[name];
 * assertEquals(coloursOf({ env, isTerminal: true }), 256);
 * assertEquals(coloursOf({ env, isTerminal: false }), false);
 * ```
 */
export function coloursOf({ env, isTerminal, system = "" }: Surroundings): Colours {
  if (env("NO_COLOR")) return false;
  const forced = env("FORCE_COLOR");
  if (!forced) return isTerminal && terminalColours(env, system);
  const levels: Readonly<Record<string, Colours>> = { 0: false, false: false, 1: 16, 2: 256, 3: true };
  return levels[forced] ?? (terminalColours(env, system) || 16);
}

function terminalColours(env: Surroundings["env"], system: string): Colours {
  const term = env("TERM") ?? "";
  if (term === "dumb") return false;
  if (/^(truecolor|24bit)$/i.test(env("COLORTERM") ?? "")) return true;
  if (env("WT_SESSION") || /-(direct|truecolor)$/.test(term)) return true;
  if (/-?256(color)?$/.test(term)) return 256;
  return system === "windows" && term === "" ? 256 : false; // its own console knows them and sets no TERM
}
