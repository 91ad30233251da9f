/**
 * How two images are linked: by their places on the sky, by lengths, or pixel by pixel.
 *
 * @module
 */

import type { ImageAxis } from "../../../draw/image.ts";
import { covering, type Places } from "../../../draw/look.ts";
import { ratioOfUnits } from "../../../draw/scale_bar.ts";
import { lengthUnit, numberText } from "../../../draw/words.ts";
import type { Position } from "../../../state/state.ts";
import { scaleOf } from "../label_overlay.ts";
import type { OpenedImage } from "../opened_image.ts";

/** An image, as far as links depend on it. */
export type Linked = Pick<OpenedImage, "facts" | "sky"> & {
  readonly source: Pick<OpenedImage["source"], "levels">;
};

/** A link. */
export interface Link {
  /** Where samples of the first image are in the second. */
  readonly places: Places;
  /** How they are linked, and why, for people. */
  readonly text: string;
}

/** How far, in samples of the second image, places may be from where a link says they are. */
const TOLERANCE = 0.5;

/**
 * Links two images: by their places on the sky if both know them, by lengths if both know the size of their pixels, else pixel by
 * pixel. Two images of one source that do not know their sizes show the same field.
 */
export function linkOf(first: Linked, second: Linked, isSameSource: boolean): Link {
  if (first.sky && second.sky) return bySky(first, second);
  const why = first.sky || second.sky ? "only one of them knows its place on the sky" : undefined;
  const sized = why ?? byLength(first, second);
  if (typeof sized !== "string") return sized;
  const scale = isSameSource ? scaleOf(first.source, second.source) : undefined;
  return scale === undefined
    ? byPixels(first, second, sized)
    : { places: covering(scale), text: "Linked: both show the same field." };
}

function byPixels(first: Linked, second: Linked, why: string): Link {
  return { places: fromCorner(1, first, second), text: `Linked pixel by pixel: ${why}.` };
}

/** Parts of the height and of the width at which places on the sky are compared. */
const PROBES = [0, 0.25, 0.5, 0.75, 1];

/** By places on the sky, where they are those of one image moved and enlarged; else the directions differ over the image. */
function bySky(first: Linked, second: Linked): Link {
  const { height, width } = sizeOf(first);
  const at = (down: number, along: number): Position | undefined => {
    const place = first.sky!.at(down * height - 0.5, along * width - 0.5);
    return place && second.sky!.pixel(place);
  };
  const [corner, below, beside] = [at(0, 0), at(1, 0), at(0, 1)];
  if (first.sky!.frame !== second.sky!.frame || !corner || !below || !beside) {
    return byPixels(first, second, "they lie on the sky in different ways");
  }
  const [rows, columns] = [below[0] - corner[0], beside[1] - corner[1]];
  const [step, other] = [columns / width, rows / height];
  const isThere = (down: number, along: number) => {
    const [y, x] = at(down, along) ?? [NaN, NaN];
    const far = Math.hypot(corner[0] + down * rows - y, corner[1] + along * columns - x);
    return far <= TOLERANCE;
  };
  const isEven = step > 0 && Math.abs(step - other) * Math.max(height, width) <= TOLERANCE &&
    PROBES.every((down) => PROBES.every((along) => isThere(down, along)));
  if (!isEven) return byPixels(first, second, "their projections or directions on the sky differ");
  const places: Places = { start: [corner[0] + other / 2, corner[1] + step / 2], step: [other, step] };
  return isSeen(places, first, second)
    ? { places, text: "Linked by their places on the sky." }
    : byPixels(first, second, "they show different parts of the sky");
}

/** By lengths: from their places if files tell them and they meet, else from the same corner. A text says why that cannot be. */
function byLength(first: Linked, second: Linked): Link | string {
  const [one, other] = [axesOf(first), axesOf(second)];
  const unknown = [one, other].filter((axes) => !axes.every(isSized)).length;
  if (unknown === 2) return "neither knows the size of its pixels";
  if (unknown === 1) return "only one of them knows the size of its pixels";
  const units = one.map(({ unit }, d) => ratioOfUnits(other[d]!.unit, unit));
  const [rows, columns] = units.map((ratio = NaN, d) => one[d]!.step / (other[d]!.step / ratio));
  if (!Number.isFinite(rows) || !Number.isFinite(columns)) {
    return `one counts ${lengthUnit(one[1].unit)}, the other ${lengthUnit(other[1].unit)}`;
  }
  const { height, width } = sizeOf(first);
  if (Math.abs(rows! - columns!) * Math.max(height, width) > TOLERANCE) {
    return "their pixels have different shapes";
  }
  const unit = lengthUnit(one[1].unit);
  const step = [one[1].step, other[1].step / units[1]!].map((size) => `${numberText(size, 4)} ${unit}`);
  const sizes = `pixels of ${step[0]} and ${step[1]}`;
  const told = [...one, ...other].some(({ offset }) => offset !== undefined);
  if (told && one[0].upwards === other[0].upwards) {
    const start = one.map(({ offset = 0 }, d) => {
      const there = other[d]!;
      return (offset * units[d]! - (there.offset ?? 0)) / there.step;
    }) as [number, number];
    const places: Places = { start, step: [rows!, columns!] };
    if (isSeen(places, first, second)) {
      return { places, text: `Linked by their places in ${unit}: ${sizes}.` };
    }
  }
  const why = told ? ", both from their first pixel, as their places do not meet" : "";
  return { places: fromCorner(columns!, first, second), text: `Linked by size in ${unit}: ${sizes}${why}.` };
}

/** From the first pixel on; where rows of one image grow upwards, from the upper left corner. */
function fromCorner(step: number, first: Linked, second: Linked): Places {
  const [start, steps] = [covering(1 / step).start, [step, step] as const];
  const [one, other] = [axesOf(first)[0].upwards, axesOf(second)[0].upwards];
  if (one === other) return { start, step: steps };
  const rows = other ? sizeOf(second).height - 0.5 - step / 2 : (sizeOf(first).height - 0.5) * step - 0.5;
  return { start: [rows, start[1]], step: [-step, step] };
}

/** Whether any part of the first image is in the second. */
function isSeen({ start, step }: Places, first: Linked, second: Linked): boolean {
  const [one, other] = [sizeOf(first), sizeOf(second)];
  return [one.height, one.width].every((size, d) => {
    const ends = [start[d]! - step[d]! / 2, start[d]! + step[d]! * (size - 0.5)];
    return Math.max(...ends) > -0.5 && Math.min(...ends) < [other.height, other.width][d]! - 0.5;
  });
}

function axesOf({ facts: { axes } }: Linked): readonly [ImageAxis, ImageAxis] {
  return axes as readonly [ImageAxis, ImageAxis];
}

function isSized({ step, unit }: ImageAxis): boolean {
  return unit !== "px" && unit !== "" && Number.isFinite(step) && step > 0;
}

function sizeOf({ source: { levels } }: Linked): { readonly height: number; readonly width: number } {
  return levels[0]!;
}
