/**
 * A second image, beside the first or over a part of it: the same without filters, another one of the source, or that of another
 * source. It has looks of its own and is moved with the first.
 *
 * @module
 */

/// <reference lib="dom" />

import type { Dataset } from "@tilewise/tilewise";
import type { TileSource } from "@tilewise/tilewise/web";
import { covering } from "../../../draw/look.ts";
import { adviceFor, isCancelled } from "../../../open/failures.ts";
import { nameOf } from "../../../open/sources.ts";
import { element, setText } from "../../../parts/dom.ts";
import { choiceField } from "../../../parts/fields.ts";
import { type PageState, type SecondImage, START } from "../../../state/state.ts";
import type { OtherImage } from "../../workbench.ts";
import { ImagePicture } from "../image_picture.ts";
import { linkOf } from "./link.ts";
import { Overlap, type Part, USUAL } from "./overlap.ts";
import { type StackLink, stackLink } from "./stack_link.ts";
import { LooksOfImage } from "../looks_of_image.ts";
import { openedImage } from "../opened_image.ts";
import { BEFORE, type Choice, choicesOf, keyOf, whyNot } from "./choices.ts";
import type { StackAxis } from "../stack_axis.ts";

/** What it is given. */
export interface SecondHost {
  /** Where both pictures are. */
  readonly frame: HTMLElement;
  /** The first picture. */
  readonly first: ImagePicture;
  /** The tiles of a data set without filters. */
  open(dataset: Dataset): Promise<TileSource>;
  /** They are not needed any more. */
  close(dataset: Dataset): void;
  /** Another one is chosen, or shown otherwise; undefined: none. */
  changed(second: SecondImage | undefined, done: boolean): void;
  /** Its lens has followed the pointer, which nobody wants to undo. */
  followed(second: SecondImage): void;
  /** It is open. */
  opened(): void;
  /** Some of it cannot be read. */
  failed(error: unknown): void;
}

/** An image that is opened, or is open. */
interface Opening {
  readonly key: string;
  readonly control: AbortController;
  /** Whose tiles are to be closed. */
  dataset?: Dataset;
}

/** The second picture, and what chooses it. */
export class Second {
  readonly #host: SecondHost;
  /** The second picture. */
  readonly picture: ImagePicture;
  readonly #looks: LooksOfImage;
  readonly #overlap: Overlap;
  readonly #which = choiceField({ label: "Beside this image" }, []);
  readonly #said = element("p", { class: "hint", role: "status" });
  /** What chooses it, and how it is shown. */
  readonly root: HTMLElement;
  #choices: readonly Choice[] = [];
  /** Images of other sources; undefined: nobody knows them yet. */
  #others: readonly OtherImage[] | undefined;
  #second: SecondImage | undefined;
  /** What is open, or being opened. */
  #open: Opening | undefined;
  /** Why it cannot be shown. */
  #refusal = "";

