/**
 * Which image of a stack is seen: a slider for each dimension but rows and columns.
 *
 * @module
 */

/// <reference lib="dom" />

import { element, setText } from "../../parts/dom.ts";

/** A dimension of a stack. */
export interface StackAxis {
  /** Its label, such as `c`. */
  readonly label: string;
  /** Positions along it. */
  readonly size: number;
}

/** Names of dimensions that are known by a letter. */
const NAMES: Readonly<Record<string, string>> = {
  c: "Channel",
  z: "Depth",
  t: "Time",
  scan_y: "Row of the scan",
  scan_x: "Column of the scan",
};

/** Sliders. */
export class Selection {
  readonly #sliders = element("div", { class: "sliders" });
  /** All of it. */
  readonly root: HTMLElement = element(
    "section",
    { class: "part" },
    element("h2", {}, "Image of the stack"),
    this.#sliders,
  );
  #values: Record<string, number> = {};

  /** Calls `changed` with the position along each dimension. */
  constructor(readonly changed: (selection: Readonly<Record<string, number>>) => void) {
    this.root.hidden = true;
  }

  /** The position along each dimension. */
  get value(): Readonly<Record<string, number>> {
    return this.#values;
  }

  /** Takes the dimensions of another image; positions that it has as well are kept. */
  setAxes(axes: readonly StackAxis[]): void {
    const before = this.#values;
    this.#values = Object.fromEntries(
      axes.map(({ label, size }) => [label, Math.min(before[label] ?? 0, size - 1)]),
    );
    const shown = axes.filter(({ size }) => size > 1);
    this.root.hidden = shown.length === 0;
    this.#sliders.replaceChildren(...shown.map((axis) => this.#slider(axis)));
  }

  #slider({ label, size }: StackAxis): HTMLElement {
    const output = element("output", {}, textOf(this.#values[label] ?? 0, size));
    const slide = (event: Event) => {
      const position = Number((event.target as HTMLInputElement).value);
      setText(output, textOf(position, size));
      this.#values = { ...this.#values, [label]: position };
      this.changed(this.#values);
    };
    const input = element("input", {
      type: "range",
      min: 0,
      max: size - 1,
      step: 1,
      value: this.#values[label] ?? 0,
      input: slide,
    });
    const name = NAMES[label] ? `${NAMES[label]} (${label.replace("scan_", "")})` : label;
    return element("label", { class: "slider" }, element("span", {}, name), input, output);
  }
}

function textOf(position: number, size: number): string {
  return `${position} of 0–${size - 1}`;
}
