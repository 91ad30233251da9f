// What the kernels that unpack bytes have in common: how they end. `src/kernels/families/unpack_stops.ts` has the same codes.

/** The input ends in the middle of something. */
export const INPUT_ENDS: i32 = -1;
/** There is no room for what comes next. */
export const NO_ROOM: i32 = -2;
/** A match begins before the output. */
export const TOO_FAR_BACK: i32 = -3;
/** Bits that stand for nothing. */
export const NO_CODE: i32 = -4;

/** Sizes contradict each other. */
export const WRONG_SIZE: i32 = -5;

/** A checksum is not that of the bytes. */
export const WRONG_SUM: i32 = -6;

/** Sound, but of a kind that nobody has written for a long time. */
export const OLD_KIND: i32 = -7;

/** Sound, but nothing without a dictionary, which no file of ours carries. */
export const NEEDS_DICTIONARY: i32 = -8;

/** Ends with an error: nothing that was unpacked stays. */
export function failed(status: usize, code: i32, at: usize, dst: usize, room: i32): void {
  memory.fill(dst, 0, room);
  store<i32>(status, code);
  store<i32>(status, <i32>at, 4);
}

/** Ends well: what is left of the output becomes zero. */
export function finished(status: usize, to: usize, taken: usize, dst: usize, stop: usize): void {
  if (to < stop) memory.fill(to, 0, stop - to);
  store<i32>(status, <i32>(to - dst));
  store<i32>(status, <i32>taken, 4);
}
