// Loads an image into memory of the kernel, whatever its format, and writes its pixels to a file: red, green, blue and alpha,
// one byte each. A name that is not an image, and an image that is too large, end the launch with their status.

import { channel, lastError, loadImage, localBytes, localMemory, openWrite, Pixels, Status } from "tilewise/channels";

/** Bytes of the facts about an image: height, width, samples per pixel, type of samples. */
const FACTS: usize = 16;

/** `width` × `height` pixels are the most; the size of the image goes to `size`. 0, or a negative status. */
export function image(
  name: usize, nameLength: i32, to: usize, toLength: i32, width: i32, height: i32, size: usize, _two: i32,
): i32 {
  const facts = localMemory(), pixels = facts + FACTS;
  if (<i64>width * height * 4 + <i64>FACTS > localBytes()) return -Status.INVALID;
  const status = loadImage(channel(), name, nameLength, pixels, width, height, width * 4, Pixels.RGBA8, facts);
  if (status < 0) return status;
  store<i32>(size, load<i32>(facts));
  store<i32>(size, load<i32>(facts, 4), 4);
  return writeRows(to, toLength, pixels, load<i32>(facts), load<i32>(facts, 4) * 4, width * 4);
}

/** Rows of `bytes` bytes, which are `stride` bytes apart in memory, without what lies between them. */
function writeRows(to: usize, toLength: i32, pixels: usize, rows: i32, bytes: i32, stride: i32): i32 {
  const file = openWrite<u8>(channel(), to, toLength);
  if (!file.ok) return file.handle;
  let status = 0;
  for (let y = 0; y < rows && status == 0; y++) {
    if (file.write(pixels + <usize>y * stride, bytes) != bytes) status = -lastError(channel());
  }
  const closed = file.close();
  return status < 0 ? status : closed;
}
