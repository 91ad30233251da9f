/**
 * Images of any size, with or without a pyramid: panned and zoomed, in channels, with filters over the tiles that are seen.
 *
 * @module
 */

/// <reference lib="dom" />

import type { Dataset } from "@tilewise/tilewise";
import type { TileSource } from "@tilewise/tilewise/web";
import { type Look, rounded } from "../draw/look.ts";
import { textButton } from "../parts/buttons.ts";
import { element } from "../parts/dom.ts";
import { onPicture } from "../pictures/mod.ts";
import { keptIn, Newest } from "../state/newest.ts";
import type { Overlay, PageState } from "../state/state.ts";
import { SeenExport, type SeenImage } from "./pyramid/export_seen.ts";
import { FilterList } from "./pyramid/filters.ts";
import { ImagePicture } from "./pyramid/image_picture.ts";
import { LabelOverlay } from "./pyramid/label_overlay.ts";
import { LabelChoice, labelsIn } from "./pyramid/labels.ts";
import { LooksOfImage } from "./pyramid/looks_of_image.ts";
import { ObjectsOfImage } from "./pyramid/objects/objects_of_image.ts";
import { openedImage, withTiles } from "./pyramid/opened_image.ts";
import { Tiles } from "./pyramid/opening.ts";
import { BEFORE } from "./pyramid/second/choices.ts";
import { USUAL } from "./pyramid/second/overlap.ts";
import { Second } from "./pyramid/second/second.ts";
import { Selection } from "./pyramid/selection.ts";
import { SkyOfImage } from "./pyramid/sky/sky_of_image.ts";
import { positionIn } from "./pyramid/stack_axis.ts";
import type { Panel, Workbench } from "./workbench.ts";

