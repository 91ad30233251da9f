/**
 * `<tw-tiles>`: an image of any size, of which only the tiles that are seen are read.
 *
 * @module
 */

/// <reference lib="dom" />

import type { Limits } from "../../src/pictures/mod.ts";
import {
  edgesOn,
  kept,
  type Look,
  lookIn,
  orientedBy,
  type Places,
  sampleOf,
  type Size,
} from "../draw/look.ts";
import { sampleAt } from "../draw/numbers.ts";
import { coloursOf } from "../draw/paint.ts";
import type { TileStore } from "../draw/tile_store.ts";
import {
  imagesForContrast,
  keepWhole,
  limitsOfSamples,
  nameOf,
  seenAt,
  seenSamples,
  type SeenTiles,
  seenTiles,
} from "../draw/view_of_tiles.ts";
import { numberText, placeText, valueText } from "../draw/words.ts";
import type { Display, Position } from "../state/state.ts";
import { placeIn } from "./drag.ts";
import { define, html, setAll, svg } from "./element.ts";
import { type ImageFacts, StageElement } from "./stage.ts";
import { SkyMark, type SkyMarks } from "./overlay/sky_mark.ts";
import { LabelLayer, type ShownLabels } from "./label_layer.ts";
import type { Painting } from "./surface/surface.ts";

const NOTHING: ImageFacts = {
  title: "",
  axes: [{ name: "y", step: 1, unit: "px" }, { name: "x", step: 1, unit: "px" }],
};

/** Least part of the screen that a thing has which is looked at, and the pixels per sample that are enough. */
const ROOM = 1 / 20, MOST_CLOSE = 8;

/** Pixels that a click may move. */
const CLICK = 4;

/** A channel of an image that is shown. */
export interface TilesChannel {
  /** What distinguishes it from the others. */
  readonly id: string;
  /** Its name; empty, if the image has no channels. */
  readonly name: string;
  /** How its values become colours. */
  readonly display: Display;
}

/** What is shown. */
interface Content {
  readonly store: TileStore;
  readonly channels: readonly TilesChannel[];
}

/** An image in tiles, with its scale and colours. */
export class TwTiles extends StageElement {
  readonly #state = html("div", { class: "loading", role: "status" });
  readonly #labels = new LabelLayer();
  readonly #layer = svg("svg", { class: "overlay" });
  readonly #sky = new SkyMark(this.#layer);
  #marksOf: (() => SkyMarks) | undefined;
  #now: Content | undefined;
  #before: Content | undefined;
  #facts = NOTHING;
  #followed: { readonly image: TwTiles; readonly places: Places } | undefined;
  #seen: SeenTiles | undefined;
  #samples: readonly Float64Array[] = [];
  #named: { readonly store?: TileStore; readonly name: string } = { name: "" };

