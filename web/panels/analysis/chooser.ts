/**
 * The choice of an analysis: a button with the one that is chosen, and below it all of them by group.
 *
 * @module
 */

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

import { element, setText } from "../../parts/dom.ts";
import { icon } from "../../parts/icons.ts";
import { findAnalysis } from "../../../src/analyses/mod.ts";
import type { Thumbnails } from "./thumbnails.ts";
import { helpOf, listed, type ListedAnalysis, titleOf } from "./describe.ts";

/** The chooser. */
export class Chooser {
  /** The element. */
  readonly root: HTMLElement;
  readonly #title = element("span", { class: "title" });
  readonly #help = element("span", { class: "hint" });
  readonly #button: HTMLButtonElement;
  readonly #list = element("div", { class: "choices", id: "analysis-choices", hidden: true });
  readonly #groups = element("div", { class: "groups" });
  readonly #search = element("input", {
    type: "search",
    placeholder: "Find an analysis",
    "aria-label": "Find an analysis",
    autocomplete: "off",
    spellcheck: "false",
  });
  #chosen = "";

  /** Calls `choose` with the word of an analysis; `thumbnails` are shown beside them. */
  constructor(private readonly choose: (name: string) => void, private readonly thumbnails: Thumbnails) {
    this.#button = element(
      "button",
      {
        type: "button",
        class: "chooser",
        "aria-expanded": "false",
        "aria-controls": this.#list.id,
        click: () => this.#open(this.#list.hidden === true),
      },
      element(
        "span",
        { class: "text" },
        element("span", { class: "unseen" }, "Analysis: "),
        this.#title,
        this.#help,
      ),
      icon("chevron"),
    );
    this.#search.addEventListener("input", () => this.#fill());
    this.#list.append(element("div", { class: "field" }, this.#search), this.#groups);
    this.root = element("div", { class: "choosing" }, this.#button, this.#list);
    this.root.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Shows which analysis is chosen. */
  show(name: string): void {
    if (name === this.#chosen) return;
    this.#chosen = name;
    setText(this.#title, titleOf(name));
    setText(this.#help, helpOf(name));
    if (!this.#list.hidden) this.#fill();
  }

  #open(open: boolean): void {
    this.#list.hidden = !open;
    this.#button.setAttribute("aria-expanded", `${open}`);
    if (!open) return this.thumbnails.stop();
    this.#search.value = "";
    this.#fill();
    this.#search.focus();
  }

  #fill(): void {
    const groups = listed(this.#search.value);
    const none = element("p", { class: "hint", role: "status" }, "No analysis has these words.");
    this.#groups.replaceChildren(
      ...groups.map(({ group, analyses }) =>
        element(
          "section",
          { "aria-label": group },
          element("h3", {}, group),
          element("ul", {}, ...analyses.map((one) => element("li", {}, this.#row(one)))),
        )
      ),
      ...(groups.length === 0 ? [none] : []),
    );
    const places = [...this.#groups.querySelectorAll<HTMLElement>(".thumbnail")];
    void this.thumbnails.fill(places.map((place) => ({ place, name: place.dataset.of! })));
  }

  #row({ name, title, help }: ListedAnalysis): HTMLButtonElement {
    const isChosen = name === (findAnalysis(this.#chosen)?.name ?? this.#chosen);
    return element(
      "button",
      { type: "button", class: "choice", "aria-current": isChosen && "true", click: () => this.#take(name) },
      element("span", { class: "thumbnail", "data-of": name, "aria-hidden": "true" }),
      element(
        "span",
        { class: "text" },
        element("span", { class: "title" }, title),
        help !== "" && element("span", { class: "hint" }, help),
      ),
    );
  }

  #take(name: string): void {
    this.#open(false);
    this.#button.focus();
    this.choose(name);
  }

  /** Arrows move through the list, Escape closes it. */
  #key(event: KeyboardEvent): void {
    if (this.#list.hidden) return;
    if (event.key === "Escape") {
      this.#open(false);
      this.#button.focus();
      event.stopPropagation();
    }
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0) return;
    const rows = [this.#search, ...this.#groups.querySelectorAll<HTMLElement>("button")];
    const at = rows.indexOf(document.activeElement as HTMLElement);
    rows[Math.max(0, Math.min(rows.length - 1, at + step))]?.focus();
    event.preventDefault();
  }
}
