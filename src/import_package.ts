/**
 * Imports packages by a computed name, which Deno cannot see: so it does not fetch them before the program starts.
 *
 * The package for npm replaces this file by one with plain imports: bundlers see them, and npm has installed the packages.
 *
 * @module
 */

/** The exports of the package `name`. */
export function importPackage(name: string): Promise<unknown> {
  return import(name);
}
