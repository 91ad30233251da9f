/**
 * The filters over an image, as cards: added, changed by sliders, put in another order, taken away.
 *
 * @module
 */

/// <reference lib="dom" />

import { FILTER_GROUPS } from "../../../src/analyses/mod.ts";
import { element, setText } from "../../parts/dom.ts";
import { FilterCard } from "./filter_card.ts";
import { newFilter, OFFERED, writeFilter } from "./filter_words.ts";
import { sortable } from "./sortable.ts";

/** Hears the words of all filters; `done` is false while a slider moves. */
export type FiltersChanged = (words: readonly string[], done: boolean) => void;

/** Filters that can be edited. */
export class FilterList {
  readonly #list = element("ol", { class: "filters" });
  readonly #sortable = sortable(this.#list, (order) => this.#sorted(order));
  readonly #wrong = element("p", { class: "wrong", role: "alert", hidden: true });
  readonly #add = element("select", { "aria-label": "Add a filter", change: () => this.#added() });
  readonly #tools = element("div", { class: "tools" });
  /** All of it. */
  readonly root: HTMLElement = element(
    "section",
    { class: "part" },
    element("h2", {}, "Filters"),
    this.#list,
    element("div", { class: "field" }, this.#add),
    this.#wrong,
    this.#tools,
  );
  /** By the number of its row. */
  readonly #cards = new Map<number, FilterCard>();
  #shown: readonly number[] = [];
  #made = 0;

  /** Labels of the dimensions of the array. */
  labels: readonly string[] = ["y", "x"];

  /** `tools` stand below the cards. */
  constructor(readonly changed: FiltersChanged, ...tools: readonly HTMLElement[]) {
    this.#tools.append(...tools);
    this.#add.append(
      element("option", { value: "" }, "Add a filter …"),
      ...FILTER_GROUPS.filter((group) => group !== "Your own").map((group) =>
        element(
          "optgroup",
          { label: group },
          ...OFFERED.filter((filter) => filter.group === group).map(({ name, title, help }) =>
            element("option", { value: name }, `${title} — ${help}`)
          ),
        )
      ),
      element("option", { value: "expr" }, "An expression of x"),
    );
  }

  /** Shows these filters, unless they are shown already. */
  show(words: readonly string[]): void {
    const before = this.#words;
    if (words.length === before.length && words.every((word, i) => word === before[i])) return;
    this.#cards.clear();
    this.#place(words.map((word) => this.#card(word)));
  }

  /** Says why the filters cannot be used; undefined: they can. */
  wrong(text: string | undefined): void {
    this.#wrong.hidden = text === undefined;
    setText(this.#wrong, text ?? "");
  }

  get #words(): readonly string[] {
    return this.#shown.map((n) => this.#cards.get(n)!.word);
  }

  #card(word: string): number {
    const n = this.#made++;
    const card = new FilterCard(word, {
      row: (name, children) => this.#sortable.row(n, name, children),
      labels: () => this.labels,
      changed: (done) => this.#tell(done),
      removed: () => this.#remove(n),
    });
    this.#cards.set(n, card);
    return n;
  }

  #place(shown: readonly number[]): void {
    this.#shown = shown;
    this.#sortable.show(shown.map((n) => this.#cards.get(n)!.row), []);
  }

  #tell(done: boolean): void {
    this.changed(this.#words, done);
  }

  #sorted(order: readonly number[]): void {
    this.#place(order);
    this.#tell(true);
  }

  #added(): void {
    const { value } = this.#add;
    this.#add.value = "";
    if (value === "") return;
    this.#place([...this.#shown, this.#card(writeFilter(newFilter(value, this.labels)))]);
    this.#cards.get(this.#shown.at(-1)!)?.focus();
    this.#tell(true);
  }

  #remove(n: number): void {
    this.#place(this.#shown.filter((one) => one !== n));
    this.#cards.delete(n);
    this.#add.focus();
    this.#tell(true);
  }
}
