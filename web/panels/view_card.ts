/**
 * A card with one image: its title, colours, histogram and a line profile.
 *
 * @module
 */

/// <reference lib="dom" />

import type { ShownImage, ShownVectors } from "../draw/image.ts";
import { iconButton } from "../parts/buttons.ts";
import { popover } from "../parts/dialogs.ts";
import { type Child, element, setAttribute } from "../parts/dom.ts";
import { rounded } from "../draw/look.ts";
import { displayOf } from "../draw/maps.ts";
import type { CardView, Display, Position } from "../state/state.ts";
import {
  type NamedRegion,
  onPicture,
  type TwColours,
  type TwHistogram,
  type TwImage,
  type TwProfile,
} from "../pictures/mod.ts";
import { Beside } from "./explore/beside.ts";
import type { Workbench } from "./workbench.ts";

/** Which image of the page it is; the state has its colours under this name. */
type Which = "scan" | "frame";

/** What the cards differ in. */
export interface ViewFacts {
  readonly which: Which;
  /** What it shows, for readers of the screen. */
  readonly label: string;
  /** What is said while there is no image. */
  readonly empty: string;
  /** Buttons in its head. */
  readonly tools: readonly Child[];
  /** Choices below the image. */
  readonly controls: readonly Child[];
}

/** A card with an image. */
export class ViewCard {
  /** The card. */
  readonly root: HTMLElement;
  /** The image. */
  readonly picture: TwImage;
  readonly #histogram = element("tw-histogram") as TwHistogram;
  readonly #profile = element("tw-profile", { hidden: true }) as TwProfile;
  readonly #title = element("h2");
  readonly #empty: HTMLElement;
  readonly #beside: Beside;
  readonly #lineButton: HTMLButtonElement;
  readonly #bench: Workbench;
  readonly #which: Which;
  readonly #label: string;
  #regions: readonly NamedRegion[] = [];
  #image: ShownImage | ShownVectors | undefined;

