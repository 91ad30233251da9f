/**
 * What the tags of a DigitalMicrograph image say beside its samples: axes, instrument, and whether the scan is stored
 * fastest.
 *
 * @module
 */

import { type Instrument, known } from "../../dataset/facts.ts";
import type { AxisFacts } from "../../space/axes.ts";
import type { Shape } from "../../space/shape.ts";
import { DmGroup } from "./tags.ts";
import { acquiredAt } from "./time.ts";

/** Calibrations, which are listed as dimensions are: fastest first. An origin is counted in samples. */
export function axesIn(group: DmGroup, dimensions: number, rank: number): (AxisFacts | undefined)[] {
  const list = group.get("ImageData", "Calibrations", "Dimension");
  const found = list instanceof DmGroup ? list.groups().slice(0, dimensions) : [];
  const axes = found.map((axis) => {
    const [scale, origin, unit] = [axis.number("Scale"), axis.number("Origin"), axis.get("Units")];
    if (scale === undefined || typeof unit !== "string" || unit === "") return undefined;
    return { scale, offset: -(origin ?? 0) * scale, unit };
  }).reverse();
  const unknown = (length: number) => Array.from({ length }, () => undefined);
  return [...unknown(dimensions - axes.length), ...axes, ...unknown(rank - dimensions)]; // slow ones may be left out
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
export function orderOf(group: DmGroup, shape: Shape, sigDims: number): DmOrder {
  const swapped = group.get("ImageTags", "Meta Data", "Data Order Swapped");
  const isScan = shape.length === 4 || (shape.length === 3 && sigDims === 1 && isSpectrumImage(group));
  if (!isScan) return { scanFirst: false };
  if (swapped === true) return { scanFirst: false, why: "a tag says that frames follow each other" };
  if (swapped === false) return { scanFirst: true, why: "a tag says that the scan is stored fastest" };
  if (shape.length === 3) {
    return { scanFirst: true, why: "the energy of a spectrum image is its slowest dimension" };
  }
  const units = axesIn(group, 4, 4).map((axis) => axis?.unit ?? "");
  const isDetector = (unit: string) => /^1\/|-1$|rad$/.test(unit.trim());
  const scanFirst = units.slice(0, 2).every(isDetector) && !units.slice(2).some(isDetector);
  return scanFirst
    ? { scanFirst, why: `units ${units.join(", ")}: the scan is stored fastest` }
    : { scanFirst };
}

/** Whether the tags call it a spectrum image. */
export function isSpectrumImage(group: DmGroup): boolean {
  const format = group.get("ImageTags", "Meta Data", "Format");
  return typeof format === "string" && /^\s*spectrum image\s*$/i.test(format);
}

/** Its name and all other tags, as plain JSON. */
export function metadataOf(group: DmGroup): Record<string, unknown> {
  const tags = group.get("ImageTags");
  return { name: group.get("Name") ?? "", tags: tags instanceof DmGroup ? tags.toJSON() : {} };
}
