/**
 * A list whose rows can be put in another order: dragged by their grips, or moved by arrow keys.
 *
 * @module
 */

/// <reference lib="dom" />

import { arrowOf, beginDrag } from "../../pictures/drag.ts";
import { iconButton } from "../../parts/buttons.ts";
import { type Child, element, setAttribute } from "../../parts/dom.ts";

/** A row, and its grip. */
export interface SortableRow {
  /** All of it. */
  readonly root: HTMLElement;
  /** What it is moved by. */
  readonly grip: HTMLButtonElement;
  /** Its name. */
  readonly name: string;
}

/** Rows that can be put in another order. */
export interface Sortable {
  /** A row with its grip before the children. `i` is its number in the order that is told. */
  row(i: number, name: string, children: readonly Child[]): SortableRow;
  /** Shows rows in an order, which is theirs unless it names each of them once. */
  show(rows: readonly SortableRow[], order: readonly number[]): void;
}

/** Makes the rows of `list` sortable; `sorted` is called with the numbers of rows from the first to the last. */
export function sortable(list: HTMLElement, sorted: (order: readonly number[]) => void): Sortable {
  const numberOf = new WeakMap<Element, number>();
  const now = () => [...list.children].map((row) => numberOf.get(row) ?? 0);

  const press = (event: PointerEvent, row: HTMLElement, grip: HTMLElement) => {
    if (event.button !== 0) return;
    event.preventDefault();
    grip.focus({ preventScroll: true });
    const before = [...list.children];
    beginDrag(event, grip, list, {
      move: ([y]) => place(row, placeAt(list, row, y)),
      end(cancelled) {
        if (cancelled) place(row, before.indexOf(row));
        else if (before.some((one, i) => list.children[i] !== one)) sorted(now());
      },
    });
  };
  const key = (event: KeyboardEvent, row: HTMLElement) => {
    const [down] = arrowOf(event) ?? [0];
    if (down === 0) return;
    event.preventDefault();
    if (place(row, [...list.children].indexOf(row) + Math.sign(down))) sorted(now());
  };
  return {
    row(i, name, children) {
      const grip = iconButton("grip", { label: `Move ${name}`, look: "quiet small grip", press: () => {} });
      const root = element("li", {}, grip, ...children);
      numberOf.set(root, i);
      grip.addEventListener("pointerdown", (event) => press(event, root, grip));
      grip.addEventListener("keydown", (event) => key(event, root));
      return { root, grip, name };
    },
    show(rows, order) {
      const all = isOrder(order, rows.length) ? order.map((i) => rows[i]!) : rows;
      const isSame = list.children.length === all.length &&
        all.every(({ root }, i) => list.children[i] === root);
      if (!isSame) list.replaceChildren(...all.map(({ root }) => root));
      all.forEach(({ grip, name }, i) => {
        grip.hidden = all.length < 2;
        setAttribute(grip, "aria-label", `Move ${name}, row ${i + 1} of ${all.length}; arrow up, arrow down`);
      });
    },
  };
}

/** Whether `order` names each of `length` rows once. */
function isOrder(order: readonly number[], length: number): boolean {
  return order.length === length && new Set(order).size === length && order.every((i) => i < length);
}

/** How many of the other rows are above a height. */
function placeAt(list: HTMLElement, row: HTMLElement, y: number): number {
  const { top } = list.getBoundingClientRect();
  return [...list.children].filter((one) => {
    const { top: from, height } = one.getBoundingClientRect();
    return one !== row && from + height / 2 - top < y;
  }).length;
}

/** Moves the others, as a row that is moved would lose the focus and the pointer; false if it is there already. */
function place(row: HTMLElement, at: number): boolean {
  const all = [...row.parentElement!.children];
  const others = all.filter((one) => one !== row);
  if (at < 0 || at > others.length || all.indexOf(row) === at) return false;
  row.before(...others.slice(0, at));
  row.after(...others.slice(at));
  return true;
}
