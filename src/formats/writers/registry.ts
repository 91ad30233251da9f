/**
 * The registry of file kinds that frames are written to; the only file that names them.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { extensionOf } from "../common/format.ts";
import { empadWriter } from "./empad.ts";
import { mibWriter } from "./mib.ts";
import { npyWriter } from "./npy.ts";
import { rawWriter } from "./raw.ts";
import { tiffWriter } from "./tiff.ts";
import type { FrameWriter } from "./writer.ts";

/** Every kind of file. */
export const FRAME_WRITERS: readonly FrameWriter[] = [
  npyWriter,
  rawWriter,
  mibWriter,
  empadWriter,
  tiffWriter,
];

/** The kind of file for a path; `unsupported` if there is none. */
export function writerOf(path: string): FrameWriter {
  const extension = extensionOf(path);
  const found = FRAME_WRITERS.find(({ extensions }) => extensions.includes(extension));
  if (found) return found;
  const known = FRAME_WRITERS.flatMap(({ extensions }) => extensions.map((one) => `.${one}`)).join(", ");
  const text = `Cannot export to ${path}: the file can be ${known}`;
  throw new TilewiseError("unsupported", text, { file: path, expected: known });
}

/** The kind of file of that name. */
export function writerById(id: string): FrameWriter {
  const found = FRAME_WRITERS.find((writer) => writer.id === id);
  if (found) return found;
  throw new TilewiseError("invalid", `There is no kind of file "${id}" that frames are written to`, {
    found: id,
  });
}
