/**
 * Merged outputs: arrays without some of the tiled dimensions, of which every tile computes a part.
 *
 * Parts are merged on the calling thread, in the order of the tiles. The tiles do not depend on the number of workers, so
 * the result has the same bits for any number of them. A window of the output is open from its first tile to its last
 * one; places for all windows that can be open at the same time are leased when the run begins.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { blockBytes, type Slab } from "../../memory/slab.ts";
import { nearest, type OptionRule } from "../../options.ts";
import { callable, either, oneOf } from "../../options/rules.ts";
import { reasonOf } from "../../reason.ts";
import { dtypeInfo, type TypedArray } from "../../space/dtype.ts";
import { copyNumbers, isBig } from "../../space/numbers.ts";
import type { NDArray } from "../../space/ndarray.ts";
import { sizeOf } from "../../space/shape.ts";
import type { Hypercube } from "../cube/cube.ts";
import { withRole } from "../cube/schema.ts";
import type { Dimension } from "../cube/dimension.ts";
import { chunkCount, firstTile } from "../cube/iterate.ts";
import type { TilePlan } from "../plan/budget.ts";
import { dependsOn } from "../plan/tile_bytes.ts";
import { type CubeArray, viewOf } from "../providers/provider.ts";
import { outOfOrder, putsTiles, resumesTiles } from "../providers/sinks/placing.ts";
import type { Supply } from "../providers/supply.ts";

/**
 * Merges a part of an output into what earlier tiles have given; both have the same shape.
 * @category Hypercubes
 */
export type MergeFunction = (into: NDArray, part: NDArray) => void;

/**
 * How the parts of an output are merged.
 * @category Hypercubes
 */
export type CubeMerge = "sum" | "min" | "max" | MergeFunction;

/** Rule for the ways to merge. */
export const mergeRule: OptionRule<CubeMerge> = either(
  '"sum", "min", "max", or a function of two arrays',
  oneOf("sum", "min", "max"),
  callable,
);

/** A merged output of a plan. */
export interface MergedOutput {
  /** Its name. */
  readonly name: string;
  /** How it is merged. */
  readonly how: CubeMerge;
  /** The tiled dimensions that it does not have, with the windows of the whole run. */
  readonly reduced: readonly Dimension[];
  /** Tiles that become one window. */
  readonly parts: number;
  /** Most windows that are open at the same time. */
  readonly windows: number;
  /** Bytes of a window. */
  readonly bytes: number;
}

/** The merged outputs of a plan; errors name `call`. */
export function mergedOutputs(
  call: string,
  plan: TilePlan,
  merge: Readonly<Record<string, CubeMerge>>,
): MergedOutput[] {
  const { cube, strides } = plan;
  const outputs = withRole(cube, "output").map(({ name }) => name);
  return Object.entries(merge).map(([name, how]): MergedOutput => {
    if (!outputs.includes(name)) throw noOutput(call, name, outputs);
    const schema = cube.array(name);
    if (typeof how === "string" && how !== "sum" && dtypeInfo(schema.dtype).kind === "c") {
      const text = `${call}: ${name} is ${schema.dtype}, which has no order; merge it by "sum" or a function`;
      throw new TilewiseError("invalid", text, { option: `merge.${name}`, found: how });
    }
    const counts = strides.map((stride) => chunkCount(cube, stride));
    const has = strides.map(([dimension]) => dependsOn(cube, schema, dimension));
    const product = (of: (d: number) => boolean) => counts.reduce((all, n, d) => of(d) ? all * n : all, 1);
    const slowest = has.indexOf(false);
    const largest = firstTile(cube, strides.filter((_, d) => has[d])).arrayShape(name);
    const reduced = strides.filter((_, d) => !has[d]).map(([dimension]) => cube.dimension(dimension));
    return {
      name,
      how,
      reduced,
      parts: product((d) => !has[d]),
      windows: slowest < 0 ? 1 : product((d) => has[d]! && d > slowest),
      bytes: blockBytes(schema.dtype, sizeOf(largest)),
    };
  });
}

