/**
 * Which part of the second image lies over the first: what is beyond a line, or inside a lens. Pointers and keys move both.
 *
 * @module
 */

/// <reference lib="dom" />

import type { Size } from "../../../draw/look.ts";
import { segments } from "../../../parts/buttons.ts";
import { element, setAttribute, setText } from "../../../parts/dom.ts";
import { arrowOf, beginDrag, placeIn } from "../../../pictures/drag.ts";
import { perFrame } from "../../../pictures/element.ts";
import type { TwTiles } from "../../../pictures/mod.ts";
import { LENS_RADII, type Position, type SecondImage } from "../../../state/state.ts";

/** What it shows of a second image; neither: both images stand side by side. */
export type Part = Pick<SecondImage, "wipe" | "lens">;

/** The ways to show two images, each as it begins. */
const WAYS = { wipe: { wipe: 0.5 }, lens: { lens: [0.5, 0.5, 80] }, side: {} } as const;

/** The part that is seen until another is chosen. */
export const USUAL: Part = WAYS.wipe;

/** Pixels around the middle of a lens where a finger takes it: elsewhere it moves the image. */
const FINGER = 48;

/** What the handles are called. */
const NAMES = {
  wipe: "Where one image ends and the other begins",
  lens: "Lens with the second image",
} as const;

/** Whom it tells. */
export interface OverlapHost {
  /** Where both pictures are. */
  readonly frame: HTMLElement;
  /** The first of them. */
  readonly first: TwTiles;
  /** Another part is seen; `done` is false while it is moved. */
  changed(part: Part, done: boolean): void;
  /** The lens has followed the pointer, which nobody wants to undo. */
  followed(part: Part): void;
}

