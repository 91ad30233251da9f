/**
 * A second image, beside the first or over a part of it up to a line that is dragged: the same without filters, or another one.
 *
 * @module
 */

/// <reference lib="dom" />

import type { Dataset } from "@tilewise/tilewise";
import type { TileSource } from "@tilewise/tilewise/web";
import { type Look, lookIn } from "../../draw/look.ts";
import { segments } from "../../parts/buttons.ts";
import { element, setAttribute, setText } from "../../parts/dom.ts";
import { choiceField } from "../../parts/fields.ts";
import { arrowOf, beginDrag } from "../../pictures/drag.ts";
import type { PageState, SecondImage } from "../../state/state.ts";
import { ImagePicture } from "./image_picture.ts";
import { scaleOf } from "./label_overlay.ts";
import { openedImage } from "./opened_image.ts";

/** The name of the image without its filters. */
export const BEFORE = "before";

/** What it is given. */
export interface SecondHost {
  /** Where both pictures are. */
  readonly frame: HTMLElement;
  /** The first picture. */
  readonly first: ImagePicture;
  /** The tiles of a data set without filters. */
  open(dataset: Dataset): Promise<TileSource>;
  /** Another one is chosen, or shown otherwise; undefined: none. */
  changed(second: SecondImage | undefined, done: boolean): void;
  /** It was moved: the same look in the first picture. */
  moved(look: Look | undefined): void;
  /** It cannot be shown. */
  failed(error: unknown): void;
}

