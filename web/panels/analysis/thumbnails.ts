/**
 * Small pictures of what analyses show of the open scan, made one after another while the list of them is open.
 *
 * @module
 */

/// <reference lib="dom" />

import { DrawnImage } from "../../draw/drawn.ts";
import { indicesAlong, reductionFor } from "../../draw/look.ts";
import { displayOf } from "../../draw/maps.ts";
import type { Shown } from "../../draw/numbers.ts";
import { coloursOf, paint } from "../../draw/paint.ts";
import type { Session } from "../../engine/session.ts";
import { type AnalysisChoice, START } from "../../state/state.ts";
import type { Workbench } from "../workbench.ts";
import { chosenIn } from "./result_list.ts";

/** Pixels along a side. */
const SIDE = 40;

/** The pictures of the open scan. */
export class Thumbnails {
  #session: Session | undefined;
  /** By the analysis and its values, which begin at the bright disk once that is known. */
  readonly #made = new Map<string, HTMLCanvasElement>();
  #filling: AbortController | undefined;

  /** Pictures of what a workbench has open; `values` are those that an analysis begins with. */
  constructor(
    private readonly bench: Workbench,
    private readonly values: (name: string) => Readonly<Record<string, string>>,
  ) {}

  /** Puts pictures into these places; what was begun before is not needed any more. */
  async fill(places: readonly { readonly name: string; readonly place: HTMLElement }[]): Promise<void> {
    this.stop();
    const { signal } = this.#filling = new AbortController();
    const { session } = this.bench;
    if (session !== this.#session) this.#made.clear();
    this.#session = session;
    for (const { name, place } of places) {
      if (!session || signal.aborted) return;
      const analysis = { name, values: this.values(name) };
      const key = JSON.stringify(analysis);
      const made = this.#made.get(key) ?? await this.#make(session, analysis, signal);
      if (signal.aborted || !made) continue;
      this.#made.set(key, made);
      place.replaceChildren(made);
    }
  }

  /** Makes no more pictures. */
  stop(): void {
    this.#filling?.abort();
  }

  async #make(
    session: Session,
    analysis: AnalysisChoice,
    signal: AbortSignal,
  ): Promise<HTMLCanvasElement | undefined> {
    const results = await session.sketch(analysis, signal).catch(() => []); // it needs a file, or finds no lattice
    const image = results.length > 0 ? chosenIn({ question: { analysis }, results }, {})?.image : undefined;
    return image && canvasOf(image);
  }
}

/** An image in the middle of a square, whole. */
export function canvasOf(image: Shown): HTMLCanvasElement {
  const drawn = new DrawnImage(image);
  const zoom = Math.min(SIDE / drawn.width, SIDE / drawn.height);
  const n = drawn.labels ? 1 : reductionFor(zoom);
  const along = (size: number) => indicesAlong(SIDE, (size - 1) / 2, zoom, size, n);
  const pixels = new Uint8ClampedArray(4 * SIDE * SIDE);
  const display = displayOf(image, START.scan);
  const colours = coloursOf(display, drawn.limits(display), drawn.directions);
  paint(pixels, drawn.reduced(n), along(drawn.height), along(drawn.width), colours);
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: SIDE, height: SIDE });
  canvas.getContext("2d")?.putImageData(new ImageData(pixels, SIDE, SIDE), 0, 0);
  return canvas;
}
