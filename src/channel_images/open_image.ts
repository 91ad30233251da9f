/**
 * Opens an image of any known kind by its first bytes.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import type { OpenImage } from "./common/image.ts";
import { isJpeg, openJpeg } from "./jpeg.ts";
import { isPng } from "./png/chunks.ts";
import { openPng } from "./png/png.ts";

/** The image in the bytes of a file. Errors: `unknown-format`, `malformed`, `truncated`, `unsupported`, `over-budget`. */
export async function openImage(bytes: Uint8Array<ArrayBuffer>): Promise<OpenImage> {
  if (bytes.length === 0) {
    throw new TilewiseError("unknown-format", "Cannot load an image: the file is empty");
  }
  if (isPng(bytes)) return openPng(bytes);
  if (isJpeg(bytes)) return openJpeg(bytes);
  const { openDatasetImage } = await import("./dataset_image.ts");
  return await openDatasetImage(bytes);
}
