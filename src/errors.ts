/**
 * The errors of Tilewise: one class, a `code` to narrow by, and the fields that say where it happened.
 *
 * @module
 */

import "./portable.ts";
import { readable, reasonOf } from "./reason.ts";

/**
 * What went wrong, as one word to narrow by.
 *
 * - `invalid`: an argument or option that cannot be right for any data.
 * - `not-found`, `not-a-file`, `permission`, `io`: the file system or the server refused.
 * - `truncated`: fewer bytes than promised. `changed`: the source has changed since it was opened.
 * - `malformed`: bytes that contradict the format. `unsupported`: valid, but Tilewise cannot read or do it.
 * - `unknown-format`: no format claims the source.
 * - `over-budget`: a plan or run needs more memory than it may use. `lease`: a buffer used after its return.
 * - `overflow`: a size product beyond what can be addressed.
 * - `udf`: a user-defined function failed. `worker`: a worker died too often. `timeout`: no sign of life.
 * - `conflict`: the name is taken by different content.
 * - `aborted`: cancelled by the caller. `corrupt`: an internal check failed (a defect of Tilewise).
 * @category Errors
 */
export type ErrorCode =
  | "invalid"
  | "not-found"
  | "not-a-file"
  | "permission"
  | "io"
  | "truncated"
  | "changed"
  | "malformed"
  | "unsupported"
  | "unknown-format"
  | "over-budget"
  | "lease"
  | "overflow"
  | "udf"
  | "worker"
  | "timeout"
  | "conflict"
  | "aborted"
  | "corrupt";

/**
 * Where an error happened and what was compared; every field is optional, and is kept when an error
 * comes from a worker. Fields that errors of one code alone have are in {@link ErrorFields}.
 * @category Errors
 */
export interface ErrorDetails {
  /** The file, URL or other source. */
  readonly file?: string;
  /** The byte offset in `file`. */
  readonly offset?: number;
  /** What would have been right. */
  readonly expected?: string | number;
  /** What was there. */
  readonly found?: string | number;
  /** The partition that was being computed. */
  readonly partition?: number;
  /** The option that is wrong, or that would help. */
  readonly option?: string;
  /** The UDF that was being planned or computed. */
  readonly udf?: string;
  /** The kernel that was planned or called. */
  readonly kernel?: string;
  /** The WASI program. */
  readonly program?: string;
  /** The operation over views. */
  readonly operation?: string;
  /** The text of the expression. */
  readonly expression?: string;
  /** The array of a cube, an observation or a prediction. */
  readonly array?: string;
  /** The provider of a cube. */
  readonly provider?: string;
  /** The providers that disagree. */
  readonly providers?: readonly string[];
  /** The Jones term. */
  readonly term?: string;
  /** The parameter of an analysis or a filter. */
  readonly parameter?: string;
  /** The module. */
  readonly module?: string;
  /** Its export. */
  readonly export?: string;
  /** The package that is missing. */
  readonly package?: string;
  /** The pack of kernels. */
  readonly pack?: string;
  /** The source of an array. */
  readonly source?: string | number;
  /** The result of a UDF. */
  readonly result?: string;
  /** The field of a manifest. */
  readonly field?: string;
  /** The key of a text. */
  readonly key?: string;
  /** The path in a value, or of a file. */
  readonly path?: string;
  /** The folder that holds the files of a host. */
  readonly root?: string;
  /** The engine of a cluster. */
  readonly engine?: string;
  /** The node of the merge tree. */
  readonly node?: string;
  /** The run. */
  readonly run?: string;
  /** The worker, by its number. */
  readonly worker?: number;
  /** How often it was tried. */
  readonly attempts?: number;
  /** Frames that the file has to their ends. */
  readonly completeFrames?: number;
  /** The part that failed. */
  readonly part?: string;
  /** All parts that failed. */
  readonly parts?: readonly string[];
  /** The tile that was being computed. */
  readonly tile?: unknown;
  /** The block. */
  readonly block?: number | string;
  /** The task of a job. */
  readonly task?: number;
  /** The work group. */
  readonly group?: number;
  /** The member of the work group. */
  readonly member?: number;
  /** The view, by the index of its tile. */
  readonly view?: string;
  /** The level of the pyramid. */
  readonly level?: number;
  /** The frame. */
  readonly frame?: number;
  /** The image of the file. */
  readonly image?: number;
  /** The index of a sample, a row, a component. */
  readonly index?: number | readonly number[];
  /** The entry of a list. */
  readonly entry?: number;
  /** The dimension. */
  readonly dimension?: number;
  /** The row of a table. */
  readonly row?: number;
  /** The rows. */
  readonly rows?: readonly number[];
  /** The line of a text, from 1. */
  readonly line?: number;
  /** The column of a text, from 1, or of a table. */
  readonly column?: number | string;
  /** The byte of compressed data. */
  readonly place?: number;
  /** Bytes that there are. */
  readonly bytes?: number;
  /** What had been written. */
  readonly written?: number;
  /** Runs that wait for memory. */
  readonly waiting?: number;
  /** Partitions that had been merged. */
  readonly merged?: number;
  /** What is missing. */
  readonly missing?: readonly string[] | number;
  /** How far two things differ. */
  readonly mismatch?: number;
  /** What an image does not have. */
  readonly lacks?: string;
  /** What differs. */
  readonly what?: string;
  /** What it was before. */
  readonly was?: unknown;
  /** What it is now. */
  readonly is?: unknown;
  /** Files that had been replaced. */
  readonly replaced?: string;
  /** What the other side said. */
  readonly reason?: string;
  /** The status of a call on a channel. */
  readonly status?: string;
  /** The error number of the operating system. */
  readonly errno?: string | number;
  /** The trap of WebAssembly. */
  readonly trap?: string;
  /** What the program wrote to its standard error. */
  readonly stderr?: string;
}

