/**
 * What the command that serves the page was given, and its folders: rows that open, the way back, and more rows on demand.
 *
 * @module
 */

/// <reference lib="dom" />

import { textButton } from "../../parts/buttons.ts";
import { element, setText } from "../../parts/dom.ts";
import { Newest } from "../../state/newest.ts";
import { type ServedFolder, type ServedList, servedList, type ServedSource } from "../../served/served.ts";
import { type ListedSource, sourceList } from "./source_list.ts";

/** What it is given. */
export interface FolderHost {
  /** Goes to another folder; undefined: to all that the command was given. */
  go(folder: string | undefined): void;
  /** A source as a row. */
  rowOf(source: ServedSource): ListedSource;
}

/** The list of one folder at a time. */
export class FolderList {
  /** All of it. */
  readonly root: HTMLElement = element("div", { class: "folder" });
  readonly #newest = new Newest();

  /** An empty list. */
  constructor(readonly host: FolderHost) {}

  /** Lists another folder; the latest wins. Whether there is anything to show. */
  async show(folder: string | undefined): Promise<boolean> {
    const hadFocus = this.root.contains(document.activeElement);
    let isThere = true;
    const put = (children: readonly HTMLElement[]) => {
      isThere = children.length > 0;
      this.root.replaceChildren(...children);
      if (hadFocus) this.root.querySelector<HTMLElement>("[aria-current]")?.focus();
    };
    await this.#newest.begin(
      () => servedList(folder),
      (list) => put(this.#children(folder, list)),
      (error) => put(folder === undefined ? [] : this.#wrong(error)), // the list of all is an offer
    );
    return isThere;
  }

  #children(folder: string | undefined, list: ServedList): HTMLElement[] {
    if (list.total === 0 && list.way.length === 0) return [];
    return [...(list.way.length > 0 ? [this.#way(list.way)] : []), ...this.#rows(folder, list, 0)];
  }

  #wrong(error: unknown): HTMLElement[] {
    const all = textButton({
      label: "All that is here",
      look: "small",
      press: () => this.host.go(undefined),
    });
    return [element("p", { class: "wrong", role: "alert" }, (error as Error).message), all];
  }

  /** The folders above, and where one is. */
  #way(way: readonly ServedFolder[]): HTMLElement {
    const above = way.slice(0, -1).map(({ name, folder }) =>
      element("li", {}, textButton({ label: name, look: "quiet small", press: () => this.host.go(folder) }))
    );
    const here = element("li", { "aria-current": "page", tabindex: -1 }, way.at(-1)?.name);
    return element("nav", { "aria-label": "Folder" }, element("ol", { class: "way" }, ...above, here));
  }

  /** The rows of a part, and a button for the next one, which takes its own place. */
  #rows(
    folder: string | undefined,
    { folders, sources, total, next, way }: ServedList,
    from: number,
  ): HTMLElement[] {
    const rows = [
      ...folders.map((one): ListedSource => ({
        name: one.name,
        icon: "open",
        about: "Folder",
        press: () => this.host.go(one.folder),
      })),
      ...sources.map((one) => this.host.rowOf(one)),
    ];
    if (rows.length === 0 && from === 0) {
      return [element("p", { class: "hint" }, "Nothing in this folder can be opened here.")];
    }
    const list = sourceList(from === 0 ? "Served sources" : `Served sources after ${from}`, rows);
    if (next === undefined) return [list];
    const more = element("div", { class: "more" });
    const text = element("p", { class: "hint" }, `The first ${next} of ${total} names are listed.`);
    const loading = new Newest();
    const put = (part: ServedList) => {
      const hadFocus = more.contains(document.activeElement);
      const added = this.#rows(folder, part, next);
      more.replaceWith(...added);
      if (hadFocus) added[0]?.querySelector("button")?.focus();
    };
    const load = () =>
      void loading.begin(
        () => servedList(way.at(-1)?.folder ?? folder, next),
        put,
        (error) => setText(text, (error as Error).message),
      );
    more.append(text, textButton({ label: "List more", look: "small", press: load }));
    return [list, more];
  }
}
