/**
 * Labels drawn over an image in tiles, on a canvas of their own.
 *
 * @module
 */

/// <reference lib="dom" />

import { type LabelLook, labelPixels, placeLabels } from "../draw/paint.ts";
import { covering, type Look, lookIn, type Size } from "../draw/look.ts";
import { sampleAt } from "../draw/numbers.ts";
import type { TileStore } from "../draw/tile_store.ts";
import { seenAt, type SeenTiles, seenTiles } from "../draw/view_of_tiles.ts";
import type { Position } from "../state/state.ts";
import { html } from "./element.ts";

/** Labels, and how they are shown. */
export interface ShownLabels extends LabelLook {
  /** Their name. */
  readonly name: string;
  /** Their tiles. */
  readonly store: TileStore;
  /** Samples of the image per label, along both sides. */
  readonly scale: number;
}

/** A canvas above the image. */
export class LabelLayer {
  /** The canvas. */
  readonly element: HTMLCanvasElement = html("canvas", { class: "labels", hidden: "" });
  #shown: ShownLabels | undefined;
  #seen: SeenTiles | undefined;
  #pixels: ImageData | undefined;

  /** What is shown; undefined: nothing. */
  get shown(): ShownLabels | undefined {
    return this.#shown;
  }

  set shown(shown: ShownLabels | undefined) {
    this.#shown = shown;
    this.#pixels = undefined;
    this.element.hidden = !shown;
  }

  /** Draws the labels that are seen, and asks for those that are missing. */
  draw(look: Look, screen: Size, ratio: number): void {
    if (!this.#shown) return;
    const { store, scale } = this.#shown;
    const seen = this.#seen = seenTiles(store, lookIn(look, covering(scale)), screen, ratio);
    store.want(seen.wanted);
    const [width, height] = [Math.round(screen.width * ratio), Math.round(screen.height * ratio)];
    const labels = new Uint32Array(width * height);
    for (const { tile, ...place } of seen.tiles) placeLabels(labels, width, tile[0]!.image.planes, place);
    Object.assign(this.element, { width, height });
    const pixels = this.#pixels = new ImageData(labelPixels(labels, width, this.#shown), width, height);
    this.element.getContext("2d")?.putImageData(pixels, 0, 0);
  }

  /** Lays the labels over the pixels of the image below. */
  blend({ data, width, height }: ImageData): void {
    const over = this.#pixels;
    if (over?.width !== width || over.height !== height) return;
    for (let i = 0; i < data.length; i += 4) {
      const alpha = over.data[i + 3]! / 255;
      if (alpha === 0) continue;
      for (let c = i; c < i + 3; c++) data[c] = data[c]! * (1 - alpha) + over.data[c]! * alpha;
      data[i + 3] = Math.max(data[i + 3]!, over.data[i + 3]!);
    }
  }

  /** The label at a sample of the image, in words. */
  textAt(sample: Position): string {
    const label = this.labelAt(sample);
    return label === undefined ? "" : `${this.#shown!.name} ${label}`;
  }

  /** The number of the label at a sample of the image; undefined where there is none. */
  labelAt([y, x]: Position): number | undefined {
    const { store, scale } = this.#shown ?? {};
    const at = scale === undefined ? undefined : [(y + 0.5) / scale - 0.5, (x + 0.5) / scale - 0.5] as const;
    const found = store && at && this.#seen ? seenAt(store, this.#seen, at) : undefined;
    const label = found && sampleAt(found.tile[0]!.image.image, found.row, found.column);
    return label?.kind === "number" && label.value > 0 ? label.value : undefined;
  }
}
