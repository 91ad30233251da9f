/**
 * Starts the page.
 *
 * @module
 */

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

import { START } from "./state/state.ts";
import { Store } from "./state/store.ts";

/** The page: a place for its panels. */
class Page extends HTMLElement {
  readonly #store = new Store(START);

  /** Shows the panel of the state. */
  connectedCallback(): void {
    this.textContent = this.#store.state.panel;
  }
}

customElements.define("tw-page", Page);
