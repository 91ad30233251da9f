/**
 * From what the state names as its source to an open session, and the faces of the page on the way.
 *
 * @module
 */

/// <reference lib="dom" />

import type { OpenInput } from "@tilewise/tilewise/formats";
import type { Session } from "../../engine/session.ts";
import { readOptions } from "../../open/options.ts";
import { textButton } from "../../parts/buttons.ts";
import { element } from "../../parts/dom.ts";
import { type Found, inputOf, nameOf, openedName, type Sources, sourcesAmong } from "../../open/sources.ts";
import { isForeign } from "../../state/address.ts";
import { Newest } from "../../state/newest.ts";
import { type OpenChoices, type PageState, type SourceChoice, START } from "../../state/state.ts";
import { Loading } from "../loading.ts";
import { Busy, type Offers, type OpeningActions, welcome } from "../opening.ts";
import { askForFiles, askForServer, failed } from "../opening_asks.ts";
import { isServed, servedList, type ServedSource } from "../../served/served.ts";
import { rawForm } from "../raw_form.ts";
import type { FolderList } from "./folder_list.ts";
import { forgetRecent, noteRecent, recentSources } from "./recent.ts";
import type { ListedSource } from "./source_list.ts";
import { openSourceSheet } from "../source_sheet.ts";
import type { OtherImage, Workbench } from "../workbench.ts";

/** What the page is made of. */
export interface PageParts {
  readonly bench: Workbench;
  readonly sources: Sources;
  /** Servers that were named by the user, not only by an address. */
  readonly trusted: Set<string>;
}

/** What the page does meanwhile. */
export interface OpenerHost {
  /** Shows a face instead of a panel. */
  face(root: HTMLElement): void;
  /** Something else is opened, or nothing: what was said of the source before is over. */
  begun(): void;
  /** It is open, with `warnings`. `isNew`: it was chosen here, not by an address, so that the page chooses the panel. */
  opened(session: Session, isNew: boolean, warnings: readonly string[]): void;
  /** Says something to readers of the screen. */
  announce(text: string): void;
  /** Lets the user choose files, or a folder. */
  choose(folder: boolean): void;
}

/** Most names of a warning. */
const MOST_NAMES = 5;

/** Another source than the one that is open. */
type Other = ListedSource & OtherImage;

/** Opens what the state names, and what the user gives. */
export class Opener implements OpeningActions {
  readonly #parts: PageParts;
  readonly #host: OpenerHost;
  readonly #loading: Loading;
  readonly #given = new Newest();
  #isNew = false;
  #folders: FolderList | undefined;

