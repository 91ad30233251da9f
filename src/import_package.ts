/**
 * How packages are imported: by a name that is computed, which Deno does not see and so does not fetch ahead.
 *
 * The package for npm has another file in this place, with plain imports: bundlers see them, and npm has fetched them anyway.
 *
 * @module
 */

/** The exports of the package `name`. */
export function importPackage(name: string): Promise<unknown> {
  return import(name);
}
