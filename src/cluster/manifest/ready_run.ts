/**
 * A run on many machines, as one of its workers sees it.
 *
 * @module
 */

import { checkOptionNames, type OptionNames } from "../../options.ts";
import { callable, signal as signalRule } from "../../options/rules.ts";
import type { Provider, Sinks } from "../../hypercube/providers/provider.ts";
import type { ClusterManifest } from "./manifest.ts";
import type { Join } from "./work.ts";
import type { Part } from "../store/part.ts";
import type { TreeNode } from "../store/node.ts";

/**
 * What a worker may say and hear while it computes a part.
 * @category Cluster
 */
export interface PartControl {
  /** Ends it with `aborted`; nothing is committed then. */
  readonly signal?: AbortSignal;
  /** Called now and then with the number of frames (rows, samples) of this part that are done. */
  readonly onProgress?: (done: number) => void;
}

const CONTROL: OptionNames<PartControl> = { signal: signalRule, onProgress: callable };

/** Refuses unknown options of `call`. */
export function checkControl(call: string, control: PartControl): void {
  checkOptionNames(call, control, CONTROL);
}

/**
 * Gives the part of a node when its turn comes.
 * @category Cluster
 */
export type ReadPart = (node: TreeNode) => Promise<Part>;

/**
 * Sinks of a cube, as `run` takes them: an object of functions, or a list of such objects and of providers.
 * @category Cluster
 */
export type CubeSinks = Sinks | readonly (Sinks | Provider)[];

/**
 * A run that is ready: inputs are open and are those of the manifest, code is loaded and is that of the manifest.
 * @category Cluster
 */
export interface ReadyRun extends AsyncDisposable {
  /** Its manifest. */
  readonly manifest: ClusterManifest;
  /** Digest of the manifest. */
  readonly digest: string;
  /**
   * Computes a unit. Errors: those of a run: `udf` and `invalid` (the same every time), `io`, `worker`, `timeout` (may go
   * away), `changed` (an input is another one), `aborted`.
   */
  compute(node: TreeNode, control?: PartControl): Promise<Part>;
  /** Merges the parts of the children of an inner node, in order; `read` gives one when its turn comes. */
  join(join: Join, read: ReadPart, control?: PartControl): Promise<Part>;
  /**
   * The results of the whole run, from all units and roots; `read` gives a part when its turn comes. What they are depends on
   * the kind of the run: arrays by UDF and name, or a summary of what was written.
   */
  results(read: ReadPart, control?: PartControl): Promise<unknown>;
  /** Writes the result of the whole run to the file or folder `path`; absent where results do not go to files. */
  readonly into?: ((path: string, read: ReadPart, control?: PartControl) => Promise<void>) | undefined;
  /** Gives the outputs of the whole run to sinks, in the order of the tiles; absent where the run is not a cube. */
  readonly deliver?: ((sinks: CubeSinks, read: ReadPart, control?: PartControl) => Promise<void>) | undefined;
}
