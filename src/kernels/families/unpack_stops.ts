/**
 * Why kernels that unpack bytes stop.
 *
 * @module
 */

/** Why a kernel that unpacks stopped. */
export const STOPPED = {
  inputEnds: -1,
  noRoom: -2,
  tooFarBack: -3,
  noCode: -4,
  wrongSize: -5,
  wrongSum: -6,
  oldKind: -7,
  needsDictionary: -8,
} as const;

/** The codes as text. */
export const STOP_WORDS: Readonly<Record<number, string>> = {
  [STOPPED.inputEnds]: "the input ends too early",
  [STOPPED.noRoom]: "it gives more bytes than there is room for",
  [STOPPED.tooFarBack]: "a match begins before the first byte",
  [STOPPED.noCode]: "bits stand for nothing",
  [STOPPED.wrongSize]: "sizes contradict each other",
  [STOPPED.wrongSum]: "a checksum is not that of the bytes",
  [STOPPED.oldKind]: "it is of a kind that has not been written since 1999 (a randomised block)",
  [STOPPED.needsDictionary]: "it was packed with a dictionary, which is not in the file; pack it without one",
};
