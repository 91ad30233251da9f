/**
 * Sources to choose from, each with what it is and a picture, which come one after another.
 *
 * @module
 */

/// <reference lib="dom" />

import { adviceFor } from "../../open/failures.ts";
import { element, setText } from "../../parts/dom.ts";
import { icon, type IconName } from "../../parts/icons.ts";
import type { SourcePreview } from "../../engine/preview.ts";
import { canvasOf } from "../analysis/thumbnails.ts";
import { shapesOf } from "./shapes.ts";

/** A source of the list. */
export interface ListedSource {
  /** Its name. */
  readonly name: string;
  /** What it is, if that is known; absent: it is found out. */
  readonly about?: string;
  /** A sign in the place of its picture. */
  readonly icon?: IconName;
  /** Opens it. */
  press(): void;
  /** Looks at it; absent: nothing is read before it is chosen. */
  preview?(signal: AbortSignal): Promise<SourcePreview>;
}

/** Most sources that are looked at: of others the name is enough. */
const MOST = 48;

/** A list of sources; pictures are made while it is on the page. */
export function sourceList(label: string, sources: readonly ListedSource[]): HTMLElement {
  const rows = sources.map((source) => rowOf(source));
  const root = element("ul", { class: "sources", "aria-label": label }, ...rows.map(({ item }) => item));
  void showAll(root, rows.slice(0, MOST));
  return root;
}

interface Row {
  readonly item: HTMLElement;
  show(signal: AbortSignal): Promise<void>;
}

function rowOf({ name, about: known, icon: sign, press, preview }: ListedSource): Row {
  const picture = element("span", { class: "thumbnail", "aria-hidden": "true" }, sign && icon(sign));
  const about = element("small", {}, known);
  const text = element("span", { class: "text" }, element("span", { class: "mono" }, name), about);
  const button = element(
    "button",
    { type: "button", class: "button", click: press },
    (preview || sign) && picture,
    text,
  );
  return {
    item: element("li", {}, button),
    async show(signal) {
      try {
        const found = await preview?.(signal);
        if (!found || signal.aborted) return;
        setText(about, shapesOf(found.dataset));
        if (found.image) picture.replaceChildren(canvasOf(found.image));
      } catch (error) {
        if (!signal.aborted) setText(about, adviceFor(error).title);
      }
    },
  };
}

/** One after another, until the list has left the page. */
async function showAll(root: HTMLElement, rows: readonly Row[]): Promise<void> {
  const control = new AbortController();
  await new Promise(requestAnimationFrame); // it is put on the page meanwhile
  for (const { show } of rows) {
    if (!root.isConnected) control.abort();
    if (control.signal.aborted) return;
    await show(control.signal);
  }
}
