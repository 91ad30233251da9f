/**
 * Buttons with an icon, and choices of one out of a few.
 *
 * @module
 */

/// <reference lib="dom" />

import { element, setAttribute } from "./dom.ts";
import { icon, type IconName } from "./icons.ts";

/** What a button is. */
export interface ButtonFacts {
  /** What it does, for all who do not see the icon, and as its tip. */
  readonly label: string;
  /** Further classes: `primary`, `quiet`, `small`, `square`. */
  readonly look?: string;
  /** The key that does the same. */
  readonly key?: string;
  /** Called when it is pressed. */
  press(event: MouseEvent): void;
}

/** A button that shows an icon only. */
export function iconButton(
  name: IconName,
  { label, look = "quiet", key, press }: ButtonFacts,
): HTMLButtonElement {
  const title = key === undefined ? label : `${label} (${key})`;
  return element("button", {
    type: "button",
    class: `button square ${look}`,
    "aria-label": label,
    ...(key === undefined ? {} : { "aria-keyshortcuts": shortcut(key) }),
    title,
    click: press,
  }, icon(name));
}

/** A button with text, maybe behind an icon. */
export function textButton(
  { label, look = "", key, press }: ButtonFacts,
  name?: IconName,
): HTMLButtonElement {
  return element(
    "button",
    {
      type: "button",
      class: `button ${look}`,
      ...(key === undefined ? {} : { "aria-keyshortcuts": shortcut(key), title: `${label} (${key})` }),
      click: press,
    },
    name && icon(name),
    label,
  );
}

/** The form in which `aria-keyshortcuts` has a key. */
function shortcut(key: string): string {
  return key.replace("Ctrl", "Control");
}

/** One of a few, all of them seen at once. */
export interface Segments {
  /** The group. */
  readonly root: HTMLElement;
  /** Shows which one is chosen. */
  show(value: string): void;
  /** Allows or refuses some. */
  allow(allowed: (value: string) => boolean): void;
}

/** A row of buttons of which one is pressed. */
export function segments(
  label: string,
  choices: readonly (readonly [value: string, text: string])[],
  choose: (value: string) => void,
): Segments {
  const buttons = choices.map(([value, text]) =>
    element("button", {
      type: "button",
      class: "button small",
      "aria-pressed": "false",
      "data-value": value,
      click: () => choose(value),
    }, text)
  );
  return {
    root: element("div", { class: "segmented", role: "group", "aria-label": label }, ...buttons),
    show(value) {
      for (const button of buttons) setAttribute(button, "aria-pressed", `${button.dataset.value === value}`);
    },
    allow(allowed) {
      for (const button of buttons) button.hidden = !allowed(button.dataset.value ?? "");
    },
  };
}
