/**
 * Writes plain samples (`.raw`), and beside them a Ripple description where one can say what they are.
 *
 * @module
 */

import { type DType, dtypeInfo } from "../../space/dtype.ts";
import { sizeOf } from "../../space/shape.ts";
import { targetNamed } from "../registry.ts";
import { type FramesToWrite, plainLayout, type RowTarget, type SideFile } from "./layout.ts";

/** Raw samples. */
export const rawTarget: RowTarget = {
  ...targetNamed("raw"),
  keeps: { scan: "said" },
  layout(frames) {
    const { nav, sig, dtype } = frames;
    const scan = nav.length > 0 ? `--nav ${nav.join("x")} ` : "";
    const openWith = `--format raw --dtype ${dtype} ${scan}--sig ${sig.join("x") || 1}`;
    return { ...plainLayout(), openWith, beside: ripple(frames) };
  },
};

/** Names of number kinds. */
const KINDS: Readonly<Record<string, string>> = { u: "unsigned", b: "unsigned", i: "signed", f: "float" };

/** Three dimensions: all frames of the scan in one row. A lone image is recorded in no order, which HyperSpy wants to be said. */
function ripple({ nav, sig, dtype }: FramesToWrite): SideFile[] {
  const { kind, itemSize } = dtypeInfo(dtype);
  const type = isInRipple(dtype) ? KINDS[kind] : undefined;
  if (type === undefined || sig.length !== 2) return [];
  const [height, width] = sig, depth = sizeOf(nav);
  const lines = [
    ["width", width],
    ["height", height],
    ["depth", depth],
    ["offset", 0],
    ["data-length", itemSize],
    ["data-type", type],
    ["byte-order", itemSize > 1 ? "little-endian" : "dont-care"],
    ["record-by", depth > 1 ? "image" : "dont-care"],
  ];
  return [{ ending: ".rpl", text: ["key\tvalue", ...lines.map((line) => line.join("\t")), ""].join("\n") }];
}

/** Ripple knows no complex numbers and no floats of 16 bits. */
function isInRipple(dtype: DType): boolean {
  return !dtype.startsWith("complex") && dtype !== "float16";
}
