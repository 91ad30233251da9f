/**
 * The other side: a Python process that writes random files, and says what reading them must give.
 *
 * @module
 */

import { fromFileUrl } from "@std/path";

/** What is written. */
export const KINDS = ["tiff", "zarr", "views", "filters"] as const;

/** A kind of files. */
export type Kind = typeof KINDS[number];

/** What an array of a file must be like. */
export interface Told {
  /** Its name, as `openAll` gives it. */
  readonly name: string;
  /** Its shape. */
  readonly shape: readonly number[];
  /** Its dtype, as NumPy calls it. */
  readonly dtype: string;
  /** Digest of its samples. */
  readonly sha256: string;
  /** Its level of resolution: then it is opened by it. */
  readonly level?: number;
  /** The number of its page, where that is another one than its name says; `null`: it is below another page. */
  readonly page?: number | null;
  /** Whether dimensions of size 1 may be left out. */
  readonly squeezed?: boolean;
  /** A `.npy` file with its samples, where they need not be equal. */
  readonly near?: string;
  /** The largest difference of a sample to those. */
  readonly within?: number;
  /** The largest difference of the means. */
  readonly mean?: number;
}

/** One random file. */
export interface Made {
  /** Its number in the series. */
  readonly index: number;
  /** Which function of the other side wrote it. */
  readonly writer: string;
  /** Its name in the folder. */
  readonly file: string;
  /** All files of a set. */
  readonly files?: readonly string[];
  /** What it must give. */
  readonly arrays: readonly Told[];
  /** How it was made. */
  readonly spec: Readonly<Record<string, unknown>>;
  /** Why there is no file. */
  readonly skipped?: string;
  /** Whether `open` must find the array by itself. */
  readonly opened?: boolean;
  /** What the libraries of the other side do not read as it was written, by names of arrays. */
  readonly peers?: Readonly<Record<string, string>>;
}

/** Random files `first` to `stop` of the series `seed`, in `folder`. */
export async function* made<M = Made>(
  python: string,
  kind: Kind,
  { seed, first, stop, folder }: { seed: number; first: number; stop: number; folder: string },
): AsyncGenerator<M> {
  const script = fromFileUrl(new URL("./peers/make.py", import.meta.url));
  const process = new Deno.Command(python, {
    args: [script, kind, `${seed}`, `${first}`, `${stop}`, folder],
    env: { PYTHONDONTWRITEBYTECODE: "1", PYTHONWARNINGS: "ignore", OMP_NUM_THREADS: "1" },
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  let rest = "";
  for await (const chunk of process.stdout.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop()!;
    for (const line of lines) yield JSON.parse(line) as M;
  }
  const { code } = await process.status;
  if (code !== 0) throw new Error(`The other side ended with ${code}, in the middle of the work`);
}
