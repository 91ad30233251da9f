/**
 * Files that are dragged from the system and dropped on a page.
 *
 * @module
 */

import type { OpenPage } from "./page.ts";

/** Drops the files or folders at `paths` in the middle of a page, as from a window of the system. */
export async function dropFiles({ page, context }: OpenPage, paths: readonly string[]): Promise<void> {
  const { width, height } = page.viewportSize()!;
  const debug = await context.newCDPSession(page);
  const data = { items: [], files: [...paths], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const) {
    await debug.send("Input.dispatchDragEvent", { type, x: width / 2, y: height / 2, data });
  }
  await debug.detach();
}
