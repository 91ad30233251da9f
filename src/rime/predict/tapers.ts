/**
 * Sums over sources of which pairs see only a part: extended ones, and those that are smeared.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { CubeArray } from "../../hypercube/providers/provider.ts";
import type { KernelFamilies } from "../../kernels/families/families.ts";
import { SPEED_OF_LIGHT } from "../geometry/constants.ts";
import { type Group, TAPERS } from "./groups.ts";
import { GROUP, ROWS } from "./options.ts";
import { addOdd, placeShapelets, type SourcePairs, type SumPairs, type SumPlace } from "./shapelets.ts";
import { type KernelSmearing, turnsOf } from "./smearing.ts";

/** What the tapers of a tile share. */
export interface TaperTile {
  /** Its arrays, and their memory. */
  readonly arrays: Readonly<Record<string, CubeArray>>;
  readonly memory: WebAssembly.Memory;
  /** The kernels of its precision. */
  readonly kernels: Pick<KernelFamilies, "rime_tapers" | "rime_shapelets" | "smear_tapers">;
  /** The speed of light, negative for phases `exp(−2πi …)`. */
  readonly speed: number;
  /** Bytes of a number. */
  readonly numberBytes: number;
  /** What bandwidth and time take away. */
  readonly smearing: KernelSmearing | undefined;
}

/** Pairs of a batch, in a vector of channels. */
interface TaperPairs extends SourcePairs {
  /** The first of the channels, in the tile. */
  readonly channel: number;
  /** The number of row 0 in the tile. */
  readonly first: number;
}

/** Whether sums of a group need tapers. */
export function isTapered({ shape }: Group, smearing: KernelSmearing | undefined): boolean {
  return shape !== 0 || smearing !== undefined;
}

/** Adds the sums over a group to the rows of all pairs, a few at a time; `sum` adds up some with their tapers. */
export function addTapered(
  tile: TaperTile,
  group: Group,
  all: TaperPairs,
  place: SumPlace,
  sum: SumPairs,
): void {
  const tapers = placeOf(tile, "work_tapers").pointer;
  for (let i = 0; i < all.count; i += ROWS) {
    const some = { ...all, pairs: all.pairs + 12 * i, count: Math.min(ROWS, all.count - i) };
    placeTapers(tile, group, some);
    sum(place.vis, tapers, some.pairs, some.count, place.rowStride);
    if (group.shape === 3) addOdd(tile, some, place, sum);
  }
}

/** Writes what some pairs see of a group to `work_tapers`, and to `work_odd` for shapelets. */
function placeTapers(tile: TaperTile, { shape, own }: Group, some: TaperPairs): void {
  const { uvw, pairs, count, frequency, size, channels } = some;
  const at = (name: string) => placeOf(tile, name).pointer;
  const tapers = at("work_tapers");
  if (shape === 3) placeShapelets(tile, own, some);
  else if (shape === 0) ones(tile, tapers, count * size);
  else {
    const shapes = at("work_sources") + 24 * GROUP, factor = TAPERS[shape]! / SPEED_OF_LIGHT;
    tile.kernels.rime_tapers(tapers, shape, shapes, uvw, pairs, count, frequency, size, channels, factor);
  }
  if (!tile.smearing) return;
  smear(tile, tile.smearing, tapers, some);
  if (shape === 3) smear(tile, tile.smearing, at("work_odd"), some);
}

function smear(tile: TaperTile, smearing: KernelSmearing, tapers: number, some: TaperPairs): void {
  const { uvw, pairs, count, frequency, size, channels, channel, first } = some;
  const sources = placeOf(tile, "work_sources").pointer;
  const widths = placeOf(tile, "channel_width").pointer + 8 * channel;
  const intervals = smearing.interval === "row" ? placeOf(tile, "interval").pointer + 8 * first : 0;
  const { turnSin, turnCos } = turnsOf(smearing);
  const rest = [count, size, channels, turnSin, turnCos, SPEED_OF_LIGHT] as const;
  tile.kernels.smear_tapers(tapers, sources, uvw, pairs, frequency, widths, intervals, ...rest);
}

/** A taper of 1 for some vectors of channels. */
function ones({ memory, numberBytes }: TaperTile, at: number, vectors: number): void {
  if (numberBytes === 8) new Float64Array(memory.buffer, at, 2 * vectors).fill(1);
  else new Float32Array(memory.buffer, at, 4 * vectors).fill(1);
}

function placeOf({ arrays }: Pick<TaperTile, "arrays">, name: string): CubeArray {
  const found = arrays[name];
  if (found) return found;
  throw new TilewiseError("corrupt", `A tile of predicted visibilities has no array ${name}`);
}
