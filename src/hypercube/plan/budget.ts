/**
 * The plan of a cube: finds the tile whose arrays fit the byte budget, before any work.
 *
 * A run holds `once + inFlight × tile` bytes: inputs that do not depend on a cut dimension exist once, all other arrays
 * once per tile in flight. Tiles in flight are filled, computed and delivered at the same time, so that
 * workers compute while sources and sinks work. Workers that share no memory with this thread, which are processes, hold a
 * copy of all of it.
 *
 * Besides the budget there is a size above which a tile brings no gain: 8 MiB, unless larger tiles let sources and sinks
 * move much less. A large budget therefore does not lead to one tile for one worker. The number of threads has no influence: the tiles
 * depend only on the cube and the budget. (Copies for processes are part of the budget.)
 *
 * @module
 */

import { fits, overBudget, showAccount } from "../../memory/account.ts";
import { checkOptionNames } from "../../options.ts";
import { displayable, escapeHtml, type MimeBundle } from "../../pictures/displayable.ts";
import { insideOf } from "../../runner/context.ts";
import { type FactsOf, notCut } from "../../runner/plan.ts";
import type { Extent, Hypercube } from "../cube/cube.ts";
import { chunkCount, extentIter, firstTile, follows, type Stride } from "../cube/iterate.ts";
import { type CubePlanOptions, PLAN_OPTIONS, strategyOf, tileCut, type TilePlan } from "./options.ts";
import { FINDERS, type Found, type Room } from "./strategies.ts";
import { arraysBytes, bytesOfTiles, cubeMemory, holdersOf, windowIn } from "./tile_bytes.ts";
import { formatBytes } from "../../space/size.ts";
import { extentSize } from "../cube/dimension.ts";
import { tableHtml } from "../cube/tables.ts";
import { TilewiseError } from "../../errors.ts";
import { rangeOfSum, windowOf } from "../cube/derive.ts";

export type { TilePlan } from "./options.ts";
export type { CubePlanOptions, PlanStrategy } from "./options.ts";

/** Tiles in flight, if nothing else is said. */
export const IN_FLIGHT = 4;

/** The plan of the tiles of `cube`, without its run; `planTiles()` is its public name. */
export function tilePlan(cube: Hypercube, options: CubePlanOptions = {}): TilePlan {
  checkOptionNames("planTiles()", options, PLAN_OPTIONS);
  const { inFlight = IN_FLIGHT, reserve = 0 } = options;
  const strategy = strategyOf(options);
  const context = insideOf(options.context);
  const budget = Math.max(0, context.arenaBudget - reserve);
  const room: Room = { budget, inFlight, holders: holdersOf(context) };
  return planOf(FINDERS[strategy](cube, options, room), room, { strategy, context });
}

/**
 * The plan of a cube whose tiles were chosen before, such as on another machine; `over-budget`, with the sum, if they do not
 * fit here.
 */
export function planTilesAs(
  cube: Hypercube,
  strides: readonly Stride[],
  options: Pick<CubePlanOptions, "context" | "inFlight">,
): TilePlan {
  const { inFlight = IN_FLIGHT } = options;
  const context = insideOf(options.context);
  const room: Room = { budget: context.arenaBudget, inFlight, holders: holdersOf(context) };
  return planOf({ cube, strides, steps: [] }, room, { strategy: "joint", context });
}

function planOf(found: Found, room: Room, facts: Pick<TilePlan, "strategy" | "context">): TilePlan {
  const { inFlight } = room;
  const tiles = chunkCount(found.cube, ...found.strides);
  proveTiles(found.cube, found.strides);
  const plan = { ...found, ...facts, tiles, inFlight, ...memoryOf(found, room) };
  const shown = () => explain(plan);
  const parts = plan.strategy === "montblanc" ? notCut : () => Promise.resolve(tileCut(plan).units.length);
  return displayable({ ...plan, parts, explain: shown }, { line: shown, bundle: () => planBundle(plan) });
}

