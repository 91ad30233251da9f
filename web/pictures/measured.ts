/**
 * The size of an element, measured when it changes: to ask for it while something is drawn makes the browser lay out the page.
 *
 * @module
 */

/// <reference lib="dom" />

import type { Size } from "../draw/look.ts";

/** An element whose size is watched. */
export class Measured {
  readonly #resized: ResizeObserver;
  #size: Size | undefined;

  /** Calls `changed` when the size of `element` changes. */
  constructor(private readonly element: HTMLElement, changed: () => void) {
    this.#resized = new ResizeObserver(() => {
      this.#size = undefined;
      changed();
    });
  }

  /** The size now; 0 while it is not on the page. */
  get size(): Size {
    if (this.#size) return this.#size;
    const { clientWidth: width, clientHeight: height } = this.element;
    if (width > 0 && height > 0) this.#size = { width, height };
    return { width, height };
  }

  /** It is on the page. */
  watch(): void {
    this.#resized.observe(this.element);
  }

  /** It has left the page. */
  leave(): void {
    this.#resized.disconnect();
    this.#size = undefined;
  }
}
