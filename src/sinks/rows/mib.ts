/**
 * Writes Merlin files (`.mib`) of unsigned integers with a header a frame, and the `.hdr` that has the scan.
 *
 * @module
 */

import { dtypeInfo } from "../../space/dtype.ts";
import { type Shape, sizeOf } from "../../space/shape.ts";
import { patternKinds } from "./dimensions.ts";
import { targetNamed } from "../registry.ts";
import { cannotHold, plainLayout, type RowTarget } from "./layout.ts";

/** Sizes are written with four digits. */
const MOST_SIDE = 9999;

/** Bytes of a header; single detectors have this size. */
const HEADER_BYTES = 384;

/** Type and usual depth of counters by bytes of a sample. */
const TYPES: ReadonlyMap<number, readonly [string, number]> = new Map([
  [1, ["U08", 6]],
  [2, ["U16", 12]],
  [4, ["U32", 24]],
]);

/** Merlin. */
export const mibTarget: RowTarget = {
  ...targetNamed("mib"),
  keeps: { kinds: patternKinds, mostScan: 2 },
  layout(frames) {
    const { nav, sig, dtype } = frames;
    const { kind, itemSize } = dtypeInfo(dtype), known = TYPES.get(itemSize);
    const fits = kind === "u" && known && sig.length === 2 && sig.every((n) => n <= MOST_SIDE);
    if (!fits) {
      throw cannotHold(frames, "MIB", `images of uint8, uint16 or uint32 up to ${MOST_SIDE} pixels wide`);
    }
    const [type, bits] = known;
    return {
      ...plainLayout(),
      byteOrder: "big",
      headerBytes: HEADER_BYTES,
      header: (i) => headerOf(i, sig, type, bits),
      beside: [{ ending: ".hdr", text: hdrOf(nav, bits) }],
    };
  },
};

/** The header of frame `n`; exposures take a millisecond each, from 1970 on, so that files are reproducible. */
function headerOf(n: number, [height, width]: Shape, type: string, bits: number): Uint8Array {
  const time = `${new Date(n).toISOString().slice(0, 23)}000000`;
  const digits = (value: number, length: number) => String(value).padStart(length, "0");
  const text = [
    `MQ1,${digits(n + 1, 6)},${digits(HEADER_BYTES, 5)},01,${digits(width!, 4)},${
      digits(height!, 4)
    },${type}`,
    `   1x1,01,${time.slice(0, 26).replace("T", " ")},0.001000,0,0,0`,
    `MQ1A,${time}Z,1000000ns,${bits},`,
  ].join(",");
  const header = new Uint8Array(HEADER_BYTES);
  header.set(new TextEncoder().encode(text));
  return header;
}

/** The text of a `.hdr`: rows and columns of the scan, or one line. */
function hdrOf(nav: Shape, bits: number): string {
  const frames = sizeOf(nav), x = nav.at(-1) ?? 1;
  const lines = [
    "HDR,\t",
    `Time and Date Stamp (day, mnth, yr, hr, min, s):\t${new Date(0).toISOString()}`,
    "Assembly Size (NX1, 2X2):\t   1x1",
    `Counter Depth (number):\t${bits}`,
    `Frames in Acquisition (Number):\t${frames}`,
    `Frames per Trigger (Number):\t${x}`,
    ...(nav.length > 1 ? [`ScanX:\t${x}`, `ScanY:\t${frames / x}`] : []),
    "End\t",
  ];
  return lines.join("\r\n").padEnd(2048);
}
