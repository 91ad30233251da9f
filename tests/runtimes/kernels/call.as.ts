// Finds a function of the host by its name, and calls it for every item.

import { argF64, callFunction, channel, findFunction } from "tilewise/channels";

/** The results of function `name` for (0, 3), (1, 3), … go to `results`: 0, or the negative status of a call. */
export function call(
  name: usize, nameLength: i32, words: usize, _words: i32, results: usize, items: i32,
): i32 {
  const fn = findFunction(channel(), name, nameLength);
  if (fn < 0) return fn;
  for (let item = 0; item < items; item++) {
    argF64(words, 0, <f64>item);
    argF64(words, 1, 3);
    const status = callFunction(channel(), fn, words, 2, results + (<usize>item << 3));
    if (status < 0) return status;
  }
  return 0;
}
