/**
 * Which image of a stack is seen: a slider for each dimension but rows and columns.
 *
 * @module
 */

/// <reference lib="dom" />

import { iconButton } from "../../parts/buttons.ts";
import { element, setAttribute, setText } from "../../parts/dom.ts";
import { icon } from "../../parts/icons.ts";
import type { PageState } from "../../state/state.ts";
import { FilmStrip } from "./film_strip.ts";
import type { ImagePicture } from "./image_picture.ts";
import { positionIn, type StackAxis } from "./stack_axis.ts";

/** Names of dimensions that are known by a letter. */
const NAMES: Readonly<Record<string, string>> = {
  c: "Channel",
  z: "Depth",
  t: "Time",
  scan_y: "Row of the scan",
  scan_x: "Column of the scan",
};

/** Least milliseconds between two images of a stack that is played. */
const BEAT = 120;

/** What is shown of a dimension. */
interface Row {
  readonly axis: StackAxis;
  readonly root: HTMLElement;
  readonly input: HTMLInputElement;
  readonly output: HTMLElement;
  readonly play: HTMLButtonElement;
  readonly film: FilmStrip;
}

/** What the sliders are given. */
export interface SelectionHost {
  /** The picture that has this dimension. */
  pictureOf(axis: StackAxis): ImagePicture;
  state(): PageState;
  /** Another position along a dimension; `done` is false while a slider moves, or the stack is played. */
  changed(label: string, position: number, done: boolean): void;
}

/** Sliders, each with a film strip, and a button that plays the stack. */
export class Selection {
  readonly #sliders = element("div", { class: "sliders" });
  /** All of it. */
  readonly root: HTMLElement = element(
    "section",
    { class: "part" },
    element("h2", {}, "Image of the stack"),
    this.#sliders,
  );
  #shown: readonly Row[] = [];
  #playing: Row | undefined;

  /** No sliders yet. */
  constructor(readonly host: SelectionHost) {
    this.root.hidden = true;
  }

  /** Takes the dimensions of another image. */
  set axes(axes: readonly StackAxis[]) {
    const before = this.#shown.map(({ axis }) => axis);
    if (axes.length === before.length && axes.every((axis, i) => axis === before[i])) return;
    this.root.hidden = axes.length === 0;
    this.stop();
    for (const { film } of this.#shown) film.stop();
    this.#shown = axes.map((axis) => this.#row(axis));
    this.#sliders.replaceChildren(...this.#shown.flatMap(({ root, film }) => [root, film.root]));
  }

  /** Goes on along the first dimension by so many images, and begins again after the last one. */
  step(by: number): void {
    const [row] = this.#shown;
    if (row) this.#go(row, by, true);
  }

  /** Plays the first dimension, or stops. */
  toggle(): void {
    if (this.#playing) this.stop();
    else if (this.#shown[0]) void this.#play(this.#shown[0]);
  }

  /** Stops playing. */
  stop(): void {
    const row = this.#playing;
    this.#playing = undefined;
    if (row) showPlay(row, false);
  }

  /** Shows the position along each dimension. */
  show(stack: Readonly<Record<string, number>>): void {
    for (const { axis, input, output, film } of this.#shown) {
      const position = positionIn(stack, axis);
      if (input.valueAsNumber !== position) input.value = `${position}`;
      setText(output, textOf(axis, position));
      film.show();
    }
  }

  #go({ axis }: Row, by: number, done: boolean): void {
    const { size, label } = axis;
    const position = positionIn(this.host.state().stack, axis);
    this.host.changed(label, ((position + by) % size + size) % size, done);
  }

  /** The next image comes when the one before has been seen. */
  async #play(row: Row): Promise<void> {
    this.stop();
    this.#playing = row;
    showPlay(row, true);
    const wait = () => new Promise((resolve) => setTimeout(resolve, BEAT));
    while (this.#playing === row) {
      await wait();
      if (this.#playing === row && this.host.pictureOf(row.axis).element.progress.missing === 0) {
        this.#go(row, 1, false);
      }
    }
    this.#go(row, 0, true);
  }

  #row(axis: StackAxis): Row {
    const { label, size } = axis;
    const output = element("output", {}, textOf(axis, 0));
    const slide = (done: boolean) => () => {
      this.stop();
      this.host.changed(label, input.valueAsNumber, done);
    };
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
    const slider = element("label", { class: "slider" }, element("span", {}, name), input, output);
    const play = iconButton("play", {
      label: `Play ${name}`,
      look: "quiet small",
      press: () => this.#playing === row ? this.stop() : void this.#play(row),
    });
    const film = new FilmStrip(
      axis,
      this.host.pictureOf(axis),
      this.host.state,
      (position) => this.host.changed(label, position, true),
    );
    const root = element("div", { class: "stack-row" }, play, slider);
    const row: Row = { axis, root, input, output, play, film };
    showPlay(row, false);
    return row;
  }
}

function showPlay({ play }: Row, isPlaying: boolean): void {
  setAttribute(play, "aria-pressed", `${isPlaying}`);
  play.replaceChildren(icon(isPlaying ? "stop" : "play"));
}

function textOf({ size, at }: StackAxis, position: number): string {
  const what = at(position);
  return `${what ? `${what}, ` : ""}${position} of 0–${size - 1}`;
}
