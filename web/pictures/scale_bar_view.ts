/**
 * The scale bar on an image.
 *
 * @module
 */

/// <reference lib="dom" />

import type { ImageAxis } from "../draw/image.ts";
import { scaleBar } from "../draw/scale_bar.ts";
import { html, setTextOf } from "./element.ts";

/** The longest bar, as a share of the screen. */
const SHARE = 0.25;

/** A bar with its length. */
export class ScaleBarView {
  readonly #bar = html("div", { class: "bar" });
  readonly #label = html("span");
  /** The element. */
  readonly element: HTMLElement = html("div", { class: "scale-bar" }, this.#label, this.#bar);

  /** Draws the bar for an axis. */
  draw(axis: ImageAxis, zoom: number, width: number): void {
    const bar = scaleBar(axis, zoom, SHARE * width);
    this.element.hidden = !bar;
    if (!bar) return;
    setTextOf(this.#label, bar.label);
    this.#bar.style.width = `${bar.pixels}px`;
  }
}
