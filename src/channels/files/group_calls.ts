/**
 * File calls of a work group: every member makes them, member 0 does them, all get the same result.
 *
 * A file belongs to the group if it was opened with {@link TOGETHER} in its mode; a bit of its handle says so. The arguments
 * of the other members do not matter, except that all name a file of the group; destinations are in the memory that all share.
 * Other files are those of one member, as ever. The calls about names, and batches, are those of one member too.
 *
 * @module
 */

import type { FileCalls } from "./calls.ts";
import type { Group } from "./group.ts";

/** Added to the number of a mode: the file is opened by all members of the group. */
export const TOGETHER = 16;

/** The bit of a handle of a file of the group. */
const OURS = 1 << 30;

/** More than a transfer can have elements. */
const SHORT = 2 ** 40;

const isOurs = (handle: number) => handle > 0 && (handle & OURS) !== 0;

/** `calls` as a member of `group` makes them: those for files of the group are done by member 0. */
export function groupCalls(calls: FileCalls, group: Group): FileCalls {
  /** Does a call for one file, by all members if it belongs to the group. */
  const shared = (handle: number, act: (handle: number) => number) =>
    !isOurs(handle) ? act(handle) : group.share(() => act(handle & ~OURS));
  let short = false;
  /** Does a transfer; what all share is the elements, and in a bit above them whether these are fewer than member 0 asked for. */
  const moved = (handle: number, count: number, act: (handle: number) => number) => {
    if (!isOurs(handle)) return act(handle);
    const result = group.share(() => {
      const done = act(handle & ~OURS);
      return done >= 0 && done < count ? done + SHORT : done;
    });
    short = result >= SHORT;
    return short ? result - SHORT : result;
  };
  return {
    open: (channel, mode, name, elementSize) => {
      if ((mode & TOGETHER) === 0) return calls.open(channel, mode, name, elementSize);
      const handle = group.share(() => calls.open(channel, mode & ~TOGETHER, name, elementSize));
      return handle > 0 ? handle | OURS : handle;
    },
    read: (handle, pointer, count, whence, offset) =>
      !isOurs(handle)
        ? calls.read(handle, pointer, count, whence, offset) // without a closure
        : moved(handle, count, (handle) => calls.read(handle, pointer, count, whence, offset)),
    write: (handle, pointer, count, whence, offset) =>
      !isOurs(handle)
        ? calls.write(handle, pointer, count, whence, offset)
        : moved(handle, count, (handle) => calls.write(handle, pointer, count, whence, offset)),
    readBuffer: (handle, at, count, whence, offset) =>
      moved(handle, count, (handle) => calls.readBuffer(handle, at, count, whence, offset)),
    writeBuffer: (handle, at, count, whence, offset) =>
      moved(handle, count, (handle) => calls.writeBuffer(handle, at, count, whence, offset)),
    wasShort: (handle) => isOurs(handle) ? short : undefined,
    close: (handle) => shared(handle, calls.close.bind(calls)),
    size: (handle) => shared(handle, calls.size.bind(calls)),
    seek: (handle, whence, offset) => shared(handle, (handle) => calls.seek(handle, whence, offset)),
    flush: (handle) => shared(handle, calls.flush.bind(calls)),
    truncate: (handle, count) => shared(handle, (handle) => calls.truncate(handle, count)),
    trouble: (handle) => shared(handle, calls.trouble.bind(calls)),
    stat: (channel, name, pointer) => calls.stat(channel, name, pointer),
    list: (channel, name, pointer, capacity) => calls.list(channel, name, pointer, capacity),
    remove: (channel, name) => calls.remove(channel, name),
    mkdir: (channel, name) => calls.mkdir(channel, name),
    rename: (channel, name, to) => calls.rename(channel, name, to),
    look: (channel, name, pointer, follow) => calls.look(channel, name, pointer, follow),
    setTimes: (channel, name, follow, ...times) => calls.setTimes(channel, name, follow, ...times),
    link: (channel, name, to) => calls.link(channel, name, to),
    symlink: (channel, text, name) => calls.symlink(channel, text, name),
    readLink: (channel, name, pointer, capacity) => calls.readLink(channel, name, pointer, capacity),
    batch: (channel, pointer, count) => calls.batch(channel, pointer, count),
    submit: (channel, pointer, count) => calls.submit(channel, pointer, count),
    busy: (channel) => calls.busy(channel),
    finish: (channel) => calls.finish(channel),
  };
}
