/**
 * `<tw-tiles>`: an image of any size, of which only the tiles that are seen are read.
 *
 * @module
 */

/// <reference lib="dom" />

import type { Limits } from "../../src/pictures/mod.ts";
import { fit, kept, type Look, orientedBy, type Size } from "../draw/look.ts";
import { sampleAt } from "../draw/numbers.ts";
import { coloursOf } from "../draw/paint.ts";
import type { TileStore } from "../draw/tile_store.ts";
import { nameOf, seenAt, seenLimits, seenSamples, type SeenTiles, seenTiles } from "../draw/view_of_tiles.ts";
import { numberText, placeText, valueText } from "../draw/words.ts";
import { type Display, type Position, START } from "../state/state.ts";
import { define, html, setAll } from "./element.ts";
import { type ImageFacts, StageElement } from "./stage.ts";
import type { Painting } from "./surface/surface.ts";

const NOTHING: ImageFacts = {
  title: "",
  axes: [{ name: "y", step: 1, unit: "px" }, { name: "x", step: 1, unit: "px" }],
};

/** An image in tiles, with its scale and colours. */
export class TwTiles extends StageElement {
  readonly #state = html("div", { class: "loading", role: "status" });
  #store: TileStore | undefined;
  #before: TileStore | undefined;
  #facts = NOTHING;
  #display: Display = START.scan;
  #look: Look | undefined;
  #seen: SeenTiles | undefined;
  #samples: Float64Array = new Float64Array(0);
  #named = "";

  /** An empty element. */
  constructor() {
    super("stage wide");
    this.stage.append(this.#state);
  }

  /** The tiles; those of the store before are seen until the first new one is there. */
  get store(): TileStore | undefined {
    return this.#store;
  }

  set store(store: TileStore | undefined) {
    const isOther = this.#store?.levels[0]?.height !== store?.levels[0]?.height ||
      this.#store?.levels[0]?.width !== store?.levels[0]?.width;
    this.#before = isOther ? undefined : this.#store;
    this.#store = store;
    if (isOther) this.canvas.clear();
    this.redraw();
  }

  /** What it is. */
  set facts(facts: ImageFacts) {
    this.#facts = facts;
    this.redraw();
  }

  /** How values become colours. */
  get display(): Display {
    return this.#display;
  }

  set display(display: Display) {
    this.#display = display;
    this.redraw();
  }

  /** Which part is seen, in samples of level 0; undefined: all. */
  get look(): Look | undefined {
    return this.#look;
  }

  set look(look: Look | undefined) {
    const { y, x, zoom } = this.#look ?? {};
    if (look?.y === y && look?.x === x && look?.zoom === zoom) return;
    this.#look = look;
    this.redraw();
  }

  /** The values of the first and the last colour. */
  get limits(): Limits {
    return seenLimits(this.#samples, this.#display, this.#seen?.tiles.at(-1)?.tile.image.directions ?? false);
  }

  /** Some of the values that are seen. */
  get samples(): Float64Array {
    return this.#samples;
  }

  /** The level that is shown, and how many tiles of it are missing. */
  get progress(): { readonly level: number; readonly missing: number } {
    return { level: this.#seen?.level ?? 0, missing: this.#store?.missing ?? 0 };
  }

  /** A tile has arrived. */
  tilesChanged(): void {
    this.redraw();
  }

  /** Draws what is there, and asks for what is missing. */
  override draw(): void {
    this.toggleAttribute("empty", !this.#store);
    this.entitle(this.#facts.title);
    const painting = this.painting();
    if (!painting) return;
    if (painting.pieces.length > 0) this.canvas.draw(painting);
    this.write(this.#facts, painting);
    this.#describeTiles();
    this.stage.style.touchAction = this.#look ? "none" : "pan-y";
  }

  protected override get size(): Size {
    return this.#store?.levels[0] ?? { width: 1, height: 1 };
  }

  protected override get lookNow(): Look {
    const look = this.#look ? kept(this.#look, this.screen, this.size) : fit(this.size, this.screen);
    return orientedBy(this.#facts, look);
  }

  protected override painting(): Painting | undefined {
    const store = this.#store;
    const screen = this.screen;
    if (!store || screen.width === 0 || screen.height === 0) return undefined;
    const ratio = globalThis.devicePixelRatio || 1;
    let seen = seenTiles(store, this.lookNow, screen, ratio);
    store.want(seen.wanted);
    if (seen.tiles.length > 0) this.#before = undefined;
    else if (this.#before) seen = seenTiles(this.#before, this.lookNow, screen, ratio);
    this.#setSeen(seen);
    const directions = seen.tiles[0]?.tile.image.directions ?? false;
    return {
      width: Math.round(screen.width * ratio),
      height: Math.round(screen.height * ratio),
      pieces: seen.tiles.map(({ tile: { image }, ...place }) => ({ image, n: 1, ...place })),
      colours: coloursOf(this.#display, this.limits, directions),
    };
  }

  #setSeen(seen: SeenTiles): void {
    this.#seen = seen;
    const name = `${this.#before ? "before " : ""}${nameOf(seen)}`;
    if (name === this.#named) return;
    this.#named = name;
    this.#samples = seenSamples(seen);
    this.tell("samples-change", { samples: this.#samples });
  }

  #describeTiles(): void {
    const { width, height } = this.size;
    const { level, missing } = this.progress;
    const [low, high] = this.limits;
    const size = `${height} rows, ${width} columns`;
    const range = `values shown from ${numberText(low)} to ${numberText(high)}`;
    this.describe(`${this.#facts.title}: ${size}, level ${level}, ${range}`);
    setAll(this.stage, { "aria-busy": missing > 0 ? "true" : "false" });
    const text = missing > 0 ? `Reading ${missing} ${missing === 1 ? "tile" : "tiles"}` : "";
    if (this.#state.textContent !== text) this.#state.textContent = text;
  }

  protected override show(look: Look | undefined): void {
    const whole = fit(this.size, this.screen);
    this.#look = look && look.zoom > whole.zoom * 1.0001 ? look : undefined;
    this.redraw();
    this.tell("look-change", { look: this.#look });
  }

  protected override textAt([y, x]: Position): string {
    const store = this.#before ?? this.#store;
    const found = store && this.#seen && seenAt(store, this.#seen, [y, x]);
    if (!found) return "";
    const value = valueText(sampleAt(found.tile.image.image, found.row, found.column), this.#facts.unit);
    return `${placeText(this.#facts, Math.round(y), Math.round(x))} · level ${found.level} · ${value}`;
  }
}

define("tw-tiles", TwTiles);

declare global {
  interface HTMLElementTagNameMap {
    /** An image in tiles. */
    "tw-tiles": TwTiles;
  }
}