/**
 * What errors of some codes say beside {@link ErrorDetails}.
 * @category Errors
 */
export interface ErrorFields {
  /** What had been done before the end. */
  readonly aborted: {
    /** Partitions whose results are in the last partial results. */
    readonly merged?: number;
    /** Partitions of the run. */
    readonly partitions?: number;
  };
  /** Which buffer it was. */
  readonly lease: {
    /** Counts the buffers of an arena. */
    readonly generation?: number;
  };
  /** What a folder has. */
  readonly "not-a-file": {
    /** The stores in the folder. */
    readonly stores?: readonly string[];
  };
  /** What was looked for. */
  readonly "not-found": {
    /** Names of all that is missing. */
    readonly missing?: readonly string[];
  };
  /** How much there is. */
  readonly truncated: {
    /** Bytes of a frame. */
    readonly frameBytes?: number;
    /** Bytes behind the last frame. */
    readonly remainder?: number;
  };
  /** What failed in the function. */
  readonly udf: {
    /** The member of the UDF, such as `processFrame`. */
    readonly method?: string;
    /** What `checkKernel` and `checkViewKernel` have drawn. */
    readonly drawn?: Readonly<Record<string, unknown>>;
  };
  /** Why each format is not that of the source. */
  readonly "unknown-format": {
    /** A reason by the name of a format. */
    readonly reasons?: Readonly<Record<string, string>>;
  };
  /** How the worker ended. */
  readonly worker: {
    /** The exit code of its process. */
    readonly exitCode?: number;
    /** The signal that ended its process. */
    readonly signal?: string;
  };
}

/**
 * An error of Tilewise. The message says what was asked, what was found and what would work.
 *
 * @example Narrow by code
 * ```ts
 * import { isTilewiseError, TilewiseError } from "@tilewise/tilewise";
 * import { assert } from "@std/assert";
 * const error = new TilewiseError("truncated", "Cannot read scan.raw: it ends early", { file: "scan.raw", offset: 512 });
 * assert(isTilewiseError(error, "truncated") && error.details.offset === 512);
 * ```
 * @category Errors
 */
export class TilewiseError<Code extends ErrorCode = ErrorCode> extends Error {
  /** Always `"TilewiseError"`. */
  override readonly name = "TilewiseError";

  /** An error with the `code` to narrow by, a sentence, and where it happened. */
  constructor(
    /** What went wrong, as one word. */
    readonly code: Code,
    message: string,
    /** Where it happened, and what the code has to say. */
    readonly details: ErrorDetails & (Code extends keyof ErrorFields ? ErrorFields[Code] : unknown) =
      {} as never,
    options?: ErrorOptions,
  ) {
    super(readable(message), options);
  }

  /** The error as plain data: `{ code, message, …details }`. */
  toJSON(): Record<string, unknown> {
    return { code: this.code, message: this.message, ...this.details as object };
  }
}

/**
 * The error of a task that cannot be done with a file, which its details name.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const { message, details } = cannot("read", "scan.mib", "truncated", "it is empty", { found: 0 });
 * assertEquals(message, "Cannot read scan.mib: it is empty");
 * assertEquals(details, { file: "scan.mib", found: 0 });
 * ```
 */
