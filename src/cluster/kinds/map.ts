/**
 * Operations over views, part by part: a part has some rows of the result, rows of an image or planes of a stack.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { copyBox } from "../../memory/copy_box.ts";
import { viewOf } from "../../memory/strided.ts";
import { type DType, type TypedArray, unitsOf, zeros } from "../../space/dtype.ts";
import { ndarray } from "../../space/ndarray.ts";
import { type Shape, sizeOf } from "../../space/shape.ts";
import { mustBeTarget } from "../../sinks/registry.ts";
import { filesOfRows } from "../../sinks/rows/stream.ts";
import { sourcesOfArray, storedShape } from "../../views/array.ts";
import { cutDimension, type MapBlock, tileOfResult } from "../../views/map/blocks.ts";
import { arrayOfPlan, type MapPlan, resultOfPlan } from "../../views/map/map_plan.ts";
import { mapPlan, rowCut } from "../../views/map/plan.ts";
import { rowsFile } from "../../views/map/rows_file.ts";
import { mapBlocks } from "../../views/map/run.ts";
import { identitiesOf } from "../manifest/inputs.ts";
import type { PartControl } from "../manifest/ready_run.ts";
import { type NamedData, openedAgain } from "./common.ts";
import { type AllMade, type Content, misfit, type Opening, type Parted, type PartRange } from "./parted.ts";
import { operationAgain, type PlannedMap, viewsManifest } from "./views_manifest.ts";

/**
 * The manifest of a planned operation, and the arrays that it names. Errors: `unsupported` for joined arrays, for functions,
 * and for results that are not arrays.
 */
export async function mapManifest(planned: PlannedMap): Promise<NamedData> {
  return await viewsManifest(planned, { kind: "map", work: rowCut(planned.plan) });
}

/** The run of a manifest. */
export async function openMap({ store, manifest, context, signal }: Opening): Promise<MapParts> {
  const dataset = await openedAgain(store, manifest, signal);
  const { operation, options } = await operationAgain(store, manifest);
  const room = defined({ context });
  return new MapParts(await mapPlan("map", dataset, operation, { ...options, blocks: "tiles", ...room }));
}

/** An operation over views, with blocks that are tiles. */
export class MapParts implements Parted {
  readonly cut: Parted["cut"];
  readonly result: ReturnType<typeof arrayOfPlan>;
  /** The dimension along which the result is cut. */
  readonly #along: number;

  /** The parts of a plan. */
  constructor(private readonly plan: MapPlan) {
    this.cut = rowCut(plan);
    this.result = arrayOfPlan(plan, "");
    this.#along = cutDimension(plan.shape);
  }

  inputs(): ReturnType<typeof identitiesOf> {
    return identitiesOf(sourcesOfArray(this.plan.views.array));
  }

  async compute(rows: PartRange, { signal, onProgress }: PartControl): Promise<Content> {
    const { dtype, shape } = this.plan;
    const data = zeros(dtype, sizeOf(this.#shapeOf(rows)));
    let samples = 0;
    for await (const tile of mapBlocks(this.#only(rows), defined({ signal }))) {
      this.#add(tile, rows, data);
      samples += sizeOf(tile.shape);
      onProgress?.(Math.min(rows.frames, Math.floor(samples / sizeOf(shape.slice(this.#along + 1)))));
    }
    return { arrays: { data } };
  }

  async results(all: AllMade, { onProgress }: PartControl): Promise<unknown> {
    const { shape, dtype } = this.plan;
    const whole = zeros(dtype, sizeOf(shape));
    let at = 0;
    for await (const { data, origin } of this.#bands(all)) {
      whole.set(data as never, at); // both have the type of the result
      at += data.length;
      onProgress?.(origin[this.#along] ?? 0);
    }
    return resultOfPlan(this.plan, whole);
  }

  files(path: string): readonly string[] {
    return filesOfRows(mustBeTarget(path, "frames"), path);
  }

  /** Writes the result to a file of rows. */
  async into(path: string, all: AllMade): Promise<void> {
    const { shape, blocks: { grid: { tile } }, views: { array } } = this.plan;
    const facts = { ...this.result, shape: storedShape(shape, array), tile, sources: sourcesOfArray(array) };
    await rowsFile(mustBeTarget(path, "frames"), path).write(facts, this.#bands(all));
  }

  /** The parts as bands of the result, from the first to the last. */
  async *#bands({ units }: AllMade): AsyncGenerator<MapBlock<DType>, void> {
    const { dtype, shape } = this.plan;
    for (const unit of units) {
      const { arrays: { data } } = await unit.read();
      const own = this.#shapeOf(unit);
      if (data?.length !== sizeOf(own) * unitsOf(dtype)) throw misfit(unit.name, "it has other rows");
      yield { ...ndarray(data, own, dtype), origin: shape.map((_, d) => d === this.#along ? unit.start : 0) };
    }
  }

  #shapeOf({ frames }: PartRange): Shape {
    return this.plan.shape.map((size, d) => d === this.#along ? frames : size);
  }

  /** The plan of the tiles that reach into `rows`. */
  #only({ start, frames }: PartRange): MapPlan {
    const { plan } = this;
    const inside = (index: Shape) => {
      const { origin, shape } = tileOfResult(plan.blocks, index);
      const from = origin[this.#along] ?? 0;
      return from < start + frames && from + (shape[this.#along] ?? 1) > start;
    };
    const { traversal } = plan;
    const tiles = function* (counts: Shape) {
      for (const index of traversal.tiles(counts)) if (inside(index)) yield index;
    };
    return { ...plan, traversal: { ...traversal, tiles } };
  }

  /** Copies the rows of a tile that are wanted. */
  #add({ data, shape, origin }: MapBlock<DType>, rows: PartRange, into: TypedArray): void {
    const { dtype } = this.plan;
    const d = this.#along;
    const first = origin[d] ?? 0;
    const from = Math.max(first, rows.start);
    const stop = Math.min(first + (shape[d] ?? 1), rows.start + rows.frames);
    const box = {
      origin: shape.map((_, k) => k === d ? from - first : 0),
      shape: shape.map((size, k) => k === d ? stop - from : size),
    };
    const place = origin.map((at, k) => k === d ? from - rows.start : at);
    copyBox(viewOf(data, dtype, shape), box, viewOf(into, dtype, this.#shapeOf(rows)), place);
  }
}
