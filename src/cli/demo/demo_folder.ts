/**
 * The folder of the demo: new, or that of an earlier demo. The demo replaces no files of the user.
 *
 * @module
 */

import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { TilewiseError } from "../../errors.ts";

/** Names of the files that the demo writes. */
const OWN = new RegExp(
  `^(scan_\\d{3}\\.mib|scan\\.hdr|(field|field-known|ring|sum|strain)\\.png|(field_y|field_x|ring|sum)\\.npy)$`,
);

/** Frames of the demo have time stamps at the start of 1970; frames of a detector do not. */
const EXPOSED = "1970-01-01 00:00:00";

/** Refuses a folder with files that the demo would replace, unless they are those of an earlier demo. */
export async function refuseForeign(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const taken = names.filter((name) => OWN.test(name)).sort();
  if (taken.length === 0 || await isDemo(join(folder, "scan_000.mib"))) return;
  const text =
    `Cannot write the demo to ${folder}: there is ${
      taken[0]
    }, which is not of a demo, and nothing of others ` +
    "is replaced; choose another folder with -o";
  throw new TilewiseError("invalid", text, { file: join(folder, taken[0]!) });
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
