// Filters pictures (BMP, 24 bits per pixel), each by a work group: it reads a picture, every member computes a part of the
// rows, and the group writes the result. Group g takes the pictures g, g + groups, …; the local memory of a group holds one
// picture and its result, so the memory does not grow with the batch.
//
// I/O is done either by member 0 while the others wait (`pictures_one`), or by calls that all members make together
// (`pictures_all`).

import {
  barrier, channel, File, groupCount, groupId, groupSize, lastError, localBytes, localId, localMemory, Mode,
  openFile, openFileTogether, share,
} from "tilewise/channels";

/** Not a picture of this kind, or one that is too large for the memory; statuses lie above -1000. */
const NO_PICTURE: i32 = -1001;

const enum Filter { INVERT, BLUR }

/** Bytes at the front of the local memory, for the name of a file. */
const FRONT: usize = 1024;

/** Bytes that a name has after its prefix. */
const NAME_END: i32 = 7;

/** The pictures of this group, with I/O by one member: 0, the negative status of a call, or NO_PICTURE. */
export function pictures_one(from: usize, fromLength: i32, to: usize, toLength: i32, count: i32, filter: i32): i32 {
  return all(false, from, fromLength, to, toLength, count, filter);
}

/** The same with I/O by all members together. */
export function pictures_all(from: usize, fromLength: i32, to: usize, toLength: i32, count: i32, filter: i32): i32 {
  return all(true, from, fromLength, to, toLength, count, filter);
}

function all(together: bool, from: usize, fromLength: i32, to: usize, toLength: i32, count: i32, filter: i32): i32 {
  let result = 0;
  for (let picture = groupId(); picture < count && result >= 0; picture += groupCount()) {
    result = one(together, from, fromLength, to, toLength, picture, filter);
  }
  return min(result, 0);
}

/** All members come to the same result, so that none waits for one that has left. */
function one(together: bool, from: usize, fromLength: i32, to: usize, toLength: i32, picture: i32, filter: i32): i32 {
  const name = localMemory(), input = name + FRONT;
  const half = (localBytes() - <i32>FRONT) / 2;
  const output = input + half;
  if (localId() == 0) putName(name, from, fromLength, picture);
  const bytes = transfer(together, Mode.READ_ONLY, name, fromLength + NAME_END, input, half);
  if (bytes < 0) return bytes;
  if (!isPicture(input, bytes)) return NO_PICTURE;
  filterRows(input, output, filter);
  if (localId() == 0) putName(name, to, toLength, picture);
  barrier(); // the result is whole
  const written = transfer(together, Mode.WRITE_ONLY, name, toLength + NAME_END, output, bytes);
  return min(written, 0);
}

/** Reads or writes a file at once: its bytes, or a negative status, for all members. */
function transfer(together: bool, mode: Mode, name: usize, nameLength: i32, at: usize, bytes: i32): i32 {
  if (together) return move(openFileTogether<u8>(channel(), mode, name, nameLength), mode, at, bytes);
  let moved = 0;
  if (localId() == 0) moved = move(openFile<u8>(channel(), mode, name, nameLength), mode, at, bytes);
  return <i32>share(moved); // the others wait here for what member 0 has done
}

function move(file: File<u8>, mode: Mode, at: usize, bytes: i32): i32 {
  if (!file.ok) return file.handle;
  const moved = mode == Mode.READ_ONLY ? file.read(at, bytes) : file.write(at, bytes);
  const status = moved < bytes ? lastError(channel()) : 0; // none where the file is shorter
  const closed = file.close();
  return status != 0 ? -status : closed < 0 ? closed : moved;
}

/** The name `prefix` + three digits + `.bmp`. */
function putName(pointer: usize, prefix: usize, prefixLength: i32, picture: i32): i32 {
  memory.copy(pointer, prefix, prefixLength);
  const digits = pointer + prefixLength;
  store<u8>(digits, <u8>(48 + picture / 100 % 10));
  store<u8>(digits, <u8>(48 + picture / 10 % 10), 1);
  store<u8>(digits, <u8>(48 + picture % 10), 2);
  store<u32>(digits, 0x706d622e, 3); // .bmp
  return prefixLength + NAME_END;
}

// ---- BMP: a header of 54 bytes or more, then rows of blue, green and red, each row filled up to a multiple of 4 bytes.

@inline
function firstRow(picture: usize): i32 {
  return load<i32>(picture, 10);
}

@inline
function width(picture: usize): i32 {
  return load<i32>(picture, 18);
}

@inline
function height(picture: usize): i32 {
  return abs(load<i32>(picture, 22)); // negative where the first row is the topmost
}

@inline
function stride(picture: usize): i32 {
  return width(picture) * 3 + 3 & ~3;
}

/** Whether there is a whole picture of 24 bits per pixel, without compression. */
function isPicture(picture: usize, bytes: i32): bool {
  if (bytes < 54 || load<u16>(picture) != 0x4d42 || load<u16>(picture, 28) != 24 || load<u32>(picture, 30) != 0) return false;
  const first = firstRow(picture), w = width(picture), h = height(picture);
  if (first < 54 || first > bytes || w < 1 || w > 1 << 20 || h < 1) return false;
  return <i64>first + <i64>stride(picture) * h <= bytes;
}

// ---- Filters: members take stretches of rows.

function filterRows(input: usize, output: usize, filter: i32): void {
  const first = firstRow(input), rows = height(input), bytes = stride(input);
  if (localId() == 0) memory.copy(output, input, first);
  const start = rows * localId() / groupSize(), stop = rows * (localId() + 1) / groupSize();
  for (let y = start; y < stop; y++) {
    const to = output + first + y * bytes;
    if (filter == Filter.INVERT) invertRow(input + first + y * bytes, to, bytes);
    else blurRow(input + first, to, y, rows, width(input) * 3, bytes);
  }
}

/** 255 minus each sample; the filling of rows is inverted as well. */
function invertRow(row: usize, to: usize, bytes: i32): void {
  let i = 0;
  for (; i + 16 <= bytes; i += 16) v128.store(to + i, v128.not(v128.load(row + i)));
  for (; i < bytes; i++) store<u8>(to + i, ~load<u8>(row + i));
}

/** The mean of 3 × 3 pixels, for each colour, rounded; beyond the border the nearest pixel counts again. */
function blurRow(rows: usize, to: usize, y: i32, count: i32, samples: i32, bytes: i32): void {
  const here = rows + y * bytes;
  const above = y > 0 ? here - bytes : here, below = y + 1 < count ? here + bytes : here;
  for (let i = 0; i < samples; i++) {
    const left = i < 3 ? i : i - 3, right = i + 3 < samples ? i + 3 : i;
    const sum = column(above, here, below, left) + column(above, here, below, i) + column(above, here, below, right);
    store<u8>(to + i, <u8>((sum + 4) / 9));
  }
  memory.fill(to + samples, 0, bytes - samples);
}

@inline
function column(above: usize, here: usize, below: usize, i: i32): u32 {
  return <u32>load<u8>(above + i) + load<u8>(here + i) + load<u8>(below + i);
}
