/**
 * Metadata of Velox: an array of bytes beside the images, whose first column is a text in JSON for the first image. Spectra of
 * energy losses have their energies in another such text, and their places in that of the X-ray spectra of the same scan.
 *
 * ```
 * /Data/Image/ID/Data (y, x, image)   /Data/Image/ID/Metadata (bytes, image)
 * /Data/EelsSpectrumImage/ID/Data (x, energy, y)   …/AcquisitionMetadata {Data {offset dispersion}}
 * /Data/Spectrum/ID/Data (energy, spectrum)
 * /Data/SpectrumStream/ID/Data, /Data/SpectrumImage/ID/Data    packed events
 * ```
 *
 * @module
 */

import { type Instrument, known } from "../../../dataset/facts.ts";
import type { SaidAxis } from "../../../dataset/said_axes.ts";
import type { Hdf5Array } from "../arrays/arrays.ts";
import { decodeText } from "../metadata/cursor.ts";
import { kindOfUnit } from "../../../space/meaning/said_kinds.ts";
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
  readonly Scan?: {
    readonly DwellTime?: string;
    readonly FrameTime?: string;
    readonly ScanRotation?: string;
  };
  readonly Detectors?: Readonly<Record<string, DetectorText>>;
  readonly Data?: { readonly offset?: number | string; readonly dispersion?: number | string };
}

interface DetectorText {
  readonly ExposureTime?: string;
  readonly Binning?: Size;
  readonly DetectorName?: string;
  readonly Dispersion?: string;
  readonly OffsetEnergy?: string;
}

interface Size {
  readonly width?: string;
  readonly height?: string;
}

/** The facts about an array from the text of Velox, if there is one. */
interface VeloxFacts {
  /** One entry for each dimension. */
  readonly axes: readonly (SaidAxis | undefined)[];
  /** Microscope and detector. */
  readonly instrument: Instrument;
}

/** The facts of the images or spectra of `array`. */
export async function veloxFacts(
  { dataset, shape }: Hdf5Array,
  found: Found,
): Promise<VeloxFacts | undefined> {
  const [, kind] = /^\/Data\/(\w+)\/[^/]+\/Data$/.exec(dataset.path) ?? [];
  const text = kind && await textIn(dataset.path.replace(/Data$/, "Metadata"), found);
  if (!text) return undefined;
  const axes = kind === "EelsSpectrumImage"
    ? await lossAxes(dataset.path, shape.length, found)
    : kind === "Spectrum"
    ? spectrumAxes(text, shape.length)
    : axesOf(text, shape);
  return { axes, instrument: instrumentOf(text) };
}

/** The text in the first column of the array at `path`. */
async function textIn(path: string, found: Found): Promise<VeloxText | undefined> {
  const beside = datasetAt(found, path);
  const length = beside?.space.shape[0];
  if (!beside || beside.space.shape.length !== 2 || !length || beside.type.size !== 1) return undefined;
  const bytes = await firstSamples(beside, [length, 1]);
  return bytes && parse(decodeText(bytes));
}

/** Places and energies of spectra of energy losses, as they are stored: x, energy, y. */
async function lossAxes(path: string, rank: number, found: Found): Promise<(SaidAxis | undefined)[]> {
  const told = await textIn(path.replace(/Data$/, "AcquisitionMetadata"), found);
  const scan = found.datasets.find((one) => /^\/Data\/SpectrumImage\/[^/]+\/Metadata$/.test(one.path));
  const { y, x } = placesOf(scan ? await textIn(scan.path, found) : undefined);
  const energy = energyAxis("EELS", told?.Data?.dispersion, told?.Data?.offset);
  const places = [x, y].map((axis): SaidAxis => ({ ...axis, kind: "scan" }));
  return rank === 2 || rank === 3 ? [places[0]!, energy, places[1]!].slice(0, rank) : [];
}

/** The energies of X-ray spectra, in eV, of the detector that has counted them. */
function spectrumAxes({ BinaryResult, Detectors = {} }: VeloxText, rank: number): SaidAxis[] {
  const name = BinaryResult?.Detector ?? "";
  const own = Object.values(Detectors).find(({ DetectorName }) =>
    DetectorName?.includes(name) && name !== ""
  );
  const energy = energyAxis("EDS_TEM", own?.Dispersion, own?.OffsetEnergy);
  return rank === 2 ? [energy, { name: "spectrum", kind: "series" }] : [];
}

function energyAxis(
  signal: string,
  scale: string | number | undefined,
  offset: string | number = 0,
): SaidAxis {
  const known = scale === undefined ? {} : { scale: Number(scale), offset: Number(offset), unit: "eV" };
  return { name: "energy", kind: "energy", signal, ...known };
}

/** Whether an array has packed events of X-rays, which are not samples of anything. */
export function isStream(path: string): boolean {
  return /^\/Data\/(SpectrumStream|SpectrumImage)\/[^/]+\/Data$/.test(path);
}

/** Why {@link isStream | packed events} are not read. */
export const STREAM_PROBLEM =
  "the events of X-rays of Velox (SpectrumStream, SpectrumImage) are packed, which is not read: export the spectrum " +
  "image from Velox, or open it with HyperSpy and save it as .hspy";

function parse(text: string): VeloxText | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined; // cut off, or something else: it is only a description
  }
}

/** Rows and columns of images, or of a scan. */
function placesOf({ BinaryResult: image }: VeloxText = {}): { readonly y: SaidAxis; readonly x: SaidAxis } {
  const axis = (name: string, scale?: string, offset?: string, unit?: string): SaidAxis => ({
    name,
    isRising: true,
    ...(scale === undefined ? {} : { scale: Number(scale), offset: Number(offset ?? 0) }),
    ...(typeof unit === "string" ? { unit } : {}),
  });
  return {
    y: axis("y", image?.PixelSize?.height, image?.Offset?.y, image?.PixelUnitY),
    x: axis("x", image?.PixelSize?.width, image?.Offset?.x, image?.PixelUnitX),
  };
}

function axesOf(text: VeloxText, shape: readonly number[]): (SaidAxis | undefined)[] {
  const { y, x } = placesOf(text);
  const isPattern = kindOfUnit(x.unit) === "detector";
  const kind = isPattern ? "detector" : "space", time = Number(text.Scan?.FrameTime);
  const frames: SaidAxis = time > 0 && shape[2]! > 1
    ? { name: "t", kind: "time", scale: time, unit: "s" }
    : { name: "image", kind: "series" };
  return shape.map((_, d): SaidAxis => {
    return d < 2 ? { ...[y, x][d]!, kind } : frames;
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
