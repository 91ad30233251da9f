/**
 * What colours mean: a bar with ticks, or a wheel for directions.
 *
 * @module
 */

/// <reference lib="dom" />

import type { Colours } from "../draw/paint.ts";
import { barTicks, wheelPixels } from "../draw/legend.ts";
import { numberText, unitText } from "../draw/words.ts";
import { html, setTextOf, setTicks } from "./element.ts";

/** Pixels of the wheel, along a side. */
const WHEEL = 96;

/** What colours are explained of. */
export interface Described {
  /** Unit of the values. */
  readonly unit?: string;
  /** Whether hues are directions. */
  readonly directions: boolean;
  /** Width of the image, which is about that of the bar. */
  readonly width: number;
}

/** A bar, and a wheel; one of them is shown. */
export class ColourBar {
  readonly #strip = html("canvas", { class: "strip", width: 256, height: 1 });
  readonly #ticks = html("div", { class: "ticks" });
  readonly #unit = html("span", { class: "unit" });
  readonly #longest = html("span");
  readonly #circle = html("canvas", { width: WHEEL, height: WHEEL });
  /** The bar. */
  readonly element: HTMLElement = html(
    "div",
    { class: "colour-bar", "aria-hidden": "true" },
    html("div", { class: "scale" }, this.#strip, this.#ticks),
    this.#unit,
  );
  /** The wheel. */
  readonly wheel: HTMLElement = html(
    "div",
    { class: "wheel", "aria-hidden": "true" },
    this.#circle,
    this.#longest,
  );
  #table: Uint8Array | undefined;

  /** Shows neither: channels that are shown together have names instead. */
  hide(): void {
    this.element.hidden = this.wheel.hidden = true;
  }

  /** Draws what these colours mean. */
  draw({ unit: written, directions, width }: Described, { table, limits, display }: Colours): void {
    this.element.hidden = directions;
    this.wheel.hidden = !directions;
    const unit = written && written !== "1" ? unitText(written) : "";
    setTextOf(this.#unit, unit);
    setTextOf(this.#longest, `${numberText(limits[1], 3)} ${unit}`);
    if (this.#table !== table) (directions ? this.#drawWheel : this.#drawStrip).call(this, table);
    this.#table = table;
    if (directions) return;
    setTicks(this.#ticks, barTicks(limits, display, Math.max(2, Math.floor(width / 80))));
  }

  #drawStrip(table: Uint8Array): void {
    const pixels = new Uint8ClampedArray(4 * 256).fill(255);
    for (let i = 0; i < 256; i++) pixels.set(table.subarray(3 * i, 3 * i + 3), 4 * i);
    this.#strip.getContext("2d")?.putImageData(new ImageData(pixels, 256, 1), 0, 0);
  }

  #drawWheel(): void {
    this.#circle.getContext("2d")?.putImageData(new ImageData(wheelPixels(WHEEL), WHEEL, WHEEL), 0, 0);
  }
}
