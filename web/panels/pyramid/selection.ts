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
  /** What stands at a position, such as the name of a channel or a depth with its unit. */
  at(position: number): string;
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
  #shown: readonly (readonly [StackAxis, HTMLInputElement, HTMLElement])[] = [];

  /** Calls `changed` when a slider is moved, with the position along its dimension. */
  constructor(readonly changed: (label: string, position: number, done: boolean) => void) {
    this.root.hidden = true;
  }

  /** Takes the dimensions of another image. */
  set axes(axes: readonly StackAxis[]) {
    const before = this.#shown.map(([axis]) => axis);
    if (axes.length === before.length && axes.every((axis, i) => axis === before[i])) return;
    this.root.hidden = axes.length === 0;
    const sliders = axes.map((axis) => ({ axis, ...this.#slider(axis) }));
    this.#shown = sliders.map(({ axis, input, output }) => [axis, input, output]);
    this.#sliders.replaceChildren(...sliders.map(({ root }) => root));
  }

  /** Shows the position along each dimension. */
  show(stack: Readonly<Record<string, number>>): void {
    for (const [axis, input, output] of this.#shown) {
      const position = positionIn(stack, axis);
      if (input.valueAsNumber !== position) input.value = `${position}`;
      setText(output, textOf(axis, position));
    }
  }

  #slider(axis: StackAxis) {
    const { label, size } = axis;
    const output = element("output", {}, textOf(axis, 0));
    const slide = (done: boolean) => () => this.changed(label, input.valueAsNumber, done);
    const input = element("input", {
      type: "range",
      min: 0,
      max: size - 1,
      step: 1,
      value: 0,
      input: slide(false),
      change: slide(true),
    });
    const name = NAMES[label] ? `${NAMES[label]} (${label.replace("scan_", "")})` : label;
    const root = element("label", { class: "slider" }, element("span", {}, name), input, output);
    return { root, input, output };
  }
}

/** The position along a dimension: inside of it, whatever an address says. */
export function positionIn(
  stack: Readonly<Record<string, number>>,
  { label, size }: Omit<StackAxis, "at">,
): number {
  return Math.min(stack[label] ?? 0, size - 1);
}

function textOf({ size, at }: StackAxis, position: number): string {
  const what = at(position);
  return `${what ? `${what}, ` : ""}${position} of 0–${size - 1}`;
}
