/**
 * Checks the JSON of a manifest, field by field: an error has the name of the field and what it must be.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";

/** Checks a value, which is a `T` then: gives what it must be, and the place, or `undefined` if it is right. */
export interface Check<T = unknown> {
  (value: unknown, at: string): Problem | undefined;
  /** Never there: carries the type. */
  readonly of?: T;
}

/** Checks of the fields of an object, by their names. */
export type Checks = Readonly<Record<string, Check>>;

/** Values of the type of a check. */
type Checked<C> = C extends Check<infer T> ? T : never;

/** An object with such fields; those that may be missing are optional. */
export type Fields<F> =
  & { readonly [K in keyof F as undefined extends Checked<F[K]> ? never : K]: Checked<F[K]> }
  & { readonly [K in keyof F as undefined extends Checked<F[K]> ? K : never]?: Checked<F[K]> };

/** A fault in a manifest. */
interface Problem {
  readonly at: string;
  readonly expected: string;
  readonly found: unknown;
}

/** A check of one value. */
export const rule = <T>(expected: string, isRight: (value: unknown) => boolean): Check<T> => (found, at) =>
  isRight(found) ? undefined : { at, expected, found };

/** Any text. */
export const text: Check<string> = rule("a text", (value) => typeof value === "string");
/** A text that is not empty. */
export const name: Check<string> = rule(
  "a text that is not empty",
  (value) => typeof value === "string" && value !== "",
);
/** A SHA-256. */
export const digest: Check<string> = rule(
  "a SHA-256 of 64 hexadecimal digits",
  (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value),
);
/** 0, 1, 2 … */
export const count: Check<number> = rule(
  "a whole number from 0 on",
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
);
/** A whole number. */
export const whole: Check<number> = rule("a whole number", Number.isSafeInteger);
/** Any value. */
export const anything: Check = () => undefined;
/** A value that may be missing. */
export const optional = <T>(check: Check<T>): Check<T | undefined> => (value, at) =>
  value === undefined ? undefined : check(value, at);

/** A list of such values. */
export function list<T>(check: Check<T>): Check<readonly T[]> {
  return (value, at) => {
    if (!Array.isArray(value)) return { at, expected: "a list", found: value };
    return firstProblem(value.map((one, i) => () => check(one, `${at}[${i}]`)));
  };
}

/** An object with these fields. */
export function fields<F extends Checks>(checks: F): Check<Fields<F>> {
  return (value, at) => {
    if (!isObject(value)) return { at, expected: "an object", found: value };
    const prefix = at === "" ? "" : `${at}.`;
    return firstProblem(
      Object.entries(checks).map(([key, check]) => () => check(own(value, key), prefix + key)),
    );
  };
}

/** An object with any keys and values of one kind. */
export function each<T>(check: Check<T>): Check<Readonly<Record<string, T>>> {
  return (value, at) => {
    if (!isObject(value)) return { at, expected: "an object", found: value };
    return firstProblem(
      Object.entries(value).map(([key, one]) => () => check(one, `${at}[${JSON.stringify(key)}]`)),
    );
  };
}

function firstProblem(checks: readonly (() => Problem | undefined)[]): Problem | undefined {
  for (const check of checks) {
    const problem = check();
    if (problem) return problem;
  }
  return undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function own(value: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

/** A time as in ISO 8601. */
export const time: Check<string> = rule(
  "a time as in ISO 8601",
  (value) => typeof value === "string" && !Number.isNaN(Date.parse(value)),
);

/** Sizes per dimension. */
export const shape: Check<readonly number[]> = list(count);

/** The files that were read. */
const inputs = list(fields({ name: text, bytes: count, ends: digest }));

/** The fields of a result, of whatever kind. */
export const result: Checks = {
  result: name,
  shape,
  dtype: name,
  axes: optional(anything),
  values: optional(anything),
  sha256: digest,
  files: optional(list(name)),
  reduced: optional(count),
  losses: optional(text),
};

/** What all manifests say before their own fields, and after these. */
export const COMMON = {
  version: name,
  kernels: digest,
  created: time,
  inputs,
  command: fields({ arguments: list(text), folder: text, modules: optional(each(digest)) }),
};

/** Throws `malformed` for the first field of a manifest that is not what it must be. */
export function mustHaveFields(
  path: string,
  manifest: unknown,
  checks: Checks,
): void {
  const problem = fields(checks)(manifest, "");
  if (!problem) return;
  const { at, expected, found } = problem;
  const shown = found === undefined ? "nothing" : JSON.stringify(found).slice(0, 60);
  const place = at === "" ? "it" : `its field ${at}`;
  throw new TilewiseError(
    "malformed",
    `Cannot replay ${path}: ${place} must be ${expected}, and has ${shown}`,
    { file: path, field: at, expected, found: shown },
  );
}
