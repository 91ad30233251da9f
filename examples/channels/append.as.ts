// Writes a text, reads it back, compares, and appends a word if the text is the same.

import { close, ioBuffer, lastError, Mode, open, read, Whence, write } from "tilewise/channels";

/** What a comparison found; statuses lie above -1000. */
const DIFFERENT: i32 = -1001;

/** 0, the negative status of a call, or DIFFERENT. Elements have one byte. */
export function append(name: usize, nameLength: i32, text: usize, textLength: i32, word: usize, wordLength: i32): i32 {
  const file = open(0, Mode.ERASE_READ_WRITE, name, nameLength);
  if (file <= 0) return file;
  let result = writeAndCompare(file, text, textLength);
  const closed = close(file);
  if (result == 0) result = closed;
  return result < 0 ? result : appendTo(name, nameLength, word, wordLength);
}

function writeAndCompare(file: i32, text: usize, length: i32): i32 {
  const back = ioBuffer(0);
  if (write(file, text, length) != length) return -lastError(0);
  if (read(file, back, length, Whence.BEGIN) != length) return -lastError(0);
  return memory.compare(back, text, length) == 0 ? 0 : DIFFERENT;
}

function appendTo(name: usize, nameLength: i32, word: usize, length: i32): i32 {
  const file = open(0, Mode.APPEND_ONLY, name, nameLength);
  if (file <= 0) return file;
  const result = write(file, word, length) == length ? 0 : -lastError(0);
  const closed = close(file);
  return result < 0 ? result : closed;
}
