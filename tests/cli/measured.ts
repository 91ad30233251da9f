/**
 * Runs a command in a process of its own and says what memory it took: `deno run -A measured.ts WORD…` prints its exit
 * code, what it wrote and the largest resident size in bytes.
 *
 * @module
 */

import { cli } from "./harness.ts";

/** What a command took. */
export interface Measured {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** Largest resident size in MiB. */
  readonly peak: number;
}

/** Whether the system says how much memory a process took at most. */
export const CAN_MEASURE: boolean = Deno.build.os === "linux";

/** The largest resident size of this process in MiB, so far. */
export function peakOfThis(): number {
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(Deno.readTextFileSync("/proc/self/status"))!;
  return Number(kilobytes) / 1024;
}

/** Runs `script` in a process of its own with a heap of 256 MiB; what it printed as JSON. */
export async function inProcess<T>(script: string, words: readonly string[] = []): Promise<T> {
  const args = ["run", "-A", "--no-check", "--v8-flags=--max-old-space-size=256", script, ...words];
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), { args }).output();
  const text = new TextDecoder().decode(stdout);
  if (!text) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(text) as T;
}

/** Runs `tilewise` with these words in a process of its own. */
export async function measured(words: readonly string[]): Promise<Measured> {
  return await inProcess(import.meta.url, words);
}

if (import.meta.main) {
  const { code, out, err } = await cli(Deno.args);
  console.log(JSON.stringify({ code, out, err, peak: peakOfThis() } satisfies Measured));
}
