// The random walk: a file of 64-bit positions, where each position says which one to read next. No read can start
// before the one in front of it has ended, so the time is that of single reads.
//
//   for every walker w of this group: p = w · 7919 mod positions; `steps` times: p = file[p]; result[w] = p

import {
  close, groupCount, groupId, ioBuffer, lastError, Mode, open, read, size, Whence, write,
} from "tilewise/channels";

/** A position led out of the file; statuses lie above -1000. */
const OUTSIDE: i32 = -1001;

/** Walks all walkers of this group: 0, the negative status of a call, or OUTSIDE. The file of results must be there. */
export function walk(from: usize, fromLength: i32, to: usize, toLength: i32, walkers: i32, steps: i32): i32 {
  const channel = groupId();
  const input = open(channel, Mode.READ_ONLY, from, fromLength);
  if (input <= 0) return input;
  const output = open(channel, Mode.READ_WRITE, to, toLength);
  let result = output <= 0 ? output : 0;
  for (let w = channel; w < walkers && result == 0; w += groupCount()) result = one(channel, input, output, w, steps);
  const closed = output <= 0 ? 0 : close(output);
  close(input);
  return result < 0 ? result : closed;
}

function one(channel: i32, input: i32, output: i32, w: i32, steps: i32): i32 {
  const cell = ioBuffer(channel);
  const cells = <i64>size(input);
  if (cells <= 0) return OUTSIDE;
  let position = <i64>w * 7919 % cells;
  for (let s = 0; s < steps; s++) {
    if (read(input, cell, 1, Whence.BEGIN, <f64>position) != 1) return failed(channel);
    position = load<i64>(cell);
  }
  store<i64>(cell, position);
  return write(output, cell, 1, Whence.BEGIN, <f64>w) == 1 ? 0 : failed(channel);
}

/** Why a transfer was short; no status means that it ended at the end of the file. */
function failed(channel: i32): i32 {
  const status = lastError(channel);
  return status == 0 ? OUTSIDE : -status;
}
