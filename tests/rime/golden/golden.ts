/** The golden cases of the measurement equation, which lie beside the checkout: read, and compared. */

import { assert, assertEquals } from "@std/assert";

/** An array of a case; complex ones have pairs of numbers. */
export interface GoldenArray {
  readonly dtype: "float64" | "complex128" | "int32" | "uint8";
  readonly shape: readonly number[];
  readonly data: readonly number[];
}

/** A case. */
export interface Golden {
  readonly params: { readonly feed?: "linear" | "circular" };
  readonly tolerance: Readonly<Record<string, number>>;
  readonly inputs: Readonly<Record<string, GoldenArray>>;
  readonly outputs: Readonly<Record<string, GoldenArray>>;
}

/** The case with this name; undefined where the golden files are missing. */
export function golden(name: string): Golden | undefined {
  try {
    return JSON.parse(
      Deno.readTextFileSync(new URL(`../../../../shared/golden/rime/${name}.json`, import.meta.url)),
    );
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** A test of a golden case, skipped visibly where the golden files are missing. */
export function goldenTest(
  name: string,
  what: string,
  check: (file: Golden) => void | Promise<void>,
): void {
  const file = golden(name);
  Deno.test({ name: `${name}: ${what}`, ignore: file === undefined, fn: () => check(file!) });
}

/** The numbers of an input or output. */
export function numbersOf(
  arrays: Readonly<Record<string, GoldenArray>>,
  name: string,
): Float64Array<ArrayBuffer> {
  return Float64Array.from(arrays[name]!.data);
}

/** Asserts that numbers differ from those of a golden array by at most `tolerance`. */
export function assertNear(found: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number): void {
  assertEquals(found.length, expected.length);
  let worst = 0, at = 0;
  for (let i = 0; i < found.length; i++) {
    const off = Math.abs(found[i]! - expected[i]!);
    if (!(off <= worst)) [worst, at] = [off, i]; // NaN is far
  }
  assert(
    worst <= tolerance,
    `off by ${worst} at ${at}: ${found[at]}, not ${expected[at]}; allowed ${tolerance}`,
  );
}
