/**
 * The image of a scan from one number per image of its file: it follows the shape and the sync offset, and reads nothing again.
 *
 * @module
 */

/// <reference lib="dom" />

import { readOptions } from "../open/options.ts";
import { previewScan, type ScanPreview } from "../open/suggestions.ts";
import { element } from "../parts/dom.ts";
import type { OpenChoices } from "../state/state.ts";

/** Larger scans are not drawn. */
const MOST_POSITIONS = 1e7;

/** A picture and a slider for the sync offset; both are hidden until there is something to show. */
export class Preview {
  /** All of it. */
  readonly root: HTMLElement;
  readonly #canvas = element("canvas", {
    width: 1,
    height: 1,
    role: "img",
    "aria-label": "Preview of the scan",
  });
  readonly #slider = element("input", {
    type: "range",
    step: 1,
    "aria-label": "Images to skip first",
    input: () => this.slid(this.#slider.value),
  });
  #values: ArrayLike<number> | undefined;
  #nav: readonly number[] = [];

  /** Tells `slid` the sync offset that the slider is at. */
  constructor(readonly slid: (offset: string) => void) {
    this.root = element(
      "div",
      { class: "preview", hidden: true },
      this.#canvas,
      element(
        "div",
        { class: "field" },
        element(
          "p",
          { class: "hint" },
          "Sum of each pattern in its place. If rows are sheared or the image wraps around, move the slider until it does not.",
        ),
        this.#slider,
      ),
    );
  }

  /** Shows one number per image; `nav` is the shape of the scan unless the texts have one. */
  take(values: ArrayLike<number>, nav: readonly number[], choices: OpenChoices): void {
    this.#values = values;
    this.#nav = nav;
    const reach = Math.max(1, Math.min(values.length, 4 * (nav.at(-1) ?? 1)));
    this.#slider.min = `${-reach}`;
    this.#slider.max = `${reach}`;
    this.root.hidden = false;
    this.show(choices);
  }

  /** Shows the same numbers with other texts. */
  show(choices: OpenChoices): void {
    const { options } = readOptions(choices);
    const [rows = 1, columns = 1] = shapeOf(options.nav ?? this.#nav);
    const offset = options.syncOffset ?? 0;
    this.#slider.value = `${offset}`;
    if (!this.#values || rows * columns > MOST_POSITIONS) return;
    draw(this.#canvas, previewScan(this.#values, [rows, columns], offset));
  }

  /** Shows nothing. */
  hide(): void {
    this.#values = undefined;
    this.root.hidden = true;
  }
}

/** Rows and columns: the last two dimensions. */
function shapeOf(nav: readonly number[] | number): readonly number[] {
  const sizes = typeof nav === "number" ? [nav] : nav;
  return sizes.length === 1 ? [1, ...sizes] : sizes.slice(-2);
}

/** Grey values from the smallest to the largest; places without an image are clear. */
function draw(canvas: HTMLCanvasElement, { rows, columns, values }: ScanPreview): void {
  const context = canvas.getContext("2d");
  if (!context) return;
  canvas.width = columns;
  canvas.height = rows;
  const known = values.filter((value) => Number.isFinite(value));
  const low = known.reduce((a, b) => Math.min(a, b), Infinity);
  const high = known.reduce((a, b) => Math.max(a, b), -Infinity);
  const image = context.createImageData(columns, rows);
  values.forEach((value, i) => {
    if (!Number.isFinite(value)) return;
    const grey = high > low ? 255 * (value - low) / (high - low) : 128;
    image.data.set([grey, grey, grey, 255], 4 * i);
  });
  context.putImageData(image, 0, 0);
}
