/**
 * The progress of a shard, as that of a run: frames, rate, time to go.
 *
 * @module
 */

import type { ClusterManifest } from "../../cluster/manifest/manifest.ts";
import { workOf } from "../../cluster/manifest/work.ts";
import type { TreeNode } from "../../cluster/store/node.ts";
import type { CliIo } from "../shell/io.ts";
import { ProgressBar } from "../shell/progress.ts";

/** Shows how far some units of a run are. */
export class UnitProgress {
  readonly #bar: ProgressBar;
  readonly #total: number;
  readonly #bytesPerFrame: number;
  readonly #started = performance.now();
  #before = 0;

  /** Nothing is done yet. */
  constructor(manifest: ClusterManifest, units: readonly TreeNode[], quiet: boolean, io: CliIo) {
    const { units: all, framesOf } = workOf(manifest);
    const framesIn = (some: readonly TreeNode[]) => some.reduce((sum, unit) => sum + framesOf(unit), 0);
    this.#bar = new ProgressBar(io, "shard", quiet);
    this.#total = framesIn(units);
    this.#bytesPerFrame = manifest.work.bytes / Math.max(1, framesIn(all));
  }

  /** `done` frames of the present unit are done. */
  show(done: number): void {
    const frames = Math.min(this.#total, this.#before + done);
    const seconds = (performance.now() - this.#started) / 1000;
    const bytes = frames * this.#bytesPerFrame;
    this.#bar.update({
      frames,
      framesTotal: this.#total,
      bytes,
      seconds,
      bytesPerSecond: bytes / Math.max(seconds, 1e-9),
      etaSeconds: frames === 0 ? Infinity : (this.#total - frames) * seconds / frames,
    });
  }

  /** A unit of `frames` frames is done. */
  add(frames: number): void {
    this.#before += frames;
    this.show(0);
  }

  /** Removes the bar. */
  clear(): void {
    this.#bar.clear();
  }
}
