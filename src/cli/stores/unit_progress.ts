/**
 * The progress of parts, as that of a run: frames, rate, time to go.
 *
 * @module
 */

import type { ClusterManifest } from "../../cluster/manifest/manifest.ts";
import { workOf } from "../../cluster/manifest/work.ts";
import type { TreeNode } from "../../cluster/store/node.ts";
import type { CliIo } from "../shell/io.ts";
import { ProgressBar } from "../shell/progress.ts";

/** What is counted. */
interface Counted {
  /** What the bar is called. */
  readonly name: "shard" | "engine";
  /** The units whose frames are counted. */
  readonly units: readonly TreeNode[];
  /** Whether nothing is shown. */
  readonly quiet: boolean;
}

/** Shows how far some units of a run are. */
export class UnitProgress {
  /** Frames of all of them. */
  readonly total: number;
  readonly #bar: ProgressBar;
  readonly #bytes: number;
  readonly #started = performance.now();
  #first: number | undefined;

  /** Nothing is known yet. */
  constructor(manifest: ClusterManifest, { name, units, quiet }: Counted, io: CliIo) {
    const { units: all, framesOf } = workOf(manifest);
    const framesIn = (some: readonly TreeNode[]) => some.reduce((sum, unit) => sum + framesOf(unit), 0);
    this.#bar = new ProgressBar(io, name, quiet);
    this.total = framesIn(units);
    this.#bytes = manifest.work.bytes * this.total / Math.max(1, framesIn(all));
  }

  /** So many frames are done; those of the first call were done before this start. */
  show(done: number): void {
    const frames = Math.min(this.total, done);
    const share = frames / Math.max(1, this.total);
    const since = share - (this.#first ??= share);
    const seconds = (performance.now() - this.#started) / 1000;
    this.#bar.update({
      frames: Math.floor(frames),
      framesTotal: this.total,
      bytes: share * this.#bytes,
      seconds,
      bytesPerSecond: since * this.#bytes / Math.max(seconds, 1e-9),
      etaSeconds: since > 0 ? (1 - share) * seconds / since : Infinity,
    });
  }

  /** Removes the bar. */
  clear(): void {
    this.#bar.clear();
  }
}
