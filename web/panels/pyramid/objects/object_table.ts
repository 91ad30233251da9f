/**
 * The table of the objects of an image, a part of it at a time: a row is chosen by a click or by arrow keys.
 *
 * @module
 */

/// <reference lib="dom" />

import type { Columns } from "../../../../src/analyses/mod.ts";
import { numberText } from "../../../draw/words.ts";
import { textButton } from "../../../parts/buttons.ts";
import { element, setAttribute, setText } from "../../../parts/dom.ts";

/** Rows that are shown at once. */
const ROWS = 50;

/** A column of the table: its head, and its values. */
type Column = readonly [head: string, values: ArrayLike<number | bigint>];

/** Objects in rows. */
export class ObjectTable {
  readonly #head = element("tr");
  readonly #body = element("tbody", {
    keydown: (event: KeyboardEvent) => this.#key(event),
  });
  readonly #back = textButton({ label: "Back", look: "quiet small", press: () => this.#turn(-ROWS) });
  readonly #on = textButton({ label: "Next", look: "quiet small", press: () => this.#turn(ROWS) });
  readonly #place = element("span", { class: "hint" });
  /** All of it. */
  readonly root: HTMLElement = element(
    "div",
    { class: "objects-table" },
    element(
      "div",
      { class: "table", tabindex: 0, role: "region", "aria-label": "Table of objects" },
      element("table", {}, element("thead", {}, this.#head), this.#body),
    ),
    element("div", { class: "pages" }, this.#back, this.#place, this.#on),
  );
  #columns: Columns = {};
  #first = 0;
  #chosen: number | undefined;

  /** Calls `choose` with the number of an object. */
  constructor(readonly choose: (label: number) => void) {}

  /** Shows objects, and which of them is chosen. */
  show(columns: Columns, chosen: number | undefined): void {
    const isSame = columns === this.#columns;
    if (isSame && chosen === this.#chosen) return;
    this.#columns = columns;
    this.#chosen = chosen;
    const row = this.#rowOf(chosen);
    const isSeen = row < 0 || row >= this.#first && row < this.#first + ROWS;
    if (!isSame && row < 0) this.#first = 0;
    if (!isSeen) this.#first = row - row % ROWS;
    if (!isSame || !isSeen) this.#fill();
    this.#mark();
  }

  get #count(): number {
    return this.#columns["label"]?.length ?? 0;
  }

  #rowOf(label: number | undefined): number {
    return label === undefined ? -1 : Array.prototype.indexOf.call(this.#columns["label"] ?? [], label);
  }

  #fill(): void {
    const columns = shownColumns(this.#columns);
    this.#first = Math.max(0, Math.min(this.#first, this.#count - 1));
    const stop = Math.min(this.#count, this.#first + ROWS);
    this.#head.replaceChildren(
      ...columns.map(([head]) => element("th", { scope: "col" }, head)),
    );
    this.#body.replaceChildren(
      ...Array.from({ length: stop - this.#first }, (_, i) => this.#row(columns, this.#first + i)),
    );
    const isLong = this.#count > ROWS;
    this.#back.hidden = this.#on.hidden = this.#place.hidden = !isLong;
    this.#back.disabled = this.#first === 0;
    this.#on.disabled = stop === this.#count;
    setText(this.#place, `${this.#first + 1} to ${stop} of ${this.#count}`);
  }

  #row(columns: readonly Column[], row: number): HTMLElement {
    const label = Number(this.#columns["label"]![row]);
    const [, ...others] = columns;
    const number = element(
      "button",
      { type: "button", class: "link", "aria-label": `Object ${label}` },
      `${label}`,
    );
    return element(
      "tr",
      { "data-label": label, click: () => this.choose(label) },
      element("th", { scope: "row" }, number),
      ...others.map(([, values]) => element("td", {}, numberText(Number(values[row]), 4))),
    );
  }

  /** Shows which row is chosen; only its button, or the first one, is reached by Tab. */
  #mark(): void {
    const rows = [...this.#body.children] as HTMLElement[];
    const at = Math.max(0, rows.findIndex((row) => row.dataset["label"] === `${this.#chosen}`));
    rows.forEach((row, i) => {
      const isChosen = row.dataset["label"] === `${this.#chosen}`;
      const button = row.querySelector("button")!;
      row.classList.toggle("chosen", isChosen);
      setAttribute(button, "aria-pressed", `${isChosen}`);
      setAttribute(button, "tabindex", i === at ? "0" : "-1");
    });
    if (this.#chosen !== undefined) rows[at]?.scrollIntoView({ block: "nearest" });
  }

  #key(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const row = (event.target as Element).closest("tr");
    const next = step === 1 ? row?.nextElementSibling : step === -1 ? row?.previousElementSibling : undefined;
    if (!next) return;
    event.preventDefault();
    next.querySelector("button")?.focus();
    this.choose(Number((next as HTMLElement).dataset["label"]));
  }

  #turn(by: number): void {
    this.#first += by;
    this.#fill();
    this.#mark();
  }
}

/** What is shown of the table: the rest leaves in files. */
function shownColumns(columns: Columns): Column[] {
  const area = Object.keys(columns).find((name) => name.startsWith("area (")) ?? "area";
  const wanted = [["label", "#"], [area, area === "area" ? "area (px)" : area], ["mean", "mean"], [
    "centroid_y",
    "row",
  ], ["centroid_x", "column"]] as const;
  return wanted.flatMap(([name, head]) => columns[name] ? [[head, columns[name]] as const] : []);
}
