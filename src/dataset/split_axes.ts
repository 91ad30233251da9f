/**
 * Data sets whose axes are split into scan and frame by name: any axes can be the frame, in any order.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { type AxisFacts, factsOf } from "../space/axes.ts";
import { ravel, type Shape, sizeOf, unravel } from "../space/shape.ts";
import { StoredDataset } from "./dataset.ts";
import { sampleOf } from "../space/meaning/axes.ts";
import { axesCalled } from "../space/meaning/kinds.ts";
import type { Axis } from "./facts.ts";
import { keepFamilyOf } from "./families.ts";
import type { ChunkLayout } from "./layout/chunks.ts";
import { gridOfEntries, type ShardLevel } from "./layout/keyed.ts";
import { type FrameLayout, frameLayout } from "./layout/layout.ts";
import { refusedArray as refused, wholeAsChunks } from "./whole_as_chunks.ts";

// Arrays in chunks with their dimensions in another order: the chunks stay where they are, and each is transposed when it
// is read.

/**
 * `layout` with its dimensions in another order: dimension `d` of the result is dimension `order[d]` of `layout`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { framesAsChunks } from "./layout/chunks.ts";
 * const frames = framesAsChunks({ shape: [2, 3, 4], sig: 2, itemSize: 1, addresses: Float64Array.of(0, 12) });
 * const { shape, chunk, addresses } = permuted(frames, [1, 2, 0]);
 * assertEquals([shape, chunk, [...addresses]], [[3, 4, 2], [3, 4, 1], [0, 12]]);
 * ```
 */
export function permuted(layout: ChunkLayout, order: Shape): ChunkLayout {
  if (order.every((from, d) => from === d)) return layout;
  const { chunk, keyed, shards } = layout;
  const back = order.map((_, d) => order.indexOf(d)); // where each dimension of `layout` goes
  const turned = (shape: Shape) => order.map((from) => shape[from]!);
  const places = (dims: readonly number[] = chunk.map((_, d) => d)) => dims.map((d) => back[d]!);
  const shardsOf = (levels: readonly ShardLevel[]) =>
    levels.map((level) => ({ ...level, shape: turned(level.shape), order: places(level.order) }));
  return {
    ...layout,
    ...movedCells(layout, order),
    shape: turned(layout.shape),
    chunk: turned(chunk),
    order: places(layout.order),
    ...(keyed ? { keyed: { ...keyed, order: places(keyed.order) } } : {}),
    ...(shards ? { shards: shardsOf(shards) } : {}),
  };
}

/** What is said of each entry (chunk or outermost shard), in the order of the permuted grid. */
function movedCells(
  layout: ChunkLayout,
  order: Shape,
): Pick<ChunkLayout, "addresses" | "sizes" | "masks" | "files"> {
  const { addresses, sizes, masks, files } = layout;
  if (addresses.length === 0) return { addresses, sizes, masks };
  const cells = cellsInOrder(gridOfEntries(layout), order);
  const moved = <A extends Float64Array | Uint32Array>(values: A): A =>
    values.map((_, i) => values[cells[i]!]!) as A;
  return {
    addresses: moved(addresses),
    sizes: moved(sizes),
    masks: moved(masks),
    ...(files ? { files: moved(files) } : {}),
  };
}

/** For each chunk of the permuted grid, in row-major order, its number in `grid`. */
function cellsInOrder(grid: Shape, order: Shape): Uint32Array {
  const turned = order.map((from) => grid[from]!);
  const cells = new Uint32Array(sizeOf(grid));
  const place = grid.map(() => 0);
  for (let cell = 0; cell < cells.length; cell++) {
    unravel(cell, turned).forEach((at, d) => place[order[d]!] = at);
    cells[cell] = ravel(place, grid);
  }
  return cells;
}

/**
 * An axis: its name, or its number, counted from 0, scan before frame.
 * @category Data sets
 */
export type AxisName = string | number;

/** Which axes of an array are the scan and which the frame; those that are not named are the other ones, in order. */
interface AxesSplit {
  /** The axes of the scan, the slowest first. */
  readonly navAxes?: readonly AxisName[] | undefined;
  /** The axes of a frame, the slowest first. */
  readonly sigAxes?: readonly AxisName[] | undefined;
}

/**
 * Which sample of an axis is wanted: its number, or its name, as channels have them. Axes are called by name or kind.
 * @category Data sets
 */
export type Selection = Readonly<Record<string, string | number>>;

