/**
 * Cubes, part by part: a part has the outputs of some tiles.
 *
 * Tiles follow from the memory of a machine. So the first one that plans a run decides them, and the others take its tiles
 * from the manifest.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { isTilewiseError } from "../../errors.ts";
import type { ArraySchema, Hypercube } from "../../hypercube/cube/cube.ts";
import { type Stride, tileIter } from "../../hypercube/cube/iterate.ts";
import { modulesOf, planProblem } from "../../hypercube/parts/problem.ts";
import { computeTiles, deliverTiles, type ReadTile } from "../../hypercube/parts/tiles.ts";
import { withRole } from "../../hypercube/cube/schema.ts";
import { tileCut, type TilePlan } from "../../hypercube/plan/options.ts";
import { globalShape } from "../../hypercube/providers/arrays.ts";
import { toMemory } from "../../hypercube/providers/sinks/memory.ts";
import type { Context } from "../../runner/context.ts";
import type { TileProgress } from "../../runner/progress.ts";
import { type DType, type TypedArray, unitsOf, zeros } from "../../space/dtype.ts";
import { absolute } from "../manifest/here.ts";
import { identitiesOfNames, mustBeSameInputs } from "../manifest/inputs.ts";
import type { ClusterManifest, ResultLayout } from "../manifest/manifest.ts";
import { commitManifest, readManifest, type StoredRun } from "../manifest/read.ts";
import type { CubeSinks, PartControl } from "../manifest/ready_run.ts";
import { MANIFEST, type PartStore } from "../store/store.ts";
import { manifestFor, mustBeListed, type NamedData, whatOf } from "./common.ts";
import { type CubeSpec, inputNames, openCube, type OpenedCube } from "./cube_opened.ts";
import {
  type AllMade,
  type Content,
  type Made,
  misfit,
  type Opening,
  type Parted,
  settingsOf,
} from "./parted.ts";
import { copyNumbers } from "../../space/numbers.ts";
import { sizeOf } from "../../space/shape.ts";

const CALL = "the cube";

/** What is computed. */
interface What {
  readonly spec: CubeSpec;
  /** The tiles: dimensions, the slowest first, and their extents. */
  readonly strides: readonly Stride[];
}

/** A cube, opened. */
interface PlannedCube {
  /** What it is made of. */
  readonly spec: CubeSpec;
  /** The cube. */
  readonly opened: OpenedCube;
  /** The command, if there was one. */
  readonly command?: ClusterManifest["command"];
}

/** Puts a cube into a store, with the tiles that the store has already, or those that fit into `context`. */
export async function commitCube(
  store: PartStore,
  cube: PlannedCube,
  context: Context | undefined,
  signal: AbortSignal | undefined,
): Promise<{ run: StoredRun; plan: TilePlan }> {
  const first = await planned(store, cube, context, signal);
  try {
    return await first();
  } catch (error) {
    if (!isTilewiseError(error, "conflict")) throw error;
    return await (await planned(store, cube, context, signal))(); // another one was faster, and has other tiles
  }
}

async function planned(
  store: PartStore,
  cube: PlannedCube,
  context: Context | undefined,
  signal: AbortSignal | undefined,
): Promise<() => Promise<{ run: StoredRun; plan: TilePlan }>> {
  const { problem } = cube.opened;
  const plan = await planProblem(CALL, problem, context, await stridesThere(store), signal);
  const { manifest, data } = await cubeManifest(cube, plan);
  return async () => ({ run: await commitManifest(store, manifest, data), plan });
}

/** The tiles of the run that a store has. */
async function stridesThere(store: PartStore): Promise<readonly Stride[] | undefined> {
  if (!await store.has(MANIFEST)) return undefined;
  const { manifest } = await readManifest(store);
  return manifest.kind === "cube" ? (await whatOf<What>(store, manifest)).strides : undefined;
}

async function cubeManifest(
  { spec, opened: { problem, packs }, command }: PlannedCube,
  plan: TilePlan,
): Promise<NamedData> {
  const own = await fromRoot(spec);
  const source = own.from === "module" ? own.module : own.observation;
  return await manifestFor("cube", { source, open: {}, command }, {
    packs,
    modules: [...(own.from === "module" ? [own.module] : []), ...modulesOf(problem)],
    inputs: await identitiesOfNames(inputNames(own)),
    what: { spec: own, strides: plan.strides },
    results: resultsOf(plan.cube),
    work: tileCut(plan),
  });
}

