/**
 * What elements that show an image have in common: a stage with a canvas, a scale bar, what colours mean, and the value under the
 * pointer. Which image it is, and which part of it is seen, is known to the elements.
 *
 * @module
 */

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

import type { Shown } from "../draw/numbers.ts";
import { cornerInset, edgesOn, fit, kept, type Look, sampleOf, type Size } from "../draw/look.ts";
import { LABELS } from "../draw/maps.ts";
import type { Position } from "../state/state.ts";
import { Canvas } from "./surface/canvas.ts";
import { ColourBar } from "./colour_bar.ts";
import { placeIn } from "./drag.ts";
import { html, PictureElement, setAll, setTextOf } from "./element.ts";
import { listenToGestures } from "./gestures.ts";
import { IMAGE_STYLE } from "./image_style.ts";
import { Measured } from "./measured.ts";
import { ScaleBarView } from "./scale_bar_view.ts";
import type { Painting } from "./surface/surface.ts";

/** What is written beside an image. */
export type ImageFacts = Pick<Shown, "title" | "axes" | "unit"> & {
  /** Where a sample is, in words; absent: its row and column say it. */
  readonly where?: (y: number, x: number) => string;
};

/** An image smaller than that on the screen has the scale bar and the wheel beside it. */
const ROOM: Size = { width: 200, height: 100 };

/** An image on a stage. */
export abstract class StageElement extends PictureElement {
  /** Where the image is. */
  protected readonly stage: HTMLElement;
  /** Its pixels. */
  protected readonly canvas: Canvas = new Canvas(() => this.redraw());
  readonly #title = html("span", { class: "title" });
  readonly #readout = html("span", { class: "readout", part: "readout" });
  readonly #missing = html("div", { class: "missing" });
  readonly #scale = new ScaleBarView();
  readonly #bar = new ColourBar();
  readonly #measured: Measured;
  #cursor: Position | undefined;
  #look: Look | undefined;

  /** An empty stage with these classes. */
  constructor(classes: string) {
    super(IMAGE_STYLE);
    this.stage = html("div", { class: classes, tabindex: 0, role: "group" });
    this.#measured = new Measured(this.stage, () => this.redraw());
    this.stage.append(this.#missing, this.canvas.holder, this.#scale.element, this.#bar.wheel);
    this.root.append(
      html("div", { class: "caption", part: "caption" }, this.#title, this.#readout),
      this.stage,
      this.#bar.element,
    );
    listenToGestures(this.stage, {
      look: () => this.leader.lookNow,
      screen: () => this.screen,
      size: () => this.leader.size,
      show: (look) => this.leader.show(look),
      pressed: (event) => this.pressed(event),
    });
    this.stage.addEventListener("pointermove", (event) => this.point(placeIn(this.stage, event)));
    this.stage.addEventListener("pointerleave", () => this.point(undefined));
  }

  /** The image that is moved and zoomed by what hands do here: this one, or that which it follows. */
  protected get leader(): StageElement {
    return this;
  }

  /** Size of the image. */
  protected abstract get size(): Size;

  /** Which part is seen, in samples; undefined: all. */
  get look(): Look | undefined {
    return this.#look;
  }

  set look(look: Look | undefined) {
    const { y, x, zoom } = this.#look ?? {};
    if (look?.y === y && look?.x === x && look?.zoom === zoom) return;
    this.#look = look;
    this.redraw();
  }

  /** The look with which all is seen. */
  protected get whole(): Look {
    return fit(this.size, this.screen);
  }

  /** What is seen. */
  protected get lookNow(): Look {
    const { whole } = this;
    return this.#look ? kept({ ...whole, ...this.#look }, this.screen, this.size) : whole;
  }

  /** What is to be painted; nothing, if there is no image. */
  protected abstract painting(): Painting | undefined;

  /** Shows another part, as a hand wants; undefined: all. */
  protected show(look: Look | undefined): void {
    this.look = look && look.zoom > this.whole.zoom * 1.0001 ? look : undefined;
    this.tell("look-change", { look: this.#look });
  }

  /** The place and the value of a sample, in words. */
  protected abstract textAt(sample: Position): string;

  /** A pointer was pressed beside all handles; true if it is used for something else than to move the image. */
  protected pressed(_event: PointerEvent): boolean {
    return false;
  }

  /** The pointer is at a place of the stage, or has left it. */
  protected point(place: Position | undefined): void {
    this.#cursor = place;
    this.read();
  }

  /** Size of the stage. */
  protected get screen(): Size {
    return this.#measured.size;
  }

  /** The focus goes to the image. */
  override focus(options?: FocusOptions): void {
    this.stage.focus(options);
  }

  /** Draws now, and gives the pixels of the picture: RGBA, at the resolution of the screen. */
  pixels(): ImageData | undefined {
    const painting = this.painting();
    if (!painting || painting.width === 0 || painting.height === 0) return undefined;
    return new ImageData(this.canvas.pixels(painting), painting.width, painting.height);
  }

  /** It is on the page: its size is watched. */
  override connectedCallback(): void {
    super.connectedCallback();
    this.#measured.watch();
  }

  /** It has left the page: the graphics card gets its memory back. */
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#measured.leave();
    this.canvas.close();
  }

  /** Writes what belongs to the image around it. */
  protected write({ title, axes, unit }: ImageFacts, { colours, pieces }: Painting): void {
    this.entitle(title);
    setAll(this.stage, {
      "aria-label": `${title}. Zoom with plus and minus, move with arrow keys, 0 shows all.`,
    });
    this.#scale.draw(axes[1], this.lookNow.zoom, this.screen.width);
    const [image] = pieces[0]?.images ?? [];
    const { directions = false } = image ?? {};
    const [first, ...others] = colours;
    const isNames = first?.display.colormap === LABELS && image?.labels;
    const facts = {
      ...(unit ? { unit } : {}),
      ...(isNames ? { labels: isNames } : {}),
      directions,
      width: this.screen.width,
    };
    if (others.length > 0) this.#bar.hide();
    else if (image && first) this.#bar.draw(facts, first);
    this.#place();
    this.read();
  }

  /** Writes the title. */
  protected entitle(title: string): void {
    if (this.#title.textContent !== title) this.#title.textContent = this.#title.title = title;
  }

  /** Says what the picture is to those who do not see it. */
  protected describe(text: string): void {
    setAll(this.canvas.holder, { role: "img", "aria-label": text });
  }

  /** Writes the value under the pointer. */
  protected read(): void {
    const text = this.#cursor ? this.textAt(sampleOf(this.lookNow, this.screen, this.#cursor)) : "";
    setTextOf(this.#readout, text);
  }

  /** Places the hatching below the image, and what is written on it into its corners. */
  #place(): void {
    const look = this.lookNow;
    const { top, bottom, left, right } = edgesOn(look, this.screen, this.size);
    Object.assign(this.#missing.style, {
      transform: `translate(${left}px, ${top}px)`,
      width: `${right - left}px`,
      height: `${bottom - top}px`,
    });
    const { down, side } = cornerInset(look, this.screen, this.size, ROOM);
    this.#scale.element.style.translate = `${side}px ${-down}px`;
    this.#bar.wheel.style.translate = `${-side}px ${-down}px`;
  }
}
