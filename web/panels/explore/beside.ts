/**
 * Images beside the first one of a card: they show the same place, the same regions and cross-hair, and one range of colours with
 * zero in its middle.
 *
 * @module
 */

/// <reference lib="dom" />

import { displayOfAll } from "../../draw/drawn.ts";
import type { ShownImage, ShownVectors } from "../../draw/image.ts";
import { element } from "../../parts/dom.ts";
import type { TwImage } from "../../pictures/mod.ts";
import type { Display, ShownPart } from "../../state/state.ts";

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

  /** All images show the same part; undefined: all of it. */
  set look(look: ShownPart | undefined) {
    for (const picture of [this.first, ...this.#others]) picture.look = look;
  }

  /** Gives all images the colours of a display. */
  paint(display: Display): Display {
    const pictures = [this.first, ...this.#others];
    const shown = displayOfAll(pictures.flatMap(({ image }) => image ?? []), display);
    for (const picture of pictures) picture.display = shown;
    return shown;
  }
}
