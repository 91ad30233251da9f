/**
 * The objects of the image that is shown: found, laid over it, and chosen in it or in their table.
 *
 * @module
 */

/// <reference lib="dom" />

import type { Dataset } from "@tilewise/tilewise";
import type { TileSource } from "@tilewise/tilewise/web";
import { download } from "../../../export/download.ts";
import type { ObjectChoice, PageState } from "../../../state/state.ts";
import type { Workbench } from "../../workbench.ts";
import type { FoundObjects } from "./find_objects.ts";
import { newFilter, writeFilter } from "../filter_words.ts";
import type { ImagePicture } from "../image_picture.ts";
import type { FoundLabels } from "../labels.ts";
import { ObjectFinder } from "./object_finder.ts";
import { ObjectsPart, tableFile } from "./objects.ts";
import type { Tiles } from "../opening.ts";
import { baseOf, copied, recipeOf } from "../recipe_of_seen.ts";
import { positionIn } from "../stack_axis.ts";

/** What it is given. */
export interface ObjectsHost {
  readonly image: ImagePicture;
  bench(): Workbench;
  tiles(): Tiles | undefined;
  /** The tiles of a data set without filters. */
  plain(dataset: Dataset): Promise<TileSource>;
  /** Changes the state. */
  update(change: Parameters<Workbench["store"]["update"]>[0], done: boolean): void;
  /** Other labels are there, or none. */
  found(): void;
  /** These labels will not be shown any more. */
  forget(labels: Dataset): void;
}

/** The name of the labels in the state. */
const NAME = "objects";

/** How they lie over the image at first. */
const OVER = { name: NAME, opacity: 1, outline: true } as const;

/** Objects. */
export class ObjectsOfImage {
  readonly #host: ObjectsHost;
  readonly #finder: ObjectFinder;
  readonly #part = new ObjectsPart({
    changed: (objects, done) => this.#set(objects, done),
    chosen: (label) => this.#choose(label),
    save: () => this.#save(),
    command: () => void this.#copy(),
  });

  /** Looks for nothing yet. */
  constructor(host: ObjectsHost) {
    this.#host = host;
    this.#finder = new ObjectFinder(host.tiles, {
      begun: () => this.#part.say("Looking for objects …"),
      found: (objects) => this.#found(objects),
      failed: (error) => this.#part.say(error instanceof Error ? error.message : String(error)),
      plain: () => host.plain(host.image.opened!.dataset),
    });
  }

  /** All of it. */
  get root(): HTMLElement {
    return this.#part.root;
  }

  /** Their labels, as far as they are found. */
  get labels(): readonly FoundLabels[] {
    const dataset = this.#finder.found?.labels;
    return dataset ? [{ array: NAME, name: "object", dataset }] : [];
  }

  /** The object that is chosen. */
  get chosen(): number | undefined {
    return this.#state.objects?.chosen;
  }

  /** An object was clicked in the image. */
  picked(label: number): void {
    const { objects, overlay } = this.#state;
    if (objects && overlay?.name === NAME) {
      this.#host.update({ objects: { ...objects, chosen: label } }, true);
    }
  }

  /** Shows what the state says, and looks for objects if it asks for them. */
  show(state: PageState): void {
    const { opened } = this.#host.image;
    const channel = this.#channel(state);
    this.root.hidden = opened?.dataset.axes.every(({ kind }) => kind === "other") ?? false; // such as uv coverage: no picture of things
    this.#part.show(state.objects, opened?.axis, channel);
    const { objects, filters } = state;
    if (!objects || !opened) return this.#finder.ask(undefined);
    const { source, dataset } = opened;
    const selection = this.#selection(state);
    this.#finder.ask({
      image: filters.length === 0 ? source : undefined,
      filtered: source,
      axes: dataset.axes,
      selection,
      threshold: objects.threshold,
      key: JSON.stringify([objects.threshold, selection]),
    });
  }

  get #state(): PageState {
    return this.#host.bench().store.state;
  }

  /** The channel that objects are looked for in. */
  #channel(state: PageState): number {
    const { opened } = this.#host.image;
    const { axis } = opened ?? {};
    if (!axis) return 0;
    const looks = this.#host.image.looks(state);
    const shown = looks ? looks.findIndex((look) => look.shown) : state.stack[axis.label] ?? 0;
    return Math.min(axis.names.length - 1, Math.max(0, state.objects?.channel ?? shown));
  }

  #selection(state: PageState): Readonly<Record<string, number>> {
    const { axis, stack } = this.#host.image.opened!;
    const all = Object.fromEntries(stack.map((one) => [one.label, positionIn(state.stack, one)]));
    return axis ? { ...all, [axis.label]: this.#channel(state) } : all;
  }

  /** Looks for objects: at first in a blurred image, as noise has many of them. */
  #set(objects: ObjectChoice | undefined, done: boolean): void {
    const state = this.#state;
    if (!objects) {
      const isOver = state.overlay?.name === NAME;
      return this.#host.update({ objects, ...(isOver ? { overlay: undefined } : {}) }, true);
    }
    if (state.objects) return this.#host.update({ objects }, done);
    const labels = this.#host.image.opened?.source.labels ?? [];
    const blur = writeFilter(newFilter("gaussian", labels));
    const filters = state.filters.length > 0 ? state.filters : [blur];
    this.#host.update({ objects, filters, overlay: OVER }, true);
  }

  #found(objects: FoundObjects | undefined): void {
    const before = this.#shownLabels;
    this.#shownLabels = objects?.labels;
    if (before) this.#host.forget(before);
    this.#part.found = objects;
    this.#host.found();
  }

  #shownLabels: Dataset | undefined;

  /** Chooses an object of the table: the image moves there, and zooms in where it would be too small to see. */
  #choose(label: number): void {
    const { columns } = this.#finder.found ?? {};
    const { objects } = this.#state;
    const row = columns ? Array.prototype.indexOf.call(columns["label"], label) : -1;
    if (!columns || !objects || row < 0) return;
    const at = (name: string) => Number(columns[name]?.[row]);
    const side = Math.max(at("size_y"), at("size_x"));
    const look = this.#host.image.element.lookAt([at("centroid_y"), at("centroid_x")], side);
    this.#host.update({ objects: { ...objects, chosen: label }, look }, true);
  }

  #save(): void {
    const { found } = this.#finder;
    if (!found) return;
    const file = tableFile(`${baseOf(this.#host.bench())}-objects.csv`, found);
    download([file]);
    this.#host.bench().say(`${file.name} saved`);
  }

  async #copy(): Promise<void> {
    const bench = this.#host.bench();
    const { opened } = this.#host.image;
    if (!opened || !bench.store.state.objects) return;
    const { objectsCommand } = await import("../../../export/seen.ts");
    const state = bench.store.state;
    const recipe = {
      ...recipeOf(bench, opened),
      selection: this.#selection(state),
      axes: opened.dataset.axes,
    };
    const base = `${baseOf(bench)}-objects`;
    const text = objectsCommand(recipe, state.objects!.threshold, `${base}.csv`);
    bench.say(await copied(text, base));
  }
}
