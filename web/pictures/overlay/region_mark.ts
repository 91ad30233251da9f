/**
 * A region as it is drawn: its outline, its name, and a handle for each of its sizes. What hands do with it is heard by others.
 *
 * @module
 */

/// <reference lib="dom" />

import { type Look, placeOn, type Size } from "../../draw/look.ts";
import { outlineOf } from "../../draw/outline.ts";
import {
  diagonal,
  type Handle,
  type HandleName,
  handlesOf,
  handleText,
  handleTitle,
  type Mark,
  radiusOf,
} from "../../draw/region.ts";
import type { Position } from "../../state/state.ts";
import { setAll, svg } from "../element.ts";

/** What a mark must know of the image to be drawn. */
export interface MarkHost {
  /** What is seen. */
  look(): Look;
  /** Size on the screen. */
  screen(): Size;
  /** Size of the image. */
  size(): Size;
}

/** Who hears what hands do. */
export interface MarkEvents {
  /** A part was pressed that belongs to a handle. */
  press(event: PointerEvent, target: SVGElement, name: HandleName): void;
  /** The outline was pressed, which belongs to one of these radii. */
  pressEdge(event: PointerEvent, target: SVGElement, radii: readonly HandleName[]): void;
  /** A key was pressed on a handle. */
  key(event: KeyboardEvent, name: HandleName): void;
  /** A key was released, or the focus left a handle. */
  release(event: KeyboardEvent | FocusEvent): void;
}

/** The marks of a region of one kind. */
export class RegionMark {
  /** All of it. */
  readonly group: SVGGElement;
  readonly #paths: readonly SVGPathElement[];
  readonly #title = svg("text", { class: "region-title", "aria-hidden": "true" });
  readonly #handles: ReadonlyMap<HandleName, SVGGElement>;

  /** Marks for regions like this one. */
  constructor(region: Mark, private readonly host: MarkHost, events: MarkEvents) {
    const path = (name: string) => svg("path", { class: name, "fill-rule": "evenodd" });
    const [body, edge] = [path("body"), path("edge")];
    const names = handlesOf(region).map(({ name }) => name);
    this.#handles = new Map(names.map((name) => [name, handleOf(name, events)]));
    this.#paths = [body, path("casing"), path("line"), edge];
    // A centre is reached after the radii by the pointer, so that a small ring can still be grown.
    const parts = [...this.#paths, this.#title, ...this.#handles.values()];
    this.group = svg("g", { class: `region ${region.kind}` }, ...parts);
    const all = names[0]!;
    body.addEventListener("pointerdown", (event) => events.press(event, body, all));
    const radii = names.filter((name) => name !== "centre");
    if (region.kind !== "disk" && region.kind !== "ring") edge.remove();
    edge.addEventListener("pointerdown", (event) => events.pressEdge(event, edge, radii));
  }

  /** The handle of that name. */
  handle(name: HandleName): SVGGElement | undefined {
    return this.#handles.get(name);
  }

  /** Draws a region where it is now. */
  draw(region: Mark, label: string): void {
    const [look, screen] = [this.host.look(), this.host.screen()];
    const outline = outlineOf(region, look, screen);
    for (const path of this.#paths) setAll(path, { d: outline });
    for (const handle of handlesOf(region)) this.#drawHandle(handle, region, label);
    const ends = endsOf(region).map((end) => placeOn(look, screen, end));
    const top = ends.reduce((a, b) => b[0] < a[0] ? b : a);
    if (this.#title.textContent !== label) this.#title.textContent = label;
    setAll(this.#title, { x: top[1], y: Math.max(14, top[0] - 8) });
  }

  #drawHandle(handle: Handle, region: Mark, label: string): void {
    const group = this.#handles.get(handle.name);
    if (!group) return;
    const [y, x] = this.#seen(handle).map((n) => Math.round(2 * n) / 2) as [number, number];
    setAll(group, {
      transform: `translate(${x} ${y})`,
      "aria-label": handleTitle(label, region, handle.name),
      ...this.#ariaOf(region, handle),
    });
  }

  /** Where a handle is on the screen: at the first of its places that can be seen. */
  #seen({ at, others }: Handle): Position {
    const [look, screen] = [this.host.look(), this.host.screen()];
    const places = [at, ...others].map((sample) => placeOn(look, screen, sample));
    const isSeen = ([y, x]: Position) => y >= 6 && x >= 6 && y <= screen.height - 6 && x <= screen.width - 6;
    return places.find(isSeen) ?? places[0]!;
  }

  #ariaOf(region: Mark, { name, at, isRadius }: Handle): Record<string, string | number> {
    const size = this.host.size();
    return {
      "aria-valuenow": isRadius ? radiusOf(region, name) : Math.round(at[1]),
      "aria-valuemin": isRadius ? 0 : -1,
      "aria-valuemax": isRadius ? diagonal(size) : size.width,
      "aria-valuetext": handleText(region, name),
    };
  }
}

function handleOf(name: HandleName, events: MarkEvents): SVGGElement {
  const group = svg(
    "g",
    { class: `handle ${name}`, role: "slider", tabindex: 0 },
    svg("circle", { class: "hit", r: 14 }),
    svg("circle", { class: "dot", r: 5 }),
  );
  group.addEventListener("pointerdown", (event) => events.press(event, group, name));
  group.addEventListener("keydown", (event) => events.key(event, name));
  group.addEventListener("keyup", (event) => events.release(event));
  group.addEventListener("blur", (event) => events.release(event));
  return group;
}

/** The middles of both ends of a region along rows, of which the upper one has its name. */
function endsOf(region: Mark): [Position, Position] {
  switch (region.kind) {
    case "arrow":
      return [region.tip, region.tip];
    case "point":
      return [[region.y - 0.5, region.x], [region.y + 0.5, region.x]];
    case "disk":
      return [[region.cy - region.r, region.cx], [region.cy + region.r, region.cx]];
    case "ring":
      return [[region.cy - region.ro, region.cx], [region.cy + region.ro, region.cx]];
    case "rectangle": {
      const { y, x, height, width } = region;
      return [[y - 0.5, x + width / 2], [y + height + 0.5, x + width / 2]];
    }
  }
}
