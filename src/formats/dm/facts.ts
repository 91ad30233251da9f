/**
 * What the tags of a DigitalMicrograph image say beside its samples: axes, instrument, and whether the scan is stored
 * fastest.
 *
 * @module
 */

import { unitOfSame } from "../common/values.ts";
import { type Instrument, known } from "../../dataset/facts.ts";
import type { AxisFacts } from "../../space/axes.ts";
import type { Shape } from "../../space/shape.ts";
import { dmAxes } from "./axes.ts";
import { DmGroup } from "./tags.ts";
import { acquiredAt } from "./time.ts";

/** Axes of the first `dimensions` of an image of `rank` dimensions, slowest first; those of colours follow. */
export function axesIn(group: DmGroup, dimensions: number, rank: number): AxisFacts[] {
  const list = group.get("ImageData", "Calibrations", "Dimension");
  const found = list instanceof DmGroup ? list.groups() : [];
  const axes = Array.from({ length: Math.max(dimensions, found.length) }, (_, d) => { // slow ones may be left out
    const unit = found[d]?.get("Units");
    return {
      scale: found[d]?.number("Scale"),
      origin: found[d]?.number("Origin"),
      unit: typeof unit === "string" ? unit : undefined,
    };
  });
  const colours = Array.from({ length: rank - dimensions }, (): AxisFacts => ({ kind: "colour" }));
  const tag = (name: string) => group.get("ImageTags", "Meta Data", name);
  return [...dmAxes(axes, tag("Format"), tag("Signal")), ...colours];
}

/** The unit of the samples, where brightness is counted by them. */
export function unitIn(group: DmGroup): unknown {
  const brightness = group.get("ImageData", "Calibrations", "Brightness");
  if (!(brightness instanceof DmGroup)) return undefined;
  return unitOfSame(brightness.get("Units"), brightness.number("Scale"), brightness.number("Origin"));
}

/** Where programs keep the exposure of a frame in seconds; of spectrum images the time at a pixel comes last. */
const EXPOSURES: readonly (readonly string[])[] = [
  ["Acquisition", "Parameters", "High Level", "Exposure (s)"],
  ["Acquisition", "Parameters", "Detector", "exposure (s)"],
  ["EELS", "Acquisition", "Exposure (s)"],
  ["CL", "Acquisition", "Exposure (s)"],
  ["DataBar", "Exposure Time (s)"],
  ["SI", "Acquisition", "Pixel time (s)"],
];

/** Microscope and camera. */
export function instrumentOf(group: DmGroup): Instrument {
  const scope = (...path: string[]) => group.number("ImageTags", "Microscope Info", ...path);
  const camera = group.get("ImageTags", "Acquisition", "Device", "Name");
  const length = scope("STEM Camera Length");
  return known({
    voltage: scope("Voltage"),
    magnification: scope("Indicated Magnification"),
    cameraLength: length === undefined ? undefined : length / 1000,
    exposure: EXPOSURES.map((path) => group.number("ImageTags", ...path)).find((seconds) => seconds! > 0),
    acquired: acquiredAt(group),
    detector: typeof camera === "string" ? camera : undefined,
  });
}

/** How the samples of an image lie in its file. */
export interface DmOrder {
  /** Whether the samples of one pixel at all positions of the scan lie together. */
  readonly scanFirst: boolean;
  /** What says so. */
  readonly why?: string;
}

/**
 * Whether the scan is stored fastest, where that can be: in four dimensions, and in three when spectra were asked for. A
 * tag of newer versions says it; else the units do, as those of a detector are reciprocal or angles.
 */
export function orderOf(
  group: DmGroup,
  shape: Shape,
  sigDims: number,
  axes: readonly (AxisFacts | undefined)[],
): DmOrder {
  const swapped = group.get("ImageTags", "Meta Data", "Data Order Swapped");
  const isScan = shape.length === 4 ||
    (shape.length === 3 && sigDims === 1 && axes[0]?.kind === "energy");
  if (!isScan) return { scanFirst: false };
  if (swapped === true) return { scanFirst: false, why: "a tag says that frames follow each other" };
  if (swapped === false) return { scanFirst: true, why: "a tag says that the scan is stored fastest" };
  if (shape.length === 3) {
    return { scanFirst: true, why: "the energy of a spectrum image is its slowest dimension" };
  }
  const units = axes.map((axis) => axis?.unit ?? "");
  const isDetector = (unit: string) => /^1\/|-1$|rad$/.test(unit.trim());
  const scanFirst = units.slice(0, 2).every(isDetector) && !units.slice(2).some(isDetector);
  return scanFirst
    ? { scanFirst, why: `units ${units.join(", ")}: the scan is stored fastest` }
    : { scanFirst };
}

/** Its name and all other tags, as plain JSON. */
export function metadataOf(group: DmGroup): Record<string, unknown> {
  const tags = group.get("ImageTags");
  return { name: group.get("Name") ?? "", tags: tags instanceof DmGroup ? tags.toJSON() : {} };
}
