/**
 * The files of the built page: written one by one, and all in one.
 *
 * @module
 */

import { dirname, join } from "@std/path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

/** A file of the page; all of them are text. */
export interface BuiltFile {
  /** Its path below the page. */
  readonly path: string;
  /** What is in it. */
  readonly text: string;
}

/** Files that are smaller are not worth compressing. */
const LEAST = 1024;

/** The file with all others in it, for `tilewise view`. */
export const PAGE = "page.json";

/** Writes `files` into `folder`; what a build before has left there is removed. */
export async function writeFiles(
  folder: string,
  files: readonly BuiltFile[],
  compress: boolean,
): Promise<void> {
  await clear(folder);
  for (const { path, text } of files) {
    const target = join(folder, path);
    await Deno.mkdir(dirname(target), { recursive: true });
    await Deno.writeTextFile(target, text);
    if (!compress || text.length < LEAST) continue;
    await Deno.writeFile(`${target}.br`, brotli(text));
    await Deno.writeFile(`${target}.gz`, gzipSync(text, { level: 9 }));
  }
}

/** Writes the file that has all of them, each packed with gzip, as base64. */
export async function writePage(folder: string, files: readonly BuiltFile[]): Promise<void> {
  const all = files.map(({ path, text }) => [path, gzipSync(text, { level: 9 }).toString("base64")] as const);
  await Deno.writeTextFile(join(folder, PAGE), JSON.stringify(Object.fromEntries(all)));
}

/** Not the best quality: 3 % less, for ten times the time. */
function brotli(text: string): Uint8Array {
  return brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
}

/** Removes what a build before has written, and nothing else. */
async function clear(folder: string): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  const old = await Deno.readTextFile(join(folder, PAGE)).catch(() => "{}");
  for (const path of Object.keys(JSON.parse(old))) {
    for (const ending of ["", ".br", ".gz"]) {
      await Deno.remove(join(folder, path + ending)).catch(() => {});
    }
    const home = dirname(path);
    if (home !== ".") await Deno.remove(join(folder, home)).catch(() => {}); // fails until it is empty
  }
}
