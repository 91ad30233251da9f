// The random walk: a file of 64-bit positions, where each position says which one to read next. No read can start
// before the one in front of it has ended, so the time is that of single reads.
//
//   for every walker w of this group: p = w · 7919 mod positions; `steps` times: p = file[p]; result[w] = p

import {
  channel, File, groupCount, groupId, ioBuffer, lastError, Mode, openFile, openRead, ReadFile, Whence,
} from "tilewise/channels";

/** A position led out of the file; statuses lie above -1000. */
const OUTSIDE: i32 = -1001;

/** Walks all walkers of this group: 0, the negative status of a call, or OUTSIDE. The file of results must be there. */
export function walk(from: usize, fromLength: i32, to: usize, toLength: i32, walkers: i32, steps: i32): i32 {
  const input = openRead<i64>(channel(), from, fromLength);
  if (!input.ok) return input.handle;
  const output = openFile<i64>(channel(), Mode.READ_WRITE, to, toLength);
  let result = output.ok ? 0 : output.handle;
  for (let w = groupId(); w < walkers && result == 0; w += groupCount()) result = one(input, output, w, steps);
  const closed = output.ok ? output.close() : 0;
  input.close();
  return result < 0 ? result : closed;
}

function one(input: ReadFile<i64>, output: File<i64>, w: i32, steps: i32): i32 {
  const cell = ioBuffer(channel()), cells = input.size;
  if (cells <= 0) return OUTSIDE;
  let position = <i64>w * 7919 % cells;
  for (let s = 0; s < steps; s++) {
    if (input.read(cell, 1, Whence.BEGIN, position) != 1) return failed();
    position = load<i64>(cell);
  }
  store<i64>(cell, position);
  return output.write(cell, 1, Whence.BEGIN, w) == 1 ? 0 : failed();
}

/** Why a transfer was short; no status means that it ended at the end of the file. */
function failed(): i32 {
  const status = lastError(channel());
  return status == 0 ? OUTSIDE : -status;
}
