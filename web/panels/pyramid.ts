/**
 * Images of any size, with or without a pyramid: panned and zoomed, in channels, with filters over the tiles that are seen.
 *
 * @module
 */

/// <reference lib="dom" />

import { ndarray } from "@tilewise/tilewise/arrays";
import type { Dataset } from "@tilewise/tilewise";
import type { TileSource } from "@tilewise/tilewise/web";
import type { Look } from "../draw/look.ts";
import { type ImageSelection, TileStore } from "../draw/tile_store.ts";
import { limitsOfSamples } from "../draw/view_of_tiles.ts";
import { textButton } from "../parts/buttons.ts";
import { element } from "../parts/dom.ts";
import {
  onPicture,
  type TilesChannel,
  type TwColours,
  type TwHistogram,
  type TwTiles,
} from "../pictures/mod.ts";
import type { ChannelLook, ChannelLooks, Display, Overlay, PageState } from "../state/state.ts";
import { displayOf, shownLooks } from "./pyramid/channel_looks.ts";
import { ChannelList } from "./pyramid/channels.ts";
import { SeenExport, type SeenImage } from "./pyramid/export_seen.ts";
import { FilterList } from "./pyramid/filters.ts";
import { LabelOverlay } from "./pyramid/label_overlay.ts";
import { LabelChoice, labelsIn } from "./pyramid/labels.ts";
import { type OpenedImage, openedImage } from "./pyramid/opened_image.ts";
import { Tiles } from "./pyramid/opening.ts";
import { positionIn, Selection } from "./pyramid/selection.ts";
import type { Panel, Workbench } from "./workbench.ts";

