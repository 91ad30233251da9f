/**
 * The page: head, the panel or face that the state asks for, foot; messages and keys.
 *
 * @module
 */

/// <reference lib="dom" />

import type { Session } from "../engine/session.ts";
import { isAboutAnalysis } from "../open/failures.ts";
import { FilePicker } from "../open/files.ts";
import { element } from "../parts/dom.ts";
import { isTyping, type Key, keyFor } from "../parts/keys.ts";
import type { PageState, PanelName } from "../state/state.ts";
import { Asking } from "./asking.ts";
import type { Explore } from "./explore.ts";
import type { Pyramid } from "./pyramid.ts";
import { Foot } from "./foot.ts";
import { Head, PANEL_TITLES } from "./head.ts";
import { openHelp, singleKeys } from "./help.ts";
import { listenToDrops } from "./page/drops.ts";
import { Notes } from "./page/notes.ts";
import { Opener, type PageParts } from "./page/opener.ts";
import { keysOf } from "./page/page_keys.ts";
import { isScan } from "./page/shapes.ts";
import type { Panel, Workbench } from "./workbench.ts";

/** How panels are loaded: each when it is first shown. */
const MODULES: Readonly<Record<PanelName, () => Promise<unknown>>> = {
  explore: () => import("./explore.ts"),
  pyramid: () => import("./pyramid.ts"),
  compare: () => import("./compare.ts"),
};

/** The page. */
export class Page extends HTMLElement {
  #bench!: Workbench;
  #head!: Head;
  #opener!: Opener;
  #asking!: Asking;
  readonly #foot = new Foot();
  readonly #picker = new FilePicker((files) => this.#opener.take(files));
  readonly #stage = element("main", { class: "stage", id: "stage", tabindex: "-1" });
  readonly #notes = new Notes(() => this.#asking.again());
  readonly #panels = new Map<PanelName, Panel>();

