/**
 * What the peers of the bench have in common: the same works, timed by the program that does them.
 *
 * @module
 */

import { fromFileUrl } from "@std/path";

/** A work: an argument of `reads.c`, and how often it is done. */
export interface Work {
  /** What the program calls it. */
  readonly work: "small" | "walk" | "blocks";
  /** What the table calls it. */
  readonly name: string;
  /** How many reads. */
  readonly count: number;
  /** Bytes of each. */
  readonly bytes: number;
}

/** The works of a full run. */
export const WORKS: readonly Work[] = [
  { work: "small", name: "250 000 reads of 16 bytes", count: 250_000, bytes: 16 },
  { work: "walk", name: "dependent reads of 8 bytes", count: 100_000, bytes: 8 },
  { work: "blocks", name: "consecutive reads of 1 MiB", count: 1000, bytes: 2 ** 20 },
];

/** What a program prints. */
export interface Told {
  /** Seconds that the work took. */
  readonly seconds: number;
  /** A sum of what was read, in hexadecimal digits. */
  readonly sum: string;
}

/** Does works. */
export interface Peer extends AsyncDisposable {
  /** What the table calls it. */
  readonly name: string;
  /** Does a work once. */
  run(work: Work): Promise<Told>;
}

/** Makes a peer for a folder with the file `numbers`; or says why it cannot be measured here. */
export type MakePeer = (folder: string) => Promise<Peer | { readonly skipped: string }>;

/** The file of numbers. */
export const NUMBERS = "numbers";

/** The path of a file beside this one. */
export const here = (name: string): string => fromFileUrl(new URL(name, import.meta.url));

/** What a program has printed. Throws if it has not. */
export function toldBy(text: string): Told {
  const [nanoseconds, sum] = text.trim().split("\n").at(-1)!.split(" "); // some print other lines before
  if (sum === undefined) throw new Error(`the program printed ${JSON.stringify(text)}`);
  return { seconds: Number(nanoseconds) / 1e9, sum };
}

/** A peer that is a command. */
export function commandPeer(
  name: string,
  command: string,
  args: (work: Work) => string[],
  cwd: string,
): Peer {
  const run = async (work: Work) => {
    const { success, stdout, stderr } = await new Deno.Command(command, { args: args(work), cwd }).output();
    if (!success) throw new Error(new TextDecoder().decode(stderr).trim());
    return toldBy(new TextDecoder().decode(stdout));
  };
  return { name, run, [Symbol.asyncDispose]: () => Promise.resolve() };
}

/** Whether a command can be run here. */
export async function has(command: string): Promise<boolean> {
  try {
    return (await new Deno.Command(command, { args: ["--version"] }).output()).success;
  } catch {
    return false;
  }
}