/** An image in tiles, and what is done to it. */
export class Pyramid extends HTMLElement implements Panel {
  #bench!: Workbench;
  readonly #picture = element("tw-tiles") as TwTiles;
  readonly #histogram = element("tw-histogram") as TwHistogram;
  readonly #colours = element("tw-colours") as TwColours;
  readonly #filters = new FilterList((words) => this.#setFilters(words), 2);
  readonly #selection = new Selection((label, position, done) => this.#setStack(label, position, done));
  readonly #channels = new ChannelList({
    changed: (channels, done) => this.#setChannels(channels, done),
    sorted: (order) => this.#update({ order }, "order", true),
    seen: () => this.#setRanges(),
  });
  readonly #auto = textButton({
    label: "Range of what is seen",
    look: "small",
    press: () => this.#setRanges(),
  });
  readonly #values = element(
    "section",
    { class: "part" },
    element("h2", {}, "Values that are seen"),
    this.#histogram,
    this.#auto,
    this.#colours,
  );
  readonly #labels = new LabelChoice((overlay, done) => this.#setOverlay(overlay, done));
  #overlay: LabelOverlay | undefined;
  readonly #export = new SeenExport(() => this.#bench, this.#picture, () => this.#seenImage);
  #tiles: Tiles | undefined;
  #opened: OpenedImage | undefined;
  #counted: Float64Array | undefined;
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
    this.#closeStore();
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
        this.#channels.root,
        this.#selection.root,
        this.#labels.root,
        this.#filters.root,
        this.#values,
        this.#export.root,
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

  #show({ look, filters }: PageState): void {
    this.#picture.look = look;
    this.#filters.show(filters);
    this.#showChannels();
  }

  #setDisplay({ display, done }: { readonly display: Display; readonly done: boolean }): void {
    this.#update({ scan: display }, "colours", done);
  }

  #setChannels(channels: ChannelLooks, done: boolean): void {
    this.#update({ channels }, "channels", done);
  }

  #setOverlay(overlay: Overlay | undefined, done: boolean): void {
    this.#update({ overlay }, "overlay", done);
  }

  #setStack(label: string, position: number, done: boolean): void {
    this.#update({ stack: { ...this.#bench.store.state.stack, [label]: position } }, "stack", done);
  }

  /** Takes the percentiles of what is seen as the range of each channel that is shown. */
  #setRanges(): void {
    const { channels, samples } = this.#picture;
    const ranges = channels.map(({ id, display }, c) => {
      const { range: _, ...usual } = display;
      return samples[c]?.length
        ? [id, { ...usual, range: limitsOfSamples(samples[c], usual, false) }] as const
        : [id, display] as const;
    });
    const looks = this.#looks;
    if (!looks) return ranges[0] && this.#setDisplay({ display: ranges[0][1], done: true });
    const found = new Map(ranges);
    const ranged = looks.map((look, i) => {
      const { range = look.range } = found.get(`${i}`) ?? {};
      return { ...look, ...(range ? { range } : {}) };
    });
    this.#setChannels(ranged, true);
  }

  #update(change: Parameters<Workbench["store"]["update"]>[0], group: string, done: boolean): void {
    const { store } = this.#bench;
    store.update(change, group);
    if (done) store.endGroup();
  }

  #setFilters(words: readonly string[]): void {
    this.#update({ filters: words }, "filters", true);
  }

  /** Opens the tiles of the data set with the filters of the state; the image before is seen until then. */
  async #open(): Promise<void> {
    const dataset = this.#bench.session?.dataset;
    if (!dataset) {
      this.#closeStore();
      this.#opened = undefined;
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
    this.#opened = openedImage(dataset, source);
    this.#overlay = new LabelOverlay(source, (labels) => this.#tiles!.openLabels(labels), {
      changed: () => this.#picture.tilesChanged(),
      failed: (error) => this.#bench.fail(error),
    });
    this.#picture.facts = this.#opened.facts;
    this.#showChannels();
  }

  /** What is seen, for files of it: all channels that can be shown together, or the one that is shown. */
  get #seenImage(): SeenImage | undefined {
    const opened = this.#opened;
    if (!opened) return undefined;
    const { axis, stack, facts } = opened;
    const { state } = this.#bench.store;
    const all = this.#looks && axis ? { label: axis.label, size: axis.names.length } : undefined;
    const others = stack.filter(({ label }) => label !== all?.label);
    const selection = Object.fromEntries(others.map((one) => [one.label, positionIn(state.stack, one)]));
    return {
      opened,
      facts,
      part: { ...this.#picture.seenPart, selection, ...(all ? { all } : {}) },
    };
  }

  /** How the channels are shown; undefined: one at a time, or there are none. */
  get #looks(): readonly ChannelLook[] | undefined {
    const axis = this.#opened?.axis;
    return axis && shownLooks(axis, this.#bench.store.state.channels);
  }

  /** Shows the image of the stack, and the channels of it, that are chosen. */
  #showChannels(): void {
    const { axis, stack = [] } = this.#opened ?? {};
    const { state } = this.#bench.store;
    const looks = this.#looks;
    this.#channels.show(axis, looks, state.order);
    this.#selection.axes = looks ? stack.filter(({ label }) => label !== axis?.label) : stack;
    this.#selection.show(state.stack);
    this.#values.hidden = looks !== undefined;
    this.#colours.display = state.scan;
    this.#showStore();
    void this.#showLabels();
    this.#count();
  }

  /** Shows the labels that are chosen; those of another shape are refused. */
  async #showLabels(): Promise<void> {
    const { overlay, stack } = this.#bench.store.state;
    const all = labelsIn(this.#bench.session?.datasets ?? []);
    const found = all.find(({ array }) => array === overlay?.name);
    this.#labels.show(all, overlay);
    try {
      const shown = overlay && found && await this.#overlay?.shown(found, overlay, stack);
      if (this.#bench.store.state.overlay === overlay) this.#picture.labels = shown;
    } catch (error) {
      this.#bench.fail(error);
    }
  }

  #showStore(): void {
    const opened = this.#opened;
    if (!opened) return;
    const images = this.#images(opened);
    const selections = images.map(({ selection }) => selection);
    const { store } = this.#picture;
    const isSame = store?.reader === opened.source &&
      JSON.stringify(store.selections) === JSON.stringify(selections);
    if (isSame) this.#picture.channels = images;
    else this.#openStore(opened, selections, images);
  }

  #openStore(
    { source, cache }: OpenedImage,
    selections: readonly ImageSelection[],
    images: readonly TilesChannel[],
  ): void {
    this.#picture.store?.close();
    const store = new TileStore(source, selections, {
      changed: () => this.#picture.tilesChanged(),
      failed: (error) => this.#picture.store === store && this.#bench.fail(error),
    }, cache);
    this.#picture.use(store, images);
  }

  #closeStore(): void {
    this.#picture.store?.close();
    this.#picture.use(undefined);
  }

  /** The images that are shown together: one for each channel that is shown. */
  #images({ axis, stack }: OpenedImage): (TilesChannel & { readonly selection: ImageSelection })[] {
    const { state } = this.#bench.store;
    const all = Object.fromEntries(stack.map((one) => [one.label, positionIn(state.stack, one)]));
    const looks = this.#looks;
    if (!axis || !looks) {
      return [{ id: `${axis ? all[axis.label] : ""}`, name: "", display: state.scan, selection: all }];
    }
    return looks.flatMap((look, i) =>
      look.shown
        ? [{
          id: `${i}`,
          name: axis.names[i]!,
          display: displayOf(look, state.scan.percentile),
          selection: { ...all, [axis.label]: i },
        }]
        : []
    );
  }

  /** Counts the values of each channel, or those that are seen. */
  #count(): void {
    const { channels, samples: [samples] } = this.#picture;
    if (this.#looks) return this.#channels.count(channels, (id) => this.#picture.valuesOf(id));
    const [{ display } = {}] = channels;
    const facts = this.#opened?.facts;
    if (display) this.#histogram.display = this.#limited(display);
    if (samples === this.#counted) return;
    this.#counted = samples;
    this.#histogram.image = facts && samples && samples.length > 0
      ? { ...facts, array: ndarray(samples, [1, samples.length], "float64") }
      : undefined;
  }

  /** The histogram has only what is seen: the range of the whole image is told to it. */
  #limited(display: Display): Display {
    const [range] = this.#picture.limits;
    return range && range[0] < range[1] ? { ...display, range } : display;
  }
}

/** Short numbers for the address: hundredths of a pixel of the screen. */
function rounded({ y, x, zoom }: Look): Look {
  const digits = Math.max(0, Math.ceil(Math.log10(100 * zoom)));
  return { y: Number(y.toFixed(digits)), x: Number(x.toFixed(digits)), zoom: Number(zoom.toPrecision(5)) };
}

customElements.define("tw-pyramid", Pyramid);
