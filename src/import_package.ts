/**
 * Imports packages by a computed name, which Deno cannot see: so it does not fetch them before the program starts.
 *
 * The package for npm has another module in the place of this one, and most packages inside.
 *
 * @module
 */

/** The names of the packages that are inside of the code. */
export const INSIDE: readonly string[] = [];

/** The exports of the package `name`. */
export function importPackage(name: string): Promise<unknown> {
  return import(name);
}
