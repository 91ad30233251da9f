/** What the rules of back ends are checked on, and the words they use. */

import type { BackEnd } from "../../../src/channels/backends/back_end.ts";

/** A back end with no files in it, or with files that no rule names. */
export interface Subject {
  readonly files: BackEnd;
  /** Whether it writes. */
  readonly writes: boolean;
  /** Whether its names have a root that they cannot leave. */
  readonly rooted: boolean;
  /** Makes a file, and the folders above it, by another way than the back end where there is one. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** What is in a file, by another way where there is one. */
  get(name: string): Promise<Uint8Array>;
}

/** Throws unless both have the same JSON. */
export function equal(found: unknown, expected: unknown, what: string): void {
  const [a, b] = [found, expected].map((value) => JSON.stringify(value));
  if (a !== b) throw new Error(`${what}: found ${a}, expected ${b}`);
}

export function bytesOf(words: string): Uint8Array {
  return new TextEncoder().encode(words);
}

export function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.slice());
}

/** What POSIX calls the error that `work` throws; the empty text if it throws none. */
export async function errnoOf(work: () => unknown): Promise<string> {
  try {
    await work();
    return "";
  } catch (error) {
    const { details, code } = error as { details?: { errno?: string }; code?: string };
    return details?.errno ?? (code === "not-found" ? "ENOENT" : code ?? String(error));
  }
}

/** A subject whose files are made and read by the back end itself. */
export function alone(files: BackEnd, rooted: boolean): Subject {
  return {
    files,
    writes: true,
    rooted,
    async put(name, bytes) {
      const folders = name.split("/").slice(0, -1);
      for (let i = 1; i <= folders.length; i++) {
        const folder = folders.slice(0, i).join("/");
        if (await errnoOf(() => files.stat(folder)) !== "") await files.mkdir(folder);
      }
      const file = await files.open(name, "w");
      if (bytes.length > 0) equal(await files.write(file, bytes, 0, bytes.length, 0), bytes.length, name);
      await files.close(file);
    },
    async get(name) {
      const file = await files.open(name, "r");
      const bytes = new Uint8Array(await files.size(file));
      equal(await files.read(file, bytes, 0, bytes.length, 0), bytes.length, name);
      await files.close(file);
      return bytes;
    },
  };
}
