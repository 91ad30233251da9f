/**
 * Flags that set options of the library: what they say is what the interface of the option says, and what they refuse is what
 * the rule of the option refuses.
 *
 * @module
 */

import { isTilewiseError, TilewiseError } from "../../errors.ts";
import { defined, type OptionRule } from "../../options.ts";
import type { Arguments } from "../shell/args.ts";
import type { Flag } from "../shell/verb.ts";
import { OPTION_HELP } from "./option_help.ts";

/** What a flag adds to its option. */
interface OwnParts extends Partial<Pick<Flag, "name" | "also" | "multiple" | "values">> {
  /** How its value is written, where that is not what the library takes. */
  readonly typed?: string;
  /** The default of the command, where it is another one. */
  readonly usual?: string;
}

/**
 * The flag for an option, such as `OpenOptions.sigDims`: it is `--sig-dims`, and its help is made of the comment of the option.
 * `deno task build` reads that.
 */
export function optionFlag(of: keyof typeof OPTION_HELP, value?: string, own: OwnParts = {}): Flag {
  const option = of.slice(of.indexOf(".") + 1);
  const [says, stated] = OPTION_HELP[of] as readonly [string, string?];
  const { typed, usual = value === undefined ? undefined : stated, ...parts } = own;
  return {
    name: option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    option,
    ...defined({ value }),
    help: [typed === undefined ? says : `${says}: ${typed}`, usual].filter((part) => part).join("; "),
    ...parts,
  };
}

/** A way to read the value of a flag: `read` makes of a text what `rule` allows. */
export function ruled<T>(
  rule: true | OptionRule,
  read: (text: string) => T,
): (args: Arguments, flag: string) => T | undefined {
  return (args, flag) =>
    args.value(flag, (text) => {
      const value = read(text);
      if (rule !== true) allowed(rule, flag, value);
      return value;
    });
}

function allowed(rule: OptionRule, flag: string, value: unknown): void {
  try {
    rule("", flag, value);
  } catch (error) {
    if (!isTilewiseError(error) || typeof error.details.expected !== "string") throw error;
    throw new TilewiseError("invalid", `it must be ${error.details.expected}`, { found: String(value) });
  }
}

/** A number, or the text where it is not a number. */
export function numberOrText(text: string): number | string {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text.trim()) ? Number(text) : text;
}
