/**
 * Images of microscopes of JEOL with the software SightX: the description is XML, and the resolution is that of the camera,
 * which the magnification or the camera length leads to the object.
 *
 * @module
 */

import { known } from "../../../dataset/facts.ts";
import { xmlElements } from "../../common/xml.ts";
import type { Directory } from "../container/directory.ts";
import { TAG } from "../container/tags.ts";
import { type Described, type Pixels, squareAxes } from "./axes.ts";
import { perMetre } from "./resolution.ts";

/** Bytes of the description that are read. */
const MOST_TEXT = 2 ** 20;
/** Metres per unit of camera lengths. */
const METRES: Readonly<Record<string, number>> = { mm: 1e-3, cm: 1e-2, m: 1 };
/** Nanometres in a metre. */
const NANO = 1e9;

/** The pixels of an image of JEOL; `undefined` for one of another maker or program. */
export async function jeolPixels({ directory }: Described): Promise<Pixels | undefined> {
  if (!(await directory.text(TAG.make, 64)).startsWith("JEOL")) return undefined;
  const text = await directory.text(TAG.description, MOST_TEXT);
  const [report] = xmlElements(text, "TemReporter");
  if (!report) return undefined;
  const imaging = insideOf(report.inside, "ImageFormingSystem");
  const [mode, unit] = [insideOf(imaging, "ModeString"), insideOf(imaging, "SelectorUnitString")];
  const value = Number(insideOf(imaging, "SelectorValue") || NaN);
  const volts = Number(
    insideOf(insideOf(report.inside, "ElectronGun"), "AccelerationVoltage") || NaN,
  );
  const isTem = insideOf(report.inside, "EosMode") === "eosTEM";
  const length = mode === "DIFF" ? value * (METRES[unit] ?? NaN) : NaN;
  const magnification = mode === "MAG" ? value : NaN;
  return {
    axes: isTem ? await axesAt(directory, magnification, length, volts) : {},
    instrument: known({ voltage: volts, magnification, cameraLength: length }),
    metadata: { metadata: "JEOL" },
  };
}

/** Steps of the camera over the magnification, or over camera length and wavelength. */
async function axesAt(
  directory: Directory,
  magnification: number,
  length: number,
  volts: number,
): Promise<Pixels["axes"]> {
  const [y, x] = await perMetre(directory);
  if (magnification > 0) {
    return squareAxes(NANO / (y * magnification), NANO / (x * magnification), "nm");
  }
  const perStep = length * wavelength(volts) * NANO;
  return perStep > 0 ? squareAxes(1 / (y * perStep), 1 / (x * perStep), "1/nm") : {};
}

/** The wavelength of electrons, in metres; CODATA 2018. */
function wavelength(volts: number): number {
  const [mass, charge, light, planck] = [9.1093837015e-31, 1.602176634e-19, 299792458, 6.62607015e-34];
  const energy = charge * volts;
  return planck / Math.sqrt(2 * mass * energy * (1 + energy / (2 * mass * light ** 2)));
}

function insideOf(text: string, element: string): string {
  return xmlElements(text, element)[0]?.inside.trim() ?? "";
}
