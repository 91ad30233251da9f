/**
 * Hands files over to the browser, which saves them.
 *
 * @module
 */

/// <reference lib="dom" />

import type { ExportedFile } from "./data.ts";

/** Milliseconds after which the address of a file is taken back: browsers begin to read it at once. */
const KEPT = 60_000;

/** Saves files, one after another. */
export function download(files: readonly ExportedFile[]): void {
  for (const { name, blob } of files) {
    const url = URL.createObjectURL(blob);
    const link = document.createElement("a");
    link.href = url;
    link.download = name;
    link.hidden = true;
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(url), KEPT);
  }
}
