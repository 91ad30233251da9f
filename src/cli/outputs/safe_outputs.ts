/**
 * Refuses outputs that would destroy data: no command writes over a file that it reads, or twice to the same file.
 *
 * What a command reads is known from what it opened, which includes descriptions beside a scan, files of a series, dark
 * frames and masks, and from the words of its command line. Every verb asks before it writes anything.
 *
 * @module
 */

import { besideKind, isKind } from "../../sinks/registry.ts";
import { realpath, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { cannot } from "../../errors.ts";
import { MARKS, TABLE } from "../../formats/common/store_input.ts";
import { firstAround, firstTwice, mustNotBeRead, refused } from "../../io/file/same_file.ts";
import type { Arguments } from "../shell/args.ts";

/** What a store of the parts of a run has. */
const MANIFEST = "manifest", PARTS = "parts";

/** Documents of folders that are read as a whole: who writes into such a folder changes what is read from it. */
const DOCUMENTS = [...MARKS, TABLE];

/**
 * Refuses to write `paths` where one of them leads to a file that the command reads, or is a folder, such as a Zarr store, with
 * such a file in it, or lies in a store or a table that is read; `invalid`, and names both.
 *
 * @param paths every file that the command writes, or may write
 */
export async function refuseInputs(paths: readonly string[], args: Arguments): Promise<void> {
  const { inputs } = args, own = args.text("store")?.replace(/^dir:/, "");
  await mustNotBeRead(paths, [...inputs]);
  for (const path of paths) {
    const [folder, document] = await firstAround(path, DOCUMENTS, inputs) ?? [];
    if (folder !== undefined) {
      throw refused(path, folder, `it would be part of ${folder}, of which ${document} is being read`);
    }
    const store = await partsAround(path, own);
    if (store !== undefined) {
      throw refused(path, store, `it would be part of ${store}, which has parts of a run`);
    }
  }
}

/** The folder around `path` that is a store of parts, or will be the store `own`; nothing else is written there. */
async function partsAround(path: string, own: string | undefined): Promise<string | undefined> {
  const is = async (name: string, kind: "isFile" | "isDirectory") =>
    (await stat(name).catch(() => undefined))?.[kind]() ?? false;
  for (let folder = dirname(resolve(path)); dirname(folder) !== folder; folder = dirname(folder)) {
    const real = await realpath(folder).catch(() => folder);
    if (own !== undefined && real === resolve(own)) return folder;
    if (await is(join(real, MANIFEST), "isFile") && await is(join(real, PARTS), "isDirectory")) return folder;
  }
  return undefined;
}

/** Refuses outputs of which two are the same file; `invalid`. */
export async function refuseTwice(paths: readonly string[]): Promise<void> {
  const twice = await firstTwice(paths);
  if (!twice) return;
  const [file, earlier] = twice;
  const text = "two results of this command would be in that file" +
    `${
      file === earlier ? "" : `, as ${earlier} is the same here`
    }; compute them in two commands, or save an .npz`;
  throw cannot("write", file, "invalid", text, { found: earlier });
}

/** Refuses to replace files that are write-protected; `permission`. */
export async function refuseProtected(paths: readonly string[]): Promise<void> {
  for (const file of paths) {
    const facts = await stat(file).catch(() => undefined);
    if (!facts?.isFile() || (facts.mode & 0o222) !== 0) continue;
    const text = "that file is protected against writing; choose another name for the output";
    throw cannot("write", file, "permission", text, { found: (facts.mode & 0o777).toString(8) });
  }
}

/** The files at and beside `path` that saving an array there may write. */
export function savedFiles(path: string): string[] {
  if (!isKind(path, "npy")) return [path];
  return [path, ...[".png", ".valid.npy"].map((ending) => besideKind(path, "npy", ending))];
}
