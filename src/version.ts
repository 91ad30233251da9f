/**
 * The version of this package, for files that say what made them.
 *
 * @module
 */

/**
 * The version, as in `deno.json`; a test checks that both are the same.
 * @category Runs
 */
export const VERSION = "0.1.0";
