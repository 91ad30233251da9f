/**
 * Words that mean no analysis and no filter: an unknown name, a parameter that does not exist, a value that cannot be.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";

/** Where a mistake in a word is. */
export interface WordPlace {
  /** The parameter that it is about. */
  readonly parameter?: string;
}

/** A mistake in how an analysis or a filter was asked for: `invalid`. Its `details.parameter` names the field, if there is one. */
export class WordError extends TilewiseError {
  /** The mistake and what would work. */
  constructor(message: string, place: WordPlace = {}) {
    super("invalid", message, { ...place });
  }
}
