// random_walk: dependent reads. A file of 64-bit positions is walked: each position read says where to read next.
//
//   for every walker w: p = start(w); steps times: p = file[p]; result[w] = p
//
// Walkers first … first + count of this call; the element of the host must have 8 bytes. The latency of one read
// is all there is to it: no read can start before the one in front of it has ended.

import { fs_close, fs_io_buffer, fs_last_error, fs_open, fs_read, fs_size, fs_write, INVALID, Mode, Whence } from "./imports";

/** 0, or the negative status of the call that failed. Both files are closed in any case. */
export function random_walk(
  channel: i32, from: usize, fromLength: i32, to: usize, toLength: i32, first: i32, count: i32, steps: i32,
): i32 {
  const input = fs_open(channel, Mode.READ_ONLY, from, fromLength, 0);
  if (input < 0) return input;
  const output = fs_open(channel, Mode.READ_WRITE, to, toLength, 0);
  let status = output < 0 ? output : 0;
  for (let w = first; w < first + count && status == 0; w++) status = walk(channel, input, output, w, steps);
  const closed = output < 0 ? 0 : fs_close(output);
  fs_close(input);
  return status != 0 ? status : closed;
}

function walk(channel: i32, input: i32, output: i32, w: i32, steps: i32): i32 {
  const buffer = fs_io_buffer(channel);
  const cells = <i64>fs_size(input);
  if (cells <= 0) return -INVALID;
  let position = <i64>w * 7919 % cells;
  for (let s = 0; s < steps; s++) {
    if (fs_read(input, buffer, 1, Whence.BEGIN, <f64>position) != 1) return failed(channel);
    position = load<i64>(buffer);
  }
  store<i64>(buffer, position);
  return fs_write(output, buffer, 1, Whence.BEGIN, <f64>w) == 1 ? 0 : failed(channel);
}

/** Why a transfer was short; no status means that it ended at the end of the file, where a position led it. */
function failed(channel: i32): i32 {
  const status = fs_last_error(channel);
  return status == 0 ? -INVALID : -status;
}
