/**
 * Regions and the cross-hair above an image, with handles for mouse, touch and keyboard.
 *
 * @module
 */

/// <reference lib="dom" />

import { type Look, placeOn, sampleOf, type Size } from "../draw/look.ts";
import {
  diagonal,
  type Handle,
  type HandleName,
  handlesOf,
  handleText,
  handleTitle,
  nudged,
  pulled,
  radiusOf,
} from "../draw/region.ts";
import { outlineOf } from "../draw/outline.ts";
import type { Position, Region } from "../state/state.ts";
import { arrowOf, beginDrag, placeIn } from "./drag.ts";
import { setAll, svg } from "./element.ts";

/** A region with its name on the page. */
export interface NamedRegion {
  /** Where it is. */
  readonly region: Region;
  /** Its name for readers. */
  readonly label: string;
  /** Its name in events. */
  readonly id: string;
}

/** What the overlay knows of the image, and whom it tells. */
export interface OverlayHost {
  /** What is seen. */
  look(): Look;
  /** Size on the screen. */
  screen(): Size;
  /** Size of the image. */
  size(): Size;
  /** A region was changed. */
  changed(id: string, region: Region, done: boolean): void;
  /** The image was clicked, through a region. */
  clicked(place: Position): void;
}

interface Drawn {
  readonly group: SVGGElement;
  readonly casing: SVGPathElement;
  readonly line: SVGPathElement;
  readonly body: SVGPathElement;
  readonly edge: SVGPathElement;
  readonly title: SVGTextElement;
  readonly handles: Map<HandleName, SVGGElement>;
}

/** The regions over an image. */
export class Overlay {
  readonly #drawn = new Map<string, Drawn>();
  #regions: readonly NamedRegion[] = [];
  /** The region under the hand: what the page says of it is heard when it is let go. */
  #held: string | undefined;

  /** Draws into `layer`. */
  constructor(readonly layer: SVGSVGElement, readonly host: OverlayHost) {}

  /** The regions. */
  get regions(): readonly NamedRegion[] {
    return this.#regions;
  }

  set regions(regions: readonly NamedRegion[]) {
    const held = this.#regions.find(({ id }) => id === this.#held);
    this.#regions = regions.map((one) => held && one.id === held.id ? { ...one, region: held.region } : one);
  }

  /** Draws all regions where they are now. */
  draw(): void {
    const there = new Set(this.#regions.map(({ id, region }) => keyOf(id, region)));
    for (const [key, { group }] of this.#drawn) {
      if (there.has(key)) continue;
      group.remove();
      this.#drawn.delete(key);
    }
    for (const one of this.#regions) this.#drawRegion(one);
  }

  #drawRegion({ id, region, label }: NamedRegion): void {
    const drawn = this.#of(id, region);
    const toScreen = (at: Position) => placeOn(this.host.look(), this.host.screen(), at);
    const outline = outlineOf(region, this.host.look(), this.host.screen());
    for (const path of [drawn.casing, drawn.line, drawn.body, drawn.edge]) setAll(path, { d: outline });
    for (const handle of handlesOf(region)) {
      const group = drawn.handles.get(handle.name);
      if (!group) continue;
      const [y, x] = this.#seen(handle).map((n) => Math.round(2 * n) / 2) as [number, number];
      setAll(group, {
        transform: `translate(${x} ${y})`,
        "aria-label": handleTitle(label, region, handle.name),
        ...this.#ariaOf(region, handle),
      });
    }
    const top = toScreen(topOf(region));
    drawn.title.textContent = label;
    setAll(drawn.title, { x: top[1], y: Math.max(14, top[0] - 8) });
  }

  /** Where a handle is on the screen: at the first of its places that can be seen. */
  #seen({ at, others }: Handle): Position {
    const { width, height } = this.host.screen();
    const places = [at, ...others].map((sample) => placeOn(this.host.look(), this.host.screen(), sample));
    return places.find(([y, x]) => y >= 6 && x >= 6 && y <= height - 6 && x <= width - 6) ?? places[0]!;
  }

