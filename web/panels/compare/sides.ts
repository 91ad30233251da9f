/**
 * The two sides of a comparison: what is chosen, its picture, and the value under the pointer. All pictures show the same place.
 *
 * @module
 */

/// <reference lib="dom" />

import { element, setText } from "../../parts/dom.ts";
import { linkLooks, type TwImage } from "../../pictures/mod.ts";
import { short } from "../analysis/statistics.ts";
import type { Shown } from "./difference.ts";

/** A side. */
export interface Side {
  /** Its name for readers of the screen. */
  readonly label: string;
  /** What is chosen. */
  readonly select: HTMLSelectElement;
  /** Where it is shown. */
  readonly picture: TwImage;
  /** The value under the pointer. */
  readonly value: HTMLElement;
}

/** A side that calls `chosen` when another result is chosen for it. */
export function newSide(label: string, chosen: () => void): Side {
  return {
    label,
    select: element("select", { "aria-label": `${label} result`, change: chosen }),
    picture: element("tw-image", { "aria-label": label }) as TwImage,
    value: element("p", { class: "readout", "aria-live": "off" }),
  };
}

/** The card of a side. */
export function cardOf({ label, select, picture, value }: Side): HTMLElement {
  return element(
    "section",
    { class: "card view", "aria-label": label },
    element("header", {}, element("div", { class: "field" }, select)),
    element("div", { class: "picture" }, picture),
    element("div", { class: "under" }, value),
  );
}

/** All pictures show the same place; the pointer in one of them reads the values in both sides. */
export function linkSides(sides: readonly Side[], difference: TwImage): void {
  const pictures = [...sides.map(({ picture }) => picture), difference];
  linkLooks(pictures);
  for (const picture of pictures) {
    picture.addEventListener("cursor", (event) => readValues(sides, (event as CustomEvent).detail.position));
  }
}

function readValues(sides: readonly Side[], position: readonly [number, number] | undefined): void {
  for (const { picture: { image }, value } of sides) {
    const text = image && position
      ? `${Math.round(position[0])}, ${Math.round(position[1])}: ${valueAt(image, position)}`
      : "";
    setText(value, text);
  }
}

function valueAt(image: Shown, [y, x]: readonly [number, number]): string {
  const at = (
    { data, shape, dtype }: { data: ArrayLike<number | bigint>; shape: readonly number[]; dtype: string },
  ) => {
    const i = Math.round(y) * (shape[1] ?? 1) + Math.round(x);
    if (!dtype.startsWith("complex")) return short(Number(data[i]));
    return short(Math.hypot(Number(data[2 * i]), Number(data[2 * i + 1])));
  };
  const unit = image.unit ? ` ${image.unit}` : "";
  return "y" in image ? `y ${at(image.y)}, x ${at(image.x)}${unit}` : `${at(image.array)}${unit}`;
}