  /** Shows nothing yet. */
  constructor(host: SecondHost) {
    this.#host = host;
    this.picture = new ImagePicture(host.failed);
    this.picture.element.classList.add("second");
    this.#looks = new LooksOfImage({
      image: this.picture,
      looks: () => ({ ...this.#second, scan: this.#second?.scan ?? START.scan }),
      changed: (change, _, done) => this.#second && host.changed({ ...this.#second, ...change }, done),
    });
    this.#overlap = new Overlap({
      frame: host.frame,
      first: host.first.element,
      changed: (part, done) => this.#second && host.changed(withPart(this.#second, part), done),
      followed: (part) => this.#second && host.followed(withPart(this.#second, part)),
    });
    this.root = element(
      "section",
      { class: "part", hidden: true, "aria-label": "Two images" },
      element("h2", {}, "Two images"),
      this.#which.root,
      ...this.#overlap.controls,
      this.#said,
      this.#looks.channels,
      this.#looks.values,
    );
    this.#which.input.addEventListener("change", () => this.#choose());
    new ResizeObserver(() => this.#fit()).observe(host.first.element);
  }

  /** Takes the images of other sources that can be beside the first; undefined: they are not known yet. */
  offer(others: readonly OtherImage[] | undefined): void {
    this.#others = others;
  }

  /** The dimensions of the second image for which there is no slider among `first`. */
  stackBeside(first: readonly StackAxis[]): readonly StackAxis[] {
    const { opened } = this.picture;
    if (!opened || !this.#second) return [];
    const labels = [
      ...first.map(({ label }) => label),
      ...(this.#looks.together ? [opened.axis?.label] : []),
    ];
    return opened.stack.filter(({ label }) => !labels.includes(label));
  }

  /** What the second image shows of the state. */
  stateOf(state: PageState): PageState {
    if (!state.second || state.second.name === BEFORE) return state;
    const { channels: _, ...others } = state;
    const { channels, scan = START.scan } = state.second;
    const { stack } = this.#stackLink(state);
    return { ...others, stack, scan, ...(channels ? { channels } : {}) };
  }

  #stackLink({ stack }: PageState): StackLink {
    return stackLink(this.#host.first.opened?.stack ?? [], this.picture.opened?.stack ?? [], stack);
  }

  /** Shows what the state names, if it is one of these data sets, or of the other sources. */
  show(state: PageState, datasets: readonly Dataset[]): void {
    const { opened } = this.#host.first;
    const choices = opened
      ? choicesOf(opened.dataset, datasets, state.filters.length > 0, this.#others ?? [])
      : [];
    const key = state.second && keyOf(state.second);
    const found = choices.find((choice) => choice.key === key);
    if (found) void this.#show(found, state);
    else this.close();
    if (found && state.second) this.#second = state.second;
    this.#showChoices(choices, found);
    this.#say(found, state);
    this.#showLooks(found);
    this.#fit();
  }

  /** Shows nothing. */
  close(): void {
    this.#open?.control.abort();
    if (this.#open?.dataset) this.#host.close(this.#open.dataset);
    this.#open = undefined;
    this.#second = undefined;
    this.#refusal = "";
    this.picture.close();
  }

  #showChoices(choices: readonly Choice[], found: Choice | undefined): void {
    const namesOf = (all: readonly Choice[]) => JSON.stringify(all.map(({ key, text }) => [key, text]));
    const isSame = namesOf(choices) === namesOf(this.#choices);
    this.#choices = choices;
    if (!isSame) {
      const option = ({ key, text }: Choice) => element("option", { value: key }, text);
      const [own, others] = [false, true].map((isOther) =>
        choices.filter(({ image }) => !!image.of === isOther).map(option)
      );
      this.#which.input.replaceChildren(
        element("option", { value: "" }, "No other image"),
        ...own!,
        ...(others!.length > 0 ? [element("optgroup", { label: "Other files" }, ...others!)] : []),
      );
    }
    this.#which.input.value = found?.key ?? "";
    this.#showFrame(found);
  }

  /** Places both pictures, once the second one is open. */
  #showFrame(found: Choice | undefined): void {
    const second = this.#refusal === "" ? this.#second : undefined;
    const { first } = this.#host;
    const { element: picture } = this.picture;
    if (!second) picture.remove();
    else if (!picture.isConnected) this.#overlap.handle.before(picture);
    const isBefore = second?.name === BEFORE;
    picture.classList.toggle("left", isBefore);
    const names = found?.image.of
      ? [first.opened?.facts.title ?? "First", found.text] as const
      : isBefore
      ? ["Before", "After"] as const
      : ["First", "Second"] as const;
    this.#overlap.show(second, names, isBefore);
  }

  /** Says how both are linked, or why there is no second image. */
  #say(found: Choice | undefined, state: PageState): void {
    const { second: wanted } = state;
    const [{ opened: first }, { opened: second }] = [this.#host.first, this.picture];
    const isMissing = wanted?.of !== undefined && !found && this.#others !== undefined;
    const name = wanted?.of?.kind === "file" ? wanted.of.path : wanted?.of && nameOf(wanted.of);
    const link = found && first && second && linkOf(first, second, !found.image.of);
    if (link) {
      this.picture.element.follow(this.#host.first.element, found.key === BEFORE ? covering(1) : link.places);
    }
    const text = isMissing
      ? `${name} is not among the files that are open: open both together.`
      : this.#refusal ||
        (link && found.key !== BEFORE ? [link.text, this.#stackLink(state).text].join(" ").trim() : "");
    setText(this.#said, text);
    this.#said.hidden = text === "";
    this.root.hidden = this.#choices.length === 0 && !isMissing;
  }

  #showLooks(found: Choice | undefined): void {
    const isOwn = found && found.key !== BEFORE && this.picture.opened && this.#refusal === "";
    if (isOwn) return this.#looks.show(found.text);
    this.#looks.channels.hidden = this.#looks.values.hidden = true;
  }

  async #show(choice: Choice, state: PageState): Promise<void> {
    const { key } = choice;
    if (this.#open?.key === key) {
      if (this.picture.opened) this.picture.show(this.stateOf(state));
      return;
    }
    this.close();
    const open: Opening = this.#open = { key, control: new AbortController() };
    const isOver = () => this.#open !== open;
    try {
      const dataset = await choice.open(open.control.signal);
      const first = this.#host.first.opened?.dataset;
      if (isOver() || !first) return;
      this.#refusal = choice.image.of ? whyNot(first, dataset, choice.text) : "";
      if (this.#refusal === "") {
        open.dataset = dataset;
        const source = await this.#host.open(dataset);
        if (isOver()) return this.#host.close(dataset);
        this.picture.use(openedImage(dataset, source));
      }
    } catch (error) {
      if (isOver() || isCancelled(error)) return;
      this.#refusal = `${choice.text}: ${adviceFor(error).title}`;
    }
    this.#host.opened();
  }

  /** Over each other, both pictures have the same place: what is written below them may differ in height. */
  #fit(): void {
    const { frame, first } = this.#host;
    const { bottom } = first.element.place;
    frame.style.setProperty("--below", `${Math.max(0, frame.getBoundingClientRect().bottom - bottom)}px`);
    this.picture.element.tilesChanged();
  }

  #choose(): void {
    const { value } = this.#which.input;
    const image = this.#choices.find(({ key }) => key === value)?.image;
    this.#host.changed(image && withPart(image, this.#second ?? USUAL), true);
  }
}

/** An image of which another part is seen. */
function withPart({ wipe: _, lens: __, ...image }: SecondImage, { wipe, lens }: Part): SecondImage {
  return { ...image, ...(wipe === undefined ? {} : { wipe }), ...(lens ? { lens } : {}) };
}
