/**
 * Progress of runs whose results go to files and folders in tiles.
 *
 * @module
 */

import type { TileProgress } from "../../runner/progress.ts";
import type { RunSettings } from "../../runner/runner.ts";
import type { Arguments } from "../shell/args.ts";
import type { CliIo } from "../shell/io.ts";
import { type Advance, withBar } from "../shell/progress.ts";

/** Calls `work` with the settings of its run: the signal of the command, and a progress bar called `label` for `bytes`. */
export async function pass<T>(
  label: string,
  bytes: number,
  told: { readonly args: Arguments; readonly io: CliIo },
  work: (settings: Required<Pick<RunSettings<TileProgress>, "signal" | "onProgress">>) => Promise<T>,
): Promise<T> {
  return await withBar(label, { ...told, tellsEnd: label === "map" }, (bar) => {
    const { signal } = told.io;
    return work({ signal, onProgress: (progress) => bar.update(tileAdvance(progress, bytes, "tiles")) });
  });
}

/** Tiles as the progress bar counts; all together, those of other levels as well, stand for the bytes of the source. */
export function tileAdvance(
  { tiles, tilesTotal, seconds, etaSeconds }: TileProgress,
  all: number,
  unit: string,
): Advance {
  const bytes = tilesTotal === 0 ? 0 : all * tiles / tilesTotal;
  return {
    frames: tiles,
    framesTotal: tilesTotal,
    bytes,
    seconds,
    bytesPerSecond: bytes / Math.max(seconds, 1e-9),
    etaSeconds,
    unit,
  };
}
