// Calls a slow function of the host on all channels at once, then waits for all of them.

import {
  argF64, channelCount, findFunction, getResult, ioBuffer, releaseChannel, submitCall, waitForCall,
} from "tilewise/channels";

/** Each call takes `milliseconds`: 0, or a negative status. */
export function nap(milliseconds: f64): i32 {
  const tickets = ioBuffer(0), args = tickets + 8 * channelCount();
  const fn = find(0, args);
  if (fn <= 0) return fn;
  argF64(args, 0, milliseconds);
  for (let channel = 0; channel < channelCount(); channel++) {
    const ticket = submitCall(channel, fn, args, 1);
    if (ticket <= 0) return ticket;
    store<i32>(tickets + (channel << 2), ticket);
  }
  for (let channel = 0; channel < channelCount(); channel++) {
    const ticket = load<i32>(tickets + (channel << 2));
    const status = min(waitForCall(ticket), getResult(ticket));
    releaseChannel(channel);
    if (status < 0) return status;
  }
  return 0;
}

/** The number of the function `nap`; its name is put at `at`. */
function find(channel: i32, at: usize): i32 {
  store<u8>(at, 0x6e);
  store<u8>(at, 0x61, 1);
  store<u8>(at, 0x70, 2);
  return findFunction(channel, at, 3);
}
