/**
 * Arguments and flags of a verb.
 *
 * @module
 */

import { readable } from "../../reason.ts";
import { TilewiseError } from "../../errors.ts";

/** A command line that cannot be parsed; exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";

  /** With what is wrong, and what would work. */
  constructor(message: string) {
    super(readable(message));
  }
}

/**
 * What was typed after the verb.
 * @category Command line
 */
export class Arguments {
  /** Paths of the files that the command has read so far; no output may replace them. */
  readonly inputs: Set<string> = new Set();
  readonly #values: ReadonlyMap<string, readonly string[]>;

  /** The arguments that are not flags, the values of the flags that were given, and all words as they were typed. */
  constructor(
    readonly positionals: readonly string[],
    values: ReadonlyMap<string, readonly string[]>,
    readonly words: readonly string[] = [],
  ) {
    this.#values = values;
  }

  /** The flags that were given, with their values. */
  get flags(): [name: string, values: readonly string[]][] {
    return [...this.#values];
  }

  /** Whether the flag was given. */
  has(flag: string): boolean {
    return this.#values.has(flag);
  }

  /** The last value of a flag. */
  text(flag: string): string | undefined {
    return this.#values.get(flag)?.at(-1);
  }

  /** All values of a flag. */
  texts(flag: string): readonly string[] {
    return this.#values.get(flag) ?? [];
  }

  /** The value of a flag, parsed by `parse`; what it throws becomes a {@link UsageError} that names the flag. */
  value<T>(flag: string, parse: (text: string) => T): T | undefined {
    const text = this.text(flag);
    if (text === undefined) return undefined;
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof TilewiseError)) throw error;
      throw new UsageError(`--${flag} ${text}: ${error.message}`);
    }
  }

  /** A whole number from `least` to `most`. */
  count(flag: string, least = 0, most = Infinity): number | undefined {
    return this.value(flag, (text) => {
      const number = Number(text);
      const isWhole = /^[+-]?\d+$/.test(text.trim()) && Number.isSafeInteger(number);
      if (isWhole && number >= least && number <= most) return number;
      const range = Number.isFinite(most) ? ` from ${least} to ${most}` : ` from ${least} on`;
      throw new TilewiseError("invalid", `write a whole number${Number.isFinite(least) ? range : ""}`);
    });
  }
}

/** The flag that says that a command is computed in parts, if there is one. */
export function storeFlag(args: Pick<Arguments, "has">): string | undefined {
  return ["store", "shard", "engine"].find((flag) => args.has(flag));
}
