/**
 * Chains as entries of the table of operations: what a chain needs is the sum of what its steps need.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { Kernels } from "../../kernels/bind.ts";
import { copierWithin } from "../../kernels/copiers.ts";
import { type CopyRows, copyView } from "../../memory/copy_box.ts";
import { denseStrides, stridedView } from "../../memory/strided.ts";
import { list, needed } from "../../options/rules.ts";
import { box } from "../../space/box.ts";
import { type DType, dtypeInfo } from "../../space/dtype.ts";
import { type Halo, isEven, isList, type Radius, withHalo } from "../../space/halo.ts";
import { type Shape, sizeOf, unravel } from "../../space/shape.ts";
import { borderMaps } from "../extend.ts";
import { asOne, CHAIN, type ChainParams, stepsOf } from "../operations/chain.ts";
import type {
  Along,
  OperationEntry,
  OperationFacts,
  OperationSetting,
  PlacedSamples,
  TileWork,
  ViewOperation,
} from "../operations/operation.ts";
import { operationNamed } from "../registry.ts";
import {
  type ChainStep,
  chainSteps,
  factorsOfChain,
  type LoadedStep,
  radiusOfChain,
  typeAt,
  unevenError,
} from "./steps.ts";
import { chainWork, shapesOfSteps } from "./work.ts";

// Operations along some dimensions of an array: each image of the others is an array of its own.
//
// ```text
//   channel, y, x along y and x:    image 0 ─▶ work ─▶ result 0
//                                   image 1 ─▶ work ─▶ result 1        nothing of one reaches another
// ```
//
// An image whose last dimension has gaps, as in files with the colours of a pixel side by side, is copied before and after.

/** Scratch memory for the image that is copied, and for what becomes of it. */
const [COPY, RESULT] = ["image", "result of image"] as const;

/**
 * The operation along some dimensions. Itself, if it sees samples one by one or arrays as a whole, or if its parameters say
 * something for every dimension.
 */
function alongEntry(entry: OperationEntry, params: object, along: Along): OperationEntry {
  const { dims, rank } = along;
  const isAlone = entry.radius(params) === 0 && !entry.factors;
  if (isAlone || entry.partial || entry.whole || saysAll(entry, params, rank)) return entry;
  const isCopied = !dims.includes(rank - 1);
  return {
    ...entry,
    usualRadius: spread(entry.usualRadius, along, 0),
    radius: (params) => spreadHalo(entry.radius(params), along),
    ...(entry.factors ? { factors: (params) => spread(entry.factors!(params), along, 1) } : {}),
    ...(entry.check ? { check: (facts) => entry.check!(inner(facts, along)) } : {}),
    scratch: (facts) => ({
      ...entry.scratch(inner(facts, along)),
      ...(isCopied ? copiesOf(entry, facts, along) : {}),
    }),
    start: (setting) => started(entry, setting, along),
  };
}

/** Whether a list of its parameters has a number for every dimension of the array. */
function saysAll(entry: OperationEntry, params: object, rank: number): boolean {
  const radius = entry.radius(params) ?? 0;
  const sides = isSides(radius) ? [radius.front ?? 0, radius.back ?? 0] : [radius];
  return [...sides, entry.factors?.(params) ?? 1].some((one) => isList(one) && one.length === rank);
}

function isSides(radius: Radius): radius is Exclude<Radius, number | Shape> {
  return typeof radius !== "number" && !isList(radius);
}

function spread(value: number | Shape, { dims, rank }: Along, other: number): Shape {
  const all = Array<number>(rank).fill(other);
  for (const [i, d] of dims.entries()) all[d] = typeof value === "number" ? value : value[i] ?? NaN;
  return !isList(value) || value.length === dims.length ? all : value;
}

/** A radius along these dimensions alone; a list with a number for every dimension stays as it is. */
export function spreadHalo(radius: Radius | undefined, along: Along | undefined): Radius | undefined {
  if (radius === undefined || along === undefined) return radius;
  if (!isSides(radius)) return spread(radius, along, 0);
  return { front: spread(radius.front ?? 0, along, 0), back: spread(radius.back ?? 0, along, 0) };
}

function pick<T>(values: readonly T[], { dims }: Along): T[] {
  return dims.map((d) => values[d]!);
}

/** Facts of the use of the operation for one image. */
function inner<P extends object>(facts: OperationFacts<P>, along: Along): OperationFacts<P> {
  const { radius, halo, tile } = facts;
  const own: Halo = { front: pick(halo.front, along), back: pick(halo.back, along) };
  return { ...facts, radius: pick(radius, along), halo: own, tile: pick(tile, along) };
}

