/**
 * Light, dark, or as the system has it; kept for the next visit.
 *
 * @module
 */

/// <reference lib="dom" />

import { setAttribute } from "../parts/dom.ts";

/** The choices, in the order of the switch. */
const THEMES = ["auto", "light", "dark"] as const;

/** One of them. */
export type Theme = typeof THEMES[number];

const KEY = "tilewise-theme";

/** What was chosen. */
export function theme(): Theme {
  return THEMES.find((one) => one === remembered(KEY)) ?? "auto";
}

/** Shows the theme that was chosen. */
export function showTheme(): void {
  const now = theme();
  setAttribute(document.documentElement, "data-theme", now !== "auto" && now);
}

/** Takes the next one. */
export function nextTheme(): void {
  remember(KEY, THEMES[(THEMES.indexOf(theme()) + 1) % THEMES.length] ?? "auto");
  showTheme();
}

/** A value that was kept; a browser may refuse to keep any. */
export function remembered(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a value, if the browser lets the page. */
export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    return; // it holds until the page is closed
  }
}
