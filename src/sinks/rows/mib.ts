/**
 * Writes Merlin files (`.mib`) of unsigned integers with a header a frame, and the `.hdr` that has the scan.
 *
 * @module
 */

import { dtypeInfo } from "../../space/dtype.ts";
import { patternKinds } from "./dimensions.ts";
import { targetNamed } from "../registry.ts";
import { MIB_HEADER_BYTES, MIB_TYPES, mibFrameHeader, mibHdr } from "./mib_headers.ts";
import { cannotHold, plainLayout, type RowTarget } from "./layout.ts";

/** Sizes are written with four digits. */
const MOST_SIDE = 9999;

/** Merlin. */
export const mibTarget: RowTarget = {
  ...targetNamed("mib"),
  keeps: { kinds: patternKinds, mostScan: 2 },
  layout(frames) {
    const { nav, sig, dtype } = frames;
    const { kind, itemSize } = dtypeInfo(dtype);
    const bits = MIB_TYPES.get(itemSize)?.[1];
    const [height, width] = sig;
    const fits = kind === "u" && bits && sig.length === 2 && sig.every((n) => n <= MOST_SIDE);
    if (!fits) {
      throw cannotHold(frames, "MIB", `images of uint8, uint16 or uint32 up to ${MOST_SIDE} pixels wide`);
    }
    const options = { sig: [height!, width!] } as const;
    return {
      ...plainLayout(),
      byteOrder: "big",
      headerBytes: MIB_HEADER_BYTES,
      header: (i) => mibFrameHeader(itemSize, i + 1, options),
      beside: [{ ending: ".hdr", text: mibHdr(nav.length > 0 ? nav : [1], bits) }],
    };
  },
};
