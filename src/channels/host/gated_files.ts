/**
 * Files in the memory of a host, for threads that do not end with it: once the host is closed, that memory is of others.
 *
 * @module
 */

import type { SynchronousBackEnd } from "../backends/back_end.ts";
import { fileError } from "../backends/errors.ts";
import type { Gate } from "../protocol/gate.ts";

/** `files` as long as the host of `gate` is open: until a call has ended, their memory stays what it is. */
export function gatedFiles(files: SynchronousBackEnd, gate: Gate): SynchronousBackEnd {
  let place = 0; // a thread that makes no calls takes none
  const during = <T>(work: () => T): T => {
    place ||= gate.place();
    if (!gate.enter(place)) {
      throw fileError("ESHUTDOWN", "Cannot use files in the memory of a host: it has been closed");
    }
    try {
      return work();
    } finally {
      gate.leave(place);
    }
  };
  return {
    synchronous: true,
    open: (name, flags) => during(() => files.open(name, flags)),
    close: (file) => during(() => files.close(file)),
    size: (file) => during(() => files.size(file)),
    read: (file, bytes, at, length, position) => during(() => files.read(file, bytes, at, length, position)),
    write: (file, bytes, at, length, position) =>
      during(() => files.write(file, bytes, at, length, position)),
    flush: (file) => during(() => files.flush(file)),
    truncate: (file, bytes) => during(() => files.truncate(file, bytes)),
    stat: (name) => during(() => files.stat(name)),
    list: (name) => during(() => files.list(name)),
    remove: (name) => during(() => files.remove(name)),
    mkdir: (name) => during(() => files.mkdir(name)),
  };
}