/** An image in tiles, and what is done to it. */
export class Pyramid extends HTMLElement implements Panel {
  #bench!: Workbench;
  readonly #image = new ImagePicture((error) => this.#bench.fail(error));
  readonly #picture = this.#image.element;
  readonly #wipe = textButton({ label: "Before and after", look: "small", press: () => this.#wiped() });
  readonly #filters = new FilterList((words, done) => this.#setFilters(words, done), this.#wipe);
  readonly #selection = new Selection({
    pictureOf: (axis) => this.#image.opened?.stack.includes(axis) ? this.#image : this.#second.picture,
    state: () => this.#bench.store.state,
    changed: (label, position, done) => this.#setStack(label, position, done),
  });
  readonly #looks = new LooksOfImage({
    image: this.#image,
    looks: () => this.#bench.store.state,
    changed: (change, group, done) => this.#update(change, group, done),
  });
  readonly #labels = new LabelChoice((overlay, done) => this.#setOverlay(overlay, done));
  #overlay: LabelOverlay | undefined;
  readonly #export = new SeenExport(() => this.#bench, this.#picture, () => this.#seenImage);
  readonly #frame = element("div", { class: "picture" }, this.#picture);
  readonly #second = new Second({
    frame: this.#frame,
    first: this.#image,
    open: (dataset) => this.#plain(dataset),
    close: (dataset) => this.#forget(dataset),
    changed: (second, done) => this.#update({ second }, "second", done),
    followed: (second) => this.#bench.store.update({ second }),
    opened: () => this.#showChannels(),
    failed: (error) => this.#bench.fail(error),
  });
  readonly #objects = new ObjectsOfImage({
    image: this.#image,
    bench: () => this.#bench,
    tiles: () => this.#tiles,
    plain: (dataset) => this.#plain(dataset),
    update: (change, done) => this.#update(change, "objects", done),
    found: () => this.#showLabels(),
    forget: (labels) => void this.#overlay?.forget(labels),
  });
  readonly #sky = new SkyOfImage({
    image: this.#image,
    bench: () => this.#bench,
    update: (change) => this.#update(change, "sky", true),
  });
  #tiles: Tiles | undefined;
  readonly #overlaid = new Newest();
  /** Tiles without filters. */
  readonly #without = new Map<Dataset, Promise<TileSource>>();
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

  /** Another image of the stack. */
  step(by: number): void {
    this.#selection.step(by);
  }

  /** Plays the stack, or stops. */
  play(): void {
    this.#selection.toggle();
  }

  /** Ends what was begun. */
  disconnectedCallback(): void {
    this.#selection.stop();
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
        this.#frame,
      ),
      element(
        "aside",
        { class: "card side", "aria-label": "Image, filters and colours" },
        this.#objects.root,
        this.#sky.root,
        this.#looks.channels,
        this.#selection.root,
        this.#filters.root,
        this.#second.root,
        this.#labels.root,
        this.#looks.values,
        this.#export.root,
      ),
    );
    onPicture(this.#picture, "look-change", ({ look }) => this.#moved(look));
    onPicture(this.#picture, "label-pick", ({ label }) => this.#objects.picked(label));
    onPicture(this.#picture, "mark-pick", ({ mark }) => this.#sky.picked(mark));
    this.#picture.addEventListener(
      "samples-change",
      () => this.#selection.show(this.#bench.store.state.stack),
    );
  }

  #changed(state: PageState, before: PageState): void {
    this.#show(state);
    if (state.filters !== before.filters) void this.#open();
  }

  #show({ look, filters, second }: PageState): void {
    this.#picture.look = look;
    this.#filters.show(filters);
    this.#wipe.hidden = filters.length === 0;
    this.#wipe.setAttribute("aria-pressed", `${second?.name === BEFORE}`);
    this.#showChannels();
  }

  #moved(look: Look | undefined): void {
    this.#bench.store.update({ look: look && rounded(look) }, "look");
  }

  /** Shows the image without filters over its left half, or not any more. */
  #wiped(): void {
    const isShown = this.#bench.store.state.second?.name === BEFORE;
    this.#update({ second: isShown ? undefined : { name: BEFORE, ...USUAL } }, "second", true);
  }

  #setOverlay(overlay: Overlay | undefined, done: boolean): void {
    this.#update({ overlay }, "overlay", done);
  }

  #setStack(label: string, position: number, done: boolean): void {
    this.#update({ stack: { ...this.#bench.store.state.stack, [label]: position } }, "stack", done);
  }

  #update(change: Parameters<Workbench["store"]["update"]>[0], group: string, done: boolean): void {
    const { store } = this.#bench;
    store.update(change, group);
    if (done) store.endGroup();
  }

  #setFilters(words: readonly string[], done: boolean): void {
    this.#update({ filters: words }, "filters", done);
  }

  /**
   * Opens the tiles of the data set with the filters of the state; the image before is seen until then. Without one, as after a
   * reload, it is seen without filters that are wrong.
   */
  async #open(filters: readonly string[] = this.#bench.store.state.filters, wrong?: string): Promise<void> {
    const dataset = this.#bench.session?.dataset;
    if (!dataset) return this.#closeStore();
    try {
      const source = await this.#tiles?.open(dataset, filters);
      if (!source) return;
      this.#filters.wrong(wrong);
      this.#use(dataset, source);
    } catch (error) {
      if (filters.length === 0) return this.#bench.fail(error);
      const why = error instanceof Error ? error.message : String(error);
      if (this.#image.opened?.dataset === dataset) this.#filters.wrong(why);
      else if (filters === this.#bench.store.state.filters) await this.#open([], why);
    }
  }

  #use(dataset: Dataset, source: TileSource): void {
    const before = this.#image.opened;
    const isOther = before?.dataset !== dataset;
    this.#image.use(isOther ? openedImage(dataset, source) : withTiles(before, source));
    if (isOther) {
      this.#overlay = new LabelOverlay(source, this.#tiles!, {
        changed: () => this.#picture.tilesChanged(),
        failed: (error) => this.#bench.fail(error),
      });
      void this.#offerOthers(dataset);
    }
    this.#filters.labels = source.labels;
    this.#showChannels();
  }

  /** Images of other sources, which can be the second one. */
  async #offerOthers(dataset: Dataset): Promise<void> {
    this.#second.offer(undefined);
    const others = await this.#bench.others().catch(() => []); // it is an offer
    if (this.#image.opened?.dataset !== dataset) return;
    this.#second.offer(others);
    this.#showChannels();
  }

  /** The tiles of a data set without filters, opened once. */
  #plain(dataset: Dataset): Promise<TileSource> {
    return keptIn(this.#without, dataset, () => this.#tiles!.openOther(dataset));
  }

  /** Closes the tiles of a data set that is not beside the image any more. */
  #forget(dataset: Dataset): void {
    const found = this.#without.get(dataset);
    if (!found || dataset === this.#image.opened?.dataset) return;
    this.#without.delete(dataset);
    found.then((source) => this.#tiles?.closeOther(source), () => {}); // whoever opened it hears why
  }

  /** What is seen, for files of it: all channels that can be shown together, or the one that is shown. */
  get #seenImage(): SeenImage | undefined {
    const { opened } = this.#image;
    if (!opened) return undefined;
    const { axis, stack, facts } = opened;
    const { state } = this.#bench.store;
    const all = this.#looks.together && axis ? { label: axis.label, size: axis.names.length } : undefined;
    const others = stack.filter(({ label }) => label !== all?.label);
    const selection = Object.fromEntries(others.map((one) => [one.label, positionIn(state.stack, one)]));
    return {
      opened,
      facts,
      part: { ...this.#picture.seenPart, selection, ...(all ? { all } : {}) },
    };
  }

  /** Shows the image of the stack, and the channels of it, that are chosen. */
  #showChannels(): void {
    const { axis, stack = [] } = this.#image.opened ?? {};
    const { state } = this.#bench.store;
    this.#image.show(state);
    this.#looks.show();
    this.#second.show(state, this.#bench.session?.datasets ?? []);
    const own = this.#looks.together ? stack.filter(({ label }) => label !== axis?.label) : stack;
    this.#selection.axes = [...own, ...this.#second.stackBeside(own)];
    this.#selection.show(state.stack);
    this.#objects.show(state);
    this.#sky.show(state);
    this.#showLabels();
  }

  /** Shows the labels that are chosen; those of another shape are refused. */
  #showLabels(): void {
    const { overlay, stack } = this.#bench.store.state;
    const all = [...labelsIn(this.#bench.session?.datasets ?? []), ...this.#objects.labels];
    const found = all.find(({ array }) => array === overlay?.name);
    this.#labels.show(all, overlay);
    const labels = this.#overlay;
    void this.#overlaid.begin(
      async () => overlay && found && await labels?.opened(found),
      (source) => {
        const { chosen } = this.#objects;
        this.#picture.labels = source && {
          ...labels!.shown(found!, source, overlay!, stack),
          ...(chosen === undefined ? {} : { chosen }),
        };
      },
      (error) => this.#bench.fail(error),
    );
  }

  #closeStore(): void {
    this.#overlaid.stop();
    this.#second.close();
    this.#image.close();
    for (const dataset of this.#without.keys()) this.#forget(dataset);
  }
}

customElements.define("tw-pyramid", Pyramid);
