/**
 * The sources that were open in this browser: their names only, as in an address. Files must be given again.
 *
 * @module
 */

/// <reference lib="dom" />

import { fromAddress, toAddress } from "../../state/address.ts";
import { type PageState, START } from "../../state/state.ts";
import { remember, remembered } from "../theme.ts";

/** A source, and how it was opened. */
export type Recent = Pick<PageState, "source" | "open">;

/** Most that are kept. */
const MOST = 6;

const KEY = "tilewise-recent";

/** The latest first. Whatever the browser has kept is checked as an address is. */
export function recentSources(): readonly Recent[] {
  const lines = (remembered(KEY) ?? "").split("\n").slice(0, MOST);
  return lines.map((line) => fromAddress(line).state).filter(({ source }) => source !== undefined);
}

/** Notes a source that is open; samples, and what only this server has, are found without it. */
export function noteRecent({ source, open }: Recent): void {
  if (!source || source.kind === "sample" || source.kind === "url" && source.url.startsWith("data/")) return;
  const line = addressOf({ source, open });
  const others = recentSources().map(addressOf).filter((one) => one !== line);
  remember(KEY, [line, ...others].slice(0, MOST).join("\n"));
}

/** Forgets all of them. */
export function forgetRecent(): void {
  remember(KEY, "");
}

function addressOf({ source, open }: Recent): string {
  return toAddress({ ...START, source: source!, open });
}
