/**
 * The outputs of tiles in parts: one array per output, tile after tile.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { Hypercube } from "../../hypercube/cube/cube.ts";
import { tileIter } from "../../hypercube/cube/iterate.ts";
import type { TilePlan } from "../../hypercube/plan/budget.ts";
import { outputsOf } from "../../hypercube/plan/tile_cut.ts";
import { type DType, type TypedArray, unitsOf, zeros } from "../../space/dtype.ts";
import { sizeOf } from "../../space/shape.ts";
import { copyNumbers } from "../../space/numbers.ts";
import type { ClusterManifest } from "../manifest/manifest.ts";
import type { ReadPart } from "../manifest/ready_run.ts";
import { workOf } from "../manifest/work.ts";
import { nodeName, type TreeNode } from "../store/node.ts";
import type { Part } from "../store/part.ts";

/** Arrays one after another. */
export function joined(all: readonly TypedArray[], dtype: DType): TypedArray {
  const numbers = all.reduce((sum, { length }) => sum + length, 0);
  const out = zeros(dtype, numbers / unitsOf(dtype));
  let at = 0;
  for (const one of all) {
    copyNumbers(out.subarray(at, at + one.length) as TypedArray, one);
    at += one.length;
  }
  return out;
}

/** Finds tiles in parts; they are asked for in their order. */
export class TilesOfParts {
  readonly #cubes: Iterator<Hypercube>;
  readonly #units: readonly TreeNode[];
  /** Where the last tile lies in its part, by output. */
  #places: Record<string, { from: number; to: number }> = {};
  #next = 0;
  #unit = -1;
  #part: Part | undefined;

  /** Nothing is read yet. */
  constructor(
    private readonly plan: TilePlan,
    private readonly manifest: ClusterManifest,
    private readonly read: ReadPart,
  ) {
    this.#units = workOf(manifest).units;
    this.#cubes = tileIter(plan.cube, ...plan.strides)[Symbol.iterator]();
  }

  /** The outputs of a tile, by name. Errors: `malformed` for a part that does not have them. */
  async at(tile: number): Promise<Readonly<Record<string, TypedArray>>> {
    while (this.#next <= tile) this.#step();
    const node = this.#units[this.#unit] ?? { level: 0, index: this.#unit };
    const { arrays } = this.#part ??= await this.read(node);
    return Object.fromEntries(
      Object.entries(this.#places).map(([name, { from, to }]) => {
        const data = arrays[name];
        if (data && data.length >= to) return [name, data.subarray(from, to) as TypedArray];
        const text = `Part ${nodeName(node)} does not fit the cube; delete it and compute it again`;
        throw new TilewiseError("malformed", text, { node: nodeName(node) });
      }),
    );
  }

  /** Goes to the next tile. */
  #step(): void {
    const cube: Hypercube = this.#cubes.next().value;
    const unit = Math.floor(this.#next / this.manifest.work.leaf);
    const begins = unit !== this.#unit;
    if (begins) this.#part = undefined;
    this.#unit = unit;
    this.#next++;
    for (const { name, dtype } of outputsOf(this.plan.cube)) {
      const from = begins ? 0 : this.#places[name]?.to ?? 0;
      this.#places[name] = { from, to: from + sizeOf(cube.arrayShape(name)) * unitsOf(dtype) };
    }
  }
}
