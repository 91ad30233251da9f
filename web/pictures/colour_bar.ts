/**
 * What colours mean: a bar with ticks, or a wheel for directions.
 *
 * @module
 */

/// <reference lib="dom" />

import { type Colours, labelColour } from "../draw/paint.ts";
import { barTicks, type LabelShare, percentText, wheelPixels } from "../draw/legend.ts";
import { numberText, unitText } from "../draw/words.ts";
import { html, setTextOf, setTicks } from "./element.ts";

/** Pixels of the wheel, along a side. */
const WHEEL = 96;

/** Most labels that are named. */
const NAMES = 24;

/** What colours are explained of. */
export interface Described {
  /** Unit of the values. */
  readonly unit?: string;
  /** Whether hues are directions. */
  readonly directions: boolean;
  /** The labels, if colours are names. */
  readonly labels?: readonly LabelShare[];
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
  readonly #scale = html("div", { class: "scale", "aria-hidden": "true" }, this.#strip, this.#ticks);
  readonly #names = html("ul", { class: "names", "aria-label": "Labels" });
  /** The bar, or the labels. */
  readonly element: HTMLElement = html("div", { class: "colour-bar" }, this.#scale, this.#unit, this.#names);
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
  draw({ unit: written, directions, width, labels }: Described, { table, limits, display }: Colours): void {
    this.element.hidden = directions;
    this.wheel.hidden = !directions;
    const unit = written && written !== "1" ? unitText(written) : "";
    setTextOf(this.#unit, unit);
    setTextOf(this.#longest, `${numberText(limits[1], 3)} ${unit}`);
    if (this.#table !== table) (directions ? this.#drawWheel : this.#drawStrip).call(this, table);
    this.#table = table;
    this.#scale.hidden = labels !== undefined;
    this.#names.hidden = !labels;
    if (labels) this.#drawNames(labels);
    if (directions || labels) return;
    setTicks(this.#ticks, barTicks(limits, display, Math.max(2, Math.floor(width / 80))));
  }

  #drawNames(labels: readonly LabelShare[]): void {
    const key = JSON.stringify(labels);
    if (this.#names.dataset.key === key) return;
    this.#names.dataset.key = key;
    this.#names.replaceChildren(
      ...labels.slice(0, NAMES).map(({ label, share }) => {
        const swatch = html("span", { class: "swatch" });
        swatch.style.background = `rgb(${labelColour(label).join(" ")})`;
        return html("li", {}, swatch, `${label}: ${percentText(share)}`);
      }),
    );
    if (labels.length > NAMES) this.#names.append(html("li", {}, `and ${labels.length - NAMES} more`));
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