export function cannot<Code extends ErrorCode>(
  task: string,
  file: string,
  code: Code,
  problem: string,
  details?: TilewiseError<Code>["details"],
  options?: ErrorOptions,
): TilewiseError<Code> {
  return new TilewiseError(code, `Cannot ${task} ${file}: ${problem}`, { file, ...details! }, options);
}

/**
 * Whether `error` is a {@link TilewiseError}, of the given code if one is named, which says what fields its
 * details have.
 *
 * @param error what was thrown
 * @param code the code that it should have; any, if absent
 * @returns whether it is one
 *
 * @example
 * ```ts
 * import { isTilewiseError, open } from "@tilewise/tilewise";
 * import { assert, assertEquals } from "@std/assert";
 * assert(!isTilewiseError(new Error("other")));
 * const error = await open(new Uint8Array(7), { format: "raw", dtype: "uint8", sig: [2, 2], nav: [3] }).catch((error) => error);
 * assert(isTilewiseError(error, "truncated"));
 * assertEquals(error.details.completeFrames, 1); // a number, as the compiler knows
 * ```
 * @category Errors
 */
export function isTilewiseError<Code extends ErrorCode = ErrorCode>(
  error: unknown,
  code?: Code,
): error is TilewiseError<Code> {
  return error instanceof TilewiseError && (code === undefined || error.code === code);
}

/**
 * An error as plain data that `postMessage` can carry without losing class, code, details or cause.
 * @category Errors
 */
export interface WireError {
  /** The class name of the original. */
  readonly name: string;
  /** Its message. */
  readonly message: string;
  /** Its stack, as text. */
  readonly stack?: string;
  /** Set when it was a {@link TilewiseError}. */
  readonly code?: ErrorCode;
  /** Its details, when it was a {@link TilewiseError}. */
  readonly details?: ErrorDetails;
  /** Its cause. */
  readonly cause?: WireError;
}

/** Most causes sent with an error: longer chains come from code that chains errors endlessly or in a circle. */
const MOST_CAUSES = 16;

/**
 * Turns any thrown value into plain data; the inverse is {@link fromWire}. A cause that is already in its own chain of
 * errors is left out, and details that cannot be sent become text.
 * @category Errors
 */
export function toWire(error: unknown): WireError {
  return wireOf(error, []);
}

function wireOf(error: unknown, above: readonly unknown[]): WireError {
  if (!(error instanceof Error)) return { name: "Error", message: reasonOf(error) };
  const { cause, stack } = error;
  const chain = [...above, error];
  const follows = cause !== undefined && chain.length < MOST_CAUSES && !chain.includes(cause);
  return {
    name: String(error.name),
    message: reasonOf(error),
    ...(stack === undefined ? {} : { stack: String(stack) }),
    ...(error instanceof TilewiseError ? { code: error.code, details: travelling(error.details) } : {}),
    ...(follows ? { cause: wireOf(cause, chain) } : {}),
  };
}

/** Details as they can be sent to another thread. */
function travelling(details: ErrorDetails): ErrorDetails {
  try {
    return structuredClone(details);
  } catch {
    const entries = Object.entries(details).map(([name, value]) => [name, cloned(value)] as const);
    return Object.fromEntries(entries);
  }
}

function cloned(value: unknown): unknown {
  try {
    return structuredClone(value);
  } catch {
    return reasonOf(value);
  }
}

/**
 * The error that {@link toWire} described; the stack is that of the place where it was thrown.
 * @category Errors
 */
export function fromWire(wire: WireError): Error {
  const options = wire.cause ? { cause: fromWire(wire.cause) } : undefined;
  const error: Error = wire.code
    ? new TilewiseError(wire.code, wire.message, wire.details, options)
    : new Error(wire.message, options);
  if (!wire.code) error.name = wire.name;
  if (wire.stack) error.stack = wire.stack;
  return error;
}

/**
 * Throws the `aborted` error if `signal` has been aborted; the reason of the signal becomes its cause.
 * @category Errors
 */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortedError(signal);
}

/**
 * The `aborted` error for a signal that fired.
 * @category Errors
 */
export function abortedError(signal: AbortSignal, details: ErrorDetails = {}): TilewiseError {
  return new TilewiseError("aborted", "Cancelled by the caller", details, { cause: signal.reason });
}
