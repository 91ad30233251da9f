/**
 * Headers of Merlin MIB files, written for the test data: 384 bytes before each frame, and the scan's `.hdr`.
 *
 * @module
 */

const FRAME_HEADER_BYTES = 384;

/** The header before frame `sequence` (from 1) of a `side` x `side` 12-bit frame stored as big-endian uint16. */
export function mibFrameHeader(sequence: number, side: number): Uint8Array {
  const size = String(side).padStart(4, "0");
  const dacs = Array.from({ length: 27 }, (_, i) => String(100 + i)).join(",");
  const text = [
    "MQ1",
    String(sequence).padStart(6, "0"),
    String(FRAME_HEADER_BYTES).padStart(5, "0"),
    "01",
    size,
    size,
    "U16",
    "   1x1",
    "01",
    "2026-01-01 00:00:00.000000",
    "0.001000",
    "0,0,0",
    ...Array.from({ length: 8 }, (_, i) => (i === 0 ? "2.000000E+0" : "0.000000E+0")),
    "3RX",
    dacs,
    "MQ1A",
    "2026-01-01T00:00:00.000000000Z",
    "1000000ns",
    "12",
    "",
  ].join(",");
  const bytes = new Uint8Array(FRAME_HEADER_BYTES);
  bytes.set(new TextEncoder().encode(text));
  return bytes;
}

/** The text of the `.hdr` beside a scan of `frames` frames, `width` of them a row. */
export function mibScanHeader(frames: number, width: number): string {
  const fields: readonly (readonly [string, string])[] = [
    ["Time and Date Stamp (day, mnth, yr, hr, min, s)", "01/01/2026 00:00:00"],
    ["Chip Type (Medipix 3.0, Medipix 3.1, Medipix 3RX)", "Medipix 3RX"],
    ["Assembly Size (NX1, 2X2)", "  1x1"],
    ["Counter Depth (number)", "12"],
    ["Frames in Acquisition (Number)", String(frames)],
    ["Frames per Trigger (Number)", String(width)],
  ];
  return ["HDR,\t", ...fields.map(([key, value]) => `${key}:\t${value}`), "End\t"].join("\r\n") + "\r\n";
}
