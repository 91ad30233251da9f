/**
 * Images of microscopes of FEI and Thermo Fisher: a text of sections in tag 34680 or 34682.
 *
 * ```
 * [Scan]
 * PixelWidth=3.3724e-006        metres
 * ```
 *
 * @module
 */

import { known } from "../../../dataset/facts.ts";
import { TAG } from "../container/tags.ts";
import { type Described, type Pixels, squareAxes } from "./axes.ts";

/** Bytes of the text that are read. */
const MOST_TEXT = 2 ** 18;

/** The pixels of an image of FEI: the steps of the scan, or of a camera in the chamber its field over its pixels. */
export async function feiPixels({ directory }: Described): Promise<Pixels> {
  const tag = directory.has(TAG.feiHelios) ? TAG.feiHelios : TAG.feiSfeg;
  const sections = sectionsOf(await directory.text(tag, MOST_TEXT));
  const number = (section: string, key: string): number | undefined => {
    const value = Number(sections.get(section)?.get(key) || NaN);
    return value > 0 ? value : undefined;
  };
  const field = (size: string, pixels: string): number | undefined => {
    const [length, count] = [number("IRBeam", size), number("Image", pixels)];
    return length !== undefined && count !== undefined ? length / count : undefined;
  };
  const y = number("Scan", "PixelHeight") ?? field("VFW", "ResolutionY");
  const x = number("Scan", "PixelWidth") ?? field("HFW", "ResolutionX");
  return {
    axes: squareAxes(y, x, "m"),
    instrument: known({
      voltage: number("Beam", "HV"),
      detector: sections.get("Detectors")?.get("Name"),
    }),
    metadata: { metadata: "FEI" },
  };
}

function sectionsOf(text: string): Map<string, Map<string, string>> {
  const sections = new Map<string, Map<string, string>>();
  let section = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const name = /^\s*\[([^\]]*)\]/.exec(line)?.[1];
    if (name !== undefined) sections.set(name, section = new Map());
    const at = line.indexOf("=");
    if (name === undefined && at > 0) section.set(line.slice(0, at).trim(), line.slice(at + 1).trim());
  }
  return sections;
}
