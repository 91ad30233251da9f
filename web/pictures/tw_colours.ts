/**
 * `<tw-colours>`: the choice of colour map, scale, gamma and range.
 *
 * @module
 */

/// <reference lib="dom" />

import { colourTable } from "../../src/pictures/mod.ts";
import { MAP_GROUPS } from "../draw/maps.ts";
import { colormapOf } from "../draw/limits.ts";
import { gammaOf } from "../draw/transfer.ts";
import { type Display, START } from "../state/state.ts";
import { COLOURS_STYLE } from "./chart_style.ts";
import { define, html, PictureElement } from "./element.ts";

/** Percentiles to choose from. */
const PERCENTILES: readonly (readonly [low: number, high: number])[] = [[0, 100], [0.1, 99.9], [0.5, 99.5], [
  2,
  98,
]];

/** Controls of a display. */
export class TwColours extends PictureElement {
  readonly #maps = new Map<string, HTMLInputElement>();
  readonly #reverse = html("input", { type: "checkbox" });
  readonly #scales = new Map<Display["scale"], HTMLInputElement>();
  readonly #gamma = html("input", { type: "range", min: -2, max: 2, step: 0.05, "aria-label": "Gamma" });
  readonly #gammaText = html("span", { class: "number" });
  readonly #range = html("select", { "aria-label": "Range" });
  readonly #chosen = html("canvas", { width: 256, height: 1, "aria-hidden": "true" });
  readonly #chosenName = html("span");
  readonly #summary = html("summary", {}, this.#chosen, this.#chosenName);
  #display: Display = START.scan;

  /** Controls at their defaults. */
  constructor() {
    super(COLOURS_STYLE);
    const maps = html("div", { class: "maps", role: "radiogroup", "aria-label": "Colour map" });
    for (const { title, names } of MAP_GROUPS) {
      maps.append(html("p", {}, title), ...names.map((name) => this.#mapChoice(name)));
    }
    maps.append(html("label", {}, this.#reverse, "Reverse"));
    this.root.append(
      html("details", {}, this.#summary, maps),
      html(
        "fieldset",
        {},
        html("legend", {}, "Scale"),
        this.#scaleChoice("linear", "Linear"),
        this.#scaleChoice("log", "Log"),
      ),
      html("fieldset", {}, html("legend", {}, "Gamma"), this.#gamma, this.#gammaText),
      html("fieldset", {}, html("legend", {}, "Range"), this.#range),
    );
    this.#reverse.addEventListener(
      "change",
      () => this.#chooseMap(colormapOf(this.#display).replace(/_r$/, "")),
    );
    this.#gamma.addEventListener("input", () => this.#change({ gamma: this.#gammaValue() }, false));
    this.#gamma.addEventListener("change", () => this.#change({ gamma: this.#gammaValue() }, true));
    this.#range.addEventListener("change", () => this.#chooseRange());
  }

  /** The display. */
  get display(): Display {
    return this.#display;
  }

  set display(display: Display) {
    this.#display = display;
    this.redraw();
  }

  /** Shows the display in the controls. */
  override draw(): void {
    const { scale, range, percentile } = this.#display;
    const map = colormapOf(this.#display);
    const name = map.replace(/_r$/, "");
    const chosen = this.#maps.get(name);
    if (chosen) chosen.checked = true;
    this.#reverse.checked = map.endsWith("_r");
    drawStrip(this.#chosen, colourTable(map));
    const title = map.endsWith("_r") ? `${name}, reversed` : name;
    this.#chosenName.textContent = title;
    this.#summary.setAttribute("aria-label", `Colour map ${title}`);
    for (const [value, input] of this.#scales) input.checked = value === scale;
    const gamma = gammaOf(this.#display);
    this.#gamma.value = String(Math.log2(gamma));
    this.#gammaText.textContent = gamma.toFixed(2);
    this.#gamma.setAttribute("aria-valuetext", gamma.toFixed(2));
    this.#drawRange(range ? "own" : percentile.join(" "));
  }

  #drawRange(chosen: string): void {
    const options = new Map(PERCENTILES.map((pair) => [pair.join(" "), titleOf(pair)]));
    if (chosen !== "own" && !options.has(chosen)) options.set(chosen, titleOf(this.#display.percentile));
    if (chosen === "own") options.set("own", "Set by hand");
    this.#range.replaceChildren(...[...options].map(([value, title]) => html("option", { value }, title)));
    this.#range.value = chosen;
  }

  #mapChoice(name: string): HTMLLabelElement {
    const input = html("input", { type: "radio", name: "map", value: name });
    input.addEventListener("change", () => this.#chooseMap(name));
    this.#maps.set(name, input);
    const strip = html("canvas", { width: 256, height: 1, "aria-hidden": "true" });
    drawStrip(strip, colourTable(colormapOf({ colormap: name })));
    return html("label", {}, input, strip, name);
  }

  #scaleChoice(scale: Display["scale"], title: string): HTMLLabelElement {
    const input = html("input", { type: "radio", name: "scale", value: scale });
    input.addEventListener("change", () => this.#change({ scale }, true));
    this.#scales.set(scale, input);
    return html("label", {}, input, title);
  }

  #chooseMap(name: string): void {
    this.#change({ colormap: this.#reverse.checked ? `${name}_r` : name }, true);
  }

  #chooseRange(): void {
    const pair = PERCENTILES.find((pair) => pair.join(" ") === this.#range.value);
    if (!pair) return;
    const { range: _, ...rest } = this.#display;
    this.#display = rest;
    this.#change({ percentile: pair }, true);
  }

  #gammaValue(): number {
    return Math.round(100 * 2 ** Number(this.#gamma.value)) / 100;
  }

  #change(change: Partial<Display>, done: boolean): void {
    this.display = { ...this.#display, ...change };
    this.tell("display-change", { display: this.#display, done });
  }
}

function titleOf([low, high]: readonly [number, number]): string {
  return low === 0 && high === 100 ? "Lowest to highest value" : `Percentiles ${low} to ${high}`;
}

function drawStrip(canvas: HTMLCanvasElement, table: Uint8Array): void {
  const pixels = new Uint8ClampedArray(4 * 256).fill(255);
  for (let i = 0; i < 256; i++) pixels.set(table.subarray(3 * i, 3 * i + 3), 4 * i);
  canvas.getContext("2d")?.putImageData(new ImageData(pixels, 256, 1), 0, 0);
}

define("tw-colours", TwColours);

declare global {
  interface HTMLElementTagNameMap {
    /** The choice of colours. */
    "tw-colours": TwColours;
  }
}
