/**
 * Refuses to write a result over the sources that it is computed from.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { firstSame, isInside } from "../../../io/file/same_file.ts";
import type { SourceSpec } from "../../../io/source/source.ts";

/** Refuses a path that is a file that is being read, or a folder with one. */
export async function mustNotBeRead(path: string, sources: readonly SourceSpec[]): Promise<void> {
  const files = sources.flatMap((source) => source.kind === "file" ? [source.path] : []);
  const same = (await firstSame([path], files))?.[1] ?? await firstInside(path, files);
  if (same === undefined) return;
  const which = same === path ? "that file is being read" : `it is or contains ${same}, which is being read`;
  throw new TilewiseError("invalid", `Cannot write to ${path}: ${which}; choose another name`, {
    file: path,
  });
}

async function firstInside(folder: string, files: readonly string[]): Promise<string | undefined> {
  for (const file of files) if (await isInside(file, folder)) return file;
  return undefined;
}
