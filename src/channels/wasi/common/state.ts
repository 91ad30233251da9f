/**
 * What the calls of one program share.
 *
 * @module
 */

import type { ByteFiles } from "./byte_files.ts";
import type { Descriptors } from "./descriptors.ts";
import type { GuestMemory } from "./guest_memory.ts";
import type { WasiName } from "./names.ts";
import type { SetTimes } from "./set_times.ts";

/** A program, as its calls see it. */
export interface ProgramState {
  /** Its memory. */
  readonly memory: GuestMemory;
  /** The files of the host. */
  readonly files: ByteFiles;
  /** The times that it has set. */
  readonly times: SetTimes;
  /** What it has open. */
  readonly descriptors: Descriptors;
  /** Its arguments, the name of the program first, as bytes that end with 0. */
  readonly args: readonly Uint8Array[];
  /** Its environment, `NAME=value`, as bytes that end with 0. */
  readonly env: readonly Uint8Array[];
  /** Throws if the program was told to stop; also the sign of life. */
  look(): void;
}

/** A function that programs import: it returns an error number, 0 for success. */
export type WasiCall = (...args: never[]) => number;

/** Functions by the names of the WASI document. */
export type WasiCalls<N extends WasiName> = Readonly<Record<N, WasiCall>>;
