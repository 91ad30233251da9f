/**
 * Writes EMPAD scans: float32 frames of 128 × 128 with two rows of facts behind, which are zeros here, and the XML that
 * names them. The file to open is the `.xml`.
 *
 * @module
 */

import { sizeOf } from "../../space/shape.ts";
import { patternKinds } from "./dimensions.ts";
import { targetNamed } from "../registry.ts";
import { cannotHold, type FramesToWrite, plainLayout, type RowTarget } from "./layout.ts";

const FOOTER_BYTES = 2 * 128 * 4;

/** EMPAD. */
export const empadTarget: RowTarget = {
  ...targetNamed("empad"),
  keeps: { kinds: patternKinds, mostScan: 2 },
  layout(frames) {
    const { sig, dtype } = frames;
    const fits = dtype === "float32" && sig.length === 2 && sig.every((n) => n === 128);
    if (!fits) throw cannotHold(frames, "EMPAD", "frames of 128 × 128 float32");
    return {
      ...plainLayout(),
      footerBytes: FOOTER_BYTES,
      beside: [{ ending: ".xml", text: xml(frames) }],
    };
  },
};

/** LiberTEM counts the first, RosettaSciIO the second. */
function series(count: number): string {
  return `<type>series</type><count>${count}</count>` +
    `<scan_parameters mode="acquire"><series_count>${count}</series_count></scan_parameters>`;
}

function xml({ nav, stem }: FramesToWrite): string {
  const scan = nav.length === 2
    ? `<type>scan</type><pix_x>${nav[1]}</pix_x><pix_y>${nav[0]}</pix_y>`
    : series(sizeOf(nav));
  const name = `${stem}.raw`.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
  return `<?xml version="1.0"?>\n<root name="scan">${scan}<raw_file filename="${name}"/></root>\n`;
}
