/**
 * The interface of encoders: steps that turn the plain bytes of a chunk into those that are stored. They are the
 * opposite of `../filters/`, and have the same names.
 *
 * @module
 */

/** One step, as plain data. */
export interface EncoderStep {
  /** Its name in the table of encoders. */
  readonly name: string;
  /** Its parameters. */
  readonly values: readonly number[];
}

/** Encodes bytes; it may change them, and may return them. */
export type Encode = (
  bytes: Uint8Array<ArrayBuffer>,
  values: readonly number[],
) => Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>>;
