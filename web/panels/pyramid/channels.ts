/**
 * The list of channels: which are shown, in which colour and range, and in which order they stand.
 *
 * @module
 */

/// <reference lib="dom" />

import { ndarray } from "@tilewise/tilewise/arrays";
import { segments, textButton } from "../../parts/buttons.ts";
import { element, setAttribute, setText } from "../../parts/dom.ts";
import { sortable, type SortableRow } from "./sortable.ts";
import { onPicture, type TilesChannel, type TwHistogram } from "../../pictures/mod.ts";
import type { ChannelLook, ChannelLooks } from "../../state/state.ts";
import { type ChannelAxis, MOST_SHOWN } from "./channel_looks.ts";

/** Whom the list tells. */
export interface ChannelListener {
  /** The channels are shown otherwise; `done` is false while a colour or a range is being chosen. */
  changed(channels: ChannelLooks, done: boolean): void;
  /** They stand in another order. */
  sorted(order: readonly number[]): void;
  /** All that are shown take the range of what is seen. */
  seen(): void;
}

/** The row of a channel. */
interface Row {
  readonly sortable: SortableRow;
  readonly shown: HTMLInputElement;
  readonly colour: HTMLInputElement;
  readonly only: HTMLButtonElement;
  readonly histogram: TwHistogram;
}

/** Channels that can be shown, hidden, coloured and sorted, each with its own histogram and range. */
export class ChannelList {
  readonly #rows = element("ol", { class: "channels" });
  readonly #sortable = sortable(this.#rows, (order) => this.listener.sorted(order));
  readonly #seen = textButton({
    label: "Range of what is seen",
    look: "small",
    press: () => this.listener.seen(),
  });
  readonly #mode = segments(
    "Channels",
    [["all", "Together"], ["one", "One at a time"]],
    (mode) => this.listener.changed(mode === "one" ? "one" : this.#axis?.looks ?? [], true),
  );
  readonly #title = element("h2", {}, "Channels");
  /** All of it. */
  readonly root: HTMLElement = element(
    "section",
    { class: "part", hidden: true },
    this.#title,
    this.#mode.root,
    this.#rows,
    this.#seen,
  );
  #axis: ChannelAxis | undefined;
  #looks: readonly ChannelLook[] = [];
  #parts: readonly Row[] = [];
  #counted = new WeakMap<TwHistogram, Float64Array>();

  /** A list without channels. */
  constructor(readonly listener: ChannelListener) {}

  /** What stands above it. */
  set title(title: string) {
    setText(this.#title, title);
  }

  /** Shows the channels of an image in their order, and how each is shown; without `looks`, one at a time. */
  show(
    axis: ChannelAxis | undefined,
    looks: readonly ChannelLook[] | undefined,
    order: readonly number[] = [],
  ): void {
    this.root.hidden = !axis;
    this.#mode.show(looks ? "all" : "one");
    this.#rows.hidden = this.#seen.hidden = !looks;
    if (axis !== this.#axis) this.#build(axis);
    this.#looks = looks ?? [];
    this.#looks.forEach((look, i) => this.#showRow(this.#parts[i]!, look, i));
    this.#sortable.show(this.#parts.map(({ sortable }) => sortable), order);
  }

  /** Shows the values of channels in the whole image, as far as they are known. */
  count(channels: readonly TilesChannel[], valuesOf: (id: string) => Float64Array | undefined): void {
    if (this.#looks.length === 0) return;
    for (const { id, display } of channels) {
      const { histogram } = this.#parts[Number(id)] ?? {};
      const values = valuesOf(id);
      if (!histogram) continue;
      histogram.display = display;
      if (!values || values.length === 0 || this.#counted.get(histogram) === values) continue;
      this.#counted.set(histogram, values);
      histogram.image = {
        array: ndarray(values, [1, values.length], "float64"),
        title: "",
        axes: [{ name: "y", step: 1, unit: "px" }, { name: "x", step: 1, unit: "px" }],
      };
    }
  }

  #build(axis: ChannelAxis | undefined): void {
    this.#axis = axis;
    this.#counted = new WeakMap();
    this.#parts = (axis?.names ?? []).map((name, i) => this.#row(name, i));
  }

  #row(name: string, i: number): Row {
    const shown = element("input", {
      type: "checkbox",
      "aria-label": `Show ${name}`,
      change: () => this.#change(i, { shown: shown.checked }, true),
    });
    const pick = (done: boolean): void => this.#change(i, { colour: colour.value.slice(1) }, done);
    const colour = element("input", {
      type: "color",
      "aria-label": `Colour of ${name}`,
      input: () => pick(false),
      change: () => pick(true),
    });
    const only = textButton({ label: "Only", look: "quiet small", press: () => this.#only(i) });
    only.title = `Show only ${name}`;
    const histogram = element("tw-histogram") as TwHistogram;
    histogram.label = name;
    onPicture(histogram, "display-change", ({ display: { range }, done }) => this.#range(i, range, done));
    const label = element("span", { class: "name", title: name }, name);
    const sortable = this.#sortable.row(i, name, [shown, colour, label, only, histogram]);
    return { sortable, shown, colour, only, histogram };
  }

  #showRow({ shown, colour, only, histogram }: Row, look: ChannelLook, i: number): void {
    shown.checked = look.shown;
    shown.disabled = !look.shown && this.#looks.filter((one) => one.shown).length >= MOST_SHOWN;
    if (colour.value !== `#${look.colour}`) colour.value = `#${look.colour}`;
    setAttribute(only, "aria-pressed", `${this.#isOnly(i)}`);
    histogram.hidden = !look.shown;
  }

  #change(i: number, change: Partial<ChannelLook>, done: boolean): void {
    this.#tell(this.#looks.with(i, { ...this.#looks[i]!, ...change }), done);
  }

  /** The range of channel `i`; without one, it is that of percentiles. */
  #range(i: number, range: ChannelLook["range"], done: boolean): void {
    const { range: _, ...look } = this.#looks[i]!;
    this.#tell(this.#looks.with(i, { ...look, ...(range ? { range } : {}) }), done);
  }

  #isOnly(i: number): boolean {
    return this.#looks.every(({ shown }, k) => shown === (k === i));
  }

  /** Only channel `i`; pressed again, all as the file says. */
  #only(i: number): void {
    const isOnly = this.#isOnly(i);
    const told = this.#axis?.looks ?? [];
    this.#tell(this.#looks.map((look, k) => ({ ...look, shown: isOnly ? told[k]!.shown : k === i })), true);
  }

  /** An image of which nothing is shown is not asked for: the last channel stays. */
  #tell(looks: readonly ChannelLook[], done: boolean): void {
    this.listener.changed(looks.some(({ shown }) => shown) ? looks : this.#looks.slice(), done);
  }
}
