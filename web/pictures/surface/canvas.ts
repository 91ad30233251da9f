/**
 * The canvas of an image: on the graphics card, and without it when there is none, or when it is lost for good.
 *
 * @module
 */

/// <reference lib="dom" />

import { html } from "../element.ts";
import { surface2d } from "./surface_2d.ts";
import { surfaceGl } from "./surface_gl.ts";
import type { Colours } from "../../draw/paint.ts";
import type { Painting, Piece, Surface } from "./surface.ts";

/** Milliseconds to wait for a graphics card that was lost. */
const PATIENCE = 1500;

/** A place for a canvas, and the surface that is in it. */
export class Canvas {
  /** Where the canvas is. */
  readonly holder: HTMLElement = html("div", { class: "canvas" });
  #surface: Surface | undefined;
  #isLost = false;
  #withoutCard = false;
  /** What is on the canvas now. */
  #drawn: Painting | undefined;

  /** Calls `redraw` when it has to be drawn again. */
  constructor(readonly redraw: () => void) {}

  /** How it is drawn. */
  get kind(): Surface["kind"] {
    return this.#of(1, 1).kind;
  }

  /** Draws, unless the same is on the canvas already, as while a handle moves over it, or the graphics card is away. */
  draw(painting: Painting): void {
    const surface = this.#for(painting);
    if (this.#isLost || this.#drawn && isSame(painting, this.#drawn)) return;
    surface.draw(painting);
    this.#drawn = painting;
  }

  /** Draws, and gives the pixels. */
  pixels(painting: Painting): Uint8ClampedArray<ArrayBuffer> {
    this.#drawn = undefined;
    return this.#for(painting).pixels(painting);
  }

  /** Shows nothing. */
  clear(): void {
    const canvas = this.#surface?.canvas;
    if (canvas) canvas.width = canvas.height = 0;
    this.#drawn = undefined;
  }

  /** Whether the graphics card may be used. */
  set usesCard(usesCard: boolean) {
    this.#withoutCard = !usesCard;
    this.close();
    this.redraw();
  }

  /** Returns the memory of the graphics card. */
  close(): void {
    const surface = this.#surface;
    this.#surface = undefined;
    this.#drawn = undefined;
    this.#isLost = false;
    surface?.canvas.remove();
    surface?.close();
  }

  #for({ pieces }: Painting): Surface {
    const sizes = (side: "width" | "height") =>
      pieces.map(({ images: [image], n }) => Math.ceil((image?.[side] ?? 1) / n));
    return this.#of(Math.max(1, ...sizes("width")), Math.max(1, ...sizes("height")));
  }

  #of(width: number, height: number): Surface {
    if (this.#surface && !this.#surface.fits(width, height)) this.close();
    return this.#surface ??= this.#open(width, height);
  }

  #open(width: number, height: number): Surface {
    const surface = this.#withCard(width, height) ?? surface2d(html("canvas"));
    this.holder.replaceChildren(surface.canvas);
    return surface;
  }

  #withCard(width: number, height: number): Surface | undefined {
    if (this.#withoutCard) return undefined;
    const surface = surfaceGl(html("canvas"));
    if (!surface?.fits(width, height)) return undefined;
    const { canvas } = surface;
    canvas.addEventListener("webglcontextlost", (event) => this.#lost(event, canvas));
    canvas.addEventListener("webglcontextrestored", () => this.#restored(canvas));
    return surface;
  }

  #lost(event: Event, canvas: HTMLCanvasElement): void {
    const surface = this.#surface;
    if (surface?.canvas !== canvas) return;
    event.preventDefault();
    this.#isLost = true;
    setTimeout(() => this.#surface === surface && this.#isLost && (this.usesCard = false), PATIENCE);
  }

  /** All programs and textures are gone: a new surface makes them again. */
  #restored(canvas: HTMLCanvasElement): void {
    if (this.#surface?.canvas !== canvas) return;
    this.#isLost = false;
    this.#drawn = undefined;
    this.#surface = surfaceGl(canvas);
    if (!this.#surface) this.usesCard = false;
    this.redraw();
  }
}

/** Whether two paintings are the same picture. */
function isSame(a: Painting, b: Painting): boolean {
  const isSameColours = a.colours.length === b.colours.length &&
    a.colours.every((one, i) => sameColours(one, b.colours[i]!));
  if (!isSameColours || a.width !== b.width || a.height !== b.height || a.pieces.length !== b.pieces.length) {
    return false;
  }
  return a.pieces.every((piece, i) => isSamePiece(piece, b.pieces[i]!));
}

function sameColours(a: Colours, b: Colours): boolean {
  return a.display === b.display && a.table === b.table &&
    a.limits.every((limit, i) => Object.is(limit, b.limits[i]));
}

function isSamePiece(a: Piece, b: Piece): boolean {
  const isPlace = isSameList(a.images, b.images) && a.n === b.n && a.top === b.top && a.left === b.left;
  return isPlace && isSameList(a.rows, b.rows) && isSameList(a.columns, b.columns);
}

function isSameList<T>(a: ArrayLike<T>, b: ArrayLike<T>): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