  /** An empty element. */
  constructor() {
    super("stage wide");
    this.canvas.holder.after(this.#labels.element, this.#layer);
    this.stage.append(this.#state);
    this.#listenToClicks();
  }

  /** The tiles. */
  get store(): TileStore | undefined {
    return this.#now?.store;
  }

  /** Shows tiles and their channels, in the order of the store; what was seen before stays until the first new one is there. */
  use(store: TileStore | undefined, channels: readonly TilesChannel[] = []): void {
    const [before, now] = [this.store?.levels[0], store?.levels[0]];
    const isOther = before?.height !== now?.height || before?.width !== now?.width;
    this.#before = isOther ? undefined : this.#before ?? this.#now; // of two that come fast, none is seen
    this.#now = store && { store, channels };
    if (isOther) this.canvas.clear();
    this.redraw();
  }

  /** What it is. */
  set facts(facts: ImageFacts) {
    this.#facts = facts;
    this.redraw();
  }

  /** Labels over the image; undefined: none. */
  get labels(): ShownLabels | undefined {
    return this.#labels.shown;
  }

  set labels(shown: ShownLabels | undefined) {
    this.#labels.shown = shown;
    this.redraw();
  }

  /** Makes what lies over an image of the sky, whenever another part is seen; undefined: nothing. */
  set marks(marksOf: (() => SkyMarks) | undefined) {
    this.#marksOf = marksOf;
    this.redraw();
  }

  /** The channels of the store, and how they are shown. */
  get channels(): readonly TilesChannel[] {
    return this.#now?.channels ?? [];
  }

  set channels(channels: readonly TilesChannel[]) {
    if (!this.#now) return;
    this.#now = { ...this.#now, channels };
    this.redraw();
  }

  /** Shows what another image shows, whose samples have these places here; what hands do moves both. */
  follow(image: TwTiles, places: Places): void {
    this.#followed = { image, places };
    this.redraw();
  }

  /** The values of the first and the last colour of each channel: they stay while the image is moved. */
  get limits(): readonly Limits[] {
    const { channels } = this.#before ?? this.#now ?? {};
    const directions = this.#seen?.tiles.at(-1)?.tile[0]?.image.directions ?? false;
    return (channels ?? []).map(({ id, display }, channel) => {
      const samples = this.valuesOf(id) ?? this.#samples[channel] ?? new Float64Array(0);
      return limitsOfSamples(samples, display, directions);
    });
  }

  /** Some of the values of a channel in the whole image, once they are known. */
  valuesOf(id: string): Float64Array | undefined {
    return (this.#before ?? this.#now)?.store.valuesOf(id);
  }

  /** Some of the values of each channel that are seen. */
  get samples(): readonly Float64Array[] {
    return this.#samples;
  }

  /** The level that is shown, and how many tiles of it are missing: until it is drawn, nobody knows that none is. */
  get progress(): { readonly level: number; readonly missing: number } {
    const missing = this.store?.missing ?? 0;
    return { level: this.#seen?.level ?? 0, missing: this.isDue ? Math.max(1, missing) : missing };
  }

  /** The part of the image that is seen: rows and columns of level 0, each with the one after the last. */
  get seenPart(): { readonly rows: readonly [number, number]; readonly columns: readonly [number, number] } {
    const { width, height } = this.size;
    const corners = [[0, 0], [this.screen.height, this.screen.width]] as const;
    const [first, last] = corners.map((place) => sampleOf(this.lookNow, this.screen, place)) as [
      Position,
      Position,
    ];
    const seen = (a: number, b: number, size: number) => {
      const start = Math.max(0, Math.min(size - 1, Math.floor(Math.min(a, b) + 0.5)));
      return [start, Math.max(start + 1, Math.min(size, Math.ceil(Math.max(a, b) + 0.5)))] as const;
    };
    return { rows: seen(first[0], last[0], height), columns: seen(first[1], last[1], width) };
  }

  /** What is seen as a picture, without the ground beside it, and its pixels per sample. */
  picture(): { readonly pixels: ImageData; readonly zoom: number } | undefined {
    const pixels = this.pixels();
    if (!pixels) return undefined;
    this.#labels.blend(pixels);
    const ratio = pixels.width / this.screen.width;
    const { top, bottom, left, right } = edgesOn(this.lookNow, this.screen, this.size);
    const within = (at: number, most: number) => Math.max(0, Math.min(most, Math.round(at * ratio)));
    const [y, x] = [within(top, pixels.height), within(left, pixels.width)];
    const [height, width] = [within(bottom, pixels.height) - y, within(right, pixels.width) - x];
    return { pixels: cropped(pixels, { y, x, height, width }), zoom: this.lookNow.zoom * ratio };
  }

  /**
   * The look with a thing of this size in the middle: as it is where all is seen and the thing is large enough; it zooms in,
   * but never out.
   */
  lookAt([y, x]: Position, side: number): Look | undefined {
    const { zoom } = this.lookNow;
    const least = Math.min(MOST_CLOSE, Math.min(this.screen.height, this.screen.width) * ROOM / side);
    if (!this.look && zoom >= least) return undefined;
    const look = kept({ y, x, zoom: Math.max(zoom, least) }, this.screen, this.size);
    return { y: Math.round(look.y), x: Math.round(look.x), zoom: Number(look.zoom.toPrecision(4)) };
  }

  /** Where the image is on the page. */
  get place(): DOMRect {
    return this.stage.getBoundingClientRect();
  }

  /** A tile has arrived. */
  tilesChanged(): void {
    this.redraw();
  }

  /** Draws what is there, and asks for what is missing. */
  override draw(): void {
    this.toggleAttribute("empty", !this.#now);
    this.entitle(this.#facts.title);
    const painting = this.painting();
    if (!painting) return;
    if (painting.pieces.length > 0 || this.#followed) this.canvas.draw(painting); // one that follows may lie elsewhere
    this.#labels.draw(this.lookNow, this.screen, globalThis.devicePixelRatio || 1);
    this.#sky.marks = this.#marksOf?.();
    setAll(this.#layer, { viewBox: `0 0 ${this.screen.width} ${this.screen.height}` });
    this.#sky.draw(this.lookNow, this.screen, this.size);
    this.write(this.#facts, painting);
    this.#describeTiles();
    this.stage.style.touchAction = this.leader.look ? "none" : "pan-y";
  }

  protected override redraw(): void {
    super.redraw();
    if (this.isDue) setAll(this.stage, { "aria-busy": "true" });
  }

  protected override get leader(): TwTiles {
    return this.#followed?.image ?? this;
  }

  protected override get size(): Size {
    return this.store?.levels[0] ?? { width: 1, height: 1 };
  }

  protected override get lookNow(): Look {
    if (!this.#followed) return orientedBy(this.#facts, super.lookNow);
    const { upwards: _, ...look } = this.#followed.image.lookNow;
    return orientedBy(this.#facts, lookIn(look, this.#followed.places));
  }

  protected override painting(): Painting | undefined {
    const screen = this.screen;
    if (!this.#now || screen.width === 0 || screen.height === 0) return undefined;
    const ratio = globalThis.devicePixelRatio || 1;
    const { seen, channels } = this.#see(this.#now, ratio);
    const { limits } = this;
    const directions = seen.tiles[0]?.tile[0]?.image.directions ?? false;
    return {
      width: Math.round(screen.width * ratio),
      height: Math.round(screen.height * ratio),
      pieces: seen.tiles.map(({ tile, ...place }) => ({
        images: tile.map(({ image }) => image),
        n: 1,
        ...place,
      })),
      colours: channels.map(({ display }, channel) => coloursOf(display, limits[channel]!, directions)),
    };
  }

  /** Asks for what is missing, and gives what is there: of the content before until the first new tile is there. */
  #see(now: Content, ratio: number): Content & { readonly seen: SeenTiles } {
    const seen = seenTiles(now.store, this.lookNow, this.screen, ratio);
    now.store.want(seen.wanted, imagesForContrast(now.store, now.channels));
    if (seen.tiles.length > 0) this.#before = undefined;
    const shown = this.#before
      ? { ...this.#before, seen: seenTiles(this.#before.store, this.lookNow, this.screen, ratio) }
      : { ...now, seen };
    this.#remember(shown);
    return shown;
  }

  #remember({ store, channels, seen }: Content & { readonly seen: SeenTiles }): void {
    this.#seen = seen;
    channels.forEach(({ id }, channel) => keepWhole(store, seen, channel, id));
    const known = channels.filter(({ id }) => store.valuesOf(id)).length;
    const name = `${known} ${nameOf(seen)}`;
    if (store === this.#named.store && name === this.#named.name) return; // another store may have other values there
    this.#named = { store, name };
    this.#samples = channels.map((_, channel) => seenSamples(seen, channel));
    this.tell("samples-change", { samples: this.#samples });
  }

  /** Tells which label was clicked; a pointer that has moved the image has clicked nothing. */
  #listenToClicks(): void {
    let down: Position = [0, 0];
    this.stage.addEventListener("pointerdown", (event) => down = placeIn(this.stage, event));
    this.stage.addEventListener("click", (event) => {
      const place = placeIn(this.stage, event);
      if (Math.hypot(place[0] - down[0], place[1] - down[1]) > CLICK) return;
      const mark = this.#sky.at(place, this.lookNow, this.screen);
      if (mark !== undefined) return this.tell("mark-pick", { mark });
      const label = this.#labels.labelAt(sampleOf(this.lookNow, this.screen, place));
      if (label !== undefined) this.tell("label-pick", { label });
    });
  }

  /** A circle that is pointed at is named. */
  protected override point(place: Position | undefined): void {
    const hovered = place && this.#sky.at(place, this.lookNow, this.screen);
    if (hovered !== this.#sky.hovered) {
      this.#sky.hovered = hovered;
      this.redraw();
    }
    super.point(place);
  }

  #describeTiles(): void {
    const { width, height } = this.size;
    const { level, missing } = this.progress;
    const size = `${height} rows, ${width} columns`;
    const { channels } = this.#before ?? this.#now ?? { channels: [] };
    const range = this.limits.map(([low, high], c) => {
      const name = channels[c]?.name;
      return `${name ? `${name} ` : ""}values shown from ${numberText(low)} to ${numberText(high)}`;
    }).join(", ");
    this.describe(`${this.#facts.title}: ${size}, level ${level}, ${range}`);
    setAll(this.stage, { "aria-busy": missing > 0 ? "true" : "false" });
    const text = missing > 0 ? `Reading ${missing} ${missing === 1 ? "tile" : "tiles"}` : "";
    if (this.#state.textContent !== text) this.#state.textContent = text;
  }

  protected override textAt([y, x]: Position): string {
    const shown = this.#before ?? this.#now;
    const found = shown && this.#seen && seenAt(shown.store, this.#seen, [y, x]);
    if (!found) return "";
    const value = found.tile.map(({ image: { image } }, channel) => {
      const name = shown.channels[channel]?.name;
      const text = valueText(sampleAt(image, found.row, found.column), this.#facts.unit);
      return name ? `${name} ${text}` : text;
    }).join(" · ");
    const label = this.#labels.textAt([y, x]);
    const where = this.#facts.where?.(y, x);
    const place = `${where ? `${where} · ` : ""}${placeText(this.#facts, Math.round(y), Math.round(x))}`;
    return `${label ? `${label} · ` : ""}${place} · level ${found.level} · ${value}`;
  }
}

function cropped(
  { data, width: columns }: ImageData,
  { y, x, height, width }: Size & { readonly y: number; readonly x: number },
): ImageData {
  const part = new ImageData(Math.max(1, width), Math.max(1, height));
  for (let row = 0; row < height; row++) {
    const from = 4 * ((y + row) * columns + x);
    part.data.set(data.subarray(from, from + 4 * width), 4 * row * width);
  }
  return part;
}

define("tw-tiles", TwTiles);

declare global {
  interface HTMLElementTagNameMap {
    /** An image in tiles. */
    "tw-tiles": TwTiles;
  }
}