/** Bytes of the copies. */
function copiesOf(
  entry: OperationEntry,
  facts: OperationFacts<object>,
  along: Along,
): Record<string, number> {
  const { tile, halo, dtype, result, params, arrays } = inner(facts, along);
  const factors = pick(spread(entry.factors?.(params) ?? 1, along, 1), along);
  const bytes = (shape: Shape, dtype: DType) => sizeOf([...shape, dtypeInfo(dtype).itemSize]);
  const made = tile.map((n, d) => Math.ceil(n / factors[d]!));
  return {
    [COPY]: (arrays?.length ?? 1) * bytes(withHalo(tile, halo), dtype),
    [RESULT]: bytes(made, result),
  };
}

async function started(
  entry: OperationEntry,
  setting: OperationSetting<object, string>,
  along: Along,
): Promise<TileWork> {
  const { whole: { shape, borders, fill }, scratch, kernels } = setting;
  const own = inner(setting, along);
  const whole = { shape: pick(shape, along), borders: pick(borders, along), fill };
  const work = await entry.start({ ...setting, ...own, whole });
  const copies = along.dims.includes(along.rank - 1)
    ? undefined
    : { kernels, copy: scratch.at(COPY), result: scratch.at(RESULT), facts: own };
  const one = copies ? onCopies(work, copies) : work;
  const others = Array.from({ length: along.rank }, (_, d) => d).filter((d) => !along.dims.includes(d));
  return async (view, out, tile) => {
    const counts = others.map((d) => out.shape[d]!);
    for (let flat = 0, all = sizeOf(counts); flat < all; flat++) {
      const at = unravel(flat, counts);
      const image = (samples: PlacedSamples): PlacedSamples => ({
        ...samples,
        pointer: at.reduce((sum, i, n) => sum + i * samples.strides[others[n]!]!, samples.pointer),
        shape: pick(samples.shape, along),
        strides: pick(samples.strides, along),
      });
      await one(image(view), image(out), box(pick(tile.origin, along), pick(tile.shape, along)));
    }
  };
}

/** Where images are copied to. */
interface Copies {
  readonly kernels: Kernels;
  readonly copy: number;
  readonly result: number;
  readonly facts: OperationFacts<object>;
}

/** The work on copies without gaps. */
function onCopies(work: TileWork, { kernels, copy, result, facts }: Copies): TileWork {
  const { memory } = kernels;
  const copyRows: CopyRows = copierWithin(kernels);
  const count = facts.arrays?.length ?? 1;
  const move = (from: PlacedSamples, to: PlacedSamples, dtype: DType) => {
    const [source, target] = [from, to].map(({ pointer, shape, strides }) =>
      stridedView(memory.buffer, pointer, dtype, shape, strides)
    );
    copyView(source!, target!, copyRows);
  };
  return async (view, out, tile) => {
    const dense = { shape: view.shape, strides: denseStrides(view.shape, facts.dtype) };
    const apart = sizeOf(view.shape) * dtypeInfo(facts.dtype).itemSize;
    for (let n = 0; n < count; n++) {
      const from = { ...view, pointer: view.pointer + n * (view.apart ?? 0) };
      move(from, { ...dense, pointer: copy + n * apart }, facts.dtype);
    }
    const made = { pointer: result, shape: out.shape, strides: denseStrides(out.shape, facts.result) };
    await work({ ...dense, pointer: copy, ...(view.apart === undefined ? {} : { apart }) }, made, tile);
    move(made, out, facts.result);
  };
}

/** The entry of an operation; that of a chain has the entries of its steps inside. */
export async function entryOf(operation: ViewOperation): Promise<OperationEntry> {
  const steps = await loadedSteps(operation);
  return operation.operation === CHAIN ? chainOf(steps) : steps[0]!.entry;
}

/** The steps of an operation with their entries; an operation that is not a chain is its own only step. */
export async function loadedSteps(operation: ViewOperation): Promise<LoadedStep[]> {
  const steps: LoadedStep[] = [];
  for (const { name, operation: entry, params, along } of stepsOf(operation)) {
    const own = await operationNamed(entry);
    steps.push({ name, params, entry: along ? alongEntry(own, params, along) : own });
  }
  return steps;
}

