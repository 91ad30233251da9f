// Reads from inside a kernel, as the bench times them: dependent reads of one number, and consecutive reads of a block. Each says
// what it found and how many nanoseconds it took, so that the time of a launch does not count.

import { ioBuffer, lastError, now, openRead, ReadFile, Whence } from "tilewise/channels";

/** How a read names its destination; the order is that of HOW in works.ts. */
const enum How { POINTER, PINNED }

/** A file ends where there should be more; statuses lie above -1000. */
const SHORT: i32 = -1001;

/** Where a pointer leads: the buffer of channel 1, which is not that of the channel. */
@inline
function destination(how: How): usize {
  return ioBuffer(how == How.PINNED ? 0 : 1);
}

@inline
function get(file: ReadFile<i64>, how: How, count: i32, whence: Whence, offset: i64): i32 {
  if (how == How.PINNED) return file.readBuffer(0, count, whence, offset);
  return file.read(destination(how), count, whence, offset);
}

/** `count` reads of one number, each of which says which one is next. */
export function walk(from: usize, fromLength: i32, told: usize, _two: i32, count: i32, how: How): i32 {
  const file = openRead<i64>(0, from, fromLength);
  if (!file.ok) return file.handle;
  const cell = destination(how), start = now();
  let position: i64 = 0;
  for (let i = 0; i < count; i++) {
    if (get(file, how, 1, Whence.BEGIN, position) != 1) return failed(file);
    position = load<i64>(cell);
  }
  return tell(told, position, start, file);
}

/** `count` consecutive reads of `size` numbers; with `check` the sum of all numbers, otherwise the first one of the last read. */
export function blocks(
  from: usize, fromLength: i32, told: usize, _two: i32, size: i32, count: i32, how: How, check: bool,
): i32 {
  const file = openRead<i64>(0, from, fromLength);
  if (!file.ok) return file.handle;
  const block = destination(how), start = now();
  let sum: i64 = 0;
  for (let i = 0; i < count; i++) {
    if (get(file, how, size, Whence.CURRENT, 0) != size) return failed(file);
    if (check) for (let at = block; at < block + (<usize>size << 3); at += 8) sum += load<i64>(at);
  }
  return tell(told, check ? sum : load<i64>(block), start, file);
}

function failed(file: ReadFile<i64>): i32 {
  const status = lastError(0);
  file.close();
  return status == 0 ? SHORT : -status;
}

/** What the bench gets: two numbers of 64 bits. */
function tell(told: usize, found: i64, start: f64, file: ReadFile<i64>): i32 {
  store<i64>(told, found);
  store<i64>(told, <i64>(now() - start), 8);
  return file.close();
}
