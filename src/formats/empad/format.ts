/**
 * How EMPAD scans are recognised.
 *
 * @module
 */

import type { Shape } from "../../space/shape.ts";
import type { Format, Match, Probe } from "../common/format.ts";
import { extensionOf } from "../../io/file/names.ts";
import type { OpenOptions } from "../common/options.ts";
import { xmlText } from "../common/xml.ts";

/** Bytes of the image of a frame. */
export const FRAME_BYTES = 128 * 128 * 4;

/** The two last rows hold facts about the frame. */
export const FOOTER_BYTES = 2 * 128 * 4;

/** Bytes from frame to frame. */
export const PITCH = FRAME_BYTES + FOOTER_BYTES;

/** EMPAD scans. */
export const empad: Format = {
  id: "empad",
  title: "EMPAD",
  extensions: ["xml", "raw"],
  detect,
};

function detect({ head, name, size }: Probe, options: OpenOptions): Match {
  const text = xmlText(head);
  if (/^\s*</.test(text)) {
    return /<raw_file\b|<scan_parameters\b|EMPAD/i.test(text)
      ? { claim: "yes", why: "is XML that names a raw file and scan parameters, as EMPAD writes it" }
      : { claim: "no", why: "is XML, but not of EMPAD" };
  }
  const hasFrames = extensionOf(name) === "raw" && size > 0 && size % PITCH === 0;
  if (!hasFrames || options.dtype !== undefined) {
    return { claim: "no", why: "is no XML and no .raw of whole EMPAD frames" };
  }
  if (scanInName(name)) {
    return { claim: "yes", why: `is named scan_x…_y…, with ${size / PITCH} frames of 130 × 128 float32` };
  }
  return {
    claim: "needs options",
    why: `could be ${size / PITCH} frames of EMPAD; say format: "empad" with the option nav`,
  };
}

/** The scan that EMPAD puts into file names: `scan_x256_y128.raw`. */
export function scanInName(name: string): Shape | undefined {
  const [, x, y] = /scan_x(\d{1,6})_y(\d{1,6})/i.exec(name) ?? [];
  return x && y ? [Number(y), Number(x)] : undefined;
}
