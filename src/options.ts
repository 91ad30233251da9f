/**
 * Refuses unknown options and values that cannot be right. Otherwise they would be ignored silently, or fail far from the
 * call that was given them.
 *
 * @module
 */

import { isTilewiseError, TilewiseError } from "./errors.ts";

/**
 * Checks the value of one option; throws an error that says what it must be. `V` are the values that it may allow: those of
 * the option must be among them.
 */
export interface OptionRule<in V = never> {
  (call: string, option: string, value: unknown): void;
  /** Whether the option must be given: then the rule also checks `undefined`. */
  readonly needed?: boolean;
  /** Never there: it lets the compiler compare a rule with the type of its option. */
  readonly allows?: (value: V) => void;
}

/** The rule of an option that must be given. */
export interface NeededRule<in V = never> extends OptionRule<V> {
  /** The rule also checks `undefined`. */
  readonly needed: true;
}

/**
 * The names of all options of `T`, each with the rule for its values, or `true` where other code checks them. The
 * compiler reports a missing name, a name that `T` does not have, a rule that refuses values of its type, and an option that
 * must be given without saying so. `deno task build` writes tables of this type from the interface and its comments.
 */
export type OptionNames<T> = {
  readonly [K in keyof T]-?:
    | true
    | (undefined extends T[K] ? OptionRule<Exclude<T[K], undefined>> : NeededRule<T[K]>);
};

/**
 * Refuses options of `call` that are not an object, unknown names (the message has the nearest known one), and values
 * that their rules refuse. Options that are `undefined` count as not given. `inside`: the option that holds these options,
 * where they are not options of the call itself; for `http.retry` it is `http`.
 *
 * Errors: `invalid`, with `option`, `found` and `expected`.
 *
 * @example
 * ```ts
 * import { assertThrows } from "@std/assert";
 * const names: OptionNames<{ syncOffset?: number }> = { syncOffset: true };
 * const typed: object = JSON.parse('{ "syncoffset": 5 }');
 * assertThrows(() => checkOptionNames("open()", typed, names), Error, 'did you mean "syncOffset"?');
 * ```
 */
export function checkOptionNames<T extends object>(
  call: string,
  options: T,
  names: OptionNames<T>,
  inside?: string,
): void {
  const holder = inside === undefined ? call : `"${inside}" of ${call}`;
  checkNames(`${holder} has no option`, options, Object.keys(names), inside);
  for (
    const [name, rule] of Object.entries<true | OptionRule>(
      names as OptionNames<Readonly<Record<string, never>>>,
    )
  ) {
    const value = (options as Readonly<Record<string, unknown>>)[name];
    if (rule !== true && (value !== undefined || rule.needed)) rule(call, pathOf(name, inside), value);
  }
}

/**
 * Refuses names of `given` that are not in `known`. The message begins with `problem`, such as `open() has no option`.
 *
 * Errors: `invalid`, with `option`, `found`, `expected` and the `details`.
 */
export function checkNames(
  problem: string,
  given: object,
  known: readonly string[],
  inside?: string,
  details: { readonly file?: string } = {},
): void {
  if (!isNamed(given)) {
    const found = Array.isArray(given) ? "a list" : inWords(given);
    const text =
      `${problem.replace(/ has no option$/, "")} was given ${found}: options are an object, such as ` +
      `{ ${known[0] ?? ""}: … }`;
    throw new TilewiseError("invalid", text, { found, ...(inside === undefined ? {} : { option: inside }) });
  }
  const wrong = Object.keys(given).find((name) => !known.includes(name));
  if (wrong === undefined) return;
  const near = nearest(wrong, known);
  const hint = near
    ? `did you mean "${near}"?`
    : known.length > 0
    ? `there are ${known.join(", ")}`
    : "there are none";
  throw new TilewiseError("invalid", `${problem} "${wrong}"; ${hint}`, {
    option: pathOf(wrong, inside),
    found: wrong,
    expected: near ?? known.join(", "),
    ...details,
  });
}

/** Whether a value is an object with names: not a list, a map, a promise or a primitive. */
export function isNamed(value: unknown): value is object {
  return typeof value === "object" && value !== null && !(Symbol.iterator in value) && !isThenable(value);
}

