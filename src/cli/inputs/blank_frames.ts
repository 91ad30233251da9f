/**
 * Says how many frames of a source have no image.
 *
 * @module
 */

import type { CliIo } from "../shell/io.ts";

/** Says that `count` frames are zero in what is written; nothing if there are none. */
export function tellBlank(count: number, io: CliIo): void {
  if (count === 0) return;
  io.err(`tilewise: blank frames: ${count}; the source has no image for them, they are zero here\n`);
}
