/**
 * Why kernels that undo JPEG stop.
 *
 * @module
 */

/** The codes. */
export const STOPPED = { inputEnds: -1, noCode: -4, tooMany: -8, noMarker: -9 } as const;

/** The codes as text. */
export const STOP_WORDS: Readonly<Record<number, string>> = {
  [STOPPED.inputEnds]: "the image is cut off",
  [STOPPED.noCode]: "bits stand for nothing",
  [STOPPED.tooMany]: "a block has too many coefficients",
  [STOPPED.noMarker]: "a restart marker is missing",
};
