/**
 * Cubes, part by part: a part has the outputs of some tiles.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { TilePlan } from "../../hypercube/plan/budget.ts";
import { modulesOf, planProblem } from "../../hypercube/parts/problem.ts";
import { computeTiles, deliverTiles } from "../../hypercube/parts/tiles.ts";
import { outputsOf, tileCut } from "../../hypercube/plan/tile_cut.ts";
import { toMemory } from "../../hypercube/providers/sinks/memory.ts";
import type { Provider, Sinks } from "../../hypercube/providers/provider.ts";
import type { Context } from "../../runner/face.ts";
import type { TypedArray } from "../../space/dtype.ts";
import { identitiesOfNames, mustBeSameInputs } from "../manifest/inputs.ts";
import { canonical } from "../manifest/json.ts";
import type { ClusterManifest } from "../manifest/manifest.ts";
import type { PartControl, ReadPart, ReadyRun } from "../manifest/ready_run.ts";
import type { StoredRun } from "../manifest/read.ts";
import { startOf, workOf } from "../manifest/work.ts";
import type { TreeNode } from "../store/node.ts";
import type { Part } from "../store/part.ts";
import type { PartStore } from "../store/store.ts";
import { mustBeListed } from "./common.ts";
import { resultsOf, specOf, stridesOf } from "./cube_manifest.ts";
import { inputNames, openCube, type OpenedCube } from "./cube_opened.ts";
import { joined, TilesOfParts } from "./cube_part.ts";
import { mustBeCutSo } from "./cut.ts";

const CALL = "the cube";

/**
 * Sinks of a cube, as `run` takes them: an object of functions, or a list of such objects and of providers.
 * @category Cluster
 */
export type CubeSinks = Sinks | readonly (Sinks | Provider)[];

/** A cube that is ready. */
export class CubeRun implements ReadyRun {
  readonly manifest: ClusterManifest;
  readonly digest: string;

  private constructor(
    { manifest, digest }: StoredRun,
    /** The plan of the whole run. */
    readonly plan: TilePlan,
    private readonly opened: OpenedCube,
  ) {
    this.manifest = manifest;
    this.digest = digest;
  }

  /** Opens the cube, plans its tiles, and compares inputs, outputs and units with those of the manifest. */
  static async open(
    store: PartStore,
    run: StoredRun,
    context: Context | undefined,
    signal: AbortSignal | undefined,
  ): Promise<CubeRun> {
    const { manifest } = run;
    const spec = await specOf(store, manifest);
    if (spec.from === "module") mustBeListed(manifest, [spec.module]);
    mustBeSameInputs(manifest.inputs, await identitiesOfNames(inputNames(spec)));
    const opened = await openCube(spec, context, signal);
    try {
      mustBeListed(manifest, modulesOf(opened.problem));
      const plan = await planProblem(CALL, opened.problem, context, stridesOf(manifest), signal);
      return CubeRun.planned(run, plan, opened);
    } catch (error) {
      await opened[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** The column of an observation that the results become; absent: they become a file. */
  get column(): string | undefined {
    return this.opened.column;
  }

  /** What is known of its only result. */
  get result(): OpenedCube["result"] {
    return this.opened.result;
  }

  /** The run of a plan that was made before. */
  static planned(run: StoredRun, plan: TilePlan, opened: OpenedCube): CubeRun {
    mustBeSameResults(run.manifest, plan);
    mustBeCutSo(run.manifest, tileCut(plan), "the tiles of the cube");
    return new CubeRun(run, plan, opened);
  }

  async compute(node: TreeNode, { signal, onProgress }: PartControl = {}): Promise<Part> {
    const first = startOf(this.manifest, node);
    const range = { first, stop: first + workOf(this.manifest).framesOf(node) };
    const found = new Map<string, TypedArray[]>(outputsOf(this.plan.cube).map(({ name }) => [name, []]));
    await computeTiles(CALL, this.plan, this.opened.problem, range, ({ name, data, tile }) => {
      found.get(name)?.push(data.data.slice());
      onProgress?.(tile - first + 1);
    }, signal ? { signal } : {});
    const arrays = Object.fromEntries(
      outputsOf(this.plan.cube).map(({ name, dtype }) => [name, joined(found.get(name) ?? [], dtype)]),
    );
    return { run: this.digest, node, arrays, values: {} };
  }

  join(): Promise<Part> {
    return Promise.reject(new TilewiseError("corrupt", "Tiles of cubes are not merged before the end"));
  }

  /** The outputs in memory, by name. */
  async results(read: ReadPart, control: PartControl = {}): Promise<unknown> {
    const names = outputsOf(this.plan.cube).map(({ name }) => name);
    const memory = toMemory(...names);
    await this.deliver([memory], read, control);
    return Object.fromEntries(names.map((name) => [name, memory.array(name)]));
  }

  /** Writes the outputs to `path`. */
  async into(path: string, read: ReadPart, control: PartControl = {}): Promise<void> {
    await this.deliver([await this.opened.sink(path)], read, control);
  }

  /** Gives the outputs to sinks, in the order of the tiles; one part is held at a time. */
  async deliver(sinks: CubeSinks, read: ReadPart, { signal, onProgress }: PartControl = {}): Promise<void> {
    const tiles = new TilesOfParts(this.plan, this.manifest, read);
    const settings = {
      ...(signal ? { signal } : {}),
      ...(onProgress ? { onProgress: ({ tiles }: { readonly tiles: number }) => onProgress(tiles) } : {}),
    };
    await deliverTiles(CALL, this.plan, this.opened.problem, (tile) => tiles.at(tile), sinks, settings);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.opened[Symbol.asyncDispose]();
  }
}

/** The same module and parameters give the same outputs; anything else must not be computed. */
function mustBeSameResults({ results }: ClusterManifest, { cube }: TilePlan): void {
  const found = resultsOf(cube);
  if (canonical(found) === canonical(results)) return;
  const text =
    "This machine would compute other outputs than the manifest says. Nothing was computed; the module " +
    "must make the same cube everywhere, from its parameters alone";
  throw new TilewiseError("changed", text, { expected: canonical(results), found: canonical(found) });
}