  /** A card of the workbench. */
  constructor(bench: Workbench, { which, label, empty, tools, controls }: ViewFacts) {
    this.#bench = bench;
    this.#which = which;
    this.#label = label;
    this.picture = element("tw-image", { "aria-label": label }) as TwImage;
    this.#empty = element("p", { class: "empty" }, empty);
    const colours = iconButton("colours", {
      label: `Colours of the ${which === "scan" ? "scan" : "pattern"}`,
      look: "quiet small",
      press: () => {},
    });
    this.#lineButton = iconButton("line", {
      label: "Line profile",
      look: "quiet small",
      press: () => this.toggleLine(),
    });
    setAttribute(this.#lineButton, "aria-pressed", "false");
    const holder = element("div", { class: "picture" }, this.picture, this.#empty);
    this.#beside = new Beside(this.picture, holder);
    this.root = element(
      "section",
      { class: `card view ${which}`, "aria-label": label },
      element("header", {}, this.#title, ...tools, this.#lineButton, colours),
      holder,
      element(
        "div",
        { class: "under" },
        element("div", { class: "choices" }, ...controls),
        this.#profile,
        this.#histogram,
      ),
      popover(colours, "Colours", () => [this.#colours()]),
    );
    this.#listen();
    this.setImage(undefined);
  }

  /** Shows an image, and others beside it; `undefined`: none. */
  setImage(
    image: ShownImage | ShownVectors | undefined,
    note: string = "",
    beside: readonly (ShownImage | ShownVectors)[] = [],
    title: string = image?.title ?? this.#label,
  ): void {
    this.#image = image;
    this.dim(false);
    this.picture.image = image;
    this.#beside.show(beside);
    this.#showDisplay();
    this.#histogram.image = image;
    this.#showView();
    this.picture.hidden = image === undefined;
    this.#empty.hidden = image !== undefined;
    this.#title.replaceChildren(
      title,
      ...(note ? [element("span", { class: "of" }, ` · ${note}`)] : []),
    );
  }

  /** Shows that the image is no answer to what is asked now, or that it is. */
  dim(isOld: boolean): void {
    this.root.classList.toggle("old", isOld);
    setAttribute(this.picture, "aria-busy", isOld && "true");
  }

  /** Shows a position as a cross-hair. */
  set position(position: Position) {
    this.picture.position = position;
    this.#beside.follow();
  }

  /** Shows regions that can be dragged. */
  setRegions(regions: readonly NamedRegion[]): void {
    this.#regions = regions;
    this.#showRegions();
  }

  /** Shows the line of a profile, or takes it away. */
  toggleLine(): void {
    const { image } = this.picture;
    if (this.#view.line) this.#look({ line: undefined }, "line");
    else if (image) {
      const [rows, columns] = sizeOf(image);
      const [middle, from] = [Math.floor(rows / 2), Math.floor(columns / 8)];
      this.#look({ line: [[middle, from], [middle, columns - 1 - from]] }, "line");
    }
    this.#bench.store.endGroup();
  }

  /** How the state says that the image is looked at. */
  get #view(): CardView {
    return this.#bench.store.state.views[this.#which] ?? {};
  }

  #look(change: { readonly [K in keyof CardView]: CardView[K] | undefined }, group: string): void {
    const { store } = this.#bench;
    const { view, line } = { ...this.#view, ...change };
    const next = { ...(view ? { view } : {}), ...(line ? { line } : {}) };
    store.update({ views: { ...store.state.views, [this.#which]: next } }, `${this.#which}-${group}`);
  }

  /** Shows the part of the image, and the line, that the state names. */
  #showView(): void {
    const { line, view } = this.#view;
    this.#beside.look = view;
    this.#profile.hidden = line === undefined;
    setAttribute(this.#lineButton, "aria-pressed", `${line !== undefined}`);
    this.#profile.image = line && this.picture.image;
    this.#profile.line = line;
    this.#showRegions();
  }

  #showRegions(): void {
    const { line } = this.#view;
    const [from, to] = line ?? [];
    const ends = from && to
      ? [
        { id: "line-0", label: "Start of the line", region: { kind: "point", y: from[0], x: from[1] } },
        { id: "line-1", label: "End of the line", region: { kind: "point", y: to[0], x: to[1] } },
      ] satisfies NamedRegion[]
      : [];
    this.picture.line = line;
    this.picture.regions = [...this.#regions, ...ends];
    this.#beside.follow();
  }

  #listen(): void {
    const { store } = this.#bench;
    onPicture(this.picture, "region-change", ({ id, region, done }) => {
      const { line } = this.#view;
      if (!line || region.kind !== "point" || !id.startsWith("line-")) return;
      const end: Position = [region.y, region.x];
      this.#look({ line: id === "line-0" ? [end, line[1]] : [line[0], end] }, id);
      if (done) store.endGroup();
    });
    onPicture(this.root, "look-change", ({ look }) => this.#look({ view: look && rounded(look) }, "view"));
    onPicture(this.#histogram, "display-change", (detail) => this.#setDisplay(detail));
    store.listen((state, before) => {
      if (state[this.#which] !== before[this.#which]) this.#showDisplay();
      if (state.views !== before.views) this.#showView();
    });
  }

  #setDisplay({ display, done }: { readonly display: Display; readonly done: boolean }): void {
    const { store } = this.#bench;
    const isSame = display.colormap === this.#display.colormap;
    const { colormap } = isSame ? store.state[this.#which] : display; // "auto" stays until another map is chosen
    store.update({ [this.#which]: { ...display, colormap } }, `${this.#which}-display`);
    if (done) store.endGroup();
  }

  /** What the state says, with colours for this image. */
  get #display(): Display {
    return displayOf(this.#image, this.#bench.store.state[this.#which]);
  }

  #showDisplay(): void {
    const display = this.#histogram.display = this.#beside.paint(this.#display);
    const colours = this.root.querySelector("tw-colours") as TwColours | null;
    if (colours) colours.display = display;
  }

  #colours(): HTMLElement {
    const colours = element("tw-colours") as TwColours;
    colours.display = this.#display;
    onPicture(colours, "display-change", (detail) => this.#setDisplay(detail));
    return colours;
  }
}

/** Rows and columns of an image. */
export function sizeOf(image: ShownImage | ShownVectors): readonly [number, number] {
  const [rows = 1, columns = 1] = ("array" in image ? image.array : image.y).shape;
  return [rows, columns];
}
