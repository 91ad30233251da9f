/**
 * Flags that take one of a few words.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { Arguments } from "../shell/args.ts";

/** The word of a flag; without the flag, the first one. */
export function wordOf<T extends string>(args: Arguments, flag: string, words: readonly [T, ...T[]]): T {
  const found = args.value(flag, (text) => {
    const word = words.find((one) => one === text);
    if (word) return word;
    throw new TilewiseError("invalid", `write ${words.join(" or ")}`, { found: text });
  });
  return found ?? words[0];
}
