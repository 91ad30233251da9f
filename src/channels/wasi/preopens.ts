/**
 * The directories that a program has from the start.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { declaredRoots } from "../host/files.ts";
import type { ChannelLayout } from "../protocol/channel.ts";
import type { Preopen } from "./program.ts";

/** Where the names of a host begin. */
const START = ".";

/** The directories of a program: those that were asked for, or all that the host serves. Errors: `invalid`. */
export function preopensOf(
  call: string,
  layout: ChannelLayout,
  asked: Readonly<Record<string, string>> | undefined,
): Preopen[] {
  const declared = declaredRoots(layout);
  if (declared === undefined) {
    if (asked === undefined || Object.keys(asked).length === 0) return [];
    const text =
      `${call}: "roots" of a program lie below the roots of its host, and this host has declared none: it serves all ` +
      "files that the runtime permits; start it with roots";
    throw new TilewiseError("invalid", text, { option: "roots" });
  }
  const all = asked ?? Object.fromEntries(declared.map(({ given, path }) => [given, path]));
  return Object.entries(all).map(([guest, host]) => ({ guest, host: host === "" ? START : host }));
}
