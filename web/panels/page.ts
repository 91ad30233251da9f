/**
 * The page: head, the panel or face that the state asks for, foot; files that are dropped, keys, and the address.
 *
 * @module
 */

/// <reference lib="dom" />

import type { Session } from "../engine/session.ts";
import { FilePicker } from "../open/files.ts";
import { isAboutAnalysis } from "../open/failures.ts";
import { type Found, nameOf, type Sources } from "../open/sources.ts";
import { element } from "../parts/dom.ts";
import { isTyping, type Key, keyFor } from "../parts/keys.ts";
import { isForeign } from "../state/address.ts";
import {
  type OpenChoices,
  type PageState,
  type PanelName,
  type SourceChoice,
  START,
} from "../state/state.ts";
import { Asking } from "./asking.ts";
import type { Explore } from "./explore.ts";
import { Foot } from "./foot.ts";
import { Head, PANEL_TITLES } from "./head.ts";
import { openHelp, singleKeys } from "./help.ts";
import { Loading } from "./loading.ts";
import { rawForm } from "./raw_form.ts";
import { askForFiles, askForServer, Busy, failed, type OpeningActions, welcome } from "./opening.ts";
import { listenToDrops } from "./page/drops.ts";
import { Notes } from "./page/notes.ts";
import { keysOf } from "./page/page_keys.ts";
import { openSourceSheet } from "./source_sheet.ts";
import type { Panel, Workbench } from "./workbench.ts";

/** How panels are loaded: each when it is first shown. */
const MODULES: Readonly<Record<PanelName, () => Promise<unknown>>> = {
  explore: () => import("./explore.ts"),
  pyramid: () => import("./pyramid.ts"),
  compare: () => import("./compare.ts"),
};

/** What the page is made of. */
export interface PageParts {
  readonly bench: Workbench;
  readonly sources: Sources;
  /** Servers that were named by the user, not only by an address. */
  readonly trusted: Set<string>;
}

/** The page. */
export class Page extends HTMLElement implements OpeningActions {
  #parts!: PageParts;
  #head!: Head;
  #loading!: Loading;
  #asking!: Asking;
  readonly #foot = new Foot();
  readonly #picker = new FilePicker((files) => this.#take(files));
  readonly #stage = element("main", { class: "stage", id: "stage", tabindex: "-1" });
  readonly #notes = new Notes(() => this.#asking.again());
  readonly #panels = new Map<PanelName, Panel>();
  /** Whether the source was chosen here, not by an address: then the page chooses the panel. */
  #isNew = false;

