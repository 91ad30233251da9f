/**
 * How HyperSpy describes a signal, in HDF5 and in Zarr alike: a group for each dimension beside the samples, which says whether it is
 * navigation or signal. Axes with uneven steps have an array of their positions.
 *
 * ```
 * …/data  …/axis-0 {name scale offset units navigate}  …/axis-1 {name units navigate}  …/axis-1/axis
 *         …/metadata/Signal {signal_type quantity}
 * ```
 *
 * @module
 */

import type { SaidAxis } from "../../dataset/said_axes.ts";
import { defined } from "../../options.ts";
import { axesOfSignal, kindsBySignal, kindsByUnit } from "../../space/meaning/said_kinds.ts";

/** The attributes of the group at a path beside the samples, if it is there. */
export type BesideSamples = (path: string) => Readonly<Record<string, unknown>> | undefined;

/** How it writes that something is not known. */
const UNSET = /^(|\.|_None_|<undefined>|t\.BaseUndefined)$/;

/** The name of an axis, if it has one. */
export function named(name: unknown): { name?: string } {
  return typeof name === "string" && !UNSET.test(name) ? { name } : {};
}

/** `[n_m^-1]` of EMD as `1/nm`, `A^-1` as `1/A`; nothing for pixels. */
export function unit(units: unknown): { unit?: string } {
  if (typeof units !== "string" || UNSET.test(units)) return {};
  const plain = units.replace(/^\[(.*)\]$/, "$1").replaceAll("_", "").trim();
  if (plain === "" || /^(pixels?|px|None)$/i.test(plain)) return {};
  const [, inverse] = /^(.+)\^-1$/.exec(plain) ?? [];
  return { unit: inverse === undefined ? plain : `1/${inverse}` };
}

/** The axes of an array of `rank` dimensions, `isData` where it is called so; `undefined` if HyperSpy has not written it. */
export async function hyperspyAxes(
  beside: BesideSamples,
  rank: number,
  isData: boolean,
  positionsAt: (path: string) => Promise<number[] | undefined>,
): Promise<SaidAxis[] | undefined> {
  const groups: Readonly<Record<string, unknown>>[] = [];
  const next = () => beside(`axis-${groups.length}`);
  for (let group = next(); group; group = next()) groups.push(group);
  if (groups.length === 0 || groups.length !== rank && !isData) return undefined;
  const axes = await Promise.all(
    groups.map(async (group, d) => axisOf(group, await positionsAt(`axis-${d}/axis`))),
  );
  if (!groups.every(({ navigate }) => typeof navigate === "boolean")) return kindsByUnit(axes);
  const signal = groups.map(({ navigate }) => !navigate);
  return kindsBySignal(axesOfSignal(axes, signal, beside("metadata/Signal")?.["signal_type"]), signal);
}

function axisOf(
  { name, scale, offset, units, size }: Readonly<Record<string, unknown>>,
  positions: number[] | undefined,
): SaidAxis {
  const number = (value: unknown) => value === undefined ? undefined : Number(value); // JSON has NaN as a text
  const own = { ...named(name), ...unit(units), ...defined({ size: number(size) }) };
  if (positions) return { ...own, positions };
  const isPlain = scale === 1 && offset === 0 && own.unit === undefined; // what is written without a calibration
  return isPlain ? own : { ...own, ...defined({ scale: number(scale), offset: number(offset) }) };
}
