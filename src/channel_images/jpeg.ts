/**
 * JPEG files: the image that the JPEG filter of TIFF tiles decodes, with the colours that the markers of a file say.
 *
 * Source: ITU-T T.81; JFIF 1.02; the meaning of Adobe's marker as libjpeg reads it.
 *
 * @module
 */

import { type Frame, Segments, Tables } from "../codecs/filters/jpeg/markers.ts";
import { chunkFilter, scratchBytes } from "../codecs/filters/registry.ts";
import { TilewiseError } from "../errors.ts";
import { instantiateKernels } from "../kernels/wasm.ts";
import { Arena } from "../memory/arena.ts";
import { Slab } from "../memory/slab.ts";
import { type Meaning, mustFit, type OpenImage, type PutRow } from "./common/image.ts";

/** Bytes to align the slab and each block to a cache line. */
const SLACK = 4096;

/** Whether these are the first bytes of a JPEG file. */
export function isJpeg(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff;
}

/** Opens the image in `bytes`. Errors: `malformed`, `unsupported`, `over-budget`. */
export function openJpeg(bytes: Uint8Array): OpenImage {
  const image = new Segments(bytes, new Tables());
  image.next();
  const { frame } = image;
  if (!frame) throw new TilewiseError("malformed", "Cannot read the JPEG file: it has no image");
  const { width, height, precision, components: { length: samples } } = frame;
  return {
    width,
    height,
    samples,
    dtype: precision > 8 ? "uint16" : "uint8",
    bits: precision,
    meaning: meaningOf(samples),
    decode: (put) => decode(bytes, frame, put),
  };
}

function meaningOf(samples: number): Meaning {
  if (samples === 1) return "gray";
  return samples === 3 ? "colours" : "unknown"; // four are inks, whose colours depend on the printer
}

async function decode(bytes: Uint8Array, frame: Frame, put: PutRow): Promise<void> {
  const { width, height, precision, components: { length: samples } } = frame;
  const stride = width * samples * (precision > 8 ? 2 : 1);
  const values = [width, height, samples, isYcbcr(bytes, frame) ? 1 : 0];
  const scratch = scratchBytes([{ name: "jpeg", values }], stride * height);
  const what = `a JPEG file of ${width} × ${height} pixels`;
  const undo = await chunkFilter("jpeg");
  const needed = bytes.length + stride * height + scratch;
  mustFit(needed, what);
  const arena = new Arena({ budget: needed + 2 * SLACK, shared: false });
  using lease = arena.lease(needed + SLACK, "an image");
  const slab = new Slab(arena.memory, lease.offset, lease.byteLength);
  const kernels = instantiateKernels(arena.memory), { buffer } = arena.memory;
  const input = new Uint8Array(buffer, slab.take(bytes.length, "the file"), bytes.length);
  input.set(bytes);
  const output = new Uint8Array(buffer, slab.take(stride * height, "pixels"), stride * height);
  const spare = new Uint8Array(0);
  await undo({ kernels, input, output, values, scratch: slab.take(scratch, "tables"), spare });
  for (let y = 0; y < height; y++) put(y, output.subarray(y * stride, (y + 1) * stride));
}

/** Whether three components are brightness and two differences: not if Adobe's marker or the names R, G and B say otherwise. */
function isYcbcr(bytes: Uint8Array, { components, kind }: Frame): boolean {
  if (components.length !== 3 || kind === 3) return false;
  const { adobe, jfif } = markersOf(bytes);
  if (adobe !== undefined) return adobe !== 0;
  return jfif || !components.every(({ id }, i) => id === "RGB".charCodeAt(i));
}

/** What the markers before the image say: that it is JFIF, and the transform of Adobe's marker. */
function markersOf(bytes: Uint8Array): { adobe?: number; jfif: boolean } {
  const found: { adobe?: number; jfif: boolean } = { jfif: false };
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1]!, length = bytes[at + 2]! << 8 | bytes[at + 3]!;
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === 0xda || length < 2) break;
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 9));
    if (marker === 0xe0 && name === "JFIF\0") found.jfif = true;
    if (marker === 0xee && name === "Adobe" && length >= 14) found.adobe = bytes[at + 15]!;
    at += 2 + length;
  }
  return found;
}
