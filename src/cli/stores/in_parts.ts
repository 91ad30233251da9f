/**
 * What a command in parts says to those who start its shards and its merge.
 *
 * @module
 */

/** A command whose words have been checked, as far as that is possible before its source is opened. */
export interface InParts {
  /** Where the merge writes. */
  readonly output: string;
  /** Whether `output` is a flag that shards are given as well: it decides what parts are. */
  readonly tellsShards: boolean;
  /** The modules of users that it names, as they were typed: the merge imports them as well. */
  readonly modules: readonly string[];
}
