/**
 * Refuses to write a result over the sources that it is computed from.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { firstInside, firstSame } from "../../../io/file/same_file.ts";
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