/** The memory of a run; `over-budget`, with the sum, if there is not as much. */
function memoryOf({ cube, strides }: Found, room: Room) {
  const arrays = bytesOfTiles(cube, strides.map(([name]) => name));
  const extents = strides.map(([, extent]) => extent);
  const { once, each, onceBytes } = arrays;
  const tileBytes = arrays.tileBytes(extents);
  const memory = cubeMemory({ onceBytes, tileBytes, inFlight: room.inFlight }, room.holders);
  const limits = { memory: room.budget, arenaBudget: room.budget };
  if (!fits(memory, limits)) {
    const cut = strides.map(([name, n]) => n === 1 ? name : `${n} ${name}`).join(", ") || "nothing";
    const tiles = extents.every((n) => n === 1) ? "one sample of" : "tiles of";
    const instead = "fewer tiles in flight, more tiled dimensions, or ";
    throw overBudget(`Cannot tile the cube with ${tiles} ${cut}`, memory, limits, instead);
  }
  return { once, each, onceBytes, tileBytes, memory, moved: arrays.moved(extents) };
}

/** What is told of a plan. */
type PlanFacts = FactsOf<TilePlan>;

/** What `plan.explain()` gives. */
export function explain(plan: PlanFacts): string {
  const { cube, strides, tiles, inFlight, once, each, onceBytes, tileBytes } = plan;
  const cuts = strides.map(([name, n]) => `${n} of ${extentSize(cube.dimension(name))} ${name}`);
  return [
    `${tiles} tiles of ${cuts.join(" × ") || "the whole"}, ${inFlight} in flight, ${computed(plan)}`,
    `${formatBytes(tileBytes)} per tile: ${each.join(", ")}`,
    `${formatBytes(onceBytes)} once: ${once.join(", ") || "nothing"}`,
    `memory: ${showAccount(plan.memory, insideOf(plan.context))}`,
    `${formatBytes(plan.moved)} from sources and to sinks in the run`,
    ...stepText(plan),
  ].join("\n");
}

function computed({ inFlight, context: { workers } }: PlanFacts): string {
  const at = Math.min(inFlight, Math.max(1, workers));
  return `${at} of them computed at a time`;
}

function stepText({ strategy, steps }: PlanFacts): string[] {
  if (strategy === "joint") return [];
  const cuts = steps.map(([name, n]) => `${name} ${n}`).join(", ");
  return [`strategy ${strategy}: ${cuts || "no reduction"}`];
}

/** How a notebook shows a plan: its tiles, its arrays, and the text. */
function planBundle(plan: PlanFacts): MimeBundle {
  const { cube, strides, once, each } = plan;
  const text = explain(plan);
  const tile = firstTile(cube, strides);
  const rows = (names: readonly string[], held: string) =>
    names.map((
      name,
    ) => [name, tile.arrayShape(name).join(" × "), formatBytes(arraysBytes(tile, [name])), held]);
  const tables = [
    tableHtml({
      title: "Tiles",
      columns: ["dimension", "size", "tile", "parts"],
      rows: strides.map((stride) => {
        const [name, n] = stride;
        return [name, String(extentSize(cube.dimension(name))), String(n), String(chunkCount(cube, stride))];
      }),
    }),
    tableHtml({
      title: "Memory",
      columns: ["array", "shape in a tile", "bytes", "held"],
      rows: [...rows(each, "per tile in flight"), ...rows(once, "once")],
    }),
  ];
  return { "text/plain": text, "text/html": `${tables.join("")}<pre>${escapeHtml(text)}</pre>` };
}

// The proof that the tiles of a plan are disjoint parts of its outputs, and all of them together the window of the cube.
//
// Every tiled dimension may move the window of one axis of an output. So an output is covered once if each of its axes is:
// if the windows of the axis, in the order in which its parts are slower or faster, lie one after another without gap. Tiles along
// dimensions that an output does not have are parts to be merged, and do not count here.

