/**
 * The keys of the page.
 *
 * @module
 */

/// <reference lib="dom" />

import type { Key } from "../../parts/keys.ts";
import { type PanelName, PANELS } from "../../state/state.ts";
import type { Store } from "../../state/store.ts";
import type { Explore } from "../explore.ts";
import type { Pyramid } from "../pyramid.ts";

/** What keys do. */
export interface KeyActions {
  readonly store: Store;
  /** The panel Explore while it is shown. */
  explore(): Explore | undefined;
  /** The panel Image while it is shown. */
  image(): Pyramid | undefined;
  /** Lets the user choose files. */
  open(): void;
  /** The next of system, light, dark. */
  switchTheme(): void;
  /** Stops opening, or takes messages away. */
  escape(): void;
  /** Shows the keys. */
  help(): void;
}

/** All keys, as the sheet lists them. */
export function keysOf(actions: KeyActions): readonly Key[] {
  return [...pageKeys(actions), ...exploreKeys(actions), ...imageKeys(actions)].map((
    [group, key, does, press],
  ) => ({
    group,
    key,
    does,
    press,
  }));
}

type Row = readonly [group: string, key: string, does: string, press: () => void];

function pageKeys({ store, open, switchTheme, escape, help }: KeyActions): Row[] {
  const show = (panel: PanelName) => () => {
    store.update({ panel }, "panel");
    store.endGroup();
  };
  return [
    ["Page", "o", "Open files", open],
    ...PANELS.map((name, i): Row => ["Page", `${i + 1}`, `Show ${name}`, show(name)]),
    ["Page", "Ctrl+Z", "Undo", () => store.undo()],
    ["Page", "Ctrl+Shift+Z", "Do again", () => store.redo()],
    ["Page", "t", "Light, dark, or as the system", switchTheme],
    ["Page", "Escape", "Stop opening", escape],
    ["Page", "?", "This sheet", help],
  ];
}

function exploreKeys({ explore }: KeyActions): Row[] {
  const rows: readonly (readonly [string, string, (panel: Explore) => void])[] = [
    ["s", "Go to the image of the scan: arrows move the cross-hair", (panel) => panel.focusOn("scan")],
    [
      "p",
      "Go to the pattern: Tab goes through the handles, arrows move them",
      (panel) => panel.focusOn("frame"),
    ],
    ["d", "Next detector: disk, ring, rectangle, point", (panel) => panel.nextDetector()],
    ["r", "Next region of interest: none, rectangle, disk", (panel) => panel.nextRegion()],
    ["l", "Line profile", (panel) => panel.toggleLine()],
  ];
  return rows.map(([key, does, press]) => ["Explore", key, does, () => {
    const panel = explore();
    if (panel) press(panel);
  }]);
}

function imageKeys({ image }: KeyActions): Row[] {
  const rows: readonly (readonly [string, string, (panel: Pyramid) => void])[] = [
    [",", "Image before, in a stack", (panel) => panel.step(-1)],
    [".", "Image after, in a stack", (panel) => panel.step(1)],
    ["k", "Play the stack, or stop", (panel) => panel.play()],
  ];
  return rows.map(([key, does, press]) => ["Image", key, does, () => {
    const panel = image();
    if (panel) press(panel);
  }]);
}