/** `dataset` without the axes that `selection` names, at one place of each; `split` is about those that are left. */
export function selectAt(dataset: StoredDataset, selection: Selection, split: AxesSplit = {}): StoredDataset {
  const places = Object.entries(selection).flatMap(([axis, place]): AxisPosition[] => {
    const only = axesCalled(dataset.axes, axis).length === 0 && onlyOne(dataset, axis);
    if (only) placeOn(dataset, { name: axis, ...only, size: 1 }, place); // it must be there
    if (only) return [];
    const d = axisOf(dataset, axis);
    return [[d, placeOn(dataset, dataset.axes[d]!, place)]];
  });
  const twice = places.find(([d], n) => places.findIndex(([e]) => d === e) !== n);
  if (twice) {
    const { name } = dataset.axes[twice[0]]!;
    throw selectionError(dataset, `${name} is chosen twice`, { found: name });
  }
  if (places.length === 0) return splitAxes(dataset, split);
  const picked = pickedAt(dataset, places, split);
  keepFamilyOf(dataset, picked, (level) => {
    const inLevel = (
      [d, index]: AxisPosition,
    ): AxisPosition => [d, Math.floor(index * level.shape[d]! / dataset.shape[d]!)];
    return pickedAt(level, places.map(inLevel), split);
  });
  return picked;
}

/** An axis, and a sample of it. */
type AxisPosition = readonly [d: number, index: number];

/** Whether a data set has the axes that `selection` names. */
export function hasAxes({ axes, values: { of = [] } }: StoredDataset, selection: Selection): boolean {
  return Object.keys(selection).every((asked) => axesCalled([...axes, ...of], asked).length > 0);
}

/** The axis of one sample that is meant, beside the dimensions. */
function onlyOne({ values: { of = [] } }: StoredDataset, asked: string): AxisFacts | undefined {
  return of[axesCalled(of, asked)[0] ?? -1];
}

/** The axis of that name, or the only one of that kind. */
function axisOf(dataset: StoredDataset, asked: string): number {
  const { axes } = dataset;
  const [only, ...more] = axesCalled(axes, asked);
  if (only !== undefined && more.length === 0) return only;
  const known = axes.map(({ name, kind }) => kind && kind !== name ? `${name} (${kind})` : name).join(", ");
  const problem = only === undefined
    ? `there is no axis ${asked}`
    : `several axes are ${axes[only]!.name === asked ? "called" : "of the kind"} ${asked}`;
  throw selectionError(dataset, `${problem}; there are ${known}`, { found: asked, expected: known });
}

/** The number of a sample along an axis. */
function placeOn(dataset: StoredDataset, { name, size, names = [] }: Axis, asked: string | number): number {
  const found = [...names.keys()].filter((n) => names[n] === asked);
  if (found.length === 1) return found[0]!;
  const number = typeof asked === "number" ? asked : /^\d+$/.test(asked) ? Number(asked) : NaN;
  if (found.length === 0 && number >= 0 && number < size) return number;
  const known = names.length > 0 ? names.map((one, n) => `${n} "${one}"`).join(", ") : `0 to ${size - 1}`;
  const problem = found.length > 1 ? `several samples of ${name} are called` : `${name} has no`;
  throw selectionError(dataset, `${problem} ${JSON.stringify(asked)}; there are ${known}`, {
    found: asked,
    expected: known,
  });
}

function selectionError(
  { source }: StoredDataset,
  why: string,
  details: Record<string, unknown>,
): TilewiseError {
  const text = `Cannot select from ${source}: ${why}`;
  return new TilewiseError("invalid", text, { file: source, option: "select", ...details });
}

/** The images of these axes one after another, of which those before the places are skipped. */
function pickedAt(dataset: StoredDataset, places: readonly AxisPosition[], split: AxesSplit): StoredDataset {
  const dims = places.map(([d]) => d);
  const others = othersThan(dataset, dims);
  const inFrame = others.filter((e) => e >= dataset.navShape.length);
  const asked = splitOfOthers(dataset, others, split);
  const sigAxes = asked ?? (inFrame.length > 0 ? inFrame : others.slice(-1));
  if (sigAxes.length === 0) throw selectionError(dataset, "no axis would be left", { found: dims.length });
  const outer = split.navAxes && asked
    ? numbersAmong(dataset, others, "navAxes", split.navAxes)
    : others.filter((e) => !sigAxes.includes(e));
  const navAxes = [...dims, ...outer];
  const turned = splitAxes(dataset, { navAxes, sigAxes });
  const navShape = turned.navShape.slice(dims.length);
  const levels = dataset.levels.map((level) => ({
    ...level,
    shape: others.map((e) => level.shape[e]!),
    scale: others.map((e) => level.scale[e]!),
  }));
  const before = ravel(places.map(([, index]) => index), dims.map((d) => dataset.shape[d]!));
  const { stored: _, ...facts } = turned; // a part is nowhere stored by itself
  const chosen = places.map(([d, index]) => sampleOf(factsOf(dataset.axes[d]!), index));
  return new StoredDataset({
    ...facts,
    navShape,
    syncOffset: before * sizeOf(navShape),
    axes: turned.axes.slice(dims.length),
    values: { ...dataset.values, of: [...dataset.values.of ?? [], ...chosen] },
    levels,
  });
}

