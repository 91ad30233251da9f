/**
 * What lies over an image of the sky: lines with names, circles around places, and an outline in a corner.
 *
 * @module
 */

/// <reference lib="dom" />

import { edgesOn, type Look, placeOn, type Size } from "../../draw/look.ts";
import type { Position } from "../../state/state.ts";
import { setAll, svg } from "../element.ts";

/** What is drawn; places are in samples. */
export interface SkyMarks {
  /** Lines, named where they leave the screen on that side. */
  readonly lines: readonly {
    readonly parts: readonly (readonly Position[])[];
    readonly text: string;
    readonly side: "left" | "top";
  }[];
  /** Places, of which those that are chosen or pointed at are named. */
  readonly circles: readonly { readonly at: Position; readonly name: string }[];
  /** The circle that is chosen, by its number. */
  readonly chosen?: number;
  /** An outline around a place at the origin, drawn in the lower right corner. */
  readonly corner?: readonly Position[];
}

/** Radius of circles and the distance at which they are pointed at, in pixels. */
const RADIUS = 9;

/** Pixels between the edge of the screen and what is written there. */
const INSET = 6;

/** Draws marks. */
export class SkyMark {
  /** What is drawn where this part is seen; absent: nothing. */
  marks: SkyMarks | undefined;
  /** The circle that is pointed at. */
  hovered: number | undefined;
  readonly #grid = [svg("path", { class: "casing" }), svg("path", { class: "line" })];
  readonly #rings = [svg("path", { class: "casing" }), svg("path", { class: "line" })];
  readonly #chosen = svg("path", { class: "line" });
  readonly #corner = svg("path", { class: "corner" });
  readonly #texts = svg("g");
  readonly #group = svg(
    "g",
    { class: "region sky" },
    svg("g", { class: "grid" }, ...this.#grid),
    svg("g", { class: "rings" }, ...this.#rings),
    svg("g", { class: "chosen" }, this.#chosen),
    this.#corner,
    this.#texts,
  );

  /** Draws into `layer`. */
  constructor(readonly layer: SVGSVGElement) {}

  /** The circle at a place of the screen. */
  at(place: Position, look: Look, screen: Size): number | undefined {
    const far = (this.marks?.circles ?? []).map(({ at }) => {
      const [y, x] = placeOn(look, screen, at);
      return Math.hypot(y - place[0], x - place[1]);
    });
    const least = Math.min(...far);
    return least <= RADIUS + 2 ? far.indexOf(least) : undefined;
  }

  /** Draws them where they are now. */
  draw(look: Look, screen: Size, size: Size): void {
    const { marks } = this;
    if (!marks) return this.#group.remove();
    if (!this.#group.isConnected) this.layer.append(this.#group);
    const { lines, circles, chosen, corner = [] } = marks;
    const onScreen = (at: Position) => placeOn(look, screen, at);
    const paths = lines.map(({ parts }) => parts.map((part) => part.map(onScreen)));
    for (const path of this.#grid) setAll(path, { d: paths.flat().map(polyline).join("") });
    const rings = circles.map(({ at }) => circle(onScreen(at), RADIUS));
    for (const path of this.#rings) setAll(path, { d: rings.join("") });
    setAll(this.#chosen, { d: chosen === undefined ? "" : rings[chosen] ?? "" });
    setAll(this.#corner, {
      d: inCorner(corner.map((at) => offset(at, look)), edgesOn(look, screen, size), screen),
    });
    const names = [chosen, this.hovered].filter((n) => n !== undefined && circles[n]) as number[];
    this.#texts.replaceChildren(
      ...lines.flatMap(({ text, side }, i) => edgeText(text, side, paths[i]!.flat(), screen)),
      ...[...new Set(names)].map((n) => {
        const [y, x] = onScreen(circles[n]!.at);
        return textAt(circles[n]!.name, [y - RADIUS - 4, x], "middle");
      }),
    );
  }
}

/** A step in samples as one on the screen. */
function offset(at: Position, look: Look): Position {
  return placeOn({ ...look, y: 0, x: 0 }, { height: 0, width: 0 }, at);
}

const short = (value: number) => Number(value.toFixed(1));

function polyline(places: readonly Position[]): string {
  return places.map(([y, x], i) => `${i === 0 ? "M" : "L"}${short(x)} ${short(y)}`).join("");
}

function circle([y, x]: Position, r: number): string {
  return `M${short(x - r)} ${short(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
}

/** An outline in the lower right corner of the image; nothing, if it is large or too small to be seen. */
function inCorner(
  outline: readonly Position[],
  { bottom, right: end }: { readonly bottom: number; readonly right: number },
  { height, width }: Size,
): string {
  if (outline.length === 0) return "";
  const [down, right] = [0, 1].map((d) => Math.max(...outline.map((at) => Math.abs(at[d]!)))) as [
    number,
    number,
  ];
  if (Math.max(down, right) < 0.5 || down > height / 6 || right > width / 6) return "";
  const [y, x] = [Math.min(height, bottom) - 2 * INSET - down, Math.min(width, end) - 2 * INSET - right];
  return `${polyline(outline.map((at): Position => [y + at[0], x + at[1]]))}Z`;
}

/** The name of a line where it is nearest to a side of the screen. */
function edgeText(
  text: string,
  side: "left" | "top",
  places: readonly Position[],
  { height, width }: Size,
): SVGTextElement[] {
  const seen = places.filter(([y, x]) => y >= 0 && y <= height && x >= 0 && x <= width);
  if (seen.length === 0) return [];
  const best = seen.reduce((a, b) => (side === "left" ? b[1] < a[1] : b[0] < a[0]) ? b : a);
  const at: Position = side === "left"
    ? [best[0] - 3, best[1] + INSET]
    : [best[0] + 2 * INSET + 2, best[1] + 4];
  return [textAt(text, at, "start")];
}

function textAt(text: string, [y, x]: Position, anchor: string): SVGTextElement {
  const shown = svg("text", { class: "sky-text", x: short(x), y: short(y), "text-anchor": anchor });
  shown.textContent = text;
  return shown;
}