/** The line or the lens, and what chooses one. */
export class Overlap {
  readonly #host: OverlapHost;
  readonly #names = ["left", "right"].map((side) => element("span", { class: `side-${side}` }));
  /** The line, or the edge of the lens. */
  readonly handle: HTMLElement = element(
    "div",
    { class: "overlap", role: "slider", tabindex: 0, hidden: true, "aria-valuemin": 0, "aria-valuemax": 100 },
    ...this.#names,
  );
  readonly #ways = segments(
    "Two images",
    [["wipe", "Wipe"], ["lens", "Lens"], ["side", "Side by side"]],
    (way) => this.#host.changed(WAYS[way as keyof typeof WAYS], true),
  );
  readonly #radius = element("input", {
    type: "range",
    min: LENS_RADII[0],
    max: LENS_RADII[1],
    "aria-label": "Radius of the lens",
    input: () => this.#resize(false),
    change: () => this.#resize(true),
  });
  readonly #pixels = element("output");
  readonly #size = element(
    "label",
    { class: "slider" },
    element("span", {}, "Radius"),
    this.#radius,
    this.#pixels,
  );
  /** What chooses the way, and the size of the lens. */
  readonly controls: readonly HTMLElement[] = [this.#ways.root, this.#size];
  readonly #moves = perFrame((place: Position) => {
    if (this.#part.lens) this.#host.followed(this.#at(place));
  });
  #part: Part = {};

  /** Shows nothing yet. */
  constructor(host: OverlapHost) {
    this.#host = host;
    const { frame } = host;
    this.handle.addEventListener("pointerdown", (event) => this.#dragLine(event));
    this.handle.addEventListener("keydown", (event) => this.#key(event));
    frame.addEventListener("pointermove", (event) => this.#follow(event));
    frame.addEventListener("pointerdown", (event) => this.#dragLens(event), { capture: true });
    frame.append(this.handle);
  }

  /** Shows a part, with the names of what is on the left and on the right of a line; undefined: there is no second image. */
  show(part: Part | undefined, names: readonly [left: string, right: string], isLeft: boolean): void {
    this.#part = part ?? {};
    const { wipe, lens } = this.#part;
    const way = wipe !== undefined ? "wipe" : lens ? "lens" : "side";
    const { frame } = this.#host;
    setAttribute(frame, "data-way", part && way);
    this.#ways.root.hidden = !part;
    this.#ways.show(way);
    this.#size.hidden = !lens;
    this.handle.hidden = way === "side";
    if (way === "side") return;
    const [y, x, radius] = lens ?? [0, wipe!, 0];
    frame.style.setProperty("--part-y", `${y}`);
    frame.style.setProperty("--part-x", `${x}`);
    frame.style.setProperty("--radius-of-lens", `${radius}px`);
    const inLens = isLeft ? 0 : 1; // the only name that is seen
    this.#names.forEach((name, side) => setText(name, !lens || side === inLens ? names[side]! : ""));
    this.#describe(way, [y, x]);
    this.#radius.value = `${radius}`;
    setText(this.#pixels, `${radius} px`);
  }

  #describe(way: keyof typeof NAMES, [y, x]: Position): void {
    const [down, along] = [y, x].map((part) => Math.round(100 * part));
    const rows = way === "lens" ? `, ${down} % of the height` : "";
    setAttribute(this.handle, "aria-label", NAMES[way]);
    setAttribute(this.handle, "aria-valuenow", `${along}`);
    setAttribute(this.handle, "aria-valuetext", `${along} % of the width${rows}`);
  }

  /** The part that is seen when the line, or the middle of the lens, is there. */
  #at([y, x]: Position): Part {
    const { lens } = this.#part;
    const within = (part: number) => Math.round(1000 * Math.max(0, Math.min(1, part))) / 1000;
    return lens ? { lens: [within(y), within(x), lens[2]] } : { wipe: within(x) };
  }

  /** Where the line, or the middle of the lens, is: parts of the height and of the width. */
  get #place(): Position {
    const { wipe = 0, lens } = this.#part;
    return lens ? [lens[0], lens[1]] : [0, wipe];
  }

  #resize(done: boolean): void {
    const [y, x] = this.#place;
    this.#host.changed({ lens: [y, x, this.#radius.valueAsNumber] }, done);
  }

  #key(event: KeyboardEvent): void {
    const [down, right] = arrowOf(event) ?? [0, 0];
    if (right === 0 && (down === 0 || !this.#part.lens)) return;
    event.preventDefault();
    const [y, x] = this.#place;
    this.#host.changed(this.#at([y + down / 100, x + right / 100]), true);
  }

  #dragLine(event: PointerEvent): void {
    if (event.button === 0) this.#drag(event, this.handle);
  }

  /** A pointer that cannot hover drags the lens by its middle. */
  #dragLens(event: PointerEvent): void {
    const { lens } = this.#part;
    if (!lens || event.pointerType !== "touch" || !event.isPrimary) return;
    const { frame } = this.#host;
    const [[y, x], { height, width }] = [placeIn(frame, event), this.#area];
    if (Math.hypot(y - lens[0] * height, x - lens[1] * width) > Math.min(lens[2], FINGER)) return;
    event.stopPropagation(); // it does not move the image
    this.#drag(event, frame);
  }

  /** Moves what is shown as far as the pointer moves. */
  #drag(event: PointerEvent, target: Element): void {
    event.preventDefault();
    this.handle.focus({ preventScroll: true });
    const { frame } = this.#host;
    const [before, [y, x], { height, width }] = [this.#part, this.#place, this.#area];
    const [fromY, fromX] = placeIn(frame, event);
    beginDrag(event, target, frame, {
      move: ([toY, toX]) => {
        const place: Position = [y + (toY - fromY) / height, x + (toX - fromX) / width];
        this.#host.changed(this.#at(place), false);
      },
      end: (cancelled) => this.#host.changed(cancelled ? before : this.#part, true),
    });
  }

  /** The lens is where the pointer is. */
  #follow(event: PointerEvent): void {
    if (!this.#part.lens || event.pointerType === "touch") return;
    const [[y, x], { height, width }] = [placeIn(this.#host.frame, event), this.#area];
    this.#moves.push([y / height, x / width]);
  }

  /** Size of the picture with what is above it. */
  get #area(): Size {
    const { frame, first } = this.#host;
    const { top, width } = frame.getBoundingClientRect();
    return { height: first.place.bottom - top, width };
  }
}
