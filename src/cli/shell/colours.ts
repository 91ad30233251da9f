/**
 * Which colours a terminal shows, from environment variables.
 *
 * @module
 */

import type { Colours } from "../../pictures/colours/palette.ts";

/** Facts about the place where output goes. */
export interface Surroundings {
  /** The value of an environment variable; `undefined` where it is not set, or may not be read. */
  readonly env: (name: string) => string | undefined;
  /** Whether output goes to a terminal. */
  readonly isTerminal: boolean;
  /** The operating system, as Deno calls it. */
  readonly system?: string;
}

/**
 * The colours for output: none with `NO_COLOR`; those of `FORCE_COLOR` (0 none, 1 16 colours, 2 256, 3 all, anything
 * else what the terminal has); otherwise what a terminal says of itself, and none elsewhere.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const variables: Record<string, string> = { TERM: "xterm-256color" };
 * const env = (name: string) => variables[name];
 * assertEquals(coloursOf({ env, isTerminal: true }), 256);
 * assertEquals(coloursOf({ env, isTerminal: false }), false);
 * ```
 */
export function coloursOf({ env, isTerminal, system = "" }: Surroundings): Colours {
  if (env("NO_COLOR")) return false;
  const forced = env("FORCE_COLOR");
  if (!forced) return isTerminal && terminalColours(env, system);
  const levels: Readonly<Record<string, Colours>> = { 0: false, false: false, 1: 16, 2: 256, 3: true };
  return levels[forced] ?? (terminalColours(env, system) || 16);
}

function terminalColours(env: Surroundings["env"], system: string): Colours {
  const term = env("TERM") ?? "";
  if (term === "dumb") return false;
  if (/^(truecolor|24bit)$/i.test(env("COLORTERM") ?? "")) return true;
  if (env("WT_SESSION") || /-(direct|truecolor)$/.test(term)) return true;
  if (/-?256(color)?$/.test(term)) return 256;
  return system === "windows" && term === "" ? 256 : false; // its own console knows them and sets no TERM
}
