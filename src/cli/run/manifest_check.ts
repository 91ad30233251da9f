/**
 * Checks the JSON of a manifest, field by field: an error has the name of the field and what it must be.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { RunManifest } from "../../udf/results/manifest.ts";

/** Checks a value: gives what it must be, and the place, or `undefined` if it is right. */
type Check = (value: unknown, at: string) => Problem | undefined;

/** A fault in a manifest. */
interface Problem {
  readonly at: string;
  readonly expected: string;
  readonly found: unknown;
}

const rule = (expected: string, isRight: (value: unknown) => boolean): Check => (found, at) =>
  isRight(found) ? undefined : { at, expected, found };

const text = rule("a text", (value) => typeof value === "string");
const name = rule("a text that is not empty", (value) => typeof value === "string" && value !== "");
const digest = rule(
  "a SHA-256 of 64 hexadecimal digits",
  (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value),
);
const count = rule("a whole number from 0 on", (value) => Number.isSafeInteger(value) && Number(value) >= 0);
const whole = rule("a whole number", Number.isSafeInteger);
const anything: Check = () => undefined;
const optional = (check: Check): Check => (value, at) => value === undefined ? undefined : check(value, at);

function list(check: Check): Check {
  return (value, at) => {
    if (!Array.isArray(value)) return { at, expected: "a list", found: value };
    return firstProblem(value.map((one, i) => () => check(one, `${at}[${i}]`)));
  };
}

function fields(checks: Readonly<Record<string, Check>>): Check {
  return (value, at) => {
    if (!isObject(value)) return { at, expected: "an object", found: value };
    const prefix = at === "" ? "" : `${at}.`;
    return firstProblem(
      Object.entries(checks).map(([key, check]) => () => check(own(value, key), prefix + key)),
    );
  };
}

/** An object with any keys and values of one kind. */
function each(check: Check): Check {
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

const shape = list(count);

const origin = { module: optional(name), export: optional(name), sha256: optional(digest) };

/** Every field of a manifest. */
const MANIFEST: { readonly [K in keyof Required<RunManifest>]: Check } = {
  manifest: rule("tilewise-run-1", (value) => value === "tilewise-run-1"),
  version: name,
  kernels: digest,
  created: rule(
    "a time as in ISO 8601",
    (value) => typeof value === "string" && !Number.isNaN(Date.parse(value)),
  ),
  inputs: list(fields({ name: text, bytes: count, ends: digest })),
  dataset: fields({
    source: text,
    format: name,
    navShape: shape,
    sigShape: shape,
    dtype: name,
    syncOffset: whole,
  }),
  udfs: list(
    fields({ key: name, name: text, ...origin, params: anything, derived: optional(fields(origin)) }),
  ),
  roi: optional(fields({ selected: count, sha256: digest })),
  corrections: anything,
  plan: fields({
    tileShape: shape,
    partitions: count,
    workers: count,
    bytesToRead: count,
    peakBytes: count,
  }),
  results: list(
    fields({
      udf: name,
      result: name,
      shape,
      dtype: name,
      sha256: digest,
      files: optional(list(name)),
      reduced: optional(count),
    }),
  ),
  command: optional(fields({ arguments: list(text), folder: text, modules: optional(each(digest)) })),
  partial: optional(fields({ frames: count, framesTotal: count, damage: list(list(count)) })),
};

/** Throws `malformed` for the first field of a manifest that is not what it must be. */
export function checkManifest(path: string, manifest: unknown): asserts manifest is RunManifest {
  const problem = fields(MANIFEST)(manifest, "");
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
