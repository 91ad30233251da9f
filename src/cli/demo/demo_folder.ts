/**
 * The folder of the demo: new, or that of an earlier demo. The demo replaces no files of the user.
 *
 * @module
 */

import { open } from "node:fs/promises";
import { join } from "node:path";
import { mustBeOwn } from "../outputs/outputs.ts";

/** Names of the files that the demo writes. */
const OWN = new RegExp(
  `^(scan_\\d{3}\\.mib|scan\\.hdr|(field|field-known|ring|sum|strain)\\.png|(field_y|field_x|ring|sum)\\.npy)$`,
);

/** Frames of the demo have time stamps at the start of 1970; frames of a detector do not. */
const EXPOSED = "1970-01-01 00:00:00";

/** Refuses a folder with files that the demo would replace, unless they are those of an earlier demo. */
export async function refuseForeign(folder: string): Promise<void> {
  await mustBeOwn(folder, (name) => OWN.test(name), () => isDemo(join(folder, "scan_000.mib")));
}

async function isDemo(path: string): Promise<boolean> {
  try {
    await using file = await open(path);
    const { buffer, bytesRead } = await file.read(new Uint8Array(384), 0, 384, 0);
    return new TextDecoder().decode(buffer.subarray(0, bytesRead)).includes(EXPOSED);
  } catch {
    return false; // there is none
  }
}
