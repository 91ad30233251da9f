/**
 * The size of descriptions in TOML.
 *
 * @module
 */

/** Maximum size of a description. */
export const MOST_TOML_BYTES: number = 2 ** 20;
