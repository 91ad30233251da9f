/**
 * Rules for the values of options, for tables of {@link OptionNames}.
 *
 * A rule checks what kind of value is given; whether it fits the data is checked later, by its call.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import {
  checkOptionNames,
  inWords,
  isNamed,
  type NeededRule,
  type OptionNames,
  type OptionRule,
} from "../options.ts";

/** The rule that values must be `what`; `V` are the types of those that may pass. */
export function must<V = never>(what: string, test: (value: unknown) => boolean): OptionRule<V> {
  return (call, option, value) => {
    if (!test(value)) throw wrongValue(call, option, value, what);
  };
}

/** The error for an option whose value is not `what` it must be. */
export function wrongValue(call: string, option: string, value: unknown, what: string): TilewiseError {
  const found = inWords(value);
  const wait = found === "a promise" ? " (await it)" : "";
  const text = `${call}: the option "${option}" is ${found}${wait}; it must be ${what}`;
  return new TilewiseError("invalid", text, { option, found, expected: what });
}

/** The rule for an option that must be given. */
export function needed<V>(rule: OptionRule<V>): NeededRule<V> {
  return Object.assign((...args: Parameters<OptionRule>) => rule(...args), { needed: true as const });
}

/** Whole numbers from `least` to `most`. */
export function whole(least: number = 0, most: number = Infinity): OptionRule<number> {
  const range = `${least > -Infinity ? ` from ${least}` : ""}${most < Infinity ? ` to ${most}` : ""}`;
  return must(
    `a whole number${range}`,
    (value) => Number.isSafeInteger(value) && value as number >= least && value as number <= most,
  );
}

/** Finite numbers. */
export const finite: OptionRule<number> = must("a finite number", Number.isFinite);

/** Finite numbers above 0. */
export const positive: OptionRule<number> = must(
  "a number above 0",
  (value) => Number.isFinite(value) && value as number > 0,
);

/** Numbers above 0, `Infinity` included: limits. */
export const limit: OptionRule<number> = must(
  "a number above 0",
  (value) => typeof value === "number" && value > 0,
);

/** Numbers from 0, `Infinity` included. */
export const atLeast0: OptionRule<number> = must(
  "a number from 0",
  (value) => typeof value === "number" && value >= 0,
);

/** Numbers of any kind; the call checks which ones fit. */
export const number: OptionRule<number> = must("a number", (value) => typeof value === "number");

/** Truth values. */
export const truth: OptionRule<boolean> = must("true or false", (value) => typeof value === "boolean");

/** Texts. */
export const text: OptionRule<string> = must("a text", (value) => typeof value === "string");

/** Functions. */
export const callable: OptionRule<(...given: never[]) => unknown> = must(
  "a function",
  (value) => typeof value === "function",
);

/** Lists and typed arrays. */
export const list: OptionRule<ArrayLike<unknown> | ArrayBufferView> = must(
  "a list",
  (value) => Array.isArray(value) || ArrayBuffer.isView(value),
);

/** One of some words. */
export function oneOf<W extends string>(...words: readonly W[]): OptionRule<W> {
  const quoted = words.map((word) => `"${word}"`);
  const all = [quoted.slice(0, -1).join(", "), ...quoted.slice(-1)].filter((part) => part !== "").join(
    " or ",
  );
  return must(all, (value) => (words as readonly unknown[]).includes(value));
}

/** What a rule may allow. */
type AllowedBy<R> = R extends OptionRule<infer V> ? V : never;

/** Values that any of several rules allows. */
export function either<R extends readonly OptionRule[]>(
  what: string,
  ...rules: R
): OptionRule<AllowedBy<R[number]>> {
  const allows = (rule: OptionRule, value: unknown) => {
    try {
      rule("", "", value);
      return true;
    } catch {
      return false;
    }
  };
  return must(what, (value) => rules.some((rule) => allows(rule, value)));
}

/** Abort signals. An `AbortController` is refused: it is not a signal, and its abort would have no effect. */
export const signal: OptionRule<AbortSignal> = must("an AbortSignal, such as controller.signal", (value) => {
  const { aborted, addEventListener } = (value ?? {}) as Partial<AbortSignal>;
  return typeof aborted === "boolean" && typeof addEventListener === "function";
});

/** Objects with options inside. */
export function inner<T extends object>(names: OptionNames<T>): OptionRule<T> {
  return (call, option, value) => checkOptionNames(call, value as T, names, option);
}

/** Objects with any names, whose values all follow one rule; the name is part of the path of the option. */
export function each<V>(what: string, rule: OptionRule<V>): OptionRule<Readonly<Record<string, V>>> {
  return (call, option, value) => {
    if (!isNamed(value)) throw wrongValue(call, option, value, what);
    for (const [name, item] of Object.entries(value)) rule(call, `${option}.${name}`, item);
  };
}