  #ariaOf(region: Region, { name, at, isRadius }: Handle): Record<string, string | number> {
    const size = this.host.size();
    return {
      "aria-valuenow": isRadius ? radiusOf(region, name) : Math.round(at[1]),
      "aria-valuemin": isRadius ? 0 : -1,
      "aria-valuemax": isRadius ? diagonal(size) : size.width,
      "aria-valuetext": handleText(region, name),
    };
  }

  #of(id: string, region: Region): Drawn {
    const key = keyOf(id, region);
    const there = this.#drawn.get(key);
    if (there) return there;
    const path = (name: string) => svg("path", { class: name, "fill-rule": "evenodd" });
    const title = svg("text", { class: "region-title", "aria-hidden": "true" });
    const [casing, line, body, edge] = ["casing", "line", "body", "edge"].map(path) as [
      SVGPathElement,
      SVGPathElement,
      SVGPathElement,
      SVGPathElement,
    ];
    const names = handlesOf(region).map(({ name }) => name);
    const handles = new Map(names.map((name) => [name, this.#makeHandle(id, name)]));
    // A centre is reached after the radii by the pointer, so that a small ring can still be grown.
    const group = svg(
      "g",
      { class: `region ${region.kind}` },
      body,
      casing,
      line,
      edge,
      title,
      ...handles.values(),
    );
    body.addEventListener("pointerdown", (event) => this.#press(event, body, id, "centre"));
    const radius = names.filter((name) => name !== "centre");
    if (region.kind === "disk" || region.kind === "ring") {
      edge.addEventListener(
        "pointerdown",
        (event) => this.#press(event, edge, id, this.#nearest(id, radius, event)),
      );
    } else edge.remove();
    const drawn = { group, casing, line, body, edge, title, handles };
    this.#drawn.set(key, drawn);
    this.layer.append(group);
    return drawn;
  }

  #makeHandle(id: string, name: HandleName): SVGGElement {
    const attributes = { class: `handle ${name}`, role: "slider", tabindex: 0 };
    const group = svg(
      "g",
      attributes,
      svg("circle", { class: "hit", r: 14 }),
      svg("circle", { class: "dot", r: 5 }),
    );
    group.addEventListener("pointerdown", (event) => this.#press(event, group, id, name));
    group.addEventListener("keydown", (event) => this.#key(event, id, name));
    group.addEventListener("keyup", (event) => arrowOf(event) && this.#release(id));
    group.addEventListener("blur", () => this.#release(id));
    return group;
  }

  /** The radius of the circle that is nearest to a pointer. */
  #nearest(id: string, names: readonly HandleName[], event: PointerEvent): HandleName {
    const region = this.#regionOf(id);
    if (region?.kind !== "ring") return names[0] ?? "radius";
    const [y, x] = sampleOf(this.host.look(), this.host.screen(), placeIn(this.layer, event));
    const distance = Math.hypot(y - region.cy, x - region.cx);
    return Math.abs(distance - region.ri) < Math.abs(distance - region.ro) ? "inner" : "outer";
  }

  #press(event: PointerEvent, target: SVGElement, id: string, name: HandleName): void {
    const start = this.#regionOf(id);
    if (!start || event.button !== 0) return;
    event.stopPropagation();
    event.preventDefault();
    this.#drawnHandle(id, name)?.focus({ preventScroll: true });
    const grip = this.#gripOf(start, name, event);
    this.#held = id;
    beginDrag(event, target, this.layer, {
      move: (place) => this.#change(id, pulled(start, name, grip(place), this.host.size()), false),
      end: (cancelled, isClick) => {
        if (isClick && !cancelled) {
          this.#held = undefined;
          if (target.classList.contains("body")) this.host.clicked(placeIn(this.layer, event));
          return;
        }
        const region = cancelled ? start : this.#regionOf(id) ?? start;
        this.#change(id, region, true);
        this.#held = undefined;
      },
    });
  }

  /** From places of the pointer to places of the handle: it keeps its distance from where it was pressed. */
  #gripOf(region: Region, name: HandleName, event: PointerEvent): (place: Position) => Position {
    const sample = (place: Position) => sampleOf(this.host.look(), this.host.screen(), place);
    const pressed = sample(placeIn(this.layer, event));
    const handle = handlesOf(region).find((one) => one.name === name);
    if (handle?.isRadius && (region.kind === "disk" || region.kind === "ring")) {
      const { cy, cx } = region;
      const more = radiusOf(region, name) - Math.hypot(pressed[0] - cy, pressed[1] - cx);
      return (place) => {
        const [y, x] = sample(place);
        return [cy, cx + Math.max(0, Math.hypot(y - cy, x - cx) + more)];
      };
    }
    const [down, right] = [(handle?.at[0] ?? 0) - pressed[0], (handle?.at[1] ?? 0) - pressed[1]];
    return (place) => {
      const [y, x] = sample(place);
      return [y + down, x + right];
    };
  }

  #key(event: KeyboardEvent, id: string, name: HandleName): void {
    const arrow = arrowOf(event);
    const region = this.#regionOf(id);
    if (!arrow || !region) return;
    event.preventDefault();
    event.stopPropagation();
    this.#held = id;
    this.#change(id, nudged(region, name, ...arrow, this.host.size()), false);
  }

  #release(id: string): void {
    const region = this.#regionOf(id);
    if (this.#held !== id || !region) return;
    this.#held = undefined;
    this.#change(id, region, true);
  }

  #change(id: string, region: Region, done: boolean): void {
    this.#regions = this.#regions.map((one) => one.id === id ? { ...one, region } : one);
    this.draw();
    this.host.changed(id, region, done);
  }

  #regionOf(id: string): Region | undefined {
    return this.#regions.find((one) => one.id === id)?.region;
  }

  #drawnHandle(id: string, name: HandleName): SVGGElement | undefined {
    const region = this.#regionOf(id);
    return region && this.#drawn.get(keyOf(id, region))?.handles.get(name);
  }
}

function keyOf(id: string, { kind }: Region): string {
  return `${kind} ${id}`;
}

/** The middle of the upper end of a region, for its name. */
function topOf(region: Region): Position {
  switch (region.kind) {
    case "point":
      return [region.y - 0.5, region.x];
    case "disk":
      return [region.cy - region.r, region.cx];
    case "ring":
      return [region.cy - region.ro, region.cx];
    case "rectangle":
      return [region.y - 0.5, region.x + region.width / 2];
  }
}
