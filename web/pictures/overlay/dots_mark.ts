/**
 * Places above an image that are only seen: circles where something is expected, crosses where it was found.
 *
 * @module
 */

/// <reference lib="dom" />

import { type Look, placeOn, type Size } from "../../draw/look.ts";
import { outlineOf } from "../../draw/outline.ts";
import type { Position } from "../../state/state.ts";
import { setAll, svg } from "../element.ts";

/** Places of one kind. */
export interface Dots {
  /** Circles of that radius, in samples; 0: crosses. */
  readonly radius: number;
  /** Where they are, in samples. */
  readonly at: readonly Position[];
}

/** Half of the size of a cross, in pixels. */
const CROSS = 4;

/** Draws places below all handles. */
export class DotsMark {
  /** The places. */
  dots: readonly Dots[] = [];
  readonly #paths = [svg("path", { class: "casing" }), svg("path", { class: "line" })];
  readonly #group = svg("g", { class: "region dots" }, ...this.#paths);

  /** Draws into `layer`. */
  constructor(readonly layer: SVGSVGElement) {}

  /** Draws them where they are now. */
  draw(look: Look, screen: Size): void {
    if (this.dots.length === 0) return this.#group.remove();
    if (!this.#group.isConnected) this.layer.prepend(this.#group);
    const d = this.dots.flatMap(({ at, radius }) => at.map((place) => one(place, radius, look, screen))).join(
      "",
    );
    for (const path of this.#paths) setAll(path, { d });
  }
}

function one([cy, cx]: Position, r: number, look: Look, screen: Size): string {
  if (r > 0) return outlineOf({ kind: "disk", cy, cx, r }, look, screen);
  const [y, x] = placeOn(look, screen, [cy, cx]).map((value) => Number(value.toFixed(1))) as [number, number];
  return `M${x - CROSS} ${y}h${2 * CROSS}M${x} ${y - CROSS}v${2 * CROSS}`;
}
