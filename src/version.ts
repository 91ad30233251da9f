/**
 * The version of this package, for files that say what made them.
 *
 * @module
 */

/**
 * The version, as in `deno.json`; a test holds them together.
 * @category Runs
 */
export const VERSION = "0.1.0";
