/**
 * The registry of file kinds that frames are written to; the only file that names them.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { extensionOf } from "../../io/file/names.ts";
import { emdTarget } from "./emd.ts";
import { empadTarget } from "./empad.ts";
import { fitsTarget } from "./fits.ts";
import { hyperspyTarget } from "./hyperspy.ts";
import { mibTarget } from "./mib.ts";
import { nexusTarget } from "./nexus.ts";
import { npyTarget } from "./npy.ts";
import { rawTarget } from "./raw.ts";
import { tiffStack } from "./tiff.ts";
import type { RowTarget } from "./layout.ts";

/** Every kind of file. */
export const ROW_TARGETS: readonly RowTarget[] = [
  npyTarget,
  rawTarget,
  mibTarget,
  empadTarget,
  tiffStack,
  hyperspyTarget,
  emdTarget,
  nexusTarget,
  fitsTarget,
];

/** Those that hold arrays of any shape and type in one file, samples row by row behind a head. */
export const ARRAY_TARGETS: readonly RowTarget[] = [
  npyTarget,
  hyperspyTarget,
  emdTarget,
  nexusTarget,
  fitsTarget,
];

/** Endings of all of them. */
export const ROW_ENDINGS: readonly string[] = ROW_TARGETS.flatMap(({ extensions }) =>
  extensions.map((one) => `.${one}`)
);

/** Whether frames are written to a file of that name. */
export function isRowPath(path: string): boolean {
  return ROW_ENDINGS.includes(`.${extensionOf(path)}`);
}

/** The kind of file for a path; `unsupported` if there is none. */
export function rowTargetOf(path: string): RowTarget {
  const extension = extensionOf(path);
  const found = ROW_TARGETS.find(({ extensions }) => extensions.includes(extension));
  if (found) return found;
  const known = ROW_ENDINGS.join(", ");
  const text = `Cannot export to ${path}: the file can be ${known}`;
  throw new TilewiseError("unsupported", text, { file: path, expected: known });
}

/** The kind of file of that name. */
export function rowTargetById(id: string): RowTarget {
  const found = ROW_TARGETS.find((target) => target.id === id);
  if (found) return found;
  throw new TilewiseError("invalid", `There is no kind of file "${id}" that frames are written to`, {
    found: id,
  });
}
