/**
 * A filter as a card: its name in words, a slider for each usual number, fields for the rest.
 *
 * @module
 */

/// <reference lib="dom" />

import { type FilterParameter, filterWritten, findFilter } from "../../../src/analyses/mod.ts";
import { iconButton } from "../../parts/buttons.ts";
import { type Child, element, setAttribute, setText } from "../../parts/dom.ts";
import { choiceField, textField } from "../../parts/fields.ts";
import { type FilterText, filterWords, inPlane, planeOnly, readFilter, writeFilter } from "./filter_words.ts";
import type { SortableRow } from "./sortable.ts";

/** What a card is given. */
export interface FilterCardHost {
  /** A row with a grip. */
  row(name: string, children: readonly Child[]): SortableRow;
  /** Labels of the dimensions of the array. */
  labels(): readonly string[];
  /** A number has changed; `done` is false while a slider moves. */
  changed(done: boolean): void;
  /** It is to go away. */
  removed(): void;
}

/** One filter. */
export class FilterCard {
  /** All of it, with its grip. */
  readonly row: SortableRow;
  readonly #title = element("strong", {});
  readonly #host: FilterCardHost;
  #filter: FilterText;

  /** Shows a word of `tilewise map`. */
  constructor(word: string, host: FilterCardHost) {
    this.#host = host;
    this.#filter = readFilter(word);
    const { name } = this.#filter;
    const title = findFilter(name)?.title ?? "Expression";
    const remove = iconButton("close", {
      label: `Remove ${title}`,
      look: "quiet small",
      press: () => host.removed(),
    });
    const parameters = Object.entries(findFilter(name)?.parameters ?? {});
    const sliders = parameters.filter(([, { usual }]) => usual);
    const fields = name === "expr"
      ? [
        this.#field(
          "text",
          { kind: "path", meaning: "" },
          "Expression of x and its neighbours, such as x[0,1]",
        ),
      ]
      : parameters.filter(([, { usual }]) => !usual).map(([key, one]) => this.#field(key, one));
    const isNeeded = name === "expr" || parameters.some(([, { usual, preset }]) => !usual && !preset);
    this.row = host.row(title, [
      this.#title,
      remove,
      ...sliders.map(([key, one]) => this.#slider(key, one, title, sliders.length > 1)),
      ...(isNeeded || fields.length === 0 ? fields : [
        element("details", {}, element("summary", {}, "More"), ...fields),
      ]),
    ]);
    this.#entitle();
  }

  /** The word. */
  get word(): string {
    return writeFilter(this.#filter);
  }

  /** The focus goes to its first number. */
  focus(): void {
    this.row.root.querySelector<HTMLElement>("input, select")?.focus();
  }

  #entitle(): void {
    setText(this.#title, filterWords(this.#filter));
  }

  #set(key: string, text: string, done: boolean): void {
    this.#filter = { ...this.#filter, values: { ...this.#filter.values, [key]: text } };
    this.#entitle();
    this.#host.changed(done);
  }

  /** A slider, and the number beside it, which may lie outside of what is usual. */
  #slider(key: string, parameter: FilterParameter, title: string, isNamed: boolean): HTMLElement {
    const { kind, meaning, preset = "", usual } = parameter;
    const { from, to, step, unit = "" } = usual!;
    const value = this.#filter.values[key] ?? preset;
    const number = element("input", { type: "text", "aria-label": key, title: meaning, autocomplete: "off" });
    const range = element("input", {
      type: "range",
      min: from,
      max: Math.max(to, Number(inPlane(value)) || 0),
      step,
      title: meaning,
      "aria-label": `${title}: ${meaning}`,
      input: () => slid(false),
      change: () => slid(true),
    });
    const show = (text: string) => {
      range.value = inPlane(text);
      setAttribute(range, "aria-valuetext", `${inPlane(text)} ${unit}`.trim());
    };
    const slid = (done: boolean) => {
      number.value = range.value;
      setAttribute(range, "aria-valuetext", `${range.value} ${unit}`.trim());
      this.#set(key, inAll(range.value), done);
    };
    const inAll = (text: string) =>
      kind === "numbers" && /^[\d.]+$/.test(text) ? planeOnly(text, this.#host.labels()) : text;
    number.value = inAll(inPlane(value)) === value ? inPlane(value) : value;
    number.addEventListener("change", () => {
      show(number.value);
      this.#set(key, inAll(number.value), true);
    });
    show(value);
    return element("div", { class: "amount" }, isNamed && element("span", {}, key), range, number, unit);
  }

  #field(key: string, parameter: FilterParameter, label: string = key): HTMLElement {
    const { meaning, preset = "", words } = parameter;
    const value = this.#filter.values[key];
    const hint = meaning && (words ? meaning : `${meaning}; ${filterWritten(parameter)}`);
    const { root, input } = words
      ? choiceField({ label, hint, value: value ?? preset }, words.map((word) => [word, word]))
      : textField({ label, hint, value: value ?? "" }, { placeholder: preset });
    input.addEventListener("change", () => this.#set(key, input.value, true));
    return root;
  }
}
