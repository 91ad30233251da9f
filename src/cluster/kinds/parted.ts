/**
 * Runs of all kinds, part by part: what a kind states of its run, and the run that machines share.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { throwIfAborted, TilewiseError } from "../../errors.ts";
import type { Context } from "../../runner/context.ts";
import type { Cut } from "../../runner/parts.ts";
import type { RunSettings } from "../../runner/runner.ts";
import type { DescribedArray } from "../../sinks/losses.ts";
import { mustBeSameInputs } from "../manifest/inputs.ts";
import { canonical } from "../manifest/json.ts";
import type { ClusterManifest, InputIdentity, ResultLayout } from "../manifest/manifest.ts";
import { commitManifest, type StoredRun } from "../manifest/read.ts";
import type { CubeSinks, PartControl, ReadPart, ReadyRun } from "../manifest/ready_run.ts";
import type { Data } from "../manifest/values.ts";
import { type Join, type Work, workOf } from "../manifest/work.ts";
import { endLeaf, firstLeaf, nodeName, type TreeNode } from "../store/node.ts";
import type { Part } from "../store/part.ts";
import type { PartStore } from "../store/store.ts";

/** A node of a run: its leaves, half-open, in frames (rows, tiles, chunks), and how many of these are selected. */
export interface PartRange {
  readonly name: string;
  readonly start: number;
  readonly stop: number;
  readonly frames: number;
}

/** A node whose part can be read; one part is held at a time. */
export interface Made extends PartRange {
  read(): Promise<Part>;
}

/** The nodes of a run whose parts are all there, in order. */
export interface AllMade {
  /** What was computed. */
  readonly units: readonly Made[];
  /** What the last merge takes. */
  readonly roots: readonly Made[];
}

/** What is in a part; values are plain data. */
export type Content = Pick<Part, "arrays"> & Partial<Pick<Part, "values">>;

/** What a kind states of a run that is planned, besides its manifest. */
export interface Parted extends Partial<AsyncDisposable> {
  /** How it is cut here. */
  readonly cut: Cut;
  /** What it computes here, where that follows from code of users. */
  readonly outputs?: readonly ResultLayout[];
  /** The result as targets see it; absent: there are several, or a file holds all that is known. */
  readonly result?: DescribedArray;
  /** The column of a table that the result becomes; absent: it becomes a file. */
  readonly column?: string | undefined;
  /** What it reads; absent: that was compared before it was opened. */
  inputs?(): Promise<InputIdentity[]>;
  /** Computes the part of a unit. */
  compute(unit: PartRange, control: PartControl): Promise<Content>;
  /** Merges parts; absent: nothing is merged before the end. */
  join?(children: readonly Made[], control: PartControl): Promise<Content>;
  /** The results in memory. */
  results(all: AllMade, control: PartControl): Promise<unknown>;
  /** The files that it writes to `path`. Errors: `invalid` for a path that does not fit. */
  files?(path: string): readonly string[];
  /** Writes the result to `path`; absent: it is not written as a whole. */
  into?(path: string, all: AllMade, control: PartControl): Promise<void>;
  /** Gives the outputs to sinks; absent: it is not a cube. */
  deliver?(sinks: CubeSinks, all: AllMade, control: PartControl): Promise<void>;
}

/** The run of a manifest that is to be opened, and where. */
export interface Opening {
  readonly store: PartStore;
  readonly manifest: ClusterManifest;
  readonly context?: Context | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Makes the run of a manifest; its source is opened. */
export type Open<P extends Parted = Parted> = (opening: Opening) => Promise<P>;

/** A run that is ready: its manifest, and what its kind states of it. */
export class PartedRun<P extends Parted = Parted> implements ReadyRun {
  readonly manifest: ClusterManifest;
  readonly digest: string;

  readonly #work: Work;

  /** The run of a plan from which the manifest was made. */
  constructor({ manifest, digest }: StoredRun, readonly of: P) {
    this.manifest = manifest;
    this.digest = digest;
    this.#work = workOf(manifest);
  }

