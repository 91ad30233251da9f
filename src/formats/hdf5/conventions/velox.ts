/**
 * Metadata of Velox: an array of bytes beside the images, whose first column is a text in JSON for the first image.
 *
 * ```
 * /Data/Image/ID/Data (y, x, image)   /Data/Image/ID/Metadata (bytes, image)
 * ```
 *
 * @module
 */

import { type Instrument, known } from "../../../dataset/facts.ts";
import type { AxisFacts } from "../../../space/axes.ts";
import type { Hdf5Array } from "../arrays/arrays.ts";
import { decodeText } from "../metadata/cursor.ts";
import { kindOfUnit } from "../../common/kinds.ts";
import { datasetAt, type Found } from "../metadata/objects.ts";
import { firstSamples } from "./small_reads.ts";

/** What of the text is used here; numbers are texts. */
interface VeloxText {
  readonly BinaryResult?: {
    readonly PixelSize?: Size;
    readonly Offset?: { readonly x?: string; readonly y?: string };
    readonly PixelUnitX?: string;
    readonly PixelUnitY?: string;
    readonly Detector?: string;
    readonly DetectorIndex?: string;
  };
  readonly Optics?: {
    readonly AccelerationVoltage?: string;
    readonly CameraLength?: string;
    readonly NominalMagnification?: string;
  };
  readonly Acquisition?: { readonly AcquisitionStartDatetime?: { readonly DateTime?: string } };
  readonly Scan?: { readonly DwellTime?: string; readonly ScanRotation?: string };
  readonly Detectors?: Readonly<Record<string, { readonly ExposureTime?: string; readonly Binning?: Size }>>;
}

interface Size {
  readonly width?: string;
  readonly height?: string;
}

/** The facts about an array from the text of Velox, if there is one. */
export interface VeloxFacts {
  /** One entry for each dimension. */
  readonly axes: readonly (AxisFacts | undefined)[];
  /** Microscope and detector. */
  readonly instrument: Instrument;
}

/** The facts of the images of `array`. */
export async function veloxFacts(
  { dataset, shape }: Hdf5Array,
  found: Found,
): Promise<VeloxFacts | undefined> {
  if (!/^\/Data\/\w+\/[^/]+\/Data$/.test(dataset.path)) return undefined;
  const path = dataset.path.replace(/Data$/, "Metadata");
  const beside = datasetAt(found, path);
  const length = beside?.space.shape[0];
  if (!beside || beside.space.shape.length !== 2 || !length || beside.type.size !== 1) return undefined;
  const bytes = await firstSamples(beside, [length, 1]);
  const text = bytes && parse(decodeText(bytes));
  return text && { axes: axesOf(text, shape.length), instrument: instrumentOf(text) };
}

function parse(text: string): VeloxText | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined; // cut off, or something else: it is only a description
  }
}

function axesOf({ BinaryResult: image }: VeloxText, rank: number): (AxisFacts | undefined)[] {
  const axis = (name: string, scale?: string, offset?: string, unit?: string): AxisFacts => ({
    name,
    scale: Number(scale),
    offset: Number(offset ?? 0),
    ...(typeof unit === "string" ? { unit } : {}),
  });
  const y = axis("y", image?.PixelSize?.height, image?.Offset?.y, image?.PixelUnitY);
  const x = axis("x", image?.PixelSize?.width, image?.Offset?.x, image?.PixelUnitX);
  const isPattern = kindOfUnit(x.unit) === "detector";
  const kind = isPattern ? "detector" : "space";
  return Array.from({ length: rank }, (_, d): AxisFacts => {
    return d < 2 ? { ...[y, x][d]!, kind } : { name: "image", kind: "series" };
  });
}

function instrumentOf({ Optics, Scan, Acquisition, BinaryResult, Detectors }: VeloxText): Instrument {
  const detector = Detectors?.[`Detector-${BinaryResult?.DetectorIndex}`];
  const seconds = Number(Acquisition?.AcquisitionStartDatetime?.DateTime);
  const { width, height } = detector?.Binning ?? {};
  return known({
    voltage: Number(Optics?.AccelerationVoltage),
    cameraLength: Number(Optics?.CameraLength),
    magnification: Number(Optics?.NominalMagnification),
    exposure: Number(detector?.ExposureTime ?? Scan?.DwellTime),
    acquired: seconds > 0 && seconds < 1e11 ? new Date(seconds * 1000).toISOString() : undefined,
    detector: typeof BinaryResult?.Detector === "string" ? BinaryResult.Detector : undefined,
    binning: [Number(height), Number(width)],
    scanRotation: Number(Scan?.ScanRotation) * 180 / Math.PI,
  });
}
