/**
 * The part of `@std/assert` that the tests and examples use, over `node:assert`, so that nothing
 * outside npm is needed. To use the original, point `@std/assert` in `deno.json` at `jsr:@std/assert@1`.
 *
 * @module
 */

import nodeAssert from "node:assert/strict";

/** A class, as `@std/assert` has it. */
// deno-lint-ignore no-explicit-any -- parameters that are `never` would make parameters of its type `never` as well
type Class<T> = new (...args: any[]) => T;

/** The error that a failed assertion throws. */
export const AssertionError: typeof nodeAssert.AssertionError = nodeAssert.AssertionError;

/** Throws unless `value` is truthy. */
export function assert(value: unknown, message = "Expected a truthy value"): asserts value {
  if (!value) throw new AssertionError({ message, actual: value, expected: true, operator: "==" });
}

/** Throws unless both values are deeply equal (same types, same contents, `NaN` equals itself). */
export function assertEquals<T>(actual: T, expected: T, message?: string): void {
  nodeAssert.deepStrictEqual(actual, expected, message);
}

/** Throws if both values are deeply equal. */
export function assertNotEquals<T>(actual: T, expected: T, message?: string): void {
  nodeAssert.notDeepStrictEqual(actual, expected, message);
}

/** Throws unless both values are the same by `Object.is`. */
export function assertStrictEquals<T>(actual: unknown, expected: T, message?: string): asserts actual is T {
  nodeAssert.strictEqual(actual, expected, message);
}

/** Throws unless `|actual - expected| <= tolerance`; without one, a relative tolerance of 1e-7 as in `@std/assert`. */
export function assertAlmostEquals(
  actual: number,
  expected: number,
  tolerance?: number,
  message?: string,
): void {
  if (Object.is(actual, expected)) return;
  const limit = tolerance ?? (Number.isFinite(expected) ? Math.abs(expected * 1e-7) : 1e-7);
  if (Math.abs(actual - expected) <= limit) return;
  throw new AssertionError({
    message: message ?? `Expected ${expected} ± ${limit}, got ${actual}`,
    actual,
    expected,
  });
}

/** Throws unless `text` matches `pattern`. */
export function assertMatch(text: string, pattern: RegExp, message?: string): void {
  nodeAssert.match(text, pattern, message);
}

/** Throws unless `text` contains `part`. */
export function assertStringIncludes(text: string, part: string, message?: string): void {
  assert(
    text.includes(part),
    message ?? `Expected ${JSON.stringify(text)} to include ${JSON.stringify(part)}`,
  );
}

/** Throws unless `value` is an instance of `kind`. */
export function assertInstanceOf<T>(
  value: unknown,
  kind: Class<T>,
  message?: string,
): asserts value is T {
  assert(value instanceof kind, message ?? `Expected an instance of ${kind.name}, got ${String(value)}`);
}

/** Runs `fn`, which must throw (an `ErrorClass` whose message includes `messageIncludes`); returns the error. */
export function assertThrows<E extends Error = Error>(
  fn: () => unknown,
  ErrorClass?: Class<E>,
  messageIncludes?: string,
): E {
  let thrown: unknown;
  try {
    fn();
  } catch (error) {
    thrown = error;
    return checked(thrown, ErrorClass, messageIncludes);
  }
  throw new AssertionError({ message: "Expected function to throw" });
}

/** As {@link assertThrows}, for a promise that must reject. */
export async function assertRejects<E extends Error = Error>(
  fn: () => PromiseLike<unknown>,
  ErrorClass?: Class<E>,
  messageIncludes?: string,
): Promise<E> {
  try {
    await fn();
  } catch (error) {
    return checked(error, ErrorClass, messageIncludes);
  }
  throw new AssertionError({ message: "Expected function to reject" });
}

function checked<E extends Error>(error: unknown, kind?: Class<E>, part?: string): E {
  if (kind) assertInstanceOf(error, kind);
  if (part) assertStringIncludes((error as Error).message, part);
  return error as E;
}
