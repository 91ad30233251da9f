/**
 * The commands that get signals, as processes of their own, and what they leave.
 *
 * @module
 */

import { fromFileUrl } from "@std/path";
import { writeNpy } from "../../cli/harness.ts";

/** A command that writes into a folder with a scan. */
export interface Command {
  /** Its words, in that folder. */
  words(folder: string): string[];
}

/** The stem of the results of `run`. */
export const UDF_NAME = "seen";

/** A UDF that takes 5 ms per frame. */
const SLOW = fromFileUrl(new URL("../../cli/shell/slow_udf.ts", import.meta.url));

/** What they are. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  run: {
    words: (folder) => [
      "run",
      SLOW,
      `${folder}/scan.npy`,
      ..."--roi 0:6,: --workers 1 --partitions 64 --quiet -o".split(" "),
      `${folder}/${UDF_NAME}.npz`,
    ],
  },
  convert: {
    words: (folder) => [
      "convert",
      `${folder}/scan.npy`,
      `${folder}/new.tif`,
      ..."--workers 1 --quiet".split(" "),
    ],
  },
  pick: {
    words: (folder) => ["pick", `${folder}/scan.npy`, "--at", "3,5", "--quiet", "-o", `${folder}/frame.npy`],
  },
};

/** 64 × 64 frames of 16 × 16 pixels. */
export async function makeScan(folder: string): Promise<void> {
  const samples = Uint16Array.from({ length: 2 ** 20 }, (_, i) => (i * 13 + (i >> 7)) % 509);
  await writeNpy(`${folder}/scan.npy`, "<u2", [64, 64, 16, 16], new Uint8Array(samples.buffer));
}

/** A process that was started. */
export interface Child {
  /** Sends it a signal, if it still runs. */
  send(signal: Deno.Signal): void;
  /** Whether it has ended. */
  done(): boolean;
  /** How it ended. */
  readonly ended: Promise<{ readonly code: number; readonly err: string }>;
}

const MAIN = fromFileUrl(new URL("../../../src/cli/main.ts", import.meta.url));

/** Starts the command line in a folder. */
export function start(folder: string, words: readonly string[]): Child {
  const args = ["run", "-A", "--no-check", MAIN, ...words];
  const child = new Deno.Command(Deno.execPath(), { args, cwd: folder, stdout: "null", stderr: "piped" })
    .spawn();
  let isDone = false;
  const ended = child.output().then(({ code, stderr }) => {
    isDone = true;
    return { code, err: new TextDecoder().decode(stderr) };
  });
  return {
    send(signal) {
      try {
        if (!isDone) child.kill(signal);
      } catch {
        // it has ended in between
      }
    },
    done: () => isDone,
    ended,
  };
}

/** The files in a folder that are neither the scan nor parts, as text that two runs have in common. */
export function endsOf(folder: string): Map<string, string> {
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
  const files = names.filter((name) => name !== "scan.npy" && !isUnderWay(name));
  return new Map(files.map((name) => [name, textOf(`${folder}/${name}`)]));
}

/** Whether a name is that of a result that is not complete: a part, or the folder of a result that takes long. */
export function isUnderWay(name: string): boolean {
  return name.endsWith(".part") || /^\..+\.tw-[0-9a-f]{16}\.partial$/.test(name);
}

function textOf(path: string): string {
  const bytes = Deno.readFileSync(path);
  const text = new TextDecoder("latin1").decode(bytes);
  return path.endsWith(".json") && text !== "old" ? common(text) : text;
}

/** A manifest without what is another in every run: time and folder. */
function common(text: string): string {
  try {
    const { results, partial, udfs, manifest } = JSON.parse(text);
    const named = results.map(({ files: _, ...rest }: { files?: unknown }) => rest);
    return JSON.stringify({ manifest, results: named, partial, udfs });
  } catch {
    return `not JSON: ${text}`;
  }
}

/** Processes that run in the folder. */
export function runsIn(folder: string): string[] {
  const numbers = [...Deno.readDirSync("/proc")].map(({ name }) => name).filter((name) => /^\d+$/.test(name));
  return numbers.filter((number) => {
    try {
      return Deno.readLinkSync(`/proc/${number}/cwd`) === folder;
    } catch {
      return false; // it has ended in between, or is of somebody else
    }
  });
}