/** Refuses outputs of which tiles are parts, if these are not merged and a sink would put one on top of the other. */
export function checkMerged(
  call: string,
  { cube, strides }: TilePlan,
  merged: readonly MergedOutput[],
  { sinks }: Supply,
  ordered: boolean,
): void {
  for (const [name, all] of sinks) {
    const isMerged = merged.some((output) => output.name === name && output.parts > 1);
    if ((isMerged || !ordered) && all.some(({ sink }) => resumesTiles(sink))) throw outOfOrder(call, name);
    const putting = all.find(({ sink }) => putsTiles(sink));
    if (!putting || merged.some((output) => output.name === name)) continue;
    const over = strides.find((stride) =>
      !dependsOn(cube, cube.array(name), stride[0]) && chunkCount(cube, stride) > 1
    );
    if (!over) continue;
    const text = `${call}: tiles along ${over[0]} are parts of ${name}, and each would replace the last in ` +
      `${putting.provider}; merge them, such as by { merge: { ${name}: "sum" } }, or leave ${over[0]} whole`;
    throw new TilewiseError("invalid", text, { option: `merge.${name}`, found: "nothing", array: name });
  }
}

function noOutput(call: string, name: string, outputs: readonly string[]): TilewiseError {
  const near = nearest(name, outputs);
  const hint = near ? `did you mean "${near}"?` : `outputs are ${outputs.join(", ")}`;
  const text = `${call} cannot merge "${name}", which is not an output of the cube; ${hint}`;
  return new TilewiseError("invalid", text, {
    option: `merge.${name}`,
    found: name,
    expected: near ?? outputs.join(", "),
  });
}

/** A window that is complete. */
interface MergedWindow {
  /** The merged samples, valid until {@link release} is called. */
  readonly data: NDArray;
  /** The cube with the window: the reduced dimensions are whole. */
  readonly cube: Hypercube;
  /** Gives its place back. */
  release(): void;
}

/** The open windows of one output. */
export class MergedArray {
  readonly #open = new Map<string, { readonly slab: Slab; readonly array: CubeArray; parts: number }>();
  readonly #free: Slab[];

  /** No windows yet; `slabs` are the places of windows. */
  constructor(readonly output: MergedOutput, slabs: readonly Slab[]) {
    this.#free = [...slabs];
  }

  /** Merges the part of the next tile; its window, if this was the last part. */
  add(cube: Hypercube, tile: number, part: NDArray): MergedWindow | undefined {
    const { name, parts } = this.output;
    const key = cube.arrayExtents(name).join();
    const known = this.#open.get(key);
    const window = known ?? this.#begin(key, part);
    const data = viewOf(window.slab.memory, window.array);
    if (!known) copyNumbers(data.data, part.data);
    else this.#merge(tile, data, part);
    if (++window.parts < parts) return undefined;
    this.#open.delete(key);
    const whole = this.output.reduced.map(({ name, lower, upper }) => [name, { lower, upper }]);
    return {
      data,
      cube: cube.with(Object.fromEntries(whole)),
      release: () => void this.#free.push(window.slab),
    };
  }

  #begin(key: string, { shape, dtype }: NDArray) {
    const slab = this.#free.pop();
    if (!slab) throw new TilewiseError("corrupt", `There is no place for a window of ${this.output.name}`);
    slab.reset();
    const { pointer } = slab.block(dtype, sizeOf(shape), this.output.name);
    const window = { slab, array: { pointer, shape, dtype }, parts: 0 };
    this.#open.set(key, window);
    return window;
  }

  #merge(tile: number, into: NDArray, part: NDArray): void {
    const { name, how } = this.output;
    if (typeof how === "string") return combine(how, into.data, part.data);
    try {
      how(into, part);
    } catch (cause) {
      const text = `The merge of ${name} failed for tile ${tile}: ${reasonOf(cause)}`;
      throw new TilewiseError("udf", text, { array: name, tile }, { cause });
    }
  }
}

function combine(how: "sum" | "min" | "max", into: TypedArray, part: TypedArray): void {
  if (isBig(into)) {
    if (isBig(part)) combineBig(how, into, part);
    return;
  }
  if (isBig(part)) return;
  if (how === "sum") { for (let i = 0; i < into.length; i++) into[i]! += part[i]!; }
  else if (how === "min") { for (let i = 0; i < into.length; i++) into[i] = Math.min(into[i]!, part[i]!); }
  else for (let i = 0; i < into.length; i++) into[i] = Math.max(into[i]!, part[i]!);
}

type Big = BigInt64Array | BigUint64Array;

function combineBig(how: "sum" | "min" | "max", into: Big, part: Big): void {
  for (let i = 0; i < into.length; i++) {
    const [a, b] = [into[i]!, part[i]!];
    into[i] = how === "sum" ? a + b : (how === "min") === (b < a) ? b : a;
  }
}