function pathOf(name: string, inside: string | undefined): string {
  return inside === undefined ? name : `${inside}.${name}`;
}

/** The result of `work`; if it throws an error that names no option, `option` is added to the error. */
export function withOption<T>(option: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isTilewiseError(error) || error.details.option !== undefined) throw error;
    const { code, message, details, cause } = error;
    throw new TilewiseError(
      code,
      message,
      { ...details, option },
      cause === undefined ? undefined : { cause },
    );
  }
}

/**
 * A value as messages show it: short, and in words unless it is a number, a text or a list.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(inWords("4x4"), '"4x4"');
 * assertEquals(inWords([1, 2]), "[1,2]");
 * assertEquals(inWords(Promise.resolve()), "a promise");
 * ```
 */
export function inWords(value: unknown): string {
  if (typeof value === "function") return "a function";
  if (isThenable(value)) return "a promise";
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    const name = Object.getPrototypeOf(value)?.constructor?.name;
    return name === undefined || name === "Object"
      ? "an object"
      : `${/^[AEIO]/.test(name) ? "an" : "a"} ${name}`;
  }
  if (typeof value !== "string" && !Array.isArray(value)) return String(value);
  const text = JSON.stringify(value, (_, inner) => typeof inner === "bigint" ? String(inner) : inner);
  return text.length <= MOST_LETTERS ? text : `${text.slice(0, MOST_LETTERS)}…`;
}

const MOST_LETTERS = 60;

/** Whether `value` is a promise of any kind. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null &&
    typeof (value as Partial<PromiseLike<unknown>>).then === "function";
}

/** Whether `value` is a promise. If so, its rejection is ignored from now on. */
export function isPromise(value: unknown): boolean {
  if (!isThenable(value)) return false;
  Promise.resolve(value).catch(() => {});
  return true;
}

/** Refuses a promise of code of a user, which would not be awaited. */
export function mustBeOver(value: unknown): void {
  if (!isPromise(value)) return;
  const text = "it returned a promise, as async functions do, which is not awaited";
  throw new Error(`${text}; make it an ordinary function`);
}

/**
 * The candidate most like `word`, if one is near enough: at most a third of its letters differ. Capitals, dashes and
 * underscores make no difference.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(nearest("stat", ["info", "stats", "pick"]), "stats");
 * assertEquals(nearest("extra_shape", ["dtype", "extraShape"]), "extraShape");
 * assertEquals(nearest("xyz", ["info", "stats"]), undefined);
 * ```
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const ranked = candidates.map((candidate) => ({
    candidate,
    cost: slips(word, candidate),
  }));
  const best = ranked.toSorted((a, b) => a.cost - b.cost)[0];
  return best && best.cost <= Math.max(1, Math.ceil(best.candidate.length / 3)) ? best.candidate : undefined;
}

/**
 * Edits from one word to another: letters added, removed, changed, or neighbours swapped. Capitals, dashes and
 * underscores make no difference.
 */
export function slips(a: string, b: string): number {
  return distance(plain(a), plain(b));
}

function plain(word: string): string {
  return word.toLowerCase().replace(/(?<=\w)[-_]/g, "");
}

/** If the lengths of two words differ by more than this, they are not compared letter by letter. */
const MOST_LONGER = 100;

function distance(a: string, b: string): number {
  const longer = Math.abs(a.length - b.length);
  if (longer > MOST_LONGER) return longer;
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const [before, row] = [rows[i - 1]!, [i]];
    for (let j = 1; j <= b.length; j++) {
      const change = before[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwap ? rows[i - 2]![j - 2]! + 1 : Infinity;
      row.push(Math.min(change, swap, before[j]! + 1, row[j - 1]! + 1));
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}

/**
 * What is given: the entries that are not `undefined`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(defined({ a: 0, b: undefined }), { a: 0 });
 * ```
 */
export function defined<T extends object>(entries: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const found: { [K in keyof T]?: Exclude<T[K], undefined> } = {};
  for (const name in entries) {
    const value = entries[name];
    if (isDefined(value)) found[name] = value;
  }
  return found;
}

function isDefined<V>(value: V): value is Exclude<V, undefined> {
  return value !== undefined;
}
