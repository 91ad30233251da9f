/**
 * Images beside the first one of a card: they show the same place, the same regions and cross-hair, and one range of colours with
 * zero in its middle.
 *
 * @module
 */

/// <reference lib="dom" />

import type { ShownImage, ShownVectors } from "../../draw/image.ts";
import { element } from "../../parts/dom.ts";
import { linkLooks, type TwImage } from "../../pictures/mod.ts";
import type { Display } from "../../state/state.ts";

/** The images beside the first one. */
export class Beside {
  #others: readonly TwImage[] = [];

  /** In the holder of the first image. */
  constructor(private readonly first: TwImage, private readonly holder: HTMLElement) {}

  /** Shows these images beside the first one, which is there already. */
  show(images: readonly (ShownImage | ShownVectors)[]): void {
    if (images.length !== this.#others.length) {
      for (const other of this.#others) other.remove();
      this.#others = images.map(() => element("tw-image") as TwImage);
      this.holder.append(...this.#others);
      this.holder.classList.toggle("many", images.length > 0);
      linkLooks([this.first, ...this.#others]);
    }
    this.#others.forEach((other, i) => {
      other.image = images[i];
      other.setAttribute("aria-label", images[i]!.title);
    });
    this.follow();
  }

  /** Shows the regions and the position of the first image. */
  follow(): void {
    for (const other of this.#others) {
      other.regions = this.first.regions;
      other.position = this.first.position;
    }
  }

  /** Gives all images the colours of a display; the range is that of all of them, unless it is given. */
  paint(display: Display): Display {
    const shown = this.#others.length > 0 && !display.range ? this.#ranged(display) : display;
    for (const picture of [this.first, ...this.#others]) picture.display = shown;
    return shown;
  }

  #ranged(display: Display): Display {
    const limits = [this.first, ...this.#others].flatMap((picture) => {
      picture.display = display;
      return picture.limits ?? [];
    });
    const most = Math.max(...limits.map(Math.abs));
    return most > 0 && Number.isFinite(most) ? { ...display, range: [-most, most] } : display;
  }
}
