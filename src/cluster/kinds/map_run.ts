/**
 * Operations over views, part by part: a part has some rows of the result.
 *
 * @module
 */

import { throwIfAborted, TilewiseError } from "../../errors.ts";
import { copyBox } from "../../memory/copy_box.ts";
import { viewOf } from "../../memory/strided.ts";
import type { Context } from "../../runner/face.ts";
import { type DType, type TypedArray, unitsOf, zeros } from "../../space/dtype.ts";
import { ndarray } from "../../space/ndarray.ts";
import { type Shape, sizeOf } from "../../space/shape.ts";
import { rowTargetOf } from "../../sinks/rows/registry.ts";
import { sourcesOfArray, storedShape } from "../../views/array.ts";
import { type MapBlock, tileOfResult } from "../../views/map/blocks.ts";
import { arrayOfPlan, resultOfPlan } from "../../views/map/facts.ts";
import type { MapPlan } from "../../views/map/map_plan.ts";
import { mapBlocks } from "../../views/map/run.ts";
import { rowsFile } from "../../views/map/rows_file.ts";
import { nodeName, type TreeNode } from "../store/node.ts";
import type { Part } from "../store/part.ts";
import type { PartStore } from "../store/store.ts";
import { identitiesOf, mustBeSameInputs } from "../manifest/inputs.ts";
import type { ClusterManifest } from "../manifest/manifest.ts";
import type { PartControl, ReadPart, ReadyRun } from "../manifest/ready_run.ts";
import type { StoredRun } from "../manifest/read.ts";
import { startOf, workOf } from "../manifest/work.ts";
import { cutDimension, rowCut } from "../../views/map/parts.ts";
import { plannedAgain } from "./map_manifest.ts";
import { mustBeCutSo } from "./cut.ts";

/** Rows of the result, half-open. */
interface Rows {
  readonly start: number;
  readonly stop: number;
}

/** An operation over views that is ready. */
export class ViewsRun implements ReadyRun {
  readonly manifest: ClusterManifest;
  readonly digest: string;
  /** The dimension along which the result is cut. */
  readonly #cut: number;

  private constructor(
    { manifest, digest }: StoredRun,
    /** The plan of the whole run. */
    readonly plan: MapPlan,
  ) {
    this.manifest = manifest;
    this.digest = digest;
    this.#cut = cutDimension(plan.shape);
  }

  /** Opens the source, plans, and compares inputs and units with those of the manifest. */
  static async open(
    store: PartStore,
    run: StoredRun,
    context: Context | undefined,
    signal: AbortSignal | undefined,
  ): Promise<ViewsRun> {
    return await ViewsRun.planned(run, await plannedAgain(store, run.manifest, context, signal));
  }

  /** The run of a plan that was made before, with blocks that are tiles. */
  static async planned(run: StoredRun, plan: MapPlan): Promise<ViewsRun> {
    mustBeSameInputs(run.manifest.inputs, await identitiesOf(sourcesOfArray(plan.views.array)));
    mustBeCutSo(run.manifest, rowCut(plan), "the result");
    return new ViewsRun(run, plan);
  }

  async compute(node: TreeNode, { signal, onProgress }: PartControl = {}): Promise<Part> {
    const rows = this.#rowsOf(node);
    const { dtype } = this.plan;
    const data = zeros(dtype, sizeOf(this.#shapeOf(rows)));
    const tiles = mapBlocks(this.#only(rows), signal ? { signal } : {});
    let samples = 0;
    for await (const tile of tiles) {
      this.#add(tile, rows, data);
      samples += sizeOf(tile.shape);
      onProgress?.(
        Math.min(rows.stop - rows.start, Math.floor(samples / sizeOf(this.plan.shape.slice(this.#cut + 1)))),
      );
    }
    return { run: this.digest, node, arrays: { data }, values: {} };
  }

  join(): Promise<Part> {
    return Promise.reject(new TilewiseError("corrupt", "Runs over views have nothing to merge"));
  }

  /** The result in memory. */
  async results(read: ReadPart, { signal, onProgress }: PartControl = {}): Promise<unknown> {
    const { shape, dtype } = this.plan;
    const whole = zeros(dtype, sizeOf(shape));
    let at = 0;
    for await (const { data, origin } of this.bands(read, signal)) {
      whole.set(data as never, at); // both have the type of the result
      at += data.length;
      onProgress?.(origin[this.#cut] ?? 0);
    }
    return resultOfPlan(this.plan, whole);
  }

  /** Writes the result to a file of rows; one part is held at a time. */
  async into(path: string, read: ReadPart, { signal }: PartControl = {}): Promise<void> {
    const { shape, blocks: { grid: { tile } }, views: { array } } = this.plan;
    const sources = sourcesOfArray(array);
    const facts = { ...arrayOfPlan(this.plan, ""), shape: storedShape(shape, array), tile, sources };
    await rowsFile(rowTargetOf(path), path).write(facts, this.bands(read, signal));
  }

  /** The parts as bands of the result, from the first to the last. */
  async *bands(read: ReadPart, signal?: AbortSignal): AsyncGenerator<MapBlock<DType>, void> {
    const { dtype, shape } = this.plan;
    for (const unit of workOf(this.manifest).units) {
      throwIfAborted(signal);
      const rows = this.#rowsOf(unit);
      const { arrays: { data } } = await read(unit);
      const own = this.#shapeOf(rows);
      if (data?.length !== sizeOf(own) * unitsOf(dtype)) {
        const text = `Part ${nodeName(unit)} does not fit the result; delete it and compute it again`;
        throw new TilewiseError("malformed", text, { node: nodeName(unit) });
      }
      const origin = shape.map((_, d) => d === this.#cut ? rows.start : 0);
      yield { ...ndarray(data, own, dtype), origin };
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  #rowsOf(node: TreeNode): Rows {
    const start = startOf(this.manifest, node);
    return { start, stop: Math.min(this.plan.shape[this.#cut] ?? 1, start + this.manifest.work.leaf) };
  }

  #shapeOf({ start, stop }: Rows): Shape {
    return this.plan.shape.map((size, d) => d === this.#cut ? stop - start : size);
  }

  /** The plan of the tiles that reach into `rows`. */
  #only({ start, stop }: Rows): MapPlan {
    const { plan } = this;
    const inside = (index: Shape) => {
      const { origin, shape } = tileOfResult(plan.blocks, index);
      const from = origin[this.#cut] ?? 0;
      return from < stop && from + (shape[this.#cut] ?? 1) > start;
    };
    const { traversal } = plan;
    const tiles = function* (counts: Shape) {
      for (const index of traversal.tiles(counts)) if (inside(index)) yield index;
    };
    return { ...plan, traversal: { ...traversal, tiles } };
  }

  /** Copies the rows of a tile that are wanted. */
  #add({ data, shape, origin }: MapBlock<DType>, rows: Rows, into: TypedArray): void {
    const { dtype } = this.plan;
    const d = this.#cut;
    const first = origin[d] ?? 0;
    const from = Math.max(first, rows.start);
    const stop = Math.min(first + (shape[d] ?? 1), rows.stop);
    const box = {
      origin: shape.map((_, k) => k === d ? from - first : 0),
      shape: shape.map((size, k) => k === d ? stop - from : size),
    };
    const place = origin.map((at, k) => k === d ? from - rows.start : at);
    copyBox(viewOf(data, dtype, shape), box, viewOf(into, dtype, this.#shapeOf(rows)), place);
  }
}
