// Writes a text, reads it back, compares, and appends a word if the text is the same.

import { channel, File, ioBuffer, lastError, Mode, openAppend, openFile, Whence } from "tilewise/channels";

/** What a comparison found; statuses lie above -1000. */
const DIFFERENT: i32 = -1001;

/** 0, the negative status of a call, or DIFFERENT. */
export function append(name: usize, nameLength: i32, text: usize, textLength: i32, word: usize, wordLength: i32): i32 {
  const file = openFile<u8>(channel(), Mode.ERASE_READ_WRITE, name, nameLength);
  if (!file.ok) return file.handle;
  let result = writeAndCompare(file, text, textLength);
  const closed = file.close();
  if (result == 0) result = closed;
  return result < 0 ? result : appendTo(name, nameLength, word, wordLength);
}

function writeAndCompare(file: File<u8>, text: usize, length: i32): i32 {
  const back = ioBuffer(channel());
  if (file.write(text, length) != length) return -lastError(channel());
  if (file.read(back, length, Whence.BEGIN) != length) return -lastError(channel());
  return memory.compare(back, text, length) == 0 ? 0 : DIFFERENT;
}

function appendTo(name: usize, nameLength: i32, word: usize, length: i32): i32 {
  const file = openAppend<u8>(channel(), name, nameLength);
  if (!file.ok) return file.handle;
  const result = file.write(word, length) == length ? 0 : -lastError(channel());
  const closed = file.close();
  return result < 0 ? result : closed;
}
