/**
 * Help: the first steps, where data go, and all keys.
 *
 * @module
 */

/// <reference lib="dom" />

import { openDialog } from "../parts/dialogs.ts";
import { element } from "../parts/dom.ts";
import type { Key } from "../parts/keys.ts";
import { remember, remembered } from "./theme.ts";

const KEY = "tilewise-single-keys";

/** Whether keys without Ctrl do something: who dictates or types by accident can switch them off. */
export function singleKeys(): boolean {
  return remembered(KEY) !== "off";
}

/** First steps, in the order in which they are done. */
const STEPS = [
  "Open a scan, or take a sample. On the left is an image of the scan, on the right a diffraction pattern.",
  "Drag the detector in the pattern: the image of the scan follows. Handles change its radius.",
  "Move the cross-hair in the image of the scan to see the pattern of that position.",
  "Choose an analysis at the side: centre of mass, radial Fourier series, strain and others.",
  "Draw a region of interest to compute only a part of the scan. Export results, or the same run as a script.",
];

/** Opens the sheet. */
export function openHelp(keys: readonly Key[]): void {
  const groups = [...new Set(keys.map(({ group }) => group))];
  const toggle = element("input", {
    type: "checkbox",
    id: "single-keys",
    ...(singleKeys() ? { checked: true } : {}),
    change: (event: Event) => {
      if (event.target instanceof HTMLInputElement) remember(KEY, event.target.checked ? "on" : "off");
    },
  });
  openDialog(
    "Help and keys",
    element(
      "div",
      { class: "sections" },
      element(
        "section",
        {},
        element("ol", { class: "steps" }, ...STEPS.map((step) => element("li", {}, step))),
      ),
      element(
        "section",
        {},
        element("h3", {}, "Where data go"),
        element(
          "p",
          {},
          "Nowhere. Files are read and computed in this page, on this machine. From an address, only the parts that are needed are read. " +
            threadsText(),
        ),
      ),
      ...groups.map((group) => keySection(group, keys.filter((key) => key.group === group))),
      element(
        "section",
        {},
        element("label", { for: "single-keys" }, toggle, " Keys without Ctrl are in use"),
      ),
    ),
  );
}

/** How this page computes. */
function threadsText(): string {
  const cores = navigator.hardwareConcurrency || 1;
  return globalThis.crossOriginIsolated
    ? `It computes on ${cores} threads with shared memory.`
    : "It computes on threads without shared memory, which is slower: its server does not send the headers for it (COOP and COEP).";
}

function keySection(title: string, keys: readonly Key[]): HTMLElement {
  const rows = keys.map(({ key, does }) =>
    element(
      "div",
      { class: "key-row" },
      element("dt", {}, ...key.split("+").map((part) => element("kbd", {}, part || "+"))),
      element("dd", {}, does),
    )
  );
  return element("section", {}, element("h3", {}, title), element("dl", { class: "keys" }, ...rows));
}
