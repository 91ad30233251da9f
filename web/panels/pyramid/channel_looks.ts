/**
 * Channels of an image that are shown together: their colours and ranges, as the file says or by rules.
 *
 * @module
 */

import type { Dataset } from "@tilewise/tilewise";
import type { ChannelLook, ChannelLooks, Display } from "../../state/state.ts";

/** Most channels that are shown at once. */
export const MOST_SHOWN = 8;

/** The dimension of an image that counts channels, or the colours of a pixel. */
export interface ChannelAxis {
  /** Its label among the dimensions of the tiles. */
  readonly label: string;
  /** A name for each channel. */
  readonly names: readonly string[];
  /** How each is shown, unless the user has chosen otherwise. */
  readonly looks: readonly ChannelLook[];
  /** Whether all are shown together at first. */
  readonly together: boolean;
}

/** Colours of channels of which the file says nothing: the first two can be told apart by all. */
const PALETTE = ["00ff00", "ff00ff", "00ffff", "ffff00", "ff8000", "4060ff", "ff3030", "ffffff"];

/** Colours of light that dyes give, or by which they are shown where that cannot be seen, by their names. */
const DYES: readonly (readonly [RegExp, string])[] = [
  [/dapi|hoechst/i, "4060ff"],
  [/gfp|fitc|(?<!\d)488(?!\d)/i, "00ff00"],
  [/rfp|mcherry|tritc|texas red|cy-?3|(?<!\d)5[569]\d(?!\d)/i, "ff3030"],
  [/cy-?5|(?<!\d)647(?!\d)/i, "ff00ff"],
];

/** Red, green and blue. */
const PRIMARIES = ["ff0000", "00ff00", "0000ff"];

/** The channels of a data set whose tiles have these labels; undefined: it has none. */
export function channelAxis(
  dataset: Pick<Dataset, "axes" | "metadata" | "dtype">,
  labels: readonly string[],
): ChannelAxis | undefined {
  const { axes } = dataset;
  const candidates = axes.map(({ kind, size }, d) => ({ kind, size, d }))
    .filter(({ d, size }) => size > 1 && labels[d] !== "y" && labels[d] !== "x");
  const colour = candidates.find(({ kind, size }) => kind === "colour" && (size === 3 || size === 4));
  const found = colour ?? candidates.find(({ kind }) => kind === "channel");
  if (!found) return undefined;
  const { d, size } = found;
  const told = toldOf(dataset.metadata, size).map(({ range, ...others }) => ({
    ...others,
    ...(range && hasSamples(range, dataset.dtype) ? { range } : {}),
  }));
  const names = Array.from(
    { length: size },
    (_, i) =>
      axes[d]!.names?.[i] || told[i]?.name ||
      (colour ? "Red Green Blue Alpha".split(" ")[i]! : `Channel ${i + 1}`),
  );
  const looks = colour ? pixelLooks(size, dataset.dtype) : toldLooks(told, names);
  return { label: labels[d]!, names, looks, together: true };
}

/** Whether samples of a type can lie in a range; all would be black, or all white, outside of it. */
function hasSamples([low, high]: readonly [number, number], dtype: string): boolean {
  const [, unsigned, bits] = /^(u?)int(8|16|32)$/.exec(dtype) ?? [];
  if (bits === undefined) return true;
  const count = 2 ** Number(bits), least = unsigned ? 0 : -count / 2;
  return low < least + count - 1 && high > least;
}

/** True colours: the whole range of small integers, so that the picture is the one that was saved. */
function pixelLooks(size: number, dtype: string): ChannelLook[] {
  const most = dtype === "uint8" ? 255 : dtype === "uint16" ? 65_535 : undefined;
  return Array.from({ length: size }, (_, i) => ({
    shown: i < 3,
    colour: PRIMARIES[i] ?? "ffffff",
    ...(most === undefined ? {} : { range: [0, most] as const }),
  }));
}

/** What a file says of a channel. */
interface ToldChannel {
  readonly name?: string;
  readonly colour?: string;
  readonly range?: readonly [number, number];
  readonly active?: boolean;
}

/** As the file says; else in the colour of a dye that the name tells, else in one that no channel has yet. */
function toldLooks(told: readonly ToldChannel[], names: readonly string[]): ChannelLook[] {
  const isSaid = told.some(({ active }) => active);
  let shown = 0;
  const known = told.map(({ colour }, i) => colour ?? DYES.find(([name]) => name.test(names[i]!))?.[1]);
  const left = PALETTE.filter((colour) => !known.includes(colour));
  let next = 0;
  return told.map(({ range, active }, i) => ({
    shown: (active ?? !isSaid) && ++shown <= MOST_SHOWN,
    colour: known[i] ?? left[next++ % left.length] ?? PALETTE[i % PALETTE.length]!,
    ...(range ? { range } : {}),
  }));
}

/** What OME-Zarr (`omero`) and OME-XML (`Channel`) say. */
function toldOf({ channels, omero }: Dataset["metadata"], size: number): ToldChannel[] {
  const lists = [channels, (omero as { readonly channels?: unknown } | undefined)?.channels];
  const [facts = [], more = []] = lists.map((list) => Array.isArray(list) ? list as unknown[] : []);
  return Array.from({ length: size }, (_, i) => toldChannel({ ...asRecord(more[i]), ...asRecord(facts[i]) }));
}

function toldChannel({ name, color, Color, window, active }: Readonly<Record<string, unknown>>): ToldChannel {
  const { start, end } = asRecord(window);
  const colour = hexOf(color) ?? packedOf(Color);
  const isRange = Number.isFinite(start) && Number.isFinite(end) && (start as number) < (end as number);
  return {
    ...(typeof name === "string" && name !== "" ? { name } : {}),
    ...(colour ? { colour } : {}),
    ...(isRange ? { range: [start as number, end as number] } : {}),
    ...(typeof active === "boolean" ? { active } : {}),
  };
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? value as Record<string, unknown> : {};
}

function hexOf(color: unknown): string | undefined {
  return typeof color === "string" ? /^#?([0-9a-f]{6})$/i.exec(color)?.[1]?.toLowerCase() : undefined;
}

/** OME-XML has red, green, blue and alpha in one signed number of 32 bits; black is not a colour to see anything in. */
function packedOf(color: unknown): string | undefined {
  const number = typeof color === "string" && /^-?\d+$/.test(color) ? Number(color) : NaN;
  if (!(Math.abs(number) < 2 ** 32)) return undefined;
  const rgb = (number >>> 8).toString(16).padStart(6, "0");
  return rgb === "000000" ? undefined : rgb;
}

/** How the channels are shown: as chosen, if there are as many; undefined: one at a time. */
export function shownLooks(
  axis: ChannelAxis,
  chosen: ChannelLooks | undefined,
): readonly ChannelLook[] | undefined {
  if (chosen === "one" || !chosen && !axis.together) return undefined;
  return chosen && chosen.length === axis.looks.length ? chosen : axis.looks;
}

/** How one channel is shown: black at the lower end of the range, its colour at the upper end. */
export function displayOf({ colour, range }: ChannelLook, percentile: Display["percentile"]): Display {
  return { colormap: `#${colour}`, scale: "linear", gamma: 1, percentile, ...(range ? { range } : {}) };
}