  /** Begins with what the page is made of. */
  begin(parts: PageParts): void {
    const { bench } = parts;
    this.#bench = bench;
    this.#head = new Head(bench, {
      showSource: () => this.#opener.showSource(),
      openOther: () => this.#picker.open(false),
      showHelp: () => openHelp(this.#keys),
      leave: () => this.#opener.leave(),
      share: () => this.#share(),
    });
    this.#opener = new Opener(parts, {
      face: (root) => this.#face(root),
      begun: () => this.#begun(),
      opened: (session, isNew, warnings) => this.#opened(session, isNew, warnings),
      announce: (text) => this.#foot.announcer.say(text),
      choose: (folder) => this.#picker.open(folder),
    });
    this.#asking = new Asking(bench);
    const skip = element("a", {
      class: "button skip",
      href: "#stage",
      click: (event: Event) => this.#skip(event),
    }, "To the content");
    this.replaceChildren(
      skip,
      this.#head.root,
      this.#stage,
      this.#foot.root,
      this.#notes.root,
      this.#picker.root,
    );
    this.#listen();
    this.#opener.open(bench.store.state);
  }

  #listen(): void {
    const bench = this.#bench;
    bench.store.listen((state, before) => this.#changed(state, before));
    bench.on("session", () => this.#head.show());
    bench.on("answer", (answer) => {
      this.#foot.show(answer, this.#isKept());
      if (answer?.state === "failed" && !isAboutAnalysis(answer.error)) this.#notes.tell(answer.error);
    });
    bench.on("asked", ({ analysis }) => {
      const isSame = bench.answer?.question.analysis.name === analysis.name;
      this.#foot.asked(isSame && this.#isKept()); // as a drag
    });
    bench.on("failure", (error) => this.#notes.tell(error));
    bench.on("notice", (text) => this.#say(text));
    document.addEventListener("keydown", (event) => this.#pressed(event));
    listenToDrops(this, (files) => this.#opener.takeLater(files));
  }

  /** Whether the samples are in memory, or never were anywhere else. */
  #isKept(): boolean {
    const { session, store } = this.#bench;
    return session?.keeping.state === "yes" || store.state.source?.kind === "sample";
  }

  #changed(state: PageState, before: PageState): void {
    this.#head.show();
    const isSame =
      JSON.stringify([state.source, state.open]) === JSON.stringify([before.source, before.open]);
    if (!isSame) this.#opener.open(state);
    else if (state.panel !== before.panel) this.#showPanel(state.panel);
    if (isSame && !state.source && state.folder !== before.folder) this.#opener.showFolder(state.folder);
    if (state.analysis !== before.analysis || state.roi !== before.roi) this.#notes.clear();
  }

  #begun(): void {
    for (const dialog of document.querySelectorAll("dialog")) dialog.close(); // it may be about the source before
    this.#notes.clear();
    this.#foot.show(undefined);
  }

  #opened(session: Session, isNew: boolean, warnings: readonly string[]): void {
    const { store } = this.#bench;
    if (isNew) store.update({ panel: isScan(session.dataset) ? "explore" : "pyramid" });
    this.#bench.setSession(session);
    this.#foot.note(globalThis.crossOriginIsolated ? "" : "Slower here: no shared memory (see help)");
    this.#showPanel(store.state.panel);
    if (warnings.length > 0) this.#notes.warn(warnings, () => this.#opener.showSource());
  }

  #showPanel(name: PanelName): void {
    const bench = this.#bench;
    if (!bench.session) return;
    MODULES[name]().then(() => {
      if (!bench.session || bench.store.state.panel !== name) return;
      const panel = this.#panels.get(name) ?? element(`tw-${name}`) as Panel;
      if (!this.#panels.has(name)) panel.bench = bench;
      this.#panels.set(name, panel);
      if (panel.isConnected) return;
      if (name === "pyramid") this.#foot.rest();
      else this.#foot.show(bench.answer, this.#isKept());
      this.#stage.replaceChildren(element("h1", { class: "unseen" }, PANEL_TITLES[name]), panel);
    }, (error) => this.#notes.tell(error));
  }

  #face(root: HTMLElement): void {
    const hadFocus = this.#stage.contains(document.activeElement);
    this.#stage.replaceChildren(root);
    if (hadFocus) this.#stage.focus();
  }

  #say(text: string): void {
    this.#foot.announcer.say(text);
    this.#notes.say(text);
  }

  async #share(): Promise<void> {
    try {
      await navigator.clipboard.writeText(location.href);
      this.#say("The link to this view is copied");
    } catch {
      this.#say("Copy the address of this page: it is the link to this view");
    }
  }

  #skip(event: Event): void {
    event.preventDefault(); // the fragment of the address is the state
    this.#stage.focus();
  }

  #pressed(event: KeyboardEvent): void {
    if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
    const typing = isTyping(event.target);
    if (typing && event.key.toLowerCase() === "z") return; // fields have an undo of their own
    const found = keyFor(this.#keys, event, typing, singleKeys());
    if (!found) return;
    event.preventDefault();
    found.press();
  }

  get #explore(): Explore | undefined {
    const panel = this.#panels.get("explore");
    return panel?.isConnected ? panel as unknown as Explore : undefined;
  }

  get #image(): Pyramid | undefined {
    const panel = this.#panels.get("pyramid");
    return panel?.isConnected ? panel as unknown as Pyramid : undefined;
  }

  get #keys(): readonly Key[] {
    return keysOf({
      store: this.#bench.store,
      explore: () => this.#explore,
      image: () => this.#image,
      open: () => this.#picker.open(false),
      switchTheme: () => this.#head.switchTheme(),
      escape: () => this.#escape(),
      help: () => openHelp(this.#keys),
    });
  }

  #escape(): void {
    if (!this.#bench.session && this.#bench.store.state.source) this.#opener.cancel();
    else this.#notes.clear();
  }
}

customElements.define("tw-page", Page);
