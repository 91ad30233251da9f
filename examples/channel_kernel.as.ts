// Follows a file of positions: group g starts at position g.

import { channel, groupId, ioBuffer, openRead, Whence } from "tilewise/channels";

/** Where `steps` steps lead, or a negative number if a call failed. */
export function follow(name: usize, nameLength: i32, steps: i32): f64 {
  const file = openRead<i64>(channel(), name, nameLength), cell = ioBuffer(channel());
  if (!file.ok) return file.handle;
  store<i64>(cell, groupId());
  for (let s = 0; s < steps; s++) if (file.read(cell, 1, Whence.BEGIN, load<i64>(cell)) != 1) return -1;
  return file.close() == 0 ? <f64>load<i64>(cell) : -1;
}
