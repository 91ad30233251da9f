/**
 * The steps of a chain as a plan sees them: sample types, radii, sizes of what is between them.
 *
 * ```text
 *   array ── step 1 ──▶ between ── step 2 ──▶ between ── step 3 ──▶ result
 *     halo r1 + f1 r2 + f1 f2 r3    r2 + f2 r3           r3           0        r: radius, f: factor of a step
 * ```
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { DType } from "../../space/dtype.ts";
import { type Halo, isList, type Radius, showHalo } from "../../space/halo.ts";
import type { Shape } from "../../space/shape.ts";
import type { OperationEntry, OperationFacts } from "../operations/operation.ts";
import { perDimension } from "../operations/rules.ts";

/** A step: its entry and its parameters. */
export interface LoadedStep {
  /** Its name in messages. */
  readonly name: string;
  /** Its parameters. */
  readonly params: object;
  /** Its entry in the table of operations. */
  readonly entry: OperationEntry;
}

/** A step of one use of a chain. */
export interface ChainStep extends LoadedStep {
  /** Facts of its use; its tile is as large as what is computed for one tile of the chain. */
  readonly facts: OperationFacts<object>;
  /** Samples of its input per sample of its result, per dimension. */
  readonly factors: Shape;
  /** Samples of its input that are computed on both sides: the greater side of its halo. */
  readonly reach: Shape;
  /** Samples per dimension that it computes for a full tile: the tile, and the halo of the later steps. */
  readonly made: Shape;
  /** Whether its result is a partial one for every tile: it is the last step. */
  readonly partial: boolean;
}

/** The radius of a step: its own, else its default. */
export function radiusOfStep({ entry, params }: LoadedStep): Radius {
  return entry.radius(params) ?? entry.usualRadius;
}

/**
 * The radius of a chain: each step needs its own, and that of the steps after it, in its own samples. It is the same on
 * both sides: what a border shows on one side of the array is computed on the other side of that end.
 */
export function radiusOfChain(steps: readonly LoadedStep[]): number | Shape {
  return steps.reduceRight<number | Shape>((halo, step) => {
    const factors = step.entry.factors?.(step.params) ?? 1;
    const { front, back } = sidesOf(radiusOfStep(step));
    const own = together(front, back, Math.max);
    return together(own, together(halo, factors, (h, f) => h * f), (r, h) => r + h);
  }, 0);
}

function sidesOf(radius: Radius): { readonly front: number | Shape; readonly back: number | Shape } {
  if (typeof radius === "number" || isList(radius)) return { front: radius, back: radius };
  return { front: radius.front ?? 0, back: radius.back ?? 0 };
}

/** Samples of the array per sample of the result of a chain. */
export function factorsOfChain(steps: readonly LoadedStep[]): number | Shape {
  return steps.reduce<number | Shape>(
    (all, { entry, params }) => together(all, entry.factors?.(params) ?? 1, (a, b) => a * b),
    1,
  );
}

/** Numbers for all dimensions, or lists with one per dimension, combined. */
function together(
  a: number | Shape,
  b: number | Shape,
  join: (a: number, b: number) => number,
): number | Shape {
  if (typeof a === "number" && typeof b === "number") return join(a, b);
  const rank = isList(a) ? a.length : (b as Shape).length;
  const [left, right] = [matching(a, rank), matching(b, rank)];
  return left.map((n, d) => join(n, right[d]!));
}

/** A number for all dimensions as a list; a list must have as many numbers as the array has dimensions. */
export function matching(value: number | Shape, rank: number): Shape {
  if (typeof value === "number" || value.length === rank) return perDimension(value, rank);
  const text =
    `Cannot chain operations of ${value.length} and of ${rank} dimensions: the lists of radii and ` +
    "factors of all steps must have one number per dimension of the array";
  throw new TilewiseError("invalid", text, { option: "operation", expected: rank, found: value.length });
}

/** The steps of a chain over samples of `dtype`, for full tiles of `tile`; `arrays`: names of joined arrays, which the first step sees. */
export function chainSteps(
  steps: readonly LoadedStep[],
  dtype: DType,
  tile: Shape,
  arrays?: readonly string[],
): ChainStep[] {
  const rank = tile.length;
  const factors = steps.map(({ entry, params }) => matching(entry.factors?.(params) ?? 1, rank));
  const result = factors.reduce<Shape>((shape, f) => shape.map((n, d) => Math.ceil(n / f[d]!)), tile);
  const all: ChainStep[] = [];
  let made = result;
  for (const [k, step] of [...steps.entries()].reverse()) {
    const { front, back } = sidesOf(radiusOfStep(step));
    const halo = { front: matching(front, rank), back: matching(back, rank) };
    const own = factors[k]!;
    const covered = made.map((n, d) => n * own[d]!);
    const [from, to] = [typeAt(steps, dtype, k), typeAt(steps, dtype, k + 1)];
    const joined = k === 0 && arrays ? { arrays } : {};
    const sizes = { radius: halo.front, halo, tile: covered };
    const facts = { params: step.params, dtype: from, result: to, ...sizes, ...joined };
    const partial = step.entry.partial !== undefined;
    const reach = halo.front.map((n, d) => Math.max(n, halo.back[d]!));
    all.unshift({ ...step, facts, factors: own, reach, made, partial });
    made = covered.map((n, d) => n + 2 * reach[d]!);
  }
  return all;
}

/** Type of the samples that step `k` gets. */
export function typeAt(steps: readonly LoadedStep[], dtype: DType, k: number): DType {
  return steps.slice(0, k).reduce((type, { entry, params }) => entry.result(type, params), dtype);
}

/** The error for an operation that was given more samples on one side than on the other. */
export function unevenError(name: string, { front, back }: Halo): TilewiseError {
  const would = front.map((n, d) => Math.max(n, back[d]!)).join(", ");
  const found = showHalo({ front, back });
  const text =
    `${name} looks at as many samples before a tile as behind it, not at ${found}; give it a radius ` +
    `of its own, or views with radius [${would}]`;
  return new TilewiseError("unsupported", text, { option: "radius", expected: would, found });
}
