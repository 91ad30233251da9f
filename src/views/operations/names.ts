/**
 * The names of all operations over views.
 *
 * @module
 */

/**
 * The name of an operation: a key of the table in `registry.ts`.
 * @category Views
 */
export type OperationName = "boxMean" | "localMinimum" | "localMaximum" | "viewFunction";
