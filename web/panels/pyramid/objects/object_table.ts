/**
 * A table of what is in an image, a part of it at a time: a row is chosen by a click or by arrow keys.
 *
 * @module
 */

/// <reference lib="dom" />

import { numberText } from "../../../draw/words.ts";
import { textButton } from "../../../parts/buttons.ts";
import { element, setAttribute, setText } from "../../../parts/dom.ts";

/** Rows that are shown at once. */
const ROWS = 50;

/** A column of the table: its head, and its values. */
export type Column = readonly [head: string, values: ArrayLike<number | bigint | string>];

/** Columns by name; `label` has the number of each row. */
export type TableColumns = Readonly<Record<string, ArrayLike<number | bigint | string>>>;

/** What the rows are. */
export interface RowKind {
  /** One of them, such as `Object`. */
  readonly one: string;
  /** The table, in words. */
  readonly all: string;
  /** The columns that are shown; the first one has what rows are called. */
  shown(columns: TableColumns): readonly Column[];
}

/** Objects, or sources, in rows. */
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
      { class: "table", tabindex: 0, role: "region" },
      element("table", {}, element("thead", {}, this.#head), this.#body),
    ),
    element("div", { class: "pages" }, this.#back, this.#place, this.#on),
  );
  #columns: TableColumns = {};
  #first = 0;
  #chosen: number | undefined;

  /** Calls `choose` with the number of a row. */
  constructor(readonly kind: RowKind, readonly choose: (label: number) => void) {
    this.root.firstElementChild!.setAttribute("aria-label", kind.all);
  }

  /** Shows objects, and which of them is chosen. */
  show(columns: TableColumns, chosen: number | undefined): void {
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
    const columns = this.kind.shown(this.#columns);
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
    const [[, names], ...others] = columns as [Column, ...Column[]];
    const number = element(
      "button",
      { type: "button", class: "link", "aria-label": `${this.kind.one} ${names[row]}` },
      `${names[row]}`,
    );
    return element(
      "tr",
      { "data-label": label, click: () => this.choose(label) },
      element("th", { scope: "row" }, number),
      ...others.map(([, values]) => element("td", {}, textOf(values[row]!))),
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

function textOf(value: number | bigint | string): string {
  return typeof value === "string" ? value : numberText(Number(value), 4);
}