/** The same operation, whose steps that look along two dimensions alone do so, unless their parameters name all dimensions. */
export async function alongImages<D extends DType>(
  operation: ViewOperation<D>,
  rank: number,
): Promise<ViewOperation<D>> {
  const steps: ViewOperation[] = [];
  for (const step of stepsOf(operation)) {
    const { images, radius } = await operationNamed(step.operation);
    const { dims } = step.along ?? { dims: Array.from({ length: rank }, (_, d) => d) };
    const isOfImages = images && dims.length > 2 && typeof radius(step.params) !== "object";
    steps.push(isOfImages ? { ...step, along: { dims: dims.slice(-2), rank } } : step);
  }
  return asOne("chain()", steps) as ViewOperation<D>; // where it looks does not change the type of its result
}

/** The operation with all steps prepared for samples of `dtype`: kernels of users are compiled. */
export async function prepared<D extends DType>(
  operation: ViewOperation<D>,
  dtype: DType,
): Promise<ViewOperation<D>> {
  const steps = stepsOf(operation);
  if (steps.every(({ prepare }) => prepare === undefined)) return operation;
  const loaded = await loadedSteps(operation);
  const ready: ViewOperation[] = [];
  for (const [k, step] of steps.entries()) {
    ready.push(await step.prepare?.(typeAt(loaded, dtype, k)) ?? step);
  }
  return asOne("chain()", ready) as ViewOperation<D>; // preparing a step does not change its result
}

function chainOf(steps: readonly LoadedStep[]): OperationEntry<ChainParams> {
  const withFacts = ({ dtype, tile, arrays }: OperationFacts<ChainParams>) =>
    chainSteps(steps, dtype, tile, arrays);
  return {
    name: CHAIN,
    params: { steps: needed(list) },
    kernels: [],
    usualRadius: 0,
    radius: () => radiusOfChain(steps),
    factors: () => factorsOfChain(steps),
    result: (dtype) => typeAt(steps, dtype, steps.length),
    values: () => "unknown", // plans ask the steps
    ...(steps.at(-1)!.entry.partial ? { partial: (facts) => partialOf(withFacts(facts)) } : {}),
    async check(facts) {
      mustEnd(steps);
      for (const { entry, facts: own, name } of withFacts(facts)) {
        if (!entry.uneven && !isEven(own.halo)) throw unevenError(name, own.halo);
        await entry.check?.(own);
      }
    },
    scratch: (facts) => scratchOf(withFacts(facts)),
    start: (setting) => startChain(withFacts(setting), setting),
  };
}

/** Samples of the partial result of the last step. */
function partialOf(steps: readonly ChainStep[]): number {
  const { entry, facts } = steps.at(-1)!;
  return entry.partial!(facts);
}

/** Refuses chains that go on after a step whose result is not an array. */
function mustEnd(steps: readonly LoadedStep[]): void {
  const early = steps.slice(0, -1).find(({ entry }) => entry.partial);
  if (!early) return;
  const text =
    `Cannot chain operations after ${early.name}: its result is not an array; make it the last one`;
  throw new TilewiseError("unsupported", text, { option: "operation", found: early.name });
}

/** Scratch memory of all steps, by number and name; two places for what is between steps, used in turn. */
function scratchOf(steps: readonly ChainStep[]): Record<string, number> {
  const parts: Record<string, number> = {};
  for (const [k, { entry, facts }] of steps.entries()) {
    for (const [name, bytes] of Object.entries<number>(entry.scratch(facts))) parts[`${k} ${name}`] = bytes;
  }
  const between = steps.slice(0, -1).map(({ made, facts: { result } }) =>
    bytesOf(made, dtypeInfo(result).itemSize)
  );
  for (const turn of [0, 1]) {
    parts[`between ${turn}`] = Math.max(0, ...between.filter((_, k) => k % 2 === turn));
  }
  return parts;
}

function bytesOf(shape: Shape, itemSize: number): number {
  return sizeOf([...shape, itemSize]);
}

async function startChain(steps: readonly ChainStep[], setting: OperationSetting<ChainParams, string>) {
  const { kernels, scratch, whole } = setting;
  const shapes = shapesOfSteps(whole.shape, steps);
  const works = [];
  for (const [k, { entry, facts, name }] of steps.entries()) {
    const own = { at: (part: string) => scratch.at(`${k} ${part}`) };
    const seen = { ...whole, shape: shapes[k]! };
    works.push(await entry.start({ ...facts, whole: seen, name, kernels, scratch: own }));
  }
  const between = steps.slice(1).map((_, k) => scratch.at(`between ${k % 2}`));
  const maps = await borderMaps(whole.borders);
  return chainWork({ steps, works, between, whole, shapes, maps, kernels });
}
