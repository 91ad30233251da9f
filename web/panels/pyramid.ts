/**
 * Pyramid: images of any size, panned and zoomed, with filters over the tiles that are seen.
 *
 * @module
 */

/// <reference lib="dom" />

import { ndarray } from "@tilewise/tilewise/arrays";
import type { Dataset } from "@tilewise/tilewise";
import type { TileSource } from "@tilewise/tilewise/web";
import type { ImageAxis } from "../draw/image.ts";
import type { Look } from "../draw/look.ts";
import { TileStore } from "../draw/tile_store.ts";
import { element } from "../parts/dom.ts";
import {
  type ImageFacts,
  onPicture,
  type TwColours,
  type TwHistogram,
  type TwTiles,
} from "../pictures/mod.ts";
import type { Display, PageState } from "../state/state.ts";
import { FilterList } from "./pyramid/filters.ts";
import { Tiles } from "./pyramid/opening.ts";
import { Selection } from "./pyramid/selection.ts";
import type { Panel, Workbench } from "./workbench.ts";

/** An image in tiles, and what is done to it. */
export class Pyramid extends HTMLElement implements Panel {
  #bench!: Workbench;
  readonly #picture = element("tw-tiles") as TwTiles;
  readonly #histogram = element("tw-histogram") as TwHistogram;
  readonly #colours = element("tw-colours") as TwColours;
  readonly #filters = new FilterList((words) => this.#setFilters(words), 2);
  readonly #selection = new Selection(() => this.#showStore());
  #tiles: Tiles | undefined;
  #source: TileSource | undefined;
  #dataset: Dataset | undefined;
  #ends: (() => void)[] = [];

  /** The workbench; set before the panel is shown. */
  set bench(bench: Workbench) {
    this.#bench = bench;
    this.#build();
  }

  /** Listens while it is shown. */
  connectedCallback(): void {
    const { store } = this.#bench;
    this.#tiles = new Tiles();
    this.#ends = [
      store.listen((state, before) => this.#changed(state, before)),
      this.#bench.on("session", () => void this.#open()),
    ];
    this.#show(store.state);
    void this.#open();
  }

  /** Ends what was begun. */
  disconnectedCallback(): void {
    for (const end of this.#ends) end();
    this.#picture.store?.close();
    this.#picture.store = undefined;
    void this.#tiles?.close();
    this.#tiles = undefined;
  }

  #build(): void {
    this.classList.add("pyramid");
    this.append(
      element(
        "section",
        { class: "card view", "aria-label": "Image" },
        element("div", { class: "picture" }, this.#picture),
      ),
      element(
        "aside",
        { class: "card side", "aria-label": "Image, filters and colours" },
        this.#selection.root,
        this.#filters.root,
        element(
          "section",
          { class: "part" },
          element("h2", {}, "Values that are seen"),
          this.#histogram,
          this.#colours,
        ),
      ),
    );
    const { store } = this.#bench;
    onPicture(this.#histogram, "display-change", (detail) => this.#setDisplay(detail));
    onPicture(this.#colours, "display-change", (detail) => this.#setDisplay(detail));
    this.#picture.addEventListener("look-change", () => {
      const { look } = this.#picture;
      store.update({ look: look && rounded(look) }, "look");
    });
    this.#picture.addEventListener("samples-change", () => this.#count());
  }

  #changed(state: PageState, before: PageState): void {
    this.#show(state);
    if (state.filters !== before.filters) void this.#open();
  }

  #show({ scan, look, filters }: PageState): void {
    this.#picture.display = this.#histogram.display = this.#colours.display = scan;
    this.#picture.look = look;
    this.#filters.show(filters);
  }

  #setDisplay({ display, done }: { readonly display: Display; readonly done: boolean }): void {
    const { store } = this.#bench;
    store.update({ scan: display }, "colours");
    if (done) store.endGroup();
  }

  #setFilters(words: readonly string[]): void {
    const { store } = this.#bench;
    store.update({ filters: words }, "filters");
    store.endGroup();
  }

  /** Opens the tiles of the data set with the filters of the state; the image before is seen until then. */
  async #open(): Promise<void> {
    const dataset = this.#bench.session?.dataset;
    if (!dataset) {
      this.#picture.store?.close();
      this.#picture.store = this.#dataset = undefined;
      return;
    }
    this.#filters.rank = dataset.shape.length;
    try {
      const source = await this.#tiles?.open(dataset, this.#bench.store.state.filters);
      if (!source) return;
      this.#filters.wrong(undefined);
      this.#use(dataset, source);
    } catch (error) {
      if (this.#bench.store.state.filters.length === 0) this.#bench.fail(error);
      else this.#filters.wrong(error instanceof Error ? error.message : String(error));
    }
  }

  #use(dataset: Dataset, source: TileSource): void {
    this.#source = source;
    this.#dataset = dataset;
    const [first] = source.levels;
    const axes = source.labels.map((label, d) => ({ label, size: first?.shape[d] ?? 1 }));
    this.#selection.setAxes(axes.filter(({ label }) => label !== "y" && label !== "x"));
    this.#picture.facts = factsOf(dataset, source);
    this.#showStore();
  }

  /** Shows the image of the stack that is chosen. */
  #showStore(): void {
    const source = this.#source;
    if (!source) return;
    this.#picture.store?.close();
    const store = new TileStore(source, this.#selection.value, {
      changed: () => this.#picture.tilesChanged(),
      failed: (error) => this.#picture.store === store && this.#bench.fail(error),
    });
    this.#picture.store = store;
  }

  /** Counts the values that are seen. */
  #count(): void {
    const { samples } = this.#picture;
    const facts = this.#dataset && this.#source && factsOf(this.#dataset, this.#source);
    this.#histogram.image = facts && samples.length > 0
      ? { ...facts, array: ndarray(samples, [1, samples.length], "float64") }
      : undefined;
  }
}

/** Short numbers for the address: hundredths of a pixel of the screen. */
function rounded({ y, x, zoom }: Look): Look {
  const digits = Math.max(0, Math.ceil(Math.log10(100 * zoom)));
  return { y: Number(y.toFixed(digits)), x: Number(x.toFixed(digits)), zoom: Number(zoom.toPrecision(5)) };
}

/** What is written about an image. */
function factsOf(dataset: Dataset, source: TileSource): ImageFacts {
  const axis = (name: string): ImageAxis => {
    const { scale, unit, upwards } = dataset.axes[source.labels.indexOf(name)] ?? {};
    const isKnown = scale !== undefined && scale > 0 && unit;
    const step = isKnown ? { name, step: scale, unit } : { name, step: 1, unit: "px" };
    return upwards ? { ...step, upwards } : step;
  };
  return {
    title: titleOf(dataset),
    axes: [axis("y"), axis("x")],
  };
}

/** The last part of its name, and the name of the array if it says something. */
function titleOf({ source, array }: Dataset): string {
  const name = source.split(/[\\/]/).findLast((part) => part !== "") ?? "";
  return [name, /^(ifd)?\d*$/.test(array) ? "" : array].filter((part) => part !== "").join(" · ") || "Image";
}

customElements.define("tw-pyramid", Pyramid);
