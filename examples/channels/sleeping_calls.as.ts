// Calls a function of the host for every item: all calls first, then their results; or one call after the other.

import { argF64, callFunction, getResult, releaseChannel, submitCall } from "tilewise/channels";

/** Makes a call per channel without waiting, then collects the results: 0, or the negative status of a call. */
export function overlapped(fn: i32, seconds: f64, words: usize, _words: i32, results: usize, items: i32): i32 {
  for (let item = 0; item < items; item++) {
    argF64(words, 0, seconds);
    argF64(words, 1, <f64>item);
    const ticket = submitCall(item, fn, words, 2); // the words are copied: the next call may use them
    if (ticket < 0) return ticket;
    store<f64>(results + (<usize>item << 3), <f64>ticket); // until the result takes its place
  }
  let worst = 0;
  for (let item = 0; item < items; item++) {
    const at = results + (<usize>item << 3);
    const status = getResult(<i32>load<f64>(at), at), released = releaseChannel(item);
    if (worst == 0) worst = status < 0 ? status : released;
  }
  return worst;
}

/** Makes one call after the other, on one channel: 0, or the negative status of a call. */
export function oneByOne(fn: i32, seconds: f64, words: usize, _words: i32, results: usize, items: i32): i32 {
  for (let item = 0; item < items; item++) {
    argF64(words, 0, seconds);
    argF64(words, 1, <f64>item);
    const status = callFunction(0, fn, words, 2, results + (<usize>item << 3));
    if (status < 0) return status;
  }
  return 0;
}
