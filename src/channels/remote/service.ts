/**
 * The service of users' functions: what a runner loads to answer remote calls.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { usersCodeComes } from "../../executor/exits.ts";
import { registerJobs } from "../../executor/handler.ts";
import { wholeUrl } from "../../executor/module_url.ts";
import { inWords, type OptionNames, type OptionRule } from "../../options.ts";
import { inner, needed, text } from "../../options/rules.ts";
import { reasonOf } from "../../reason.ts";
import type { Answer, Awaitable, Call, Functions } from "../protocol/runner.ts";
import { STATUS } from "../protocol/status.ts";
import {
  checkOf,
  functionsOf,
  REMOTE,
  type RemoteFunction,
  type RemoteFunctions,
  type Signature,
  signaturesOf,
  SLOT,
} from "./function.ts";
import { bytesOfValue, halves, isOf, type RemoteValue, unpack } from "./values.ts";

// The answering end of remote calls: functions of users as answers to calls on channels.
//
// A number is the answer itself, also below zero; 64 bits stand in the first two numbers of the call; bytes stand in the buffer of
// the channel, or wait to be fetched piece by piece, and the answer is their number.

/** Most bytes of the arguments of one call, and of its result. */
const MOST_PIECES = 2 ** 26;

interface Incoming {
  readonly bytes: Uint8Array;
  filled: number;
}

/** What waits, per channel: at most the arguments and the result of its latest call. */
export class Transfers {
  readonly #incoming = new Map<number, Incoming>();
  readonly #outgoing = new Map<number, Uint8Array>();

  /** Takes a piece from the buffer: numbers of the call are all bytes, the place of the piece, and its length. */
  push(call: Call): number {
    const [total, at, length] = [call.arg(0), call.arg(1), call.arg(2)];
    if (!(Number.isSafeInteger(total) && total >= 0)) return -STATUS.invalid;
    if (total > MOST_PIECES) return -STATUS["too-big"];
    if (at === 0) this.#begin(call.channel, total);
    const incoming = this.#incoming.get(call.channel);
    const fits = incoming && incoming.bytes.length === total && at === incoming.filled &&
      length >= 0 && length <= Math.min(call.bufferBytes, total - at);
    if (!fits) return -STATUS.invalid;
    incoming.bytes.set(new Uint8Array(call.channels.memory.buffer, call.buffer, length), at);
    incoming.filled += length;
    call.moved(length);
    return 0;
  }

  #begin(channel: number, total: number): void {
    this.#outgoing.delete(channel);
    this.#incoming.set(channel, { bytes: new Uint8Array(total), filled: 0 });
  }

  /** The arguments that have come; they do not wait any more. */
  take(channel: number): Uint8Array {
    const incoming = this.#incoming.get(channel);
    this.#incoming.delete(channel);
    this.#outgoing.delete(channel);
    return incoming?.bytes.subarray(0, incoming.filled) ?? new Uint8Array(0);
  }

  /** Keeps a result: its number of bytes, or a negative status. */
  keep(channel: number, bytes: Uint8Array): number {
    if (bytes.length > MOST_PIECES) return -STATUS["too-big"];
    this.#outgoing.set(channel, bytes);
    return bytes.length;
  }

  /** Copies the piece of the result from byte `arg(0)` on to the buffer: its length. After the last one nothing waits. */
  pull(call: Call): number {
    const bytes = this.#outgoing.get(call.channel), at = call.arg(0);
    if (!bytes || !(at >= 0 && at <= bytes.length)) return -STATUS.invalid;
    const piece = bytes.subarray(at, at + call.bufferBytes);
    new Uint8Array(call.channels.memory.buffer, call.buffer, piece.length).set(piece);
    call.moved(piece.length);
    if (at + piece.length === bytes.length) this.#outgoing.delete(call.channel);
    return piece.length;
  }
}

/** Where the bytes of the arguments of a call come from, and where those of its result go. */
interface Bytes {
  /** How many there are at most. */
  readonly most: number;
  /** A copy of some. */
  read(at: number, length: number): Uint8Array;
  /** Takes those of the result: their number, or a negative status. */
  write(bytes: Uint8Array): number;
}

/** A function with what is computed once for it. */
interface Served {
  readonly signature: Signature;
  readonly check: number;
  readonly remote: RemoteFunction;
}

/** The answers of a runner for the functions of a user. Errors: `udf`. */
export function remoteAnswers(functions: RemoteFunctions): Functions {
  const signatures = signaturesOf(functions), transfers = new Transfers();
  const served = new Map<number, Served>();
  for (const signature of signatures) {
    served.set(signature.fn, {
      signature,
      check: checkOf(signature),
      remote: functions[signature.name] as RemoteFunction,
    });
  }
  const text = new TextEncoder().encode(JSON.stringify(signatures));
  const rows: [number, Answer][] = [...served].map((
    [fn, one],
  ) => [fn, (call) => run(call, one, inBuffer(call))]);
  return new Map<number, Answer>([
    ...rows,
    [REMOTE.describe, (call) => describe(call, text)],
    [REMOTE.push, (call) => transfers.push(call)],
    [REMOTE.pull, (call) => transfers.pull(call)],
    [REMOTE.streamed, (call) => {
      const one = served.get(call.arg(SLOT.fn));
      return one ? run(call, one, inPieces(call, transfers)) : -STATUS["no-function"];
    }],
  ]);
}