/** Refuses tiles that overlap in an output or leave samples out, and arrays of which a window has no place. */
function proveTiles(cube: Hypercube, strides: readonly Stride[]): void {
  for (const { name, shape, role } of cube.arrays.values()) {
    const lost = role !== "temporary" && shape.find((axis) => !hasPlace(cube, String(axis)));
    if (lost) throw noPlace(cube, name, String(lost));
  }
  for (const { name, shape, role } of cube.arrays.values()) {
    if (role !== "output") continue;
    const axes = shape.filter((axis) => typeof axis === "string");
    for (const axis of new Set(axes)) proveAxis(cube, name, axis, strides);
    const twice = strides.find(([cut]) => axes.filter((axis) => moves(cube, axis, cut)).length > 1);
    if (twice) {
      throw refused(strides, `${name} has ${twice[0]} twice, and tiles would be parts of its diagonal only`);
    }
  }
}

/** Whether the window of a dimension is one range of it, which that of a sum is not if the windows of its parts leave gaps. */
function hasPlace(cube: Hypercube, axis: string): boolean {
  const { of, follows } = cube.derivations.get(axis) ?? {};
  if (!of || follows !== "sum") return true;
  const bases = of.map((base) => cube.dimension(base));
  if (rangeOfSum(bases) || bases.every((base) => extentSize(base) === 0)) return true;
  const { size, lower, upper } = cube.dimension(axis);
  const follow = windowOf("sum", bases, size);
  return follow[0] !== lower || follow[1] !== upper; // a window of its own
}

function noPlace(cube: Hypercube, name: string, axis: string): TilewiseError {
  const text =
    `Cannot plan the cube: array ${name} has ${axis} (${cube.derivations.get(axis)!.text}), and the ` +
    `windows of its parts are not one range of it; set the window of ${axis} itself`;
  return new TilewiseError("invalid", text, { array: name, found: axis });
}

function moves(cube: Hypercube, axis: string, cut: string): boolean {
  return axis === cut || follows(cube, axis, cut);
}

function proveAxis(cube: Hypercube, name: string, axis: string, strides: readonly Stride[]): void {
  const own = partsOf(cube, axis, strides).flatMap((part) => strides.filter(([cut]) => cut === part));
  if (own.length === 0) return;
  const { lower, upper } = cube.dimension(axis);
  const window = windowIn(cube, axis, own.map(([cut]) => cut));
  let last: Extent = [lower, lower];
  for (const extents of extentIter(cube, ...own)) {
    const next = window(extents);
    if (next.lower !== last[1] && next.lower !== next.upper) throw noParts(name, axis, last, next, strides);
    if (next.lower !== next.upper) last = [next.lower, next.upper];
  }
  if (last[1] !== upper) throw noParts(name, axis, last, { lower: upper, upper }, strides);
}

/** The tiled dimensions that an axis is, or follows, the slowest first. */
function partsOf(cube: Hypercube, axis: string, strides: readonly Stride[]): string[] {
  if (strides.some(([cut]) => cut === axis)) return [axis];
  const rule = cube.derivations.get(axis);
  const all = rule?.follows ? rule.of.flatMap((base) => partsOf(cube, base, strides)) : [];
  return [...new Set(all)];
}

function noParts(
  name: string,
  axis: string,
  [from, to]: Extent,
  next: { readonly lower: number; readonly upper: number },
  strides: readonly Stride[],
): TilewiseError {
  const what = next.lower < to ? "overlap" : "leave samples out";
  const why = `tiles of ${name} would ${what} along ${axis}: after ${from} to ${to} comes ${next.lower} to ` +
    `${next.upper}; cut ${axis} itself, or leave it whole`;
  return refused(strides, why);
}

function refused(strides: readonly Stride[], why: string): TilewiseError {
  const found = strides.map(([name]) => name).join(", ");
  return new TilewiseError("invalid", `Cannot plan with tiles along ${found}: ${why}`, {
    option: "tile",
    found,
  });
}
