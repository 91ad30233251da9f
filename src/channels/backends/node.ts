/**
 * The files of the operating system. `node:fs` reads into shared memory and writes from it directly, at any position, so a
 * transfer needs no copy.
 *
 * @module
 */

import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmdirSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import type { SynchronousBackEnd } from "./back_end.ts";

/** Files through `node:fs`. */
export const nodeFiles: SynchronousBackEnd = {
  synchronous: true,
  open(name, flags) {
    const file = openSync(name, flags);
    if (!fstatSync(file).isDirectory()) return file;
    closeSync(file);
    throw Object.assign(new Error(`${name} is a directory`), { code: "EISDIR" });
  },
  close: closeSync,
  size: (file) => fstatSync(file).size,
  read(file, bytes, at, length, position) {
    let done = readSync(file, bytes, at, length, position);
    for (let got = done; got > 0 && done < length; done += got) {
      got = readSync(file, bytes, at + done, length - done, position + done);
    }
    return done;
  },
  write(file, bytes, at, length, position) {
    let done = 0;
    try {
      while (done < length) {
        const where = position === null ? null : position + done;
        done += writeSync(file, bytes, at + done, length - done, where);
      }
    } catch (error) {
      if (done === 0) throw error; // otherwise return a short count: the next write gets the error again
    }
    return done;
  },
  flush: fsyncSync,
  truncate: ftruncateSync,
  stat(name) {
    const facts = statSync(name);
    const isFolder = facts.isDirectory();
    return {
      bytes: isFolder ? 0 : facts.size,
      kind: isFolder ? "directory" : "file",
      modified: facts.mtimeMs,
    };
  },
  list: (name) => readdirSync(name).sort(),
  remove: (name) => lstatSync(name).isDirectory() ? rmdirSync(name) : unlinkSync(name),
  mkdir: (name) => void mkdirSync(name),
  rename: renameSync,
};