/** With paths from the root, and in one order, which is part of the manifest. */
async function fromRoot(spec: CubeSpec): Promise<CubeSpec> {
  if (spec.from === "module") {
    const { from, module, export: name, params } = spec;
    return { from, module, export: name, params, inputs: await Promise.all(spec.inputs.map(absolute)) };
  }
  const { from, open: { field, spectralWindow, dataDescription }, asRows, column, options } = spec;
  const { precision, correlations, convention, behind } = options;
  return {
    from,
    sky: await absolute(spec.sky),
    observation: await absolute(spec.observation),
    open: defined({ field, spectralWindow, dataDescription }),
    asRows,
    ...defined({ column }),
    options: defined({ precision, correlations, convention, behind }),
  };
}

/** The outputs of a cube. */
function resultsOf(cube: Hypercube): ResultLayout[] {
  return withRole(cube, "output").map(({ name, dtype }) => {
    return { of: "cube", name, dtype, shape: [...globalShape(cube, name)] };
  });
}

/** The run of a manifest; its inputs are compared before it is opened. */
export async function openTiles({ store, manifest, context, signal }: Opening): Promise<Parted> {
  const { spec, strides } = await whatOf<What>(store, manifest);
  if (spec.from === "module") mustBeListed(manifest, [spec.module]);
  mustBeSameInputs(manifest.inputs, await identitiesOfNames(inputNames(spec)));
  const opened = await openCube(spec, context, signal);
  try {
    mustBeListed(manifest, modulesOf(opened.problem));
    const plan = await planProblem(CALL, opened.problem, context, strides, signal);
    return { ...cubeParts(plan, opened), [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
  } catch (error) {
    await opened[Symbol.asyncDispose]();
    throw error;
  }
}

/** The parts of a plan. */
export function cubeParts(plan: TilePlan, { problem, result, column, sink }: OpenedCube): Parted {
  const outputs = withRole(plan.cube, "output"), names = outputs.map(({ name }) => name);
  const done = ({ tiles }: TileProgress) => tiles;
  /** Gives the outputs to sinks, in the order of the tiles. */
  const deliver = async (sinks: CubeSinks, all: AllMade, control: PartControl) => {
    await deliverTiles(CALL, plan, problem, tilesOfParts(plan, all), sinks, settingsOf(control, done));
  };
  return {
    cut: tileCut(plan),
    outputs: resultsOf(plan.cube),
    column,
    ...defined({ result }),
    async compute({ start: first, frames }, { signal, onProgress }) {
      const found = new Map<string, TypedArray[]>(names.map((name) => [name, []]));
      const range = { first, stop: first + frames };
      await computeTiles(CALL, plan, problem, range, ({ name, data, tile }) => {
        found.get(name)?.push(data.data.slice());
        onProgress?.(tile - first + 1);
      }, defined({ signal }));
      const arrays = outputs.map(({ name, dtype }) => [name, joined(found.get(name) ?? [], dtype)]);
      return { arrays: Object.fromEntries(arrays) };
    },
    /** The outputs in memory, by name. */
    async results(all, control) {
      const memory = toMemory(...names);
      await deliver([memory], all, control);
      return Object.fromEntries(names.map((name) => [name, memory.array(name)]));
    },
    into: async (path, all, control) => await deliver([await sink(path)], all, control),
    deliver,
  };
}

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

/** Outputs of a tile, by name. */
type Outputs = Readonly<Record<string, TypedArray>>;

/** Finds the outputs of tiles in parts; tiles are asked for in their order, and some may be left out. */
function tilesOfParts({ cube, strides }: TilePlan, { units }: AllMade): ReadTile {
  const tiles = readersOf(withRole(cube, "output"), tileIter(cube, ...strides), units);
  let next = 0, read: () => Promise<Outputs> = () => Promise.resolve({});
  return async (tile) => {
    for (; next <= tile; next++) read = tiles.next().value ?? read;
    return await read();
  };
}

/** What reads the outputs of each tile; a part is read when it is first needed. */
function* readersOf(
  outputs: readonly ArraySchema[],
  tiles: Iterable<Hypercube>,
  units: readonly Made[],
): Generator<() => Promise<Outputs>, void> {
  const cubes = tiles[Symbol.iterator]();
  for (const unit of units) {
    let part: Promise<Content> | undefined;
    const ends = new Map<string, number>(); // where the last tile ends, by output
    for (let k = 0; k < unit.frames; k++) {
      const tile: Hypercube = cubes.next().value;
      const places = outputs.map(({ name, dtype }) => {
        const from = ends.get(name) ?? 0, to = from + sizeOf(tile.arrayShape(name)) * unitsOf(dtype);
        ends.set(name, to);
        return { name, from, to };
      });
      yield async () => {
        const { arrays } = await (part ??= unit.read());
        return Object.fromEntries(places.map(({ name, from, to }) => {
          const data = arrays[name];
          if (!data || data.length < to) throw misfit(unit.name, `"${name}" is too short`);
          return [name, data.subarray(from, to) as TypedArray];
        }));
      };
    }
  }
}
