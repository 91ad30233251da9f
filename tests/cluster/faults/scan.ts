/**
 * What the laboratories for faults compute: a scan with a marked frame, and a module of users that is slow.
 *
 * @module
 */

import { fromFileUrl, join } from "@std/path";
import { writeNpy } from "../../cli/harness.ts";

/** The repository. */
export const ROOT = fromFileUrl(new URL("../../../", import.meta.url));
/** Frames of the scan. */
const NAV = [16, 16] as const;

/** Writes the scan; another `seed` gives others of the same size, `marked` is the frame at which modules may fail. */
export async function writeScan(path: string, seed = 1, marked = 100): Promise<void> {
  let state = seed;
  const samples = Uint16Array.from({ length: NAV[0] * NAV[1] * 64 }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 20;
  });
  samples[marked * 64] = 60_000;
  await writeNpy(path, "<u2", [...NAV, 8, 8], new Uint8Array(samples.buffer));
}

/** Writes the module `slow.ts` into a folder, where no import map is. */
export async function writeSlow(folder: string): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  const text = await Deno.readTextFile(join(ROOT, "tests/cluster/faults/udfs/slow.ts"));
  await Deno.writeTextFile(
    join(folder, "slow.ts"),
    text.replace("@tilewise/tilewise", `file://${ROOT}mod.ts`),
  );
}
