/**
 * What an image is drawn on: with a graphics card, or without.
 *
 * @module
 */

/// <reference lib="dom" />

import type { Colours } from "../../draw/paint.ts";
import type { DrawnImage } from "../../draw/drawn.ts";

/** An image, or one for each channel, and the rectangle of pixels that it covers. */
export interface Piece {
  /** The image of each channel, all of one size. */
  readonly images: readonly DrawnImage[];
  /** Samples along each side that make one. */
  readonly n: number;
  /** For each row of pixels, the row of the reduced image; −1 for none. */
  readonly rows: Int32Array;
  /** For each column of pixels, the column of the reduced image; −1 for none. */
  readonly columns: Int32Array;
  /** Pixels above it. */
  readonly top: number;
  /** Pixels at its left. */
  readonly left: number;
}

/** What is drawn: pieces of one kind with the same colours, each over those before it; colours of channels are added, as light is. */
export interface Painting {
  /** Pixels per row. */
  readonly width: number;
  /** Rows of pixels. */
  readonly height: number;
  /** The pieces. */
  readonly pieces: readonly Piece[];
  /** The colours of each channel; of an image without channels, one. */
  readonly colours: readonly Colours[];
}

/** A canvas, and a way to draw numbers on it. */
export interface Surface {
  /** Which way it is. */
  readonly kind: "webgl2" | "2d";
  /** The canvas. */
  readonly canvas: HTMLCanvasElement;
  /** Whether images of this size can be drawn. */
  fits(width: number, height: number): boolean;
  /** Draws; the canvas takes the size of the painting. */
  draw(painting: Painting): void;
  /** Draws, and gives the pixels: RGBA, from the top. */
  pixels(painting: Painting): Uint8ClampedArray<ArrayBuffer>;
  /** Returns what it holds. */
  close(): void;
}
