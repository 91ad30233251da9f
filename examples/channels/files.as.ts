// Writes files of 64-bit numbers, reads them back and compares: file f belongs to group f % groups, and each group
// has a channel of its own. The numbers are made in the buffer of the channel, so nothing is copied on the way.

import { groupCount, groupId, ioBuffer, lastError, Mode, openFile, Whence } from "tilewise/channels";

/** What a comparison found; statuses lie above -1000. */
const DIFFERENT: i32 = -1001;

/** The numbers of a file: no two files have the same, and no two places in a file. */
@inline
function numberAt(file: i32, i: i32): u64 {
  return (<u64>file << 32 | <u64>i) * 0x9e3779b97f4a7c15;
}

/** The name `prefix` + three digits at `pointer`; bytes of it. */
function putName(pointer: usize, prefix: usize, prefixLength: i32, file: i32): i32 {
  memory.copy(pointer, prefix, prefixLength);
  const digits = pointer + prefixLength;
  store<u8>(digits, <u8>(48 + file / 100 % 10));
  store<u8>(digits, <u8>(48 + file / 10 % 10), 1);
  store<u8>(digits, <u8>(48 + file % 10), 2);
  return prefixLength + 3;
}

/** Writes and reads all files of this group `passes` times: 0, the negative status of a call, or DIFFERENT. */
export function files(prefix: usize, prefixLength: i32, count: i32, numbers: i32, passes: i32): i32 {
  for (let pass = 0; pass < passes; pass++) {
    for (let file = groupId(); file < count; file += groupCount()) {
      const result = one(prefix, prefixLength, file, numbers);
      if (result < 0) return result;
    }
  }
  return 0;
}

function one(prefix: usize, prefixLength: i32, file: i32, numbers: i32): i32 {
  const channel = groupId(), data = ioBuffer(channel);
  const opened = openFile<u64>(channel, Mode.ERASE_READ_WRITE, data, putName(data, prefix, prefixLength, file));
  if (!opened.ok) return opened.handle;
  for (let i = 0; i < numbers; i++) store<u64>(data + (<usize>i << 3), numberAt(file, i));
  let result = opened.write(data, numbers) == numbers ? 0 : -lastError(channel);
  memory.fill(data, 0, <usize>numbers << 3);
  if (result == 0 && opened.read(data, numbers, Whence.BEGIN) != numbers) result = -lastError(channel);
  if (result == 0) result = compare(data, file, numbers);
  const closed = opened.close();
  return result < 0 ? result : closed;
}

function compare(data: usize, file: i32, numbers: i32): i32 {
  for (let i = 0; i < numbers; i++) if (load<u64>(data + (<usize>i << 3)) != numberAt(file, i)) return DIFFERENT;
  return 0;
}
