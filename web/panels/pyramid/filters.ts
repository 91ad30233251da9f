/**
 * The list of filters over an image: added, changed, moved away.
 *
 * @module
 */

/// <reference lib="dom" />

import { FILTER_GROUPS, type FilterParameter, filterWritten, findFilter } from "../../../src/analyses/mod.ts";
import { iconButton } from "../../parts/buttons.ts";
import { element, setText } from "../../parts/dom.ts";
import { choiceField, type Field, textField } from "../../parts/fields.ts";
import { type FilterText, newFilter, OFFERED, readFilter, writeFilter } from "./filter_words.ts";

/** Filters that can be edited. */
export class FilterList {
  readonly #rows = element("ol", { class: "filters" });
  readonly #wrong = element("p", { class: "wrong", role: "alert", hidden: true });
  readonly #add = element("select", { "aria-label": "Add a filter", change: () => this.#added() });
  /** All of it. */
  readonly root: HTMLElement = element(
    "section",
    { class: "part" },
    element("h2", {}, "Filters"),
    this.#rows,
    element("div", { class: "field" }, this.#add),
    this.#wrong,
  );
  #words: readonly string[] = [];

  /** Calls `changed` with the words of all filters. `rank`: dimensions of the array. */
  constructor(readonly changed: (words: readonly string[]) => void, public rank: number) {
    this.#add.append(
      element("option", { value: "" }, "Add a filter …"),
      ...FILTER_GROUPS.filter((group) => group !== "Your own").map((group) =>
        element(
          "optgroup",
          { label: group },
          ...OFFERED.filter((filter) => filter.group === group).map(({ name, help }) =>
            element("option", { value: name }, `${name} — ${help}`)
          ),
        )
      ),
      element("option", { value: "expr" }, "An expression of x"),
    );
  }

  /** Shows these filters, unless they are shown already. */
  show(words: readonly string[]): void {
    if (words.length === this.#words.length && words.every((word, i) => word === this.#words[i])) return;
    this.#words = words;
    this.#rows.replaceChildren(...words.map((word, i) => this.#row(readFilter(word), i)));
  }

  /** Says why the filters cannot be used; undefined: they can. */
  wrong(text: string | undefined): void {
    this.#wrong.hidden = text === undefined;
    setText(this.#wrong, text ?? "");
  }

  #row(filter: FilterText, i: number): HTMLElement {
    const parameters = findFilter(filter.name)?.parameters ?? {};
    const change = (key: string, text: string) => {
      const now = readFilter(this.#words[i] ?? filter.name);
      this.#set(this.#words.with(i, writeFilter({ ...now, values: { ...now.values, [key]: text } })));
    };
    const fields = filter.name === "expr"
      ? [
        textField({
          label: "Expression of x and its neighbours, such as x[0,1]",
          value: filter.values["text"] ?? "",
        }),
      ]
      : Object.entries(parameters).map(([key, parameter]) => fieldOf(key, parameter, filter.values[key]));
    const keys = filter.name === "expr" ? ["text"] : Object.keys(parameters);
    fields.forEach(({ input }, k) => input.addEventListener("change", () => change(keys[k]!, input.value)));
    const remove = iconButton("close", {
      label: `Remove ${filter.name}`,
      look: "quiet small",
      press: () => this.#remove(i),
    });
    const head = element("div", { class: "filter-head" }, element("strong", {}, filter.name), remove);
    return element("li", {}, head, ...fields.map(({ root }) => root));
  }

  #added(): void {
    const { value } = this.#add;
    this.#add.value = "";
    if (value === "") return;
    const words = [...this.#words, writeFilter(newFilter(value, this.rank))];
    this.show(words);
    this.#rows.lastElementChild?.querySelector<HTMLElement>("input, select")?.focus();
    this.changed(words);
  }

  #remove(i: number): void {
    const words = this.#words.toSpliced(i, 1);
    this.show(words);
    this.#add.focus();
    this.changed(words);
  }

  /** Takes words without making the rows again, as the user is in one of them. */
  #set(words: readonly string[]): void {
    this.#words = words;
    this.changed(words);
  }
}

function fieldOf(key: string, parameter: FilterParameter, value: string | undefined): Field {
  const { meaning, preset, words } = parameter;
  const hint = `${meaning}; ${filterWritten(parameter)}`;
  if (words) {
    return choiceField(
      { label: key, hint: meaning, value: value ?? preset ?? "" },
      words.map((word) => [word, word]),
    );
  }
  return textField({ label: key, hint, value: value ?? "" }, { placeholder: preset ?? "" });
}
