// Filters pictures (BMP, 24 bits per pixel), one after another, each by a work group: it reads a picture, every member
// computes a part of its rows, and the group writes the result. Pictures p with p % groups = g belong to group g, which
// has the channel g; its buffer holds a picture and its result, so that the memory does not grow with the batch.

import {
  barrier, close, groupCount, groupId, groupSize, ioBuffer, lastError, localId, maxCount, Mode, open, read, write,
} from "tilewise/channels";

/** Not a picture of this kind, or one that is too large for the buffer; statuses lie above -1000. */
const NO_PICTURE: i32 = -1001;

export const enum Filter { INVERT, BLUR }

/** Bytes in front of the pictures: what member 0 found, and the name of a file. */
const FRONT: usize = 1024;

/** Filters all pictures of this group: 0, the negative status of a call, or NO_PICTURE. Elements have one byte. */
export function pictures(from: usize, fromLength: i32, to: usize, toLength: i32, count: i32, filter: i32): i32 {
  let result = 0;
  for (let picture = groupId(); picture < count && result >= 0; picture += groupCount()) {
    result = one(from, fromLength, to, toLength, picture, filter);
  }
  return min(result, 0);
}

/** All members come to the same result, so that none waits for one that has left. */
function one(from: usize, fromLength: i32, to: usize, toLength: i32, picture: i32, filter: i32): i32 {
  const front = ioBuffer(groupId());
  const half = (<usize>maxCount() - FRONT) >> 1;
  const input = front + FRONT, output = input + half;
  const bytes = readAll(from, fromLength, picture, input, <i32>half);
  if (bytes < 0) return bytes;
  filterRows(input, output, filter);
  barrier(); // the picture is whole
  return writeAll(to, toLength, picture, output, bytes);
}
