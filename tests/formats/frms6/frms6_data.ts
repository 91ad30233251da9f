/**
 * FRMS6 data sets with known samples, in memory.
 *
 * @module
 */

import { ascii, join } from "../helpers.ts";

/** How such a data set is made. */
export interface Frms6Init {
  /** Frames of each file, the dark ones first. */
  readonly files: readonly number[];
  /** Stored rows. Default 4. */
  readonly rows?: number;
  /** Columns of the image. Default 5. */
  readonly width?: number;
  readonly bin?: number;
  /** Size of the scan as the text has it: columns x rows. */
  readonly scan?: string;
  /** Frames that the text promises. Default: all. */
  readonly promised?: number;
  /** Whether headers say how many frames there are. Default true. */
  readonly counted?: boolean;
}

/** The sample of an image (dark frames: negative numbers) at a place of the unfolded, unbinned frame. */
export function frms6Sample(image: number, y: number, x: number): number {
  return (1000 + image * 97 + y * 31 + x * 7) & 0xffff;
}

/** An image as it must come out. */
export function frms6Frame(
  image: number,
  { rows = 4, width = 5, bin = 1 }: Omit<Frms6Init, "files">,
): number[] {
  return Array.from({ length: 2 * rows * bin * width }, (_, i) => {
    const y = Math.floor(Math.floor(i / width) / bin);
    return frms6Sample(image, y, i % width);
  });
}

/** The mean dark frame. */
export function frms6Dark(init: Frms6Init): number[] {
  const count = init.files[0]!;
  const all = Array.from({ length: count }, (_, d) => frms6Frame(-1 - d, init));
  return all[0]!.map((_, p) => Math.fround(all.reduce((sum, frame) => sum + frame[p]!, 0) / count));
}

/** The files by their names: `run.hdr`, `run_000.frms6` and so on. */
export function frms6Files(init: Frms6Init): Map<string, Uint8Array<ArrayBuffer>> {
  const { files, bin = 1, scan } = init;
  const signal = files.slice(1).reduce((a, b) => a + b, 0);
  const text = [
    "[measurementInfo]",
    "dataName=run",
    `darkFrames=${files[0]}`,
    "dwellTimeMicroseconds = 20000",
    `signalFrames: ${init.promised ?? signal}`,
    `stemImageSize=${scan ?? `${signal}x1`}`,
    `readoutMode="bin: ${bin}, windowing: 264 x 264"`,
    "",
  ].join("\r\n");
  const all = new Map<string, Uint8Array<ArrayBuffer>>([["run.hdr", join(ascii(text))]]);
  let image = 0;
  files.forEach((count, f) => {
    const numbers = Array.from({ length: count }, (_, i) => f === 0 ? -1 - i : image++);
    all.set(`run_${String(f).padStart(3, "0")}.frms6`, dataFile(numbers, init));
  });
  return all;
}

/** They as files. */
export function frms6List(files: Map<string, Uint8Array<ArrayBuffer>>): File[] {
  return [...files].map(([name, bytes]) => new File([bytes], name));
}

function dataFile(images: number[], init: Frms6Init): Uint8Array<ArrayBuffer> {
  const { rows = 4, width = 5, counted = true } = init;
  const head = new DataView(new ArrayBuffer(1024));
  [[0, 1024], [2, 64], [88, 2 * width], [90, rows]].forEach(([at, value]) =>
    head.setUint16(at!, value!, true)
  );
  head.setUint8(7, 6);
  head.setUint32(1020, counted ? images.length : 0, true);
  const frames = images.map((image) => {
    const frame = new DataView(new ArrayBuffer(64 + 4 * rows * width));
    frame.setUint32(12, image, true);
    for (let y = 0; y < 2 * rows; y++) {
      for (let x = 0; x < width; x++) {
        const [row, column] = y < rows ? [y, x] : [2 * rows - 1 - y, 2 * width - 1 - x];
        frame.setUint16(64 + 2 * (row * 2 * width + column), frms6Sample(image, y, x), true);
      }
    }
    return new Uint8Array(frame.buffer);
  });
  return join(new Uint8Array(head.buffer), ...frames);
}
