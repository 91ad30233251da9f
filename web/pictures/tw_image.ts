/**
 * `<tw-image>`: shows an image or a vector field, with regions that can be dragged.
 *
 * @module
 */

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

import type { Limits } from "../../src/pictures/mod.ts";
import { DrawnImage } from "../draw/drawn.ts";
import {
  fit,
  indicesAlong,
  kept,
  type Look,
  placeOn,
  reductionFor,
  sampleOf,
  type Size,
} from "../draw/look.ts";
import { sampleAt, type Shown } from "../draw/numbers.ts";
import { coloursOf } from "../draw/paint.ts";
import { placeText, valueText } from "../draw/words.ts";
import { type Display, START } from "../state/state.ts";
import type { Position } from "../state/state.ts";
import { ColourBar } from "./colour_bar.ts";
import { CrossHair } from "./cross_hair.ts";
import { placeIn } from "./drag.ts";
import { define, html, PictureElement, setAll, svg } from "./element.ts";
import { listenToGestures } from "./gestures.ts";
import { IMAGE_STYLE } from "./image_style.ts";
import { summaryOf } from "../draw/summary.ts";
import { LineMark } from "./line_mark.ts";
import { type NamedRegion, Overlay } from "./overlay.ts";
import { ScaleBarView } from "./scale_bar_view.ts";
import { Canvas } from "./canvas.ts";
import type { Painting } from "./surface.ts";
import type { Line } from "./tw_profile.ts";

/** An image with its title, scale and colours. */
export class TwImage extends PictureElement {
  readonly #title = html("span", { class: "title" });
  readonly #readout = html("span", { class: "readout", part: "readout" });
  readonly #missing = html("div", { class: "missing" });
  readonly #layer = svg("svg", { class: "overlay" });
  readonly #stage = html("div", { class: "stage", tabindex: 0, role: "group" });
  readonly #canvas = new Canvas(() => this.redraw());
  readonly #scale = new ScaleBarView();
  readonly #bar = new ColourBar();
  readonly #overlay: Overlay;
  readonly #cross: CrossHair;
  readonly #line = new LineMark(this.#layer);
  readonly #resized = new ResizeObserver(() => this.redraw());
  #drawn: DrawnImage | undefined;
  #display: Display = START.scan;
  #look: Look | undefined;
  #cursor: Position | undefined;