  /** Begins with what the page is made of. */
  begin(parts: PageParts): void {
    this.#parts = parts;
    const { bench, sources } = parts;
    this.#head = new Head(bench, {
      showSource: () => this.#showSource(),
      openOther: () => this.choose(false),
      showHelp: () => openHelp(this.#keys),
      leave: () => this.leave(),
      share: () => this.#share(),
    });
    this.#loading = new Loading(bench, sources, {
      begun: (name) => this.#busy(name),
      progress: () => {},
      missing: (found) => this.#missing(found),
      opened: (session) => this.#opened(session),
      failed: (error, name) => this.#failed(error, name),
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
    this.#openState(bench.store.state);
  }

  /** Lets the user choose files. */
  choose(folder: boolean): void {
    this.#picker.open(folder);
  }

  /** Opens an address that was typed, or that the user has agreed to. */
  openUrl(url: string): void {
    this.#parts.trusted.add(new URL(url, document.baseURI).origin);
    this.#openSource({ kind: "url", url });
  }

  /** Opens a sample. */
  openSample(name: string): void {
    this.#openSource({ kind: "sample", name });
  }

  /** Stops opening. */
  cancel(): void {
    this.#loading.stop();
    this.leave();
  }

  /** Opens the same again. */
  again(): void {
    this.#openState(this.#parts.bench.store.state);
  }

  /** Goes back to the welcome. */
  leave(): void {
    this.#parts.bench.store.update({ source: undefined, open: {} }, "leave");
    this.#parts.bench.store.endGroup();
    if (!this.#parts.bench.store.state.source) this.#openState(this.#parts.bench.store.state);
  }

  #listen(): void {
    const { bench } = this.#parts;
    bench.store.listen((state, before) => this.#changed(state, before));
    bench.on("session", () => this.#head.show());
    bench.on("answer", (answer) => {
      this.#foot.show(answer, this.#isKept());
      if (answer?.state === "failed" && !isAboutAnalysis(answer.error)) this.#notes.tell(answer.error);
    });
    bench.on("failure", (error) => this.#notes.tell(error));
    bench.on("notice", (text) => this.#say(text));
    document.addEventListener("keydown", (event) => this.#pressed(event));
    listenToDrops(this, (files) => this.#take(files), (error) => this.#notes.tell(error));
  }

  /** Whether the samples are in memory, or never were anywhere else. */
  #isKept(): boolean {
    const { session, store } = this.#parts.bench;
    return session?.keeping.state === "yes" || store.state.source?.kind === "sample";
  }

  #changed(state: PageState, before: PageState): void {
    this.#head.show();
    const isSame =
      JSON.stringify([state.source, state.open]) === JSON.stringify([before.source, before.open]);
    if (!isSame) this.#openState(state);
    else if (state.panel !== before.panel) this.#showPanel(state.panel);
    if (state.analysis !== before.analysis || state.roi !== before.roi) this.#notes.clear();
  }

  #openSource(source: SourceChoice): void {
    const { store } = this.#parts.bench;
    this.#isNew = true;
    const { position: _p, roi: _r, look: _l, result: _s, ...kept } = store.state;
    const isSame = JSON.stringify(kept.source) === JSON.stringify(source);
    store.update({
      source,
      open: {},
      position: undefined,
      roi: undefined,
      look: undefined,
      result: undefined,
      analysis: START.analysis,
    }, "open");
    store.endGroup();
    if (isSame && Object.keys(kept.open).length === 0) this.#openState(store.state);
  }

  #take(files: readonly File[]): void {
    if (files.length === 0) return;
    const { bench: { store, session }, sources } = this.#parts;
    const { source } = store.state;
    const given = sources.keep(files);
    const isAsked = !session && source?.kind === "files" && JSON.stringify(source) === JSON.stringify(given);
    if (isAsked) this.#openState(store.state);
    else this.#openSource(given);
  }

  #openState({ source, open }: PageState): void {
    const { bench, trusted } = this.#parts;
    this.#notes.clear();
    this.#foot.show(undefined);
    document.title = source ? `${nameOf(source)} – Tilewise` : "Tilewise";
    if (!source) {
      this.#loading.close();
      return this.#face(welcome(this));
    }
    if (source.kind === "url" && isForeign(source.url, document.baseURI)) {
      if (!trusted.has(new URL(source.url, document.baseURI).origin)) {
        this.#loading.close();
        return this.#face(askForServer(source.url, this));
      }
    }
    bench.fail(undefined);
    this.#loading.open(source, open);
  }

  #busy(name: string): void {
    const busy = new Busy(name, this);
    this.#loading.events.progress = (text, share) => busy.show(text, share);
    this.#face(busy.root);
    this.#foot.announcer.say(`Opening ${name}`);
  }

  #missing(found: Exclude<Found, { readonly kind: "input" }>): void {
    if (found.kind === "files") return this.#face(askForFiles(found.names, this));
    this.#failed(new RangeError(`There is no sample "${found.name}"`), found.name);
  }

  #failed(error: unknown, name: string): void {
    const { bench: { store }, sources } = this.#parts;
    const { source, open } = store.state;
    const form = rawForm({
      choices: open,
      name,
      bytes: source && sources.bytesOf(source),
      perImage: (choices, signal) => this.#loading.perImage(choices, signal),
      submit: (choices) => this.#reopen(choices),
    });
    this.#face(failed(error, name, form, this));
  }

  #reopen(open: OpenChoices): void {
    const { store } = this.#parts.bench;
    if (JSON.stringify(open) === JSON.stringify(store.state.open)) return this.again();
    store.update({ open, position: undefined, roi: undefined }, "facts");
    store.endGroup();
  }

  #opened(session: Session): void {
    const { bench } = this.#parts;
    const { dataset } = session;
    if (this.#isNew) bench.store.update({ panel: panelFor(session) });
    this.#isNew = false;
    bench.setSession(session);
    this.#foot.note(globalThis.crossOriginIsolated ? "" : "Slower here: no shared memory (see help)");
    this.#foot.announcer.say(`Opened ${dataset.toString()}`);
    this.#showPanel(bench.store.state.panel);
    if (dataset.warnings.length > 0) this.#notes.warn(dataset.warnings);
  }

  #showPanel(name: PanelName): void {
    const { bench } = this.#parts;
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

  #showSource(): void {
    const { bench } = this.#parts;
    const { session } = bench;
    if (!session) return;
    const { open } = bench.store.state;
    openSourceSheet({
      session,
      choices: open,
      perImage: (signal) => this.#loading.perImage(open, signal),
      submit: (choices) => this.#reopen(choices),
    });
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

  get #keys(): readonly Key[] {
    return keysOf({
      store: this.#parts.bench.store,
      explore: () => this.#explore,
      open: () => this.choose(false),
      switchTheme: () => this.#head.switchTheme(),
      escape: () => this.#escape(),
      help: () => openHelp(this.#keys),
    });
  }

  #escape(): void {
    if (!this.#parts.bench.session && this.#parts.bench.store.state.source) this.cancel();
    else this.#notes.clear();
  }
}

/** Images without a scan, and pyramids, are for pan and zoom. */
function panelFor({ dataset }: Session): PanelName {
  const positions = dataset.navShape.reduce((product, size) => product * size, 1);
  return dataset.levels.length > 1 || positions === 1 ? "pyramid" : "explore";
}

customElements.define("tw-page", Page);
