/**
 * Files that are dropped anywhere on the page.
 *
 * @module
 */

/// <reference lib="dom" />

import { type Dropped, droppedFiles } from "../../../src/io/picked_files.ts";
import { element } from "../../parts/dom.ts";

/** Shows a veil over `page` while files are dragged over it, and gives those that are dropped, which takes a while for a folder. */
export function listenToDrops(page: HTMLElement, taken: (files: Promise<readonly File[]>) => void): void {
  const veil = element("div", { class: "dropping", hidden: true }, "Drop to open");
  page.append(veil);
  document.addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    veil.hidden = false;
  });
  document.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) veil.hidden = true;
  });
  document.addEventListener("drop", (event) => {
    veil.hidden = true;
    if (!hasFiles(event)) return;
    event.preventDefault();
    taken(droppedFiles(event.dataTransfer as Dropped).then((files) => files.filter(isFile)));
  });
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes("Files") ?? false;
}

function isFile(one: Blob): one is File {
  return one instanceof File;
}
