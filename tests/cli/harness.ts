/**
 * Runs commands in this process and remembers what they wrote.
 *
 * @module
 */

import { main } from "../../src/cli/main.ts";
import type { CliIo } from "../../src/cli/shell/io.ts";

const CONFIG = decodeURIComponent(new URL("../../deno.json", import.meta.url).pathname);
const MAIN = decodeURIComponent(new URL("../../src/cli/main.ts", import.meta.url).pathname);
const CHILD = decodeURIComponent(new URL("commands_child.ts", import.meta.url).pathname);

/** Loads parts when they are needed, as `deno task tilewise` does: a process starts in two thirds of the time, but may have to read them. */
const LAZY = "--unstable-lazy-dynamic-imports";

/** What Deno is told to run `tilewise` in a process of its own; words follow. */
export const TILEWISE: readonly string[] = ["run", "-A", "--no-check", LAZY, MAIN];

/** What a command did. */
export interface Outcome {
  /** Its exit code. */
  readonly code: number;
  /** What it wrote to stdout. */
  readonly out: string;
  /** What it wrote to stderr. */
  readonly err: string;
  /** The bytes of stdout. */
  readonly bytes: Uint8Array;
  /** The lines of stdout as JSON. */
  json(): Record<string, unknown>[];
}

/** What can be said about the terminal. */
export interface Terminal {
  readonly terminal?: boolean;
  readonly colour?: boolean;
  readonly signal?: AbortSignal;
  /** The answer to every question; absent: nobody answers. */
  readonly answer?: boolean;
  /** Called with each text for stderr. */
  readonly onErr?: (text: string) => void;
  /** Called with each text for stdout. */
  readonly onOut?: (text: string) => void;
}

/** Runs `tilewise` with the given words. */
export async function cli(words: readonly string[], terminal: Terminal = {}): Promise<Outcome> {
  const out: Uint8Array[] = [];
  const err: string[] = [];
  const io: CliIo = {
    out: (text) => {
      out.push(typeof text === "string" ? new TextEncoder().encode(text) : text.slice());
      if (typeof text === "string") terminal.onOut?.(text);
    },
    err: (text) => {
      err.push(text);
      terminal.onErr?.(text);
    },
    ...(terminal.answer === undefined ? {} : {
      ask: (question: string) => {
        err.push(`${question}\n`);
        return Promise.resolve(terminal.answer!);
      },
    }),
    outIsTerminal: terminal.terminal ?? false,
    errIsTerminal: terminal.terminal ?? false,
    colour: terminal.colour ?? false,
    columns: 72,
    signal: terminal.signal ?? new AbortController().signal,
    clock: { now: () => 0 }, // no lines of progress: on a slow machine there would be more of them
  };
  const code = await main(words, io);
  const bytes = joined(out);
  const text = new TextDecoder().decode(bytes);
  const json = () => text.trimEnd().split("\n").filter((line) => line).map((line) => JSON.parse(line));
  return { code, out: text, err: err.join(""), bytes, json };
}

/**
 * Runs commands one after another in one other process in `folder`, which may do what `flags` say: a process takes longer to start
 * than most commands. `env` is its alone; that of this process belongs to the tests of all threads.
 */
export async function cliChild(
  folder: string,
  flags: readonly string[],
  commands: readonly (readonly string[])[],
  env: Readonly<Record<string, string>> = {},
): Promise<Pick<Outcome, "code" | "out" | "err">[]> {
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-prompt",
      "--no-check",
      ...flags.includes("-A") ? [LAZY] : [],
      ...flags,
      CHILD,
      ...commands.map((words) => JSON.stringify(words)),
    ],
    cwd: folder,
    env: { NO_COLOR: "1", ...env },
  }).output();
  const [text, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  const outcomes = text!.split("\n").filter((line) => line).map((line) => JSON.parse(line));
  if (err || outcomes.length !== commands.length) throw new Error(`The process ended after: ${text}${err}`);
  return outcomes;
}

/** Runs a script of a user in `folder`, which may read and write unless `may` says more; errors: what it says when it fails. */
export async function runScript(
  path: string,
  folder: string,
  may: readonly string[] = ["--allow-read", "--allow-write"],
): Promise<void> {
  const args = ["run", "--no-check", ...may, "--config", CONFIG, path];
  const { success, stderr } = await new Deno.Command(Deno.execPath(), { args, cwd: folder }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

/** The words of commands `tilewise ...`, as a shell in `folder` passes them on; none has run yet, so patterns of files stay as they are. */
export async function wordsInShell(lines: readonly string[], folder: string): Promise<string[][]> {
  const script = ["set -f; tilewise() { printf '%s\\0' \"$@\"; printf '\\n'; }", ...lines].join("\n");
  const { success, stdout } = await new Deno.Command("sh", { args: ["-c", script], cwd: folder }).output();
  const commands = new TextDecoder().decode(stdout).trimEnd().split("\n");
  if (!success || commands.length !== lines.length) {
    throw new Error(`The shell takes ${lines.join("; ")} for ${commands}`);
  }
  return commands.map((words) => words.split("\0").slice(0, -1));
}

/** A folder that is gone after `body`. */
export async function withFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "tilewise-" });
  try {
    await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A `.npy` file in `folder`, as NumPy would write it. */
export async function writeNpy(
  path: string,
  descr: string,
  shape: readonly number[],
  bytes: Uint8Array,
): Promise<void> {
  const tuple = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(", ")})`;
  const text = `{'descr': '${descr}', 'fortran_order': False, 'shape': ${tuple}, }`;
  const header = text.padEnd(Math.ceil((text.length + 11) / 64) * 64 - 11) + "\n";
  const prefix = [0x93, ...new TextEncoder().encode("NUMPY"), 1, 0, header.length & 255, header.length >> 8];
  await Deno.writeFile(path, joined([prefix, new TextEncoder().encode(header), bytes]));
}

function joined(parts: readonly ArrayLike<number>[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
