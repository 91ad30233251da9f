/**
 * Written files as they are told.
 *
 * @module
 */

import { defined } from "../../options.ts";
import type { PictureBeside } from "../../pictures/save.ts";

/** The reduction of the picture among `files`, for a row of JSON; nothing where every sample is a pixel. */
export function reducedIn(files: readonly Pick<PictureBeside, "reduced">[]): { readonly reduced?: number } {
  const reduced = files.find((file) => file.reduced !== undefined)?.reduced;
  return defined({ reduced });
}

/** The files of one result on one line: the first by its path, one beside it by its ending. */
export function listedTogether([first, ...others]: readonly PictureBeside[]): string {
  if (first === undefined) return "";
  const stem = first.path.replace(/\.\w+$/, ".");
  const beside = others.map((file) =>
    listed(file.path.startsWith(stem) ? { ...file, path: file.path.slice(stem.length - 1) } : file)
  );
  return [listed(first), ...beside].join(", ");
}

/** A written file as it is listed. */
export function listed({ path, reduced }: Pick<PictureBeside, "path" | "reduced">): string {
  return reduced === undefined
    ? path
    : `${path} (reduced: a pixel is the mean of ${reduced} × ${reduced} samples)`;
}