  /** Opens for the page `host`. */
  constructor(parts: PageParts, host: OpenerHost) {
    this.#parts = parts;
    this.#host = host;
    parts.bench.others = () => this.#images();
    this.#loading = new Loading(parts.bench, parts.sources, {
      begun: (name) => this.#busy(name),
      progress: () => {},
      missing: (found) => this.#missing(found),
      opened: (session) => this.#opened(session),
      failed: (error, name) => this.#failed(error, name),
    });
  }

  choose(folder: boolean): void {
    this.#host.choose(folder);
  }

  openUrl(url: string, open: OpenChoices = {}): void {
    this.#parts.trusted.add(new URL(url, document.baseURI).origin);
    this.#choose({ kind: "url", url }, open);
  }

  openSample(name: string): void {
    this.#choose({ kind: "sample", name });
  }

  openFile(path: string): void {
    const { bench: { store: { state: { source } } }, sources } = this.#parts;
    if (source) this.#choose(sources.choose(source, path));
  }

  cancel(): void {
    this.#loading.stop();
    this.leave();
  }

  again(): void {
    this.open(this.#parts.bench.store.state);
  }

  leave(): void {
    const { store } = this.#parts.bench;
    store.update({ source: undefined, open: {} }, "leave");
    store.endGroup();
    if (!store.state.source) this.open(store.state);
  }

  /** Takes files once they are known, unless something else is opened before. */
  takeLater(files: Promise<readonly File[]>): void {
    void this.#given.begin(
      () => files,
      (all) => this.take(all),
      (error) => this.#parts.bench.fail(error),
    );
  }

  /** Takes files that were dropped or chosen; those that the page asks for, it goes on with. */
  take(files: readonly File[]): void {
    if (files.length === 0) return;
    const { bench: { store, session }, sources } = this.#parts;
    const { source } = store.state;
    const given = sources.keep(files, source && !sources.has(source) ? source : undefined);
    if (!session && isEqual(source, given)) this.open(store.state);
    else this.#choose(given);
  }

  /** Opens what a state names, or shows what is in the way. */
  open({ source, open }: PageState): void {
    this.#given.stop();
    this.#host.begun();
    document.title = source ? `${nameOf(source)} – Tilewise` : "Tilewise";
    if (source && this.#isTrusted(source)) return void this.#loading.open(source, open);
    this.#loading.close();
    this.#host.face(source?.kind === "url" ? askForServer(source.url, this) : welcome(this, this.#offers()));
  }

  /** Shows what is open, and why. */
  showSource(): void {
    const { bench: { session, store: { state: { open, source } } } } = this.#parts;
    if (!session || !source) return;
    openSourceSheet({
      others: this.#others(),
      session,
      choices: open,
      perImage: (signal) => this.#loading.perImage(open, signal),
      submit: (choices) => this.#reopen(choices),
    });
  }

  /** Those that may have an image to be looked at beside another. */
  async #images(): Promise<readonly Other[]> {
    const others = await this.#others();
    const own = sourcesAmong(others.flatMap(({ of }) => of.kind === "file" ? [of.path] : []));
    return others.filter(({ of }) => of.kind === "url" || own.includes(of.path));
  }

  /** What is offered while nothing is open. */
  async #offers(): Promise<Offers> {
    const recent = recentSources();
    if (!isServed() && recent.length === 0) return { served: undefined, recent: undefined };
    const { sourceList } = await import("./source_list.ts");
    const known = recent.map(({ source, open }): ListedSource => ({
      name: nameOf(source!),
      press: () => this.#choose(source!, open),
    }));
    const forget = textButton({
      label: "Forget these",
      look: "quiet small",
      press: () => {
        forgetRecent();
        this.again();
      },
    });
    return {
      served: await this.#servedOffer(),
      recent: known.length > 0
        ? element("div", {}, sourceList("Sources that were open", known), forget)
        : undefined,
    };
  }

  /** What the command serves, which is listed here as folders are gone through. */
  async #servedOffer(): Promise<HTMLElement | undefined> {
    if (!isServed()) return undefined;
    const { FolderList } = await import("./folder_list.ts");
    const { store } = this.#parts.bench;
    const folders = this.#folders = new FolderList({
      go: (folder) => {
        store.update({ folder }, "folder");
        store.endGroup();
      },
      rowOf: (source) => this.#otherOf(source),
    });
    return await folders.show(store.state.folder) ? folders.root : undefined;
  }

  /** Lists another folder while nothing is open. */
  showFolder(folder: string | undefined): void {
    void this.#folders?.show(folder);
  }

  /** What the command serves, of the folder that was listed last. */
  async #served(): Promise<readonly Other[]> {
    const { folder } = this.#parts.bench.store.state;
    const { sources } = await servedList(folder).catch(() => ({ sources: [] })); // the list is an offer
    return sources.map((source) => this.#otherOf(source));
  }

  #otherOf({ name, url, options }: ServedSource): Other {
    return {
      of: { kind: "url", url },
      ...otherOf(name, () => this.#parts.sources.inputAt(url), options),
      press: () => this.openUrl(url, options),
    };
  }

  /** What else can be opened: files that were given together with what is open, and what the command serves. */
  async #others(): Promise<readonly Other[]> {
    const { bench: { session, store: { state: { source } } }, sources } = this.#parts;
    if (!source || !session) return [];
    const { source: opened } = session.dataset;
    const paths = sources.pathsOf(source).filter((path) => path !== opened && !opened.startsWith(`${path}/`));
    const files = paths.map((path): Other => ({
      of: { kind: "file", path },
      ...otherOf(path, () => Promise.resolve(inputOf(...sources.firstOf(source, path))), {}),
      press: () => this.openFile(path),
    }));
    const isOpen = ({ of }: Other) => of.kind === "url" && source.kind === "url" && of.url === source.url;
    return [...files, ...(await this.#served()).filter((one) => !isOpen(one))];
  }

  /** Another server is asked only if the user has named it. */
  #isTrusted(source: SourceChoice): boolean {
    if (source.kind !== "url" || !isForeign(source.url, document.baseURI)) return true;
    return this.#parts.trusted.has(new URL(source.url, document.baseURI).origin);
  }

  #choose(source: SourceChoice, open: OpenChoices = {}): void {
    const { store } = this.#parts.bench;
    const before = store.state;
    this.#isNew = true;
    store.update({
      source,
      open,
      position: undefined,
      instead: undefined,
      roi: undefined,
      views: {},
      look: undefined,
      stack: {},
      channels: undefined,
      order: undefined,
      overlay: undefined,
      grid: undefined,
      objects: undefined,
      second: undefined,
      result: undefined,
      analysis: START.analysis,
    }, "open");
    store.endGroup();
    if (isEqual([source, open], [before.source, before.open])) this.open(store.state);
  }

  #busy(name: string): void {
    const busy = new Busy(name, this);
    this.#loading.events.progress = (text, share) => busy.show(text, share);
    this.#host.face(busy.root);
    this.#host.announce(`Opening ${name}`);
  }

  #missing(found: Exclude<Found, { readonly kind: "input" }>): void {
    if (found.kind === "files") return this.#host.face(askForFiles(found.names, this));
    this.#failed(new RangeError(`There is no sample "${found.name}"`), found.name);
  }

  #failed(error: unknown, name: string): void {
    const { bench: { store: { state } }, sources } = this.#parts;
    const form = rawForm({
      choices: state.open,
      name,
      bytes: state.source && sources.bytesOf(state.source),
      perImage: (choices, signal) => this.#loading.perImage(choices, signal),
      submit: (choices) => this.#reopen(choices),
    });
    this.#host.face(failed(error, name, form, this));
  }

  #reopen(open: OpenChoices): void {
    const { store } = this.#parts.bench;
    if (isEqual(open, store.state.open)) return this.again();
    store.update({ open, position: undefined, roi: undefined }, "facts");
    store.endGroup();
  }

  #opened(session: Session): void {
    const isNew = this.#isNew;
    this.#isNew = false;
    const { bench: { store: { state } }, sources } = this.#parts;
    noteRecent(state);
    this.#parts.bench.version = sources.versionOf(state.source);
    for (const file of sources.filesOf(state.source)) session.files.set(file.name, file);
    const { warnings, source } = session.dataset;
    const beside = sources.besideStore(state.source).slice(0, MOST_NAMES).join(", ");
    const left = `${openedName(state.source!, source)} was opened; there are also ${beside}`;
    this.#host.opened(session, isNew, [...warnings, ...(beside === "" ? [] : [left])]);
    this.#host.announce(`Opened ${session.dataset.toString()}`);
  }
}

/** How another source is looked at, and opened beside the one that is open. */
function otherOf(
  name: string,
  input: () => Promise<OpenInput>,
  choices: OpenChoices,
): Pick<Other, "name" | "preview" | "open"> {
  const { options } = readOptions(choices);
  return {
    name,
    preview: async (signal) =>
      await (await import("../library.ts")).previewOf(await input(), options, signal),
    open: async (signal) => await (await import("../library.ts")).mainImage(await input(), options, signal),
  };
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
