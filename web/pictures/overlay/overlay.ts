/**
 * Regions and the cross-hair above an image, with handles for mouse, touch and keyboard.
 *
 * @module
 */

/// <reference lib="dom" />

import { sampleOf, stepOf } from "../../draw/look.ts";
import { type HandleName, handlesOf, type Mark, nudged, pulled, radiusOf } from "../../draw/region.ts";
import type { Position } from "../../state/state.ts";
import { arrowOf, beginDrag, placeIn } from "../drag.ts";
import { type MarkHost, RegionMark } from "./region_mark.ts";

/** A region with its name on the page. */
export interface NamedRegion {
  /** Where it is. */
  readonly region: Mark;
  /** Its name for readers. */
  readonly label: string;
  /** Its name in events. */
  readonly id: string;
}

/** What the overlay knows of the image, and whom it tells. */
export interface OverlayHost extends MarkHost {
  /** A region was changed. */
  changed(id: string, region: Mark, done: boolean): void;
  /** The image was clicked, through a region. */
  clicked(place: Position): void;
}

/** The regions over an image. */
export class Overlay {
  readonly #drawn = new Map<string, RegionMark>();
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
    for (const { id, region, label } of this.#regions) this.#markOf(id, region).draw(region, label);
  }

  #markOf(id: string, region: Mark): RegionMark {
    const key = keyOf(id, region);
    const there = this.#drawn.get(key);
    if (there) return there;
    const mark = new RegionMark(region, this.host, {
      press: (event, target, name) => this.#press(event, target, id, name),
      pressEdge: (event, target, radii) => this.#press(event, target, id, this.#nearest(id, radii, event)),
      key: (event, name) => this.#key(event, id, name),
      release: (event) => {
        if (!(event instanceof KeyboardEvent) || arrowOf(event)) this.#release(id);
      },
    });
    this.#drawn.set(key, mark);
    this.layer.append(mark.group);
    return mark;
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
  #gripOf(region: Mark, name: HandleName, event: PointerEvent): (place: Position) => Position {
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
    const isRadius = handlesOf(region).some((handle) => handle.name === name && handle.isRadius);
    const step = isRadius ? arrow : stepOf(this.host.look(), arrow);
    this.#change(id, nudged(region, name, ...step, this.host.size()), false);
  }

  #release(id: string): void {
    const region = this.#regionOf(id);
    if (this.#held !== id || !region) return;
    this.#held = undefined;
    this.#change(id, region, true);
  }

  #change(id: string, region: Mark, done: boolean): void {
    this.#regions = this.#regions.map((one) => one.id === id ? { ...one, region } : one);
    this.draw();
    this.host.changed(id, region, done);
  }

  #regionOf(id: string): Mark | undefined {
    return this.#regions.find((one) => one.id === id)?.region;
  }

  #drawnHandle(id: string, name: HandleName): SVGGElement | undefined {
    const region = this.#regionOf(id);
    return region && this.#drawn.get(keyOf(id, region))?.handle(name);
  }
}

function keyOf(id: string, { kind }: Mark): string {
  return `${kind} ${id}`;
}