/** The second picture, the line between both, and what chooses them. */
export class Second {
  readonly #host: SecondHost;
  readonly #picture: ImagePicture;
  readonly #left = element("span", { class: "side-left" });
  readonly #right = element("span", { class: "side-right" });
  readonly #line = element(
    "div",
    {
      class: "wipe",
      role: "slider",
      tabindex: 0,
      hidden: true,
      "aria-label": "Where one image ends and the other begins",
      "aria-valuemin": 0,
      "aria-valuemax": 100,
    },
    this.#left,
    this.#right,
  );
  readonly #which = choiceField({ label: "Beside this image" }, []);
  readonly #how = segments(
    "Two images",
    [["wipe", "Wipe"], ["side", "Side by side"]],
    (how) => this.#choose(how),
  );
  /** What chooses it. */
  readonly root: HTMLElement = element(
    "section",
    { class: "part", hidden: true },
    element("h2", {}, "Two images"),
    this.#which.root,
    this.#how.root,
  );
  #names = "";
  #second: SecondImage | undefined;
  #dataset: Dataset | undefined;

  /** Shows nothing yet. */
  constructor(host: SecondHost) {
    this.#host = host;
    this.#picture = new ImagePicture(host.failed);
    const { element: picture } = this.#picture;
    picture.classList.add("second");
    picture.addEventListener("look-change", () => {
      const { look } = picture;
      host.moved(look && lookIn(look, 1 / this.#scale));
    });
    this.#which.input.addEventListener("change", () => this.#choose("wipe"));
    this.#line.addEventListener("pointerdown", (event) => this.#drag(event));
    this.#line.addEventListener("keydown", (event) => this.#key(event));
    host.frame.append(this.#line);
    new ResizeObserver(() => this.#fit()).observe(host.first.element);
  }

  /** Shows what the state names, if it is one of these data sets. */
  show(state: PageState, datasets: readonly Dataset[]): void {
    const { opened } = this.#host.first;
    const others = opened ? choicesOf(opened.dataset, datasets, state.filters.length > 0) : [];
    const found = others.find(([name]) => name === state.second?.name);
    this.#second = found && state.second;
    this.#showChoices(others);
    void this.#open(found?.[2], state);
    this.#fit();
  }

  /** Shows nothing. */
  close(): void {
    this.#dataset = undefined;
    this.#picture.close();
  }

  #showChoices(others: readonly Choice[]): void {
    const second = this.#second;
    this.root.hidden = others.length === 0;
    const names = JSON.stringify(others.map(([name, text]) => [name, text]));
    if (names !== this.#names) {
      this.#names = names;
      this.#which.input.replaceChildren(
        ...[["", "No other image"] as const, ...others].map(([value, text]) =>
          element("option", { value }, text)
        ),
      );
    }
    this.#which.input.value = second?.name ?? "";
    this.#how.root.hidden = !second;
    const isWipe = second?.wipe !== undefined;
    this.#how.show(isWipe ? "wipe" : "side");
    const { frame } = this.#host;
    frame.classList.toggle("wiped", isWipe);
    frame.classList.toggle("sides", second !== undefined && !isWipe);
    if (!second) this.#picture.element.remove();
    else if (!this.#picture.element.isConnected) this.#line.before(this.#picture.element);
    this.#picture.element.classList.toggle("left", second?.name === BEFORE);
    this.#line.hidden = !isWipe;
    const isBefore = second?.name === BEFORE;
    setText(this.#left, isBefore ? "Before" : "First");
    setText(this.#right, isBefore ? "After" : "Second");
    const percent = Math.round(100 * (second?.wipe ?? 0.5));
    frame.style.setProperty("--wipe", `${second?.wipe ?? 0.5}`);
    setAttribute(this.#line, "aria-valuenow", `${percent}`);
    setAttribute(this.#line, "aria-valuetext", `${percent} % of the width`);
  }

  async #open(dataset: Dataset | undefined, state: PageState): Promise<void> {
    if (!dataset) return this.close();
    try {
      if (dataset !== this.#dataset) {
        this.#dataset = dataset;
        const source = await this.#host.open(dataset);
        if (this.#dataset !== dataset) return;
        this.#picture.use(openedImage(dataset, source));
      }
      if (!this.#picture.opened) return;
      this.#picture.show(state);
      this.#picture.element.look = state.look && lookIn(state.look, this.#scale);
    } catch (error) {
      if (this.#dataset === dataset) this.#host.failed(error);
    }
  }

  /** Samples of the first image per sample of the second. */
  get #scale(): number {
    const [first, second] = [this.#host.first.opened, this.#picture.opened];
    return first && second ? scaleOf(first.source, second.source) ?? 1 : 1;
  }

  /** Under a line, both pictures have the same place: what is written below them may differ in height. */
  #fit(): void {
    const { frame, first } = this.#host;
    const { bottom } = first.element.place;
    frame.style.setProperty("--below", `${Math.max(0, frame.getBoundingClientRect().bottom - bottom)}px`);
  }

  #choose(how: string): void {
    const name = this.#which.input.value;
    this.#host.changed(name === "" ? undefined : { name, ...(how === "wipe" ? { wipe: 0.5 } : {}) }, true);
  }

  #wipe(wipe: number, done: boolean): void {
    if (!this.#second) return;
    const { name } = this.#second;
    this.#host.changed({ name, wipe: Math.round(1000 * Math.max(0, Math.min(1, wipe))) / 1000 }, done);
  }

  #drag(event: PointerEvent): void {
    if (event.button !== 0) return;
    event.preventDefault();
    this.#line.focus({ preventScroll: true });
    const before = this.#second?.wipe ?? 0.5;
    const { frame } = this.#host;
    beginDrag(event, this.#line, frame, {
      move: ([, x]) => this.#wipe(x / frame.clientWidth, false),
      end: (cancelled) => this.#wipe(cancelled ? before : this.#second?.wipe ?? before, true),
    });
  }

  #key(event: KeyboardEvent): void {
    const [, right] = arrowOf(event) ?? [0, 0];
    if (right === 0) return;
    event.preventDefault();
    this.#wipe((this.#second?.wipe ?? 0.5) + right / 100, true);
  }
}

/** An image that can be shown: its name in the state, its name for people. */
type Choice = readonly [name: string, text: string, dataset: Dataset];

function choicesOf(first: Dataset, datasets: readonly Dataset[], isFiltered: boolean): Choice[] {
  const isPage = ({ array }: Dataset) => /^ifd\d+$/.test(array); // of a TIFF: a part of its series, if there are any
  const others = datasets.filter((one) =>
    one.array !== first.array && one.values.kind !== "label" && one.shape.length >= 2 &&
    isPage(one) === isPage(first)
  );
  return [
    ...(isFiltered ? [[BEFORE, "The same without filters", first] as const] : []),
    ...others.map((one) => [one.array, one.array || "Image", one] as const),
  ];
}
