/**
 * Runs of UDFs, part by part.
 *
 * @module
 */

import { isTilewiseError, throwIfAborted, TilewiseError } from "../../errors.ts";
import type { Context } from "../../runner/face.ts";
import type { Results } from "../../udf/interface/buffer_types.ts";
import type { UdfPlan } from "../../udf/plan/plan_facts.ts";
import { Assembly, computePartial, mergeRanges } from "../../udf/run/partial.ts";
import { cutOf } from "../../udf/plan/units.ts";
import { sourcesRead } from "../../udf/run/sources_read.ts";
import type { PartStore } from "../store/store.ts";
import { endLeaf, nodeName, type TreeNode } from "../store/node.ts";
import type { Part } from "../store/part.ts";
import { identitiesOf, mustBeSameInputs } from "../manifest/inputs.ts";
import type { ClusterManifest } from "../manifest/manifest.ts";
import type { PartControl, ReadyRun } from "../manifest/ready_run.ts";
import type { StoredRun } from "../manifest/read.ts";
import { type Join, startOf, workOf } from "../manifest/work.ts";
import { partialOf, partOf } from "./udf_part.ts";
import { mustBeCutSo } from "./cut.ts";
import { plannedAgain } from "./udf_manifest.ts";

/** A run of UDFs that is ready. */
export class UdfRun implements ReadyRun {
  readonly manifest: ClusterManifest;
  readonly digest: string;

  private constructor(
    { manifest, digest }: StoredRun,
    /** The plan of the whole run. */
    readonly plan: UdfPlan,
  ) {
    this.manifest = manifest;
    this.digest = digest;
  }

  /** Opens the source, plans, and compares inputs and units with those of the manifest. */
  static async open(
    store: PartStore,
    run: StoredRun,
    context: Context | undefined,
    signal: AbortSignal | undefined,
  ): Promise<UdfRun> {
    const plan = await plannedAgain(store, run.manifest, context, signal);
    return await UdfRun.planned(run, plan);
  }

  /** The run of a plan that was made before. */
  static async planned(run: StoredRun, plan: UdfPlan): Promise<UdfRun> {
    mustBeSameInputs(run.manifest.inputs, await identitiesOf(sourcesRead(plan)));
    mustBeCutSo(run.manifest, cutOf(plan), "the run");
    return new UdfRun(run, plan);
  }

  async compute(node: TreeNode, { signal, onProgress }: PartControl = {}): Promise<Part> {
    const range = { start: startOf(this.manifest, node), stop: endLeaf(node) * this.manifest.work.leaf };
    const partial = await computePartial(this.plan, range, {
      ...(signal ? { signal } : {}),
      ...(onProgress ? { onProgress: ({ frames }) => onProgress(frames) } : {}),
    }).catch((error) => {
      throw inNode(error, node);
    });
    return partOf(this.digest, node, partial);
  }

  async join(
    { node, children }: Join,
    read: (child: TreeNode) => Promise<Part>,
    { signal }: PartControl = {},
  ): Promise<Part> {
    return partOf(this.digest, node, {
      pieces: [],
      merged: await this.#merged(children, read, signal) ?? [],
    });
  }

  /** The results: units give the rows of positions, roots the merged buffers. Only one part is held at a time. */
  async results(
    read: (node: TreeNode) => Promise<Part>,
    { signal, onProgress }: PartControl = {},
  ): Promise<Results> {
    const { units, roots, framesOf } = workOf(this.manifest);
    const assembly = new Assembly(this.plan);
    let frames = 0;
    for (const unit of units) {
      throwIfAborted(signal);
      assembly.add(partialOf(await read(unit), this.plan));
      onProgress?.(frames += framesOf(unit));
    }
    return assembly.results(await this.#merged(roots, read, signal));
  }

  /** The merged buffers of nodes, in order. */
  #merged(
    nodes: readonly TreeNode[],
    read: (node: TreeNode) => Promise<Part>,
    signal?: AbortSignal,
  ): ReturnType<typeof mergeRanges> {
    const ranges = nodes.map((node) => ({
      start: startOf(this.manifest, node),
      read: async () => partialOf(await read(node), this.plan).merged,
    }));
    return mergeRanges(this.plan, ranges, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

function inNode(error: unknown, node: TreeNode): unknown {
  if (!isTilewiseError(error)) return error;
  const { code, message, details, cause } = error;
  return new TilewiseError(code, message, { ...details, node: nodeName(node) }, { cause });
}
