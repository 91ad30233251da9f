/**
 * A program that writes sets of files when it is told to: `deno run -A racer.ts FOLDER LETTER`. Each line of its input is a round;
 * it answers `done`, or with a message.
 */

import { PartialFolder } from "../../../src/io/write/partial_folder.ts";
import { PartFiles, writeFilesAtomic } from "../../../src/io/write/write.ts";

/** The files of a set. */
export const NAMES = ["array.npy", "array.png", "array.run.json"];

const bytes = (letter: string) => new TextEncoder().encode(letter);

/** Writes files that belong together. */
async function files(folder: string, letter: string): Promise<void> {
  await writeFilesAtomic(NAMES.map((name) => ({ path: `${folder}/${name}`, content: () => bytes(letter) })));
}

/** Writes a folder, and files beside it, as soon as nobody else does. */
async function tree(folder: string, letter: string): Promise<void> {
  for (;;) {
    try {
      return await treeNow(folder, letter);
    } catch (error) {
      if (!`${error}`.includes("is writing it")) throw error;
    }
  }
}

async function treeNow(folder: string, letter: string): Promise<void> {
  const options = { digest: letter.repeat(16), resume: false, kind: "folder" } as const;
  await using partial = await PartialFolder.open(`${folder}/array.zarr`, options);
  await partial.makeFolder(partial.result);
  await Deno.writeTextFile(`${partial.result}/chunk`, letter);
  await using parts = new PartFiles();
  await parts.fill(
    NAMES.slice(1).map((name) => ({ path: `${folder}/${name}`, content: () => bytes(letter) })),
  );
  await partial.finish([`${partial.result}/chunk`], parts.all);
}

/** How a set is written. */
const WAYS: Readonly<Record<string, typeof files>> = { files, tree };

if (import.meta.main) {
  const [folder = "", letter = ""] = Deno.args;
  const input = Deno.stdin.readable.pipeThrough(new TextDecoderStream());
  console.log("ready");
  for await (const line of input) {
    try {
      await WAYS[line.trim()]!(folder, letter);
      console.log("done");
    } catch (error) {
      console.log(`${error}`);
    }
  }
}
