/**
 * Checks the JSON of a manifest, field by field: an error has the name of the field and what it must be.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";

/** Checks a value: gives what it must be, and the place, or `undefined` if it is right. */
export type Check = (value: unknown, at: string) => Problem | undefined;

/** A fault in a manifest. */
export interface Problem {
  readonly at: string;
  readonly expected: string;
  readonly found: unknown;
}

/** A check of one value. */
export const rule = (expected: string, isRight: (value: unknown) => boolean): Check => (found, at) =>
  isRight(found) ? undefined : { at, expected, found };

/** Any text. */
export const text: Check = rule("a text", (value) => typeof value === "string");
/** A text that is not empty. */
export const name: Check = rule(
  "a text that is not empty",
  (value) => typeof value === "string" && value !== "",
);
/** A SHA-256. */
export const digest: Check = rule(
  "a SHA-256 of 64 hexadecimal digits",
  (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value),
);
/** 0, 1, 2 … */
export const count: Check = rule(
  "a whole number from 0 on",
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
);
/** A whole number. */
export const whole: Check = rule("a whole number", Number.isSafeInteger);
/** Any value. */
export const anything: Check = () => undefined;
/** A value that may be missing. */
export const optional = (check: Check): Check => (value, at) =>
  value === undefined ? undefined : check(value, at);

/** A list of such values. */
export function list(check: Check): Check {
  return (value, at) => {
    if (!Array.isArray(value)) return { at, expected: "a list", found: value };
    return firstProblem(value.map((one, i) => () => check(one, `${at}[${i}]`)));
  };
}

/** An object with these fields. */
export function fields(checks: Readonly<Record<string, Check>>): Check {
  return (value, at) => {
    if (!isObject(value)) return { at, expected: "an object", found: value };
    const prefix = at === "" ? "" : `${at}.`;
    return firstProblem(
      Object.entries(checks).map(([key, check]) => () => check(own(value, key), prefix + key)),
    );
  };
}

/** An object with any keys and values of one kind. */
export function each(check: Check): Check {
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
export const time: Check = rule(
  "a time as in ISO 8601",
  (value) => typeof value === "string" && !Number.isNaN(Date.parse(value)),
);

/** Sizes per dimension. */
export const shape: Check = list(count);

/** The files that were read. */
export const inputs: Check = list(fields({ name: text, bytes: count, ends: digest }));

/** The fields of a result, of whatever kind. */
export const result: Readonly<Record<string, Check>> = {
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

/** The command that made a manifest. */
export const command: Check = fields({
  arguments: list(text),
  folder: text,
  modules: optional(each(digest)),
});

/** The fields that all manifests have. */
export const COMMON = { version: name, kernels: digest, created: time, inputs, command } as const;

/** Throws `malformed` for the first field of a manifest that is not what it must be. */
export function mustHaveFields(
  path: string,
  manifest: unknown,
  checks: Readonly<Record<string, Check>>,
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
