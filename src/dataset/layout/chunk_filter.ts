/**
 * Filters of chunks, as plain data.
 *
 * @module
 */

/**
 * One filter that chunks have gone through.
 * @category Data sets
 */
export interface ChunkFilterSpec {
  /** Its name in the registry of filters. */
  readonly name: string;
  /** Its parameters. */
  readonly values: readonly number[];
}