/** The axes of a frame among `others` that a split asks for; `undefined` if it asks for nothing. */
function splitOfOthers(
  dataset: StoredDataset,
  others: readonly number[],
  { navAxes, sigAxes }: AxesSplit,
): number[] | undefined {
  if (sigAxes) return numbersAmong(dataset, others, "sigAxes", sigAxes);
  if (!navAxes) return undefined;
  const nav = numbersAmong(dataset, others, "navAxes", navAxes);
  return others.filter((e) => !nav.includes(e));
}

/** The numbers of axes among `others`, by name, or counted among them. */
function numbersAmong(
  dataset: StoredDataset,
  others: readonly number[],
  option: string,
  names: readonly AxisName[],
): number[] {
  const left = new StoredDataset({
    ...dataset,
    navShape: [],
    layout: { ...dataset.layout, sigShape: others.map((e) => dataset.shape[e]!) },
    axes: others.map((e) => dataset.axes[e]!),
  });
  return numbersOf(left, option, names).map((n) => others[n]!);
}

/** `dataset` with other axes as scan and frame. Its samples stay where they are, and are put in order when they are read. */
export function splitAxes(dataset: StoredDataset, { navAxes, sigAxes }: AxesSplit): StoredDataset {
  if (!navAxes && !sigAxes) return dataset;
  const sigNumbers = sigAxes && numbersOf(dataset, "sigAxes", sigAxes);
  const nav = navAxes ? numbersOf(dataset, "navAxes", navAxes) : othersThan(dataset, sigNumbers!);
  const sig = sigNumbers ?? othersThan(dataset, nav);
  const order = [...nav, ...sig];
  if (new Set(order).size !== order.length || order.length !== dataset.shape.length) {
    throw refused(dataset, "each of its axes must be named once, as scan or as frame");
  }
  const { shape, axes, layout: { dtype, byteOrder, files } } = dataset;
  const pick = (numbers: Shape): Shape => numbers.map((d) => shape[d]!);
  const [navShape, sigShape] = [pick(nav), pick(sig)];
  const chunks = permuted(wholeAsChunks(dataset), order);
  const span = { ...files[0]!, start: 0, end: sizeOf(navShape) };
  const layout: FrameLayout = frameLayout({
    files: [span, ...files.slice(1).map((file) => ({ ...file, start: span.end, end: span.end }))],
    sigShape,
    dtype,
    byteOrder,
    storage: { kind: "chunks", chunks },
  });
  const levels = dataset.levels.map((level) => ({
    ...level,
    shape: order.map((d) => level.shape[d]!),
    scale: order.map((d) => level.scale[d]!),
  }));
  const isStored = order.every((d, i) => d === i);
  const { stored: _, ...facts } = dataset;
  const split = new StoredDataset({
    ...facts,
    navShape,
    layout,
    axes: order.map((d) => axes[d]!),
    levels,
    ...(isStored ? {} : { stored: dataset.stored ?? dataset }),
  });
  keepFamilyOf(dataset, split, (level) => splitAxes(level, { navAxes: nav, sigAxes: sig }));
  return split;
}

/** The numbers of the axes `names`. */
function numbersOf(dataset: StoredDataset, option: string, names: readonly AxisName[]): number[] {
  const { axes } = dataset;
  return names.map((name) => {
    const [found, ...more] = typeof name === "number"
      ? [...axes.keys()].filter((d) => d === name)
      : axesCalled(axes, name);
    if (found !== undefined && more.length === 0) return found;
    const known = axes.map((axis, d) => `${d} "${axis.name}"`).join(", ");
    const problem = more.length > 0 ? "several axes are called" : "there is no axis";
    throw refused(dataset, `${problem} ${JSON.stringify(name)}; there are ${known}`, {
      option,
      found: name,
    });
  });
}

function othersThan({ shape }: StoredDataset, named: readonly number[]): number[] {
  return shape.map((_, d) => d).filter((d) => !named.includes(d));
}
