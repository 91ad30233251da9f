// The works of reads.c as a kernel: the same reads and the same sums.

import { lastError, openRead, ReadFile, now, Whence } from "tilewise/channels";

const enum Work { SMALL, WALK, BLOCKS }

const BLOCK: i32 = 1 << 20;

/** A file ends where there should be more; statuses lie above -1000. */
const SHORT: i32 = -1001;

@inline
function mixed(sum: u64, value: u64): u64 {
  return (sum ^ value) * 1099511628211;
}

/** Does `count` reads into `room` and writes the sum and the nanoseconds to `told`. */
export function reads(
  name: usize, nameLength: i32, told: usize, _two: i32, room: usize, _bytes: i32, work: i32, count: i32,
): i32 {
  const file = openRead<u8>(0, name, nameLength);
  if (!file.ok) return file.handle;
  const start = now();
  let sum: u64 = 0, place: u64 = 0;
  for (let i = 0; i < count; i++) {
    if (work == Work.WALK) {
      if (file.read(room, 8, Whence.BEGIN, <i64>place << 3) != 8) return failed(file);
      place = load<u64>(room);
      sum = mixed(sum, place);
      continue;
    }
    const bytes = work == Work.SMALL ? 16 : BLOCK;
    if (file.read(room, bytes, Whence.CURRENT, 0) != bytes) {
      if (lastError(0) != 0) return failed(file);
      if (file.read(room, bytes, Whence.BEGIN, 0) != bytes) return failed(file); // from the start again
    }
    sum = mixed(sum, load<u64>(room) + load<u64>(room + bytes - 8));
  }
  store<u64>(told, sum);
  store<i64>(told, <i64>(now() - start), 8);
  return file.close();
}

function failed(file: ReadFile<u8>): i32 {
  const status = lastError(0);
  file.close();
  return status == 0 ? SHORT : -status;
}
