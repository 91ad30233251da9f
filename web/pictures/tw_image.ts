/**
 * `<tw-image>`: shows an image or a vector field, with regions that can be dragged.
 *
 * @module
 */

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

import type { Limits } from "../../src/pictures/mod.ts";
import { DrawnImage } from "../draw/drawn.ts";
import { fitStretched, type Look, orientedBy, sampleOf, type Size } from "../draw/look.ts";
import { sampleAt, type Shown } from "../draw/numbers.ts";
import { summaryOf } from "../draw/summary.ts";
import { placeText, valueText } from "../draw/words.ts";
import { type Display, type Position, START } from "../state/state.ts";
import { CrossHair } from "./overlay/cross_hair.ts";
import { placeIn } from "./drag.ts";
import { define, svg } from "./element.ts";
import { type Dots, DotsMark } from "./overlay/dots_mark.ts";
import { LineMark } from "./overlay/line_mark.ts";
import { type NamedRegion, Overlay } from "./overlay/overlay.ts";
import { StageElement } from "./stage.ts";
import type { Painting } from "./surface/surface.ts";
import { wholePainting } from "./surface/whole.ts";
import type { Line } from "./tw_profile.ts";

/** An image with its title, scale and colours. */
export class TwImage extends StageElement {
  readonly #layer = svg("svg", { class: "overlay" });
  readonly #overlay: Overlay;
  readonly #cross: CrossHair;
  readonly #line = new LineMark(this.#layer);
  readonly #dots = new DotsMark(this.#layer);
  #drawn: DrawnImage | undefined;
  #display: Display = START.scan;

  /** An empty element. */
  constructor() {
    super("stage");
    const host = {
      look: () => this.lookNow,
      screen: () => this.screen,
      size: () => this.size,
    };
    this.#overlay = new Overlay(this.#layer, {
      ...host,
      changed: (id, region, done) => this.tell("region-change", { id, region, done }),
      clicked: (place) => this.#cross.jump(place, true),
    });
    this.#cross = new CrossHair(this.#layer, {
      ...host,
      moved: (position, done) => this.tell("position-change", { position, done }),
    });
    this.canvas.holder.after(this.#layer);
  }

  /** What is shown. */
  get image(): Shown | undefined {
    return this.#drawn?.image;
  }

  set image(image: Shown | undefined) {
    const before = this.#drawn;
    this.#drawn = image && new DrawnImage(image);
    const { width, height } = this.size;
    if (before && (before.width !== width || before.height !== height)) this.look = undefined;
    this.redraw();
  }

  /** How values become colours. */
  get display(): Display {
    return this.#display;
  }

  set display(display: Display) {
    this.#display = display;
    this.redraw();
  }

  /** The regions over the image. */
  get regions(): readonly NamedRegion[] {
    return this.#overlay.regions;
  }

  set regions(regions: readonly NamedRegion[]) {
    this.#overlay.regions = regions;
    this.redraw();
  }

  /** The cross-hair; undefined: none. */
  get position(): Position | undefined {
    return this.#cross.position;
  }

  set position(position: Position | undefined) {
    this.#cross.position = position;
    this.redraw();
  }

  /** Places that are only seen. */
  get dots(): readonly Dots[] {
    return this.#dots.dots;
  }

  set dots(dots: readonly Dots[]) {
    this.#dots.dots = dots;
    this.redraw();
  }

  /** The line of a profile; undefined: none. */
  get line(): Line | undefined {
    return this.#line.ends;
  }

  set line(line: Line | undefined) {
    this.#line.ends = line;
    this.redraw();
  }

  /** The values of the first and the last colour. */
  get limits(): Limits | undefined {
    return this.#drawn?.limits(this.#display);
  }

  /** How it is drawn: with the graphics card, or without; `2d` can be asked for. */
  get surface(): "webgl2" | "2d" {
    return this.canvas.kind;
  }

  set surface(kind: "webgl2" | "2d") {
    this.canvas.usesCard = kind === "webgl2";
  }

  /** The focus goes to the cross-hair, or to the image if there is none. */
  override focus(options?: FocusOptions): void {
    if (this.position && this.#drawn) this.#cross.focus();
    else super.focus(options);
  }

  /** Draws everything. */
  override draw(): void {
    const painting = this.painting();
    const image = this.#drawn;
    this.toggleAttribute("empty", !image);
    const { width, height } = this.screen;
    this.#layer.setAttribute("viewBox", `0 0 ${width} ${height}`);
    if (!painting || !image) {
      this.entitle("");
      return this.canvas.clear();
    }
    this.canvas.draw(painting);
    this.write(image.image, painting);
    this.describe(summaryOf(image.image, image.limits(this.#display)));
    this.#overlay.draw();
    this.#line.draw(this.lookNow, this.screen);
    this.#dots.draw(this.lookNow, this.screen);
    this.#cross.draw();
    this.stage.style.touchAction = this.look || this.position ? "none" : "pan-y";
  }

  protected override get size(): Size {
    return { width: this.#drawn?.width ?? 1, height: this.#drawn?.height ?? 1 };
  }

  protected override get whole(): Look {
    return fitStretched(this.size, this.screen);
  }

  protected override get lookNow(): Look {
    return this.#drawn ? orientedBy(this.#drawn.image, super.lookNow) : super.lookNow;
  }

  protected override painting(): Painting | undefined {
    const ratio = globalThis.devicePixelRatio || 1;
    return this.#drawn && wholePainting(this.#drawn, this.#display, this.lookNow, this.screen, ratio);
  }

  /** A press beside the handles moves the cross-hair, if there is one. */
  protected override pressed(event: PointerEvent): boolean {
    if (!this.position) return false;
    const place = placeIn(this.stage, event);
    this.#cross.press(event, this.stage);
    this.#cross.jump(place, false);
    return true;
  }

  protected override point(place: Position | undefined): void {
    super.point(place);
    const sample = place && rounded(sampleOf(this.lookNow, this.screen, place));
    const value = sample && this.#drawn && sampleAt(this.#drawn.image, ...sample);
    if (!sample || !value || value.kind === "outside") this.tell("cursor", {});
    else this.tell("cursor", { position: sample, value: value.kind === "number" ? value.value : value });
  }

  protected override textAt(sample: Position): string {
    const image = this.#drawn?.image;
    const at = rounded(sample);
    const value = image && sampleAt(image, ...at);
    if (!value || value.kind === "outside") return "";
    return `${placeText(image, ...at)} · ${valueText(value, image.unit)}`;
  }
}

function rounded([y, x]: Position): Position {
  return [Math.round(y), Math.round(x)];
}

define("tw-image", TwImage);

declare global {
  interface HTMLElementTagNameMap {
    /** An image with regions. */
    "tw-image": TwImage;
  }
}
