/**
 * Refuses to write over what is being read.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { SourceSpec } from "../source/source.ts";
import { firstInside, firstSame } from "./same_file.ts";

/** Refuses `paths` of which one is a file that is being read, or a folder with one; `invalid`, and names both. */
export async function mustNotBeRead(
  paths: readonly string[],
  sources: readonly (SourceSpec | string)[],
): Promise<void> {
  const files = sources.flatMap((source) =>
    typeof source === "string" ? [source] : source.kind === "file" ? [source.path] : []
  );
  const [file, found] = await firstSame(paths, files) ?? [];
  if (file !== undefined) {
    throw refused(
      file,
      found!,
      file === found ? "that file is being read" : `it is ${found}, which is being read`,
    );
  }
  for (const path of paths) {
    const inside = await firstInside(path, files);
    if (inside !== undefined) throw refused(path, inside, `${inside}, which is in it, is being read`);
  }
}

/** Why a file or folder is not written. */
export function refused(file: string, found: string, reason: string): TilewiseError {
  const text = `Cannot write ${file}: ${reason}; choose another name for the output`;
  return new TilewiseError("invalid", text, { file, found });
}
