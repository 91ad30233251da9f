/**
 * The size of pixels as tags of an image say it, by the program that wrote it: tags of microscopes come before the resolution
 * that all programs write, and few fill in.
 *
 * @module
 */

import { defined } from "../../../options.ts";
import { known } from "../../../dataset/facts.ts";
import { Fields } from "../../common/fields.ts";
import { type Scaling, unitOfQuantity } from "../../common/kinds.ts";
import { xmlElements } from "../../common/xml.ts";
import { type Directory, TAG } from "../container/directory.ts";
import {
  type Described,
  imageJPixels,
  perMetre,
  pixelAxis,
  type Pixels,
  resolutionPixels,
  squareAxes,
} from "./axes.ts";
import { metamorphPixels } from "./metamorph.ts";

// Images of microscopes of FEI and Thermo Fisher: a text of sections in tag 34680 or 34682.
//
// ```
// [Scan]
// PixelWidth=3.3724e-006        metres
// ```

/** Bytes of the text that are read. */
const MOST_TEXT = 2 ** 18;

/** The pixels of an image of FEI: the steps of the scan, or of a camera in the chamber its field over its pixels. */
async function feiPixels({ directory }: Described): Promise<Pixels> {
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

// Images that DigitalMicrograph has written as TIFF: units, positions of the first sample and steps of x, y and z are in tags
// 65003 to 65011, in this order.

/** Bytes of a unit. */
const MOST_UNIT = 64;

/** The pixels of an image of DigitalMicrograph. */
async function gatanPixels({ directory }: Described): Promise<Pixels> {
  const axis = async (name: "z" | "y" | "x", place: number) => {
    const unit = await directory.text(TAG.gatanUnitX + place, MOST_UNIT);
    const [offset = 0] = await directory.numbers(TAG.gatanOffsetX + place, 1);
    const [scale = 1] = await directory.numbers(TAG.gatanScaleX + place, 1);
    if (unit.trim() !== "") return pixelAxis(name, scale, unit.trim(), offset);
    return scale === 1 && offset === 0 ? undefined : { name, kind: "space" as const, scale, offset };
  };
  const [x, y, z] = [await axis("x", 0), await axis("y", 1), await axis("z", 2)];
  return {
    axes: defined({ z, y, x }),
    metadata: { metadata: "DigitalMicrograph" },
  };
}

/** What samples mean in images of DigitalMicrograph; nothing in others. */
export async function gatanScaling(directory: Directory): Promise<Scaling> {
  if (!directory.has(TAG.gatanScaleX)) return {};
  const text = (await directory.text(TAG.gatanUnitOfSamples, MOST_UNIT)).trim();
  const [offset, scale] = [await directory.number(TAG.gatanOffset), await directory.number(TAG.gatanScale)];
  return { scale, offset, unit: unitOfQuantity(text) ?? text };
}

// Images of microscopes of JEOL with the software SightX: the description is XML, and the resolution is that of the camera,
// which the magnification or the camera length leads to the object.

/** Bytes of the description that are read. */
const MOST_JEOL_TEXT = 2 ** 20;
/** Metres per unit of camera lengths. */
const METRES: Readonly<Record<string, number>> = { mm: 1e-3, cm: 1e-2, m: 1 };
/** Nanometres in a metre. */
const NANO = 1e9;

/** The pixels of an image of JEOL; `undefined` for one of another maker or program. */
async function jeolPixels({ directory }: Described): Promise<Pixels | undefined> {
  if (!(await directory.text(TAG.make, 64)).startsWith("JEOL")) return undefined;
  const text = await directory.text(TAG.description, MOST_JEOL_TEXT);
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

// Images of cameras of TVIPS: tag 37706 is the place of a header, in little-endian.
//
// ```
// version 2   …  at 244: the second header, in which  2724: nm per pixel along x, y (f32)  3028: volts (f32)
// ```
// Source: EM-MENU's description, as tifffile has it.

/** Bytes of the first header, and of both. */
const FIRST = 244, BOTH = FIRST + 6068;
/** What stands at the end of the second header. */
const MAGIC = 0xaaaaaaaa;

/** The pixels of an image of TVIPS: of its header, or of its resolution, which is that of the object here. */
async function tvipsPixels({ directory }: Described): Promise<Pixels | undefined> {
  const at = await directory.number(TAG.tvips);
  const { file } = directory;
  if (at === undefined || at + FIRST > file.size) return undefined;
  const length = Math.min(BOTH, file.size - at);
  const { bytes } = await file.read(at, length, "the header of TVIPS");
  const fields = new Fields(bytes, file.name, "little", at);
  if (length < BOTH || fields.u32(0) !== 2 || fields.u32(BOTH - 4) !== MAGIC) {
    const [y, x] = await perMetre(directory);
    return { axes: squareAxes(1 / y, 1 / x, "m"), metadata: { metadata: "TVIPS" } };
  }
  const step = (place: number): number => Number(fields.f32(FIRST + place).toPrecision(7));
  return {
    axes: squareAxes(step(2728), step(2724), "nm"),
    instrument: known({ voltage: step(3028) }),
    metadata: { metadata: "TVIPS" },
  };
}

// Images of cameras of Olympus and EMSIS: tag 33560 is the place of a header, in little-endian, which lists others.
//
// ```
// SIS0 …  at 58: how many₁₆, then of each: kind₁₆ …₁₆ place₃₂     kind 1: at 10: power of ten₁₆, metres along x, y (f64)
// ```
// Source: tifffile.

/** Bytes of the header, and of what has the steps. */
const SIS_HEAD = 60, SIS_STEPS = 44;
/** Most entries. */
const MOST_ENTRIES = 256;

/** The pixels of an image of Olympus SIS. */
async function sisPixels({ directory }: Described): Promise<Pixels | undefined> {
  const { file } = directory, at = await directory.number(TAG.sis);
  const fieldsAt = async (place: number | undefined, length: number) =>
    place === undefined || place + length > file.size
      ? undefined
      : new Fields((await file.read(place, length, "the header of SIS")).bytes, file.name, "little", place);
  const head = await fieldsAt(at, SIS_HEAD), count = Math.min(head?.u16(58) ?? 0, MOST_ENTRIES);
  const list = head?.text(0, 4) === "SIS0" ? await fieldsAt(at! + SIS_HEAD, 8 * count) : undefined;
  const entry = Array.from({ length: list ? count : 0 }, (_, n) => 8 * n).find((n) => list!.u16(n) === 1);
  const steps = entry === undefined ? undefined : await fieldsAt(list!.u32(entry + 4), SIS_STEPS);
  if (!steps) return undefined;
  const unit = 10 ** (steps.u16(10) << 16 >> 16);
  return {
    axes: squareAxes(steps.f64(20) * unit, steps.f64(12) * unit, "m"),
    instrument: known({ magnification: steps.f64(36) }),
    metadata: { metadata: "Olympus SIS" },
  };
}

// Images of scanning electron microscopes of Zeiss: a text in tag 34118, whose first lines are numbers without names, and whose
// others are pairs of a key and what is shown.
//
// ```
// 0 ⏎ 0 ⏎ 0 ⏎ 5.824988e-009 ⏎ …        the fourth: metres per pixel of an image of 1024 columns
// AP_MAG ⏎ Mag = 50.00 K X
// ```

/** The line with the step of pixels, and the columns that an image of this step has. */
const STEP_LINE = 3, STEP_COLUMNS = 1024;

/** The pixels of an image of Zeiss. */
async function zeissPixels({ directory, facts }: Described): Promise<Pixels> {
  const lines = (await directory.text(TAG.zeissSem, MOST_TEXT)).split(/\r?\n/);
  const step = Number(lines[STEP_LINE] || NaN) * STEP_COLUMNS / facts.width;
  const shown = (key: string): string => {
    const at = lines.indexOf(key);
    return at < 0 ? "" : (lines[at + 1] ?? "").split("=")[1]?.trim() ?? "";
  };
  const [, kilovolts] = /^([\d.]+)\s*kV$/i.exec(shown("AP_ACTUALKV")) ?? [];
  const [, times, thousand] = /^([\d.]+)\s*(K)?\s*X$/i.exec(shown("AP_MAG")) ?? [];
  return {
    axes: squareAxes(step, step, "m"),
    instrument: known({
      voltage: Number(kilovolts ?? NaN) * 1000,
      magnification: Number(times ?? NaN) * (thousand ? 1000 : 1),
      detector: shown("DP_DETECTOR_TYPE"),
    }),
    metadata: { metadata: "Zeiss SEM" },
  };
}

/** Programs that have tags of their own. */
const PROGRAMS: readonly {
  readonly tags: readonly number[];
  readonly read: (image: Described) => Promise<Pixels | undefined>;
}[] = [
  { tags: [TAG.feiSfeg, TAG.feiHelios], read: feiPixels },
  { tags: [TAG.zeissSem], read: zeissPixels },
  { tags: [TAG.tvips], read: tvipsPixels },
  { tags: [TAG.sis], read: sisPixels },
  { tags: [TAG.gatanScaleX, TAG.gatanScaleY], read: gatanPixels },
  { tags: [TAG.uic1], read: metamorphPixels },
  { tags: [TAG.make], read: jeolPixels },
  { tags: [TAG.description], read: imageJPixels },
];

/** What the tags of `image` say of its pixels. */
export async function pixelsOf(image: Described): Promise<Pixels> {
  for (const { tags, read } of PROGRAMS) {
    const found = tags.some((tag) => image.directory.has(tag)) ? await read(image) : undefined;
    if (found) return found;
  }
  return await resolutionPixels(image);
}
