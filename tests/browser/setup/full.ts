/**
 * What `tests/browser/main.ts` tells the files that it tests.
 *
 * @module
 */

/** The variable with the folder of the built pages. */
export const PAGES = "TILEWISE_TEST_PAGES";

/** The variable that is 1 if all is tested that takes long. */
export const FULL = "TILEWISE_TEST_FULL";

/** The folder of the built pages, if they are built already. */
export function builtPages(): string | undefined {
  return Deno.env.get(PAGES);
}

/** Whether all is tested that takes long. */
export function isFull(): boolean {
  return Deno.env.get(FULL) === "1";
}
