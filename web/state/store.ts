/**
 * Holds the state of the page: every change goes through here, is told to all who listen, and can be undone.
 *
 * @module
 */

import type { PageState } from "./state.ts";

/** Most changes that can be undone. */
const MOST = 200;

/** Listens to changes. */
export type Listener = (state: PageState, before: PageState) => void;

/**
 * The state of the page.
 *
 * Changes with the same `group` in a row, such as those of one drag, are undone in one step. A change without a group cannot be
 * undone: it follows from another.
 */
export class Store {
  #state: PageState;
  #group: string | undefined;
  readonly #past: PageState[] = [];
  readonly #future: PageState[] = [];
  readonly #listeners = new Set<Listener>();

  /** Begins with `state`. */
  constructor(state: PageState) {
    this.#state = state;
  }

  /** The state now. */
  get state(): PageState {
    return this.#state;
  }

  /** Whether there is anything to undo, and to do again. */
  get steps(): { readonly back: boolean; readonly forward: boolean } {
    return { back: this.#past.length > 0, forward: this.#future.length > 0 };
  }

  /** Changes some fields; `undefined` removes a field. */
  update(change: { readonly [K in keyof PageState]?: PageState[K] | undefined }, group?: string): void {
    if (group !== undefined) this.#remember(group);
    this.#set(Object.fromEntries(
      Object.entries({ ...this.#state, ...change }).filter(([, value]) => value !== undefined),
    ) as unknown as PageState);
  }

  /** Takes another state as a whole, in one step that can be undone. */
  replace(state: PageState, group: string): void {
    this.endGroup();
    this.#remember(group);
    this.endGroup();
    this.#set(state);
  }

  /** Ends a group: the next change is a step of its own, even with the same name. */
  endGroup(): void {
    this.#group = undefined;
  }

  /** Goes back one step. */
  undo(): void {
    this.#step(this.#past, this.#future);
  }

  /** Goes forward one step. */
  redo(): void {
    this.#step(this.#future, this.#past);
  }

  /** Calls `listener` after every change, until the returned function is called. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Makes the state now one that undo returns to, unless the group goes on. */
  #remember(group: string): void {
    if (group !== this.#group) {
      this.#past.push(this.#state);
      if (this.#past.length > MOST) this.#past.shift();
      this.#future.length = 0;
    }
    this.#group = group;
  }

  #step(from: PageState[], to: PageState[]): void {
    const state = from.pop();
    if (!state) return;
    to.push(this.#state);
    this.#group = undefined;
    this.#set(state);
  }

  #set(state: PageState): void {
    const before = this.#state;
    this.#state = state;
    for (const listener of this.#listeners) listener(state, before);
  }
}
