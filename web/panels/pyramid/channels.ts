/**
 * The list of channels: which are shown, in which colour, and the one whose range is set.
 *
 * @module
 */

/// <reference lib="dom" />

import { type ChannelAxis, MOST_SHOWN } from "./channel_looks.ts";
import { segments, textButton } from "../../parts/buttons.ts";
import { element, setAttribute } from "../../parts/dom.ts";
import type { ChannelLook, ChannelLooks } from "../../state/state.ts";

/** Whom the list tells. */
export interface ChannelListener {
  /** The channels are shown otherwise; `done` is false while a colour is being chosen. */
  changed(channels: ChannelLooks, done: boolean): void;
  /** The range of another channel is to be set. */
  chosen(): void;
}

/** The row of a channel. */
interface Row {
  readonly root: HTMLElement;
  readonly shown: HTMLInputElement;
  readonly colour: HTMLInputElement;
  readonly name: HTMLButtonElement;
}

/** Channels that can be shown, hidden and coloured. */
export class ChannelList {
  readonly #rows = element("ol", { class: "channels" });
  readonly #mode = segments(
    "Channels",
    [["all", "Together"], ["one", "One at a time"]],
    (mode) => this.listener.changed(mode === "one" ? "one" : this.#axis?.looks ?? [], true),
  );
  /** All of it. */
  readonly root: HTMLElement = element(
    "section",
    { class: "part", hidden: true },
    element("h2", {}, "Channels"),
    this.#mode.root,
    this.#rows,
  );
  #axis: ChannelAxis | undefined;
  #looks: readonly ChannelLook[] = [];
  #parts: readonly Row[] = [];
  #active = 0;

  /** A list without channels. */
  constructor(readonly listener: ChannelListener) {}

  /** Shows the channels of an image, and how each is shown; without `looks`, one at a time. */
  show(axis: ChannelAxis | undefined, looks: readonly ChannelLook[] | undefined): void {
    this.root.hidden = !axis;
    this.#mode.show(looks ? "all" : "one");
    this.#rows.hidden = !looks;
    if (axis !== this.#axis) this.#build(axis);
    this.#looks = looks ?? [];
    if (!this.#looks[this.#active]?.shown) {
      this.#active = Math.max(
        0,
        this.#looks.findIndex(({ shown }) => shown),
      );
    }
    this.#looks.forEach((look, i) => this.#showRow(this.#parts[i]!, look, i));
  }

  /** The channel whose range is set. */
  get active(): number {
    return this.#active;
  }

  #build(axis: ChannelAxis | undefined): void {
    this.#axis = axis;
    this.#active = 0;
    this.#parts = (axis?.names ?? []).map((name, i) => this.#row(name, i));
    this.#rows.replaceChildren(...this.#parts.map(({ root }) => root));
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
    const choose = element("button", {
      type: "button",
      class: "button quiet small name",
      title: `Range of ${name}`,
      click: () => this.#choose(i),
    }, name);
    const only = textButton({ label: "Only", look: "quiet small", press: () => this.#only(i) });
    only.title = `Show only ${name}`;
    return { root: element("li", {}, shown, colour, choose, only), shown, colour, name: choose };
  }

  #showRow({ shown, colour, name }: Row, look: ChannelLook, i: number): void {
    shown.checked = look.shown;
    shown.disabled = !look.shown && this.#looks.filter((one) => one.shown).length >= MOST_SHOWN;
    if (colour.value !== `#${look.colour}`) colour.value = `#${look.colour}`;
    setAttribute(name, "aria-pressed", `${i === this.#active}`);
  }

  #change(i: number, change: Partial<ChannelLook>, done: boolean): void {
    this.#tell(this.#looks.with(i, { ...this.#looks[i]!, ...change }), done);
  }

  /** Only channel `i`; pressed again, all as the file says. */
  #only(i: number): void {
    const isOnly = this.#looks.every(({ shown }, k) => shown === (k === i));
    const told = this.#axis?.looks ?? [];
    this.#active = i;
    this.#tell(this.#looks.map((look, k) => ({ ...look, shown: isOnly ? told[k]!.shown : k === i })), true);
  }

  /** An image of which nothing is shown is not asked for: the last channel stays. */
  #tell(looks: readonly ChannelLook[], done: boolean): void {
    this.listener.changed(looks.some(({ shown }) => shown) ? looks : this.#looks.slice(), done);
  }

  #choose(i: number): void {
    this.#active = i;
    if (!this.#looks[i]?.shown) this.#change(i, { shown: true }, true);
    this.#looks.forEach((look, k) => this.#showRow(this.#parts[k]!, look, k));
    this.listener.chosen();
  }
}