  /** An empty element. */
  constructor() {
    super(IMAGE_STYLE);
    const host = {
      look: () => this.look,
      screen: () => this.#screen,
      size: () => this.#size,
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
    this.#stage.append(this.#missing, this.#canvas.holder, this.#layer, this.#scale.element, this.#bar.wheel);
    this.root.append(
      html("div", { class: "caption", part: "caption" }, this.#title, this.#readout),
      this.#stage,
      this.#bar.element,
    );
    listenToGestures(this.#stage, {
      ...host,
      show: (look) => this.#show(look),
      pressed: (event) => this.#pressed(event),
    });
    this.#stage.addEventListener("pointermove", (event) => this.#point(placeIn(this.#stage, event)));
    this.#stage.addEventListener("pointerleave", () => this.#point(undefined));
  }

  /** What is shown. */
  get image(): Shown | undefined {
    return this.#drawn?.image;
  }

  set image(image: Shown | undefined) {
    const before = this.#drawn;
    this.#drawn = image && new DrawnImage(image);
    const { width, height } = this.#size;
    if (before?.width !== width || before?.height !== height) this.#look = undefined;
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

  /** What is seen, in pixels of the page per sample. */
  get look(): Look {
    return this.#look ?? fit(this.#size, this.#screen);
  }

  set look(look: Look | undefined) {
    this.#show(look);
  }

  /** How it is drawn: with the graphics card, or without; `2d` can be asked for. */
  get surface(): "webgl2" | "2d" {
    return this.#canvas.kind;
  }

  set surface(kind: "webgl2" | "2d") {
    this.#canvas.usesCard = kind === "webgl2";
  }

  /** Draws now, and gives the pixels of the picture: RGBA, at the resolution of the screen. */
  pixels(): ImageData | undefined {
    const painting = this.#painting();
    if (!painting || painting.width === 0 || painting.height === 0) return undefined;
    return new ImageData(this.#canvas.pixels(painting), painting.width, painting.height);
  }

  /** It is on the page: its size is watched. */
  override connectedCallback(): void {
    super.connectedCallback();
    this.#resized.observe(this.#stage);
  }

  /** It has left the page: the graphics card gets its memory back. */
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resized.disconnect();
    this.#canvas.close();
  }

  /** Draws everything. */
  override draw(): void {
    const painting = this.#painting();
    const image = this.#drawn;
    this.toggleAttribute("empty", !image);
    const title = image?.image.title ?? "";
    this.#title.textContent = this.#title.title = title;
    this.#layer.setAttribute("viewBox", `0 0 ${this.#screen.width} ${this.#screen.height}`);
    if (!painting || !image) return this.#canvas.clear();
    this.#canvas.draw(painting);
    this.#place(this.#missing);
    this.#describe(image);
    this.#overlay.draw();
    this.#line.draw(this.look, this.#screen);
    this.#cross.draw();
    this.#scale.draw(image.image.axes[1], this.look.zoom, this.#screen.width);
    const { unit } = image.image;
    this.#bar.draw({ ...(unit ? { unit } : {}), directions: image.directions }, painting.colours);
    this.#read();
    this.#stage.style.touchAction = this.#look || this.position ? "none" : "pan-y";
  }

  get #screen(): Size {
    return { width: this.#stage.clientWidth, height: this.#stage.clientHeight };
  }

  get #size(): Size {
    return { width: this.#drawn?.width ?? 1, height: this.#drawn?.height ?? 1 };
  }

  #painting(): Painting | undefined {
    const image = this.#drawn;
    if (!image) return undefined;
    const ratio = globalThis.devicePixelRatio || 1;
    const zoom = this.look.zoom * ratio;
    const n = reductionFor(zoom);
    const [width, height] = [Math.round(this.#screen.width * ratio), Math.round(this.#screen.height * ratio)];
    const piece = {
      image,
      n,
      rows: indicesAlong(height, this.look.y, zoom, image.height, n),
      columns: indicesAlong(width, this.look.x, zoom, image.width, n),
      top: 0,
      left: 0,
    };
    return {
      width,
      height,
      pieces: [piece],
      colours: coloursOf(this.#display, image.limits(this.#display), image.directions),
    };
  }

  /** Places an element on the part of the stage that the image covers. */
  #place(element: HTMLElement): void {
    const { width, height } = this.#size;
    const [top, left] = placeOn(this.look, this.#screen, [-0.5, -0.5]);
    Object.assign(element.style, {
      transform: `translate(${left}px, ${top}px)`,
      width: `${width * this.look.zoom}px`,
      height: `${height * this.look.zoom}px`,
    });
  }

  #describe(image: DrawnImage): void {
    const summary = summaryOf(image.image, image.limits(this.#display));
    setAll(this.#canvas.holder, { role: "img", "aria-label": summary });
    setAll(this.#stage, {
      "aria-label": `${image.image.title}. Zoom with plus and minus, move with arrow keys, 0 shows all.`,
    });
  }

  #show(look: Look | undefined): void {
    const next = look && kept(look, this.#screen, this.#size);
    const whole = fit(this.#size, this.#screen);
    this.#look = next && next.zoom > whole.zoom * 1.0001 ? next : undefined;
    this.redraw();
    this.tell("look-change", { look: this.#look });
  }

  /** A press beside the handles moves the cross-hair, if there is one. */
  #pressed(event: PointerEvent): boolean {
    if (!this.position) return false;
    const place = placeIn(this.#stage, event);
    this.#cross.press(event, this.#stage);
    this.#cross.jump(place, false);
    return true;
  }

  #point(place: Position | undefined): void {
    const sample = place && sampleOf(this.look, this.#screen, place).map(Math.round) as [number, number];
    this.#cursor = sample;
    this.#read();
    const value = sample && this.#drawn && sampleAt(this.#drawn.image, ...sample);
    if (!sample || !value || value.kind === "outside") this.tell("cursor", {});
    else this.tell("cursor", { position: sample, value: value.kind === "number" ? value.value : value });
  }

  #read(): void {
    const image = this.#drawn?.image;
    const value = image && this.#cursor && sampleAt(image, ...this.#cursor);
    const text = image && this.#cursor && value && value.kind !== "outside"
      ? `${placeText(image, ...this.#cursor)} · ${valueText(value, image.unit)}`
      : "";
    if (this.#readout.textContent !== text) this.#readout.textContent = text;
  }
}

define("tw-image", TwImage);

declare global {
  interface HTMLElementTagNameMap {
    /** An image with regions. */
    "tw-image": TwImage;
  }
}
