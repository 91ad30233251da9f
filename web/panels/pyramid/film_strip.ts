/**
 * A film strip: small pictures of some images along a dimension of a stack, each with what stands at its position.
 *
 * @module
 */

/// <reference lib="dom" />

import { fit, orientedBy } from "../../draw/look.ts";
import { coloursOf } from "../../draw/paint.ts";
import { TileStore } from "../../draw/tile_store.ts";
import { seenTiles } from "../../draw/view_of_tiles.ts";
import { element, setAttribute } from "../../parts/dom.ts";
import { arrowOf } from "../../pictures/drag.ts";
import { surface2d } from "../../pictures/surface/surface_2d.ts";
import type { PageState } from "../../state/state.ts";
import type { ImagePicture } from "./image_picture.ts";
import type { OpenedImage } from "./opened_image.ts";
import { positionIn, type StackAxis } from "./stack_axis.ts";

/** Most pictures, and their size on the screen. */
const MOST = 24, SIDE = 64;

/** Milliseconds without a change before pictures are made. */
const QUIET = 250;

/** The pictures of one dimension; they are read when the strip is opened. */
export class FilmStrip {
  readonly #frames: readonly {
    readonly position: number;
    readonly button: HTMLButtonElement;
    readonly canvas: HTMLCanvasElement;
  }[];
  readonly #strip: HTMLElement;
  /** All of it. */
  readonly root: HTMLDetailsElement;
  #made: { readonly of?: OpenedImage | undefined; readonly name: string } = { name: "" };
  #running: AbortController | undefined;

  /** Along `axis` of the image of `picture`; `choose` is called with a position. */
  constructor(
    readonly axis: StackAxis,
    readonly picture: ImagePicture,
    readonly state: () => PageState,
    choose: (position: number) => void,
  ) {
    this.#frames = positionsOf(axis.size).map((position) => {
      const canvas = element("canvas", { width: SIDE, height: SIDE });
      const text = axis.at(position) || `${position}`;
      const button = element(
        "button",
        { type: "button", class: "frame", click: () => choose(position) },
        canvas,
        text,
      );
      return { position, button, canvas };
    });
    this.#strip = element(
      "div",
      {
        class: "strip",
        role: "group",
        "aria-label": `Pictures along ${axis.label}`,
        keydown: (event: KeyboardEvent) => this.#key(event),
      },
      ...this.#frames.map(({ button }) => button),
    );
    this.root = element(
      "details",
      { class: "film", toggle: () => this.show() },
      element("summary", {}, "Film strip"),
      this.#strip,
    );
  }

  /** Makes no more pictures. */
  stop(): void {
    this.#running?.abort();
  }

  /** Marks the position that is shown, and makes pictures that are older than the image. */
  show(): void {
    if (!this.root.open) return;
    const now = positionIn(this.state().stack, this.axis);
    const shown = this.#frames.findLastIndex(({ position }) => position <= now);
    this.#frames.forEach(({ button }, i) => {
      setAttribute(button, "aria-current", i === shown && "true");
      setAttribute(button, "tabindex", i === shown ? "0" : "-1");
    });
    const [of, name] = [this.picture.opened, this.#name];
    if (of === this.#made.of && name === this.#made.name) return; // tiles of other filters have other values
    this.#made = { of, name };
    this.#running?.abort();
    const { signal } = this.#running = new AbortController();
    setTimeout(() => void this.#make(signal), QUIET);
  }

  /** What pictures depend on. */
  get #name(): string {
    const { stack, channels, scan, filters } = this.state();
    const { [this.axis.label]: _, ...others } = stack;
    return JSON.stringify([others, channels, scan, filters, this.picture.element.limits]);
  }

  async #make(signal: AbortSignal): Promise<void> {
    for (const { position, canvas } of this.#frames) {
      if (signal.aborted) return;
      await this.#draw(position, canvas, signal);
    }
  }

  /** Draws one picture from the coarsest tiles. */
  async #draw(position: number, canvas: HTMLCanvasElement, signal: AbortSignal): Promise<void> {
    const { opened, element: shown } = this.picture;
    const { store: now, channels, limits } = shown;
    if (!opened || !now) return;
    const read = Promise.withResolvers<void>();
    const selections = now.selections.map((one) => ({ ...one, [this.axis.label]: position }));
    const heard = { changed: () => store.missing === 0 && read.resolve(), failed: () => read.resolve() };
    const store: TileStore = new TileStore(opened.source, selections, heard, opened.cache);
    const screen = { width: SIDE, height: SIDE };
    const look = orientedBy(opened.facts, fit(store.levels[0]!, screen));
    store.want(seenTiles(store, look, screen, 1).wanted);
    if (store.missing > 0) {
      await Promise.race([
        read.promise,
        new Promise((end) => signal.addEventListener("abort", end)),
      ]);
    }
    store.close();
    if (signal.aborted) return;
    surface2d(canvas).draw({
      ...screen,
      pieces: seenTiles(store, look, screen, 1).tiles.map(({ tile, ...place }) => ({
        images: tile.map(({ image }) => image),
        n: 1,
        ...place,
      })),
      colours: channels.map(({ display }, c) => coloursOf(display, limits[c]!, false)),
    });
  }

  #key(event: KeyboardEvent): void {
    const [, right] = arrowOf(event) ?? [0, 0];
    const at = this.#frames.findIndex(({ button }) => button === event.target);
    const next = this.#frames[at + Math.sign(right)];
    if (right === 0 || at < 0 || !next) return;
    event.preventDefault();
    next.button.focus();
    next.button.click();
  }
}

/** Evenly spaced positions, the first and the last among them. */
function positionsOf(size: number): number[] {
  const count = Math.min(size, MOST);
  return Array.from({ length: count }, (_, i) => Math.round(i * (size - 1) / Math.max(1, count - 1)));
}
