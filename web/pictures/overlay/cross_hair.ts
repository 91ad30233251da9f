/**
 * The cross-hair: a position of the image that can be moved.
 *
 * @module
 */

/// <reference lib="dom" />

import { placeOn, sampleOf, type Size, stepOf } from "../../draw/look.ts";
import type { Position } from "../../state/state.ts";
import { arrowOf, beginDrag } from "../drag.ts";
import { setAll, svg } from "../element.ts";
import type { OverlayHost } from "./overlay.ts";

/** What a cross-hair needs to know, and whom it tells. */
export interface CrossHairHost extends Pick<OverlayHost, "look" | "screen" | "size"> {
  /** The position was changed. */
  moved(position: Position, done: boolean): void;
}

/** Pixels around the position that its lines leave free. */
const GAP = 10;

/** A position with its lines and a handle. */
export class CrossHair {
  readonly #group: SVGGElement;
  readonly #lines = [svg("path", { class: "casing" }), svg("path", { class: "line" })];
  readonly #handle: SVGGElement;
  #position: Position | undefined;
  #held = false;

  /** Draws into `layer`. */
  constructor(readonly layer: SVGSVGElement, readonly host: CrossHairHost) {
    const parts = [svg("circle", { class: "hit", r: 14 }), svg("circle", { class: "dot", r: 4 })];
    this.#handle = svg(
      "g",
      { class: "handle", role: "slider", tabindex: 0, "aria-label": "Position" },
      ...parts,
    );
    this.#group = svg("g", { class: "region cross-hair" }, ...this.#lines, this.#handle);
    this.#handle.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      this.#handle.focus({ preventScroll: true });
      this.press(event, this.#handle);
    });
    this.#handle.addEventListener("keydown", (event) => this.#key(event));
    this.#handle.addEventListener("keyup", (event) => arrowOf(event) && this.#release());
    this.#handle.addEventListener("blur", () => this.#release());
  }

  /** The position; undefined: none is shown. */
  get position(): Position | undefined {
    return this.#position;
  }

  set position(position: Position | undefined) {
    if (!this.#held || !position) this.#position = position;
  }

  /** Moves the focus to it, so that arrow keys move it. */
  focus(): void {
    this.#handle.focus({ preventScroll: true });
  }

  /** Draws it where it is now. */
  draw(): void {
    const at = this.#position;
    if (!at) return this.#group.remove();
    if (!this.#group.isConnected) this.layer.append(this.#group);
    const size = this.host.size();
    const [y, x] = this.#placeOf(at);
    const d = this.#linesThrough(y, x, size);
    for (const line of this.#lines) setAll(line, { d });
    setAll(this.#handle, {
      transform: `translate(${x} ${y})`,
      "aria-valuemin": 0,
      "aria-valuemax": size.width * size.height - 1,
      "aria-valuenow": at[0] * size.width + at[1],
      "aria-valuetext": `row ${at[0]}, column ${at[1]}`,
    });
  }

  /** The middle of a pixel of the screen, so that lines are sharp. */
  #placeOf(at: Position): Position {
    const [y, x] = placeOn(this.host.look(), this.host.screen(), at);
    return [Math.floor(y) + 0.5, Math.floor(x) + 0.5];
  }

  /** Four lines from the position to the edges of the image, or of the screen. */
  #linesThrough(y: number, x: number, { width, height }: Size): string {
    const screen = this.host.screen();
    const [first, left] = this.#placeOf([-0.5, -0.5]),
      [last, right] = this.#placeOf([height - 0.5, width - 0.5]);
    const [top, begin] = [Math.max(0, Math.min(first, last)), Math.max(0, left)];
    const [bottom, end] = [Math.min(screen.height, Math.max(first, last)), Math.min(screen.width, right)];
    const lines = [
      begin < x - GAP && `M${begin} ${y}H${x - GAP}`,
      end > x + GAP && `M${x + GAP} ${y}H${end}`,
      top < y - GAP && `M${x} ${top}V${y - GAP}`,
      bottom > y + GAP && `M${x} ${y + GAP}V${bottom}`,
    ];
    return lines.filter((line) => line !== false).join("");
  }

  /** Begins a drag: the position follows the pointer. */
  press(event: PointerEvent, target: Element): void {
    const start = this.#position;
    if (!start) return;
    event.stopPropagation();
    event.preventDefault();
    this.#held = true;
    beginDrag(event, target, this.layer, {
      move: (place) => this.#change(this.#near(place), false),
      end: (cancelled) => {
        this.#held = false;
        this.#change(cancelled ? start : this.#position ?? start, true);
      },
    });
  }

  /** Moves it to a place of the screen; `done`: the pointer is up again. */
  jump(place: Position, done: boolean): void {
    if (this.#position) this.#change(this.#near(place), done);
  }

  #near(place: Position): Position {
    const [y, x] = sampleOf(this.host.look(), this.host.screen(), place);
    return this.#inside(y, x);
  }

  #inside(y: number, x: number): Position {
    const { width, height } = this.host.size();
    const inside = (n: number, size: number) => Math.max(0, Math.min(size - 1, Math.round(n)));
    return [inside(y, height), inside(x, width)];
  }

  #key(event: KeyboardEvent): void {
    const arrow = arrowOf(event);
    if (!arrow || !this.#position) return;
    event.preventDefault();
    event.stopPropagation();
    this.#held = true;
    const [down, right] = stepOf(this.host.look(), arrow);
    this.#change(this.#inside(this.#position[0] + down, this.#position[1] + right), false);
  }

  #release(): void {
    if (!this.#held || !this.#position) return;
    this.#held = false;
    this.#change(this.#position, true);
  }

  #change(position: Position, done: boolean): void {
    const before = this.#position;
    this.#position = position;
    this.draw();
    if (done || before?.[0] !== position[0] || before?.[1] !== position[1]) this.host.moved(position, done);
  }
}