  /** The run of a manifest: opens its source, plans, and compares inputs, outputs and units with those of the manifest. */
  static async open<P extends Parted>(
    open: Open<P>,
    run: StoredRun,
    where: Omit<Opening, "manifest">,
  ): Promise<PartedRun<P>> {
    const parted = await open({ ...where, manifest: run.manifest });
    try {
      await mustBeSame(run.manifest, parted);
    } catch (error) {
      await parted[Symbol.asyncDispose]?.();
      throw error;
    }
    return new PartedRun(run, parted);
  }

  /** Writes the result to a file. */
  get into(): ReadyRun["into"] {
    const { of } = this;
    return of.into && ((path, read, control = {}) => of.into!(path, this.#all(read, control), control));
  }

  /** Gives the outputs of a cube to sinks. */
  get deliver(): ReadyRun["deliver"] {
    const { of } = this;
    return of.deliver &&
      ((sinks, read, control = {}) => of.deliver!(sinks, this.#all(read, control), control));
  }

  async compute(node: TreeNode, control: PartControl = {}): Promise<Part> {
    return this.#part(node, await this.of.compute(this.#rangeOf(node), control));
  }

  async join({ node, children }: Join, read: ReadPart, control: PartControl = {}): Promise<Part> {
    const { of } = this;
    if (!of.join) {
      throw new TilewiseError("corrupt", `Parts of "${this.manifest.kind}" are not merged before the end`);
    }
    return this.#part(node, await of.join(this.#made(children, read), control));
  }

  async results(read: ReadPart, control: PartControl = {}): Promise<unknown> {
    return await this.of.results(this.#all(read, control), control);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.of[Symbol.asyncDispose]?.();
  }

  #part(node: TreeNode, { arrays, values = {} }: Content): Part {
    return { run: this.digest, node, arrays, values };
  }

  #all(read: ReadPart, { signal }: PartControl): AllMade {
    const { units, roots } = this.#work;
    const next: ReadPart = (node) => {
      throwIfAborted(signal);
      return read(node);
    };
    return { units: this.#made(units, next), roots: this.#made(roots, next) };
  }

  #made(nodes: readonly TreeNode[], read: ReadPart): Made[] {
    return nodes.map((node) => ({ ...this.#rangeOf(node), read: () => read(node) }));
  }

  #rangeOf(node: TreeNode): PartRange {
    const { leaf } = this.manifest.work;
    const frames = this.#work.framesOf(node);
    return { name: nodeName(node), start: firstLeaf(node) * leaf, stop: endLeaf(node) * leaf, frames };
  }
}

/** Puts the run of a plan into a store: the manifest that was made of it, and the arrays that this names. */
export async function committed<P extends Parted>(
  store: PartStore,
  { manifest, data }: { readonly manifest: ClusterManifest; readonly data: Data },
  of: P,
): Promise<PartedRun<P>> {
  return new PartedRun(await commitManifest(store, manifest, data), of);
}

/** The same inputs, options and code give the same outputs and units; anything else must not be computed. */
async function mustBeSame({ inputs, results, work }: ClusterManifest, here: Parted): Promise<void> {
  if (here.inputs) mustBeSameInputs(inputs, await here.inputs());
  if (here.outputs && canonical(here.outputs) !== canonical(results)) {
    const text =
      "This machine would compute other outputs than the manifest says. Nothing was computed; the module " +
      "must make the same cube everywhere, from its parameters alone";
    const [expected, found] = [results, here.outputs].map(canonical) as [string, string];
    throw new TilewiseError("changed", text, { expected, found });
  }
  if (canonical(here.cut) === canonical(work)) return;
  const [expected, found] = [work.units.length, here.cut.units.length];
  const text =
    `This machine would cut the run into ${found} units; the manifest has ${expected}, or others. Nothing was ` +
    "computed; plan a new run in a new store";
  throw new TilewiseError("changed", text, { expected, found });
}

/** The settings of the run of a part; `done` is what its progress says is done. */
export function settingsOf<P>(
  { signal, onProgress }: PartControl,
  done: (progress: P) => number,
): Pick<RunSettings<P>, "signal" | "onProgress"> {
  return {
    ...defined({ signal }),
    ...(onProgress ? { onProgress: (progress: P) => onProgress(done(progress)) } : {}),
  };
}

/** The error about a part that was damaged, or is of another run. */
export function misfit(node: string, why: string): TilewiseError {
  const text = `Part ${node} does not fit the run: ${why}; delete it and compute it again`;
  return new TilewiseError("malformed", text, { node });
}
