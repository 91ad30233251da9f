/**
 * The head of the page: what is open, the panels, undo, link, colours of the page, help.
 *
 * @module
 */

/// <reference lib="dom" />

import { iconButton } from "../parts/buttons.ts";
import { element, setAttribute, setText } from "../parts/dom.ts";
import { icon } from "../parts/icons.ts";
import { openedName } from "../open/sources.ts";
import { type PanelName, PANELS } from "../state/state.ts";
import { nextTheme, theme } from "./theme.ts";
import { shapesOf } from "./page/shapes.ts";
import type { Workbench } from "./workbench.ts";

/** What the head asks of the page. */
export interface HeadActions {
  /** Shows what is open. */
  showSource(): void;
  /** Lets the user choose files. */
  openOther(): void;
  /** Shows the keys. */
  showHelp(): void;
  /** Goes back to the welcome. */
  leave(): void;
  /** Copies the address. */
  share(): void;
}

/** What the panels are called. */
export const PANEL_TITLES: Readonly<Record<PanelName, string>> = {
  explore: "Explore",
  pyramid: "Image",
  compare: "Compare",
};

/** The head. */
export class Head {
  readonly root: HTMLElement;
  readonly #bench: Workbench;
  readonly #name = element("span", { class: "name" });
  readonly #facts = element("span", { class: "source-facts" });
  readonly #source: HTMLButtonElement;
  readonly #tabs: HTMLElement;
  readonly #undo: HTMLButtonElement;
  readonly #redo: HTMLButtonElement;
  readonly #theme: HTMLButtonElement;
  readonly #share: HTMLButtonElement;
  readonly #open: HTMLButtonElement;

  /** The head of the workbench. */
  constructor(bench: Workbench, actions: HeadActions) {
    this.#bench = bench;
    const { store } = bench;
    this.#source = element(
      "button",
      {
        type: "button",
        class: "button quiet source",
        title: "What is open, and why",
        click: () => actions.showSource(),
      },
      icon("file"),
      this.#name,
      this.#facts,
    );
    this.#tabs = this.#makeTabs();
    this.#undo = iconButton("undo", { label: "Undo", key: "Ctrl+Z", press: () => store.undo() });
    this.#redo = iconButton("redo", { label: "Do again", key: "Ctrl+Shift+Z", press: () => store.redo() });
    this.#open = iconButton("open", {
      label: "Open files",
      key: "o",
      press: () => actions.openOther(),
    });
    this.#share = iconButton("share", { label: "Copy a link to this view", press: () => actions.share() });
    this.#theme = iconButton(theme(), { label: "", key: "t", press: () => this.switchTheme() });
    const help = iconButton("help", { label: "Help and keys", key: "?", press: () => actions.showHelp() });
    for (const button of [this.#share, this.#redo]) button.classList.add("wide");
    const brand = element(
      "button",
      { type: "button", class: "brand", title: "Start page", click: () => actions.leave() },
      element("img", { src: "icon.svg", alt: "", width: 24, height: 24 }),
      element("span", {}, "Tilewise"),
    );
    this.root = element(
      "header",
      { class: "page-head" },
      brand,
      this.#source,
      this.#tabs,
      element("div", { class: "tools" }, this.#undo, this.#redo, this.#open, this.#share, this.#theme, help),
    );
    this.#showTheme();
    this.show();
  }

  /** Shows the state and the session. */
  show(): void {
    const { store, session } = this.#bench;
    const { source, panel } = store.state;
    const { back, forward } = store.steps;
    this.#undo.disabled = !back;
    this.#redo.disabled = !forward;
    this.#source.hidden = !source;
    this.#open.hidden = this.#share.hidden = !source;
    this.#source.disabled = !session;
    this.#tabs.hidden = !session;
    this.#showName();
    for (const tab of this.#tabs.querySelectorAll("button")) {
      setAttribute(tab, "aria-current", tab.dataset.panel === panel && "page");
    }
  }

  /** The next of system, light, dark. */
  switchTheme(): void {
    nextTheme();
    this.#showTheme();
  }

  #makeTabs(): HTMLElement {
    const tab = (panel: PanelName) =>
      element("button", {
        type: "button",
        class: "button small",
        "data-panel": panel,
        click: () => {
          this.#bench.store.update({ panel }, "panel");
          this.#bench.store.endGroup();
        },
      }, PANEL_TITLES[panel]);
    return element("nav", { class: "segmented tabs", "aria-label": "Panels" }, ...PANELS.map(tab));
  }

  #showName(): void {
    const { store: { state: { source } }, session } = this.#bench;
    setText(this.#name, source ? openedName(source, session?.dataset.source) : "");
    setText(this.#facts, session ? shapesOf(session.dataset) : "");
  }

  #showTheme(): void {
    const now = theme();
    const label = { auto: "Colours of the system", light: "Light colours", dark: "Dark colours" }[now];
    this.#theme.replaceChildren(icon(now));
    this.#theme.title = `${label} (t)`;
    this.#theme.setAttribute("aria-label", `${label}; press for the next`);
  }
}
