/**
 * The line of a profile above an image; its ends are handles of the overlay.
 *
 * @module
 */

/// <reference lib="dom" />

import { type Look, placeOn, type Size } from "../../draw/look.ts";
import type { Position } from "../../state/state.ts";
import { setAll, svg } from "../element.ts";

/** A line between two samples. */
export class LineMark {
  /** Its ends; undefined: there is none. */
  ends: readonly [Position, Position] | undefined;
  readonly #paths = [svg("path", { class: "casing" }), svg("path", { class: "line" })];
  readonly #group = svg("g", { class: "region profile-line" }, ...this.#paths);

  /** Draws into `layer`. */
  constructor(readonly layer: SVGSVGElement) {}

  /** Draws it where it is now, below all handles. */
  draw(look: Look, screen: Size): void {
    if (!this.ends) return this.#group.remove();
    if (!this.#group.isConnected) this.layer.prepend(this.#group);
    const places = this.ends.map((end) => placeOn(look, screen, end));
    const d = `M${places.map(([y, x]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`;
    for (const path of this.#paths) setAll(path, { d });
  }
}
