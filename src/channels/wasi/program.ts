/**
 * Runs a program: an instance of its module, from its start to its exit code.
 *
 * @module
 */

import { descriptorCalls, transferCalls } from "./calls/descriptor_calls.ts";
import { directoryCalls, pathCalls } from "./calls/path_calls.ts";
import { Exit, pollCalls, processCalls } from "./calls/process_calls.ts";
import {
  type ByteFiles,
  type Descriptor,
  Descriptors,
  type OutputStream,
  type ProgramState,
  SetTimes,
  type WasiCall,
} from "./common/descriptors.ts";
import {
  ALL_RIGHTS,
  DIRECTORY_RIGHTS,
  INPUT_RIGHTS,
  OUTPUT_RIGHTS,
  Refusal,
  WASI_MODULE,
  WASI_NAMES,
  type WasiName,
} from "./common/codes.ts";
import { GuestMemory } from "./common/guest_memory.ts";
import { TilewiseError } from "../../errors.ts";
import { reasonOf } from "../../reason.ts";

/** Why a program was stopped by its machine. */
type Trap =
  | "unreachable"
  | "out of bounds"
  | "stack overflow"
  | "division by zero"
  | "bad call"
  | "number out of range"
  | "other";

/** What the engines say, V8 first; the words of Firefox and Safari where they differ. */
const WORDS: readonly (readonly [RegExp, Trap, string])[] = [
  [
    /unreachable/i,
    "unreachable",
    "it ran into code that is never to be reached, as abort() and a failed assert() do",
  ],
  [/call stack|recursion/i, "stack overflow", "its calls are nested too deeply"],
  [/out of bounds|outside/i, "out of bounds", "it used an address outside of its memory or table"],
  [/divide by zero|division by zero/i, "division by zero", "it divided a whole number by zero"],
  [
    /signature|null function|indirect call/i,
    "bad call",
    "it called a function through an address of another type",
  ],
  [/unrepresentable|overflow|out of range/i, "number out of range", "a number does not fit its type"],
];

/** The error for what an instance threw. `details.trap` is a {@link Trap}. */
function trapError(error: unknown, program: string): TilewiseError {
  const reason = reasonOf(error);
  const [, trap, text] = WORDS.find(([words]) => words.test(reason)) ?? [/./, "other" as const, reason];
  const message = `The program ${program} was stopped: ${text}`;
  const failure = new TilewiseError("udf", message, { program, trap, found: reason }, { cause: error });
  if (error instanceof Error && error.stack) failure.stack = error.stack;
  return failure;
}

/** A directory that a program has from the start. */
export interface Preopen {
  /** Its name for the program, such as `/data`. */
  readonly guest: string;
  /** Its name for the host. */
  readonly host: string;
}

/** What a program gets. */
interface ProgramSettings {
  /** Its name and its arguments. */
  readonly args: readonly string[];
  /** Its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Its standard input. */
  readonly stdin: Uint8Array;
  /** Where its standard output goes. */
  readonly stdout: OutputStream["put"];
  /** Where its standard error goes. */
  readonly stderr: OutputStream["put"];
  /** Directories that it may use. */
  readonly preopens: readonly Preopen[];
  /** Their files. */
  readonly files: ByteFiles;
  /** Throws if it is to stop; called at each of its calls. */
  look(): void;
}

/** Runs a program to its end: its exit code. Errors: `udf` for a trap, and what `look` or a stream throws. */
export function runProgram(module: WebAssembly.Module, settings: ProgramSettings): number {
  const { files } = settings;
  let memory: WebAssembly.Memory | undefined;
  const imports = { [WASI_MODULE]: lateImports(settings, () => memory!) };
  try {
    const { exports } = new WebAssembly.Instance(module, imports);
    memory = exports["memory"] as WebAssembly.Memory;
    (exports["_start"] as () => void)();
    return 0;
  } catch (error) {
    if (error instanceof Exit) return error.code;
    throw error instanceof TilewiseError ? error : trapError(error, settings.args[0]!);
  } finally {
    files.closeAll();
  }
}

/** The calls, made when the first one is made: the memory that they read is an export of the instance that imports them. */
function lateImports(settings: ProgramSettings, memory: () => WebAssembly.Memory): WebAssembly.ModuleImports {
  let calls: Readonly<Record<WasiName, AnyCall>> | undefined;
  const all = () => calls ??= wasiCalls(stateOf(settings, memory()));
  return Object.fromEntries(WASI_NAMES.map((name) => {
    let call: AnyCall | undefined;
    return [name, guarded(settings.look, (...args) => (call ??= all()[name])(...args))];
  }));
}

/** A call, as far as the machine that makes it has checked its arguments. */
type AnyCall = (...args: unknown[]) => number;

/** All calls of a program. */
function wasiCalls(state: ProgramState): Readonly<Record<WasiName, AnyCall>> {
  const calls = {
    ...transferCalls(state),
    ...descriptorCalls(state),
    ...pathCalls(state),
    ...directoryCalls(state),
    ...processCalls(state),
    ...pollCalls(state),
  } satisfies Readonly<Record<WasiName, WasiCall>>;
  return calls as unknown as Readonly<Record<WasiName, AnyCall>>;
}

/** A call whose refusals are error numbers. */
function guarded(look: () => void, call: AnyCall): AnyCall {
  return (...args) => {
    look();
    try {
      return call(...args);
    } catch (error) {
      if (error instanceof Refusal) return error.errno;
      throw error;
    }
  };
}

function stateOf(settings: ProgramSettings, memory: WebAssembly.Memory): ProgramState {
  const { args, env, files, look } = settings;
  return {
    memory: new GuestMemory(memory),
    files,
    look,
    times: new SetTimes(),
    descriptors: new Descriptors(firstDescriptors(settings)),
    args: args.map(terminated),
    env: Object.entries(env).map(([name, value]) => terminated(`${name}=${value}`)),
  };
}

function terminated(text: string): Uint8Array {
  return new TextEncoder().encode(`${text}\0`);
}

function firstDescriptors({ stdin, stdout, stderr, preopens }: ProgramSettings): Descriptor[] {
  const output = (put: OutputStream["put"]): Descriptor => {
    return { node: { kind: "output", put }, base: OUTPUT_RIGHTS, inheriting: 0, flags: 0 };
  };
  return [
    { node: { kind: "input", bytes: stdin, at: 0 }, base: INPUT_RIGHTS, inheriting: 0, flags: 0 },
    output(stdout),
    output(stderr),
    ...preopens.map(({ guest, host }): Descriptor => {
      const node = { kind: "directory", name: host, preopen: guest } as const;
      return { node, base: DIRECTORY_RIGHTS, inheriting: ALL_RIGHTS, flags: 0 };
    }),
  ];
}