function run(call: Call, { signature, check, remote }: Served, bytes: Bytes): Awaitable<number> {
  if (call.arg(SLOT.check) !== check) return -STATUS["no-function"];
  const values = unpack(signature.args, (i) => call.arg(i), bytes.read, bytes.most);
  if (!values) return -STATUS.invalid;
  const result = (remote.run as (...args: RemoteValue[]) => unknown)(...values);
  const isLate = typeof result === "object" && result !== null && "then" in result;
  if (!isLate) return answer(call, signature, result, bytes);
  return Promise.resolve(result).then((value) => answer(call, signature, value, bytes));
}

function answer(call: Call, { name, result }: Signature, value: unknown, bytes: Bytes): number {
  if (!isOf(result, value)) {
    const text = `the function "${name}" returned ${inWords(value)}, not ${result}`;
    throw new TilewiseError("udf", text, { found: inWords(value), expected: result });
  }
  if (result === "void") return 0;
  if (result === "f64") return call.value(value as number);
  if (result === "i64") {
    const [high, low] = halves(value as bigint);
    call.channels.setArgument(call.channel, 0, high);
    call.channels.setArgument(call.channel, 1, low);
    return 0;
  }
  return bytes.write(bytesOfValue(value as string | Uint8Array));
}

/** Bytes in the buffer of the channel. */
function inBuffer(call: Call): Bytes {
  const buffer = new Uint8Array(call.channels.memory.buffer, call.buffer, call.bufferBytes);
  return {
    most: buffer.length,
    read: (at, length) => new Uint8Array(buffer.subarray(at, at + length)),
    write: (bytes) => {
      if (bytes.length > buffer.length) return -STATUS["too-big"];
      buffer.set(bytes);
      call.moved(bytes.length);
      return bytes.length;
    },
  };
}

/** Bytes that have come, and will be fetched, in transfers. */
function inPieces({ channel }: Call, transfers: Transfers): Bytes {
  const given = transfers.take(channel);
  return {
    most: given.length,
    read: (at, length) => given.slice(at, at + length),
    write: (bytes) => transfers.keep(channel, bytes),
  };
}

/** Piece `arg(0)` of the table of functions, in the name area; the bytes of the whole text. */
function describe(call: Call, text: Uint8Array): number {
  const at = call.arg(0);
  call.channels.setMessage(call.channel, text.subarray(at));
  return text.length;
}

/**
 * Where functions of users are: plain data that travels to the runners.
 * @category Channels
 */
export interface FunctionsSpec {
  /** URL of the module, as `import.meta.url` or `import.meta.resolve` gives it. */
  readonly module: string;
  /** The export: a record of functions, or what returns one (also as a promise) when it gets `shared`. */
  readonly export: string;
  /** Data for that function; it must be structured-cloneable. */
  readonly shared?: unknown;
}

// deno-fmt-ignore: written by `deno task build`
const FUNCTIONS_NAMES: OptionNames<FunctionsSpec> = {
  module: needed(text), export: needed(text), shared: true,
};

/** The rule for the option `functions`. */
export const functionsRule: OptionRule<FunctionsSpec> = inner(FUNCTIONS_NAMES);

const NAME = "tilewise:channel-functions";

registerJobs({ [NAME]: () => Promise.resolve({ functionsService }) });

/** Where runners find the service for the functions of `spec`. */
export function functionsSource(spec: FunctionsSpec): {
  readonly name: string;
  readonly module: string;
  readonly export: string;
  readonly shared: FunctionsSpec;
} {
  return {
    name: NAME,
    module: import.meta.resolve("./service.ts"),
    export: "functionsService",
    shared: { ...spec, module: wholeUrl(spec.module, "use the functions") },
  };
}

/** The functions of a user on this thread. Errors: `udf`. */
export async function functionsService(spec: FunctionsSpec): Promise<{ readonly functions: Functions }> {
  const what = `the functions "${spec.export}" of ${spec.module}`;
  const exported = await exportOf(spec, what);
  try {
    return { functions: remoteAnswers(await functionsOf(exported, spec.shared, what)) };
  } catch (error) {
    if (error instanceof TilewiseError) throw error;
    const message = `Cannot serve ${what}: ${reasonOf(error)}`;
    throw new TilewiseError("udf", message, { file: spec.module }, { cause: error });
  }
}

async function exportOf({ module: url, export: name }: FunctionsSpec, what: string): Promise<unknown> {
  usersCodeComes();
  let module: object;
  try {
    module = await import(url);
  } catch (error) {
    const text = `Cannot load ${what}: ${reasonOf(error)}`;
    throw new TilewiseError("udf", text, { file: url }, { cause: error });
  }
  if (Object.hasOwn(module, name)) return (module as Readonly<Record<string, unknown>>)[name];
  const has = Object.keys(module).join(", ") || "nothing";
  const text = `Cannot load ${what}: the module exports ${has}`;
  throw new TilewiseError("udf", text, { file: url, found: name });
}
