/**
 * The process of the command line, in Deno, Node or Bun.
 *
 * @module
 */

import type Process from "node:process";
import type { EndSignal } from "./watched.ts";

/** The part of the process that is used. */
interface System {
  /** What was typed after the name of the command. */
  readonly args: readonly string[];
  /** The operating system, as Deno names it. */
  readonly platform: string;
  /** Ends the process. Code of users cannot: what it finds under this name throws an error. */
  exit(code: number): never;
  /** Whether stdin (0), stdout (1) or stderr (2) is a terminal. */
  isTerminal(stream: 0 | 1 | 2): boolean;
  /** How wide the terminal is, where it knows. */
  columns(): number | undefined;
  /** Writes some of `bytes` to stdout (1) or stderr (2); how many bytes. Errors have a `code`, such as `EPIPE`. */
  write(stream: 1 | 2, bytes: Uint8Array): number;
  /** Removes a file, or a folder with all that is in it. */
  remove(path: string): void;
  /** Calls `heard` at a signal, until the returned function is called; throws where there is no such signal. */
  onSignal(name: EndSignal, heard: () => void): () => void;
  /** A line of stdin; nothing at its end. */
  line(): Promise<string | undefined>;
  /** An environment variable. */
  environment(variable: string): string | undefined;
  /** Calls `act` when the process ends, also in the middle of something. */
  atEnd(act: () => void): void;
  /** Calls `heard` with errors that could not be caught: from a timer, or from a promise without a handler. */
  onStray(heard: (error: unknown) => void): void;
}

/** That of Deno. */
class DenoSystem implements System {
  readonly args = Deno.args;
  readonly platform = Deno.build.os;
  readonly exit = Deno.exit;

  isTerminal(stream: 0 | 1 | 2): boolean {
    return [Deno.stdin, Deno.stdout, Deno.stderr][stream]!.isTerminal();
  }

  columns(): number | undefined {
    try {
      return Deno.consoleSize().columns;
    } catch {
      return undefined; // a terminal of unknown width
    }
  }

  write(stream: 1 | 2, bytes: Uint8Array): number {
    return (stream === 1 ? Deno.stdout : Deno.stderr).writeSync(bytes);
  }

  remove(path: string): void {
    Deno.removeSync(path, { recursive: true });
  }

  onSignal(name: EndSignal, heard: () => void): () => void {
    Deno.addSignalListener(name, heard);
    return () => Deno.removeSignalListener(name, heard);
  }

  async line(): Promise<string | undefined> {
    const bytes = new Uint8Array(1024);
    const length = await Deno.stdin.read(bytes);
    return length === null ? undefined : new TextDecoder().decode(bytes.subarray(0, length));
  }

  environment(variable: string): string | undefined {
    return Deno.env.get(variable);
  }

  atEnd(act: () => void): void {
    globalThis.addEventListener("unload", act);
  }

  onStray(heard: (error: unknown) => void): void {
    for (const event of ["error", "unhandledrejection"]) {
      globalThis.addEventListener(event, (stray) => {
        stray.preventDefault();
        const { reason, error, message } = stray as Partial<PromiseRejectionEvent & ErrorEvent>;
        heard(reason ?? error ?? message);
      });
    }
  }
}

/** The global `process` of Node. */
type NodeProcess = typeof Process & { readonly reallyExit?: (code: number) => never };

/** That of Node and Bun. */
class NodeSystem implements System {
  readonly args: readonly string[];
  readonly platform: string;
  readonly exit: (code: number) => never;
  readonly #process: NodeProcess;

  constructor(process: NodeProcess) {
    this.#process = process;
    this.args = process.argv.slice(2);
    this.platform = process.platform === "win32" ? "windows" : process.platform;
    this.exit = exitOf(process);
  }

  isTerminal(stream: 0 | 1 | 2): boolean {
    return this.#process.getBuiltinModule("node:tty").isatty(stream);
  }

  columns(): number | undefined {
    return this.#process.stdout.columns;
  }

  write(stream: 1 | 2, bytes: Uint8Array): number {
    return this.#process.getBuiltinModule("node:fs").writeSync(stream, bytes);
  }

  remove(path: string): void {
    this.#process.getBuiltinModule("node:fs").rmSync(path, { recursive: true });
  }

  onSignal(name: EndSignal, heard: () => void): () => void {
    this.#process.on(name, heard);
    return () => this.#process.off(name, heard);
  }

  line(): Promise<string | undefined> {
    const { stdin } = this.#process;
    return new Promise((resolve) => {
      stdin.once("data", (bytes) => resolve(new TextDecoder().decode(bytes)));
      stdin.once("end", () => resolve(undefined));
    });
  }

  environment(variable: string): string | undefined {
    return this.#process.env[variable];
  }

  atEnd(act: () => void): void {
    this.#process.on("exit", act);
  }

  onStray(heard: (error: unknown) => void): void {
    for (const event of ["uncaughtException", "unhandledRejection"] as const) this.#process.on(event, heard);
  }
}

/** `exit` of Node calls `reallyExit` by its name, under which code of users finds what throws an error. */
function exitOf(process: NodeProcess): (code: number) => never {
  const { exit, reallyExit } = process;
  if (!reallyExit) return exit.bind(process);
  return (code) => {
    process.emit("exit", code);
    return reallyExit.call(process, code);
  };
}

/** A runtime. */
export interface Runtime {
  /** Its name. */
  readonly name: "Deno" | "Node" | "Bun";
  /** Its version, such as `20.16.0`. */
  readonly version: string;
}

/** The oldest versions with which everything works. */
export const OLDEST: Readonly<Record<Runtime["name"], string>> = {
  Deno: "2.7.0",
  Node: "20.16.0",
  Bun: "1.4.0",
};

/** The runtime that this is. */
export function runtimeHere(): Runtime {
  if ("Deno" in globalThis) return { name: "Deno", version: Deno.version.deno };
  const { bun, node } = globalThis.process.versions as { readonly bun?: string; readonly node: string };
  return bun === undefined ? { name: "Node", version: node } : { name: "Bun", version: bun };
}

/**
 * What to say of a runtime that is too old; nothing of others.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(tooOld({ name: "Node", version: "20.9.0" }), "Node 20.9.0 is too old: install Node 20.16.0 or a later one");
 * assertEquals(tooOld({ name: "Node", version: "22.1.0" }), undefined);
 * ```
 */
export function tooOld({ name, version }: Runtime): string | undefined {
  const [here, oldest] = [version, OLDEST[name]].map((text) => text.split(/[.+-]/).slice(0, 3).map(Number));
  const at = here!.findIndex((part, i) => part !== oldest![i]);
  if (at < 0 || here![at]! > oldest![at]!) return undefined;
  return `${name} ${version} is too old: install ${name} ${OLDEST[name]} or a later one`;
}

/** The process that this is. */
export const system: System = "Deno" in globalThis
  ? new DenoSystem()
  : new NodeSystem(globalThis.process as unknown as NodeProcess);
