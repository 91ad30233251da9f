/**
 * What travels to the workers that run programs, and back: plain data.
 *
 * @module
 */

import type { Route } from "../host/route.ts";
import type { ChannelLayout } from "../protocol/channel.ts";
import type { Stretch } from "./files/channel_files.ts";
import type { Preopen } from "./program.ts";

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
  readonly buffers: readonly Stretch[];
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
