/**
 * The line by which the console shows an array of results.
 *
 * @module
 */

export { arrayLine as consoleLine } from "../../pictures/array_line.ts";
