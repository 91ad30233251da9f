/**
 * EMPAD scans: float32 frames of 130 rows, of which 128 are image; the scan shape is in an XML file or in the file name.
 *
 * Source: the description of the format in LiberTEM and py4DSTEM, and XML files of both generations of the detector.
 *
 * @module
 */

import type { StoredDataset } from "../../dataset/dataset.ts";
import { type Instrument, known } from "../../dataset/facts.ts";
import { axesThatFit, type SaidAxis } from "../../dataset/said_axes.ts";
import { cannot, type TilewiseError } from "../../errors.ts";
import { type ByteSource, readBytes } from "../../io/source/source.ts";
import { type Shape, sizeOf } from "../../space/shape.ts";
import { fileDataset } from "../common/arrange.ts";
import { completeFrames } from "../common/complete.ts";
import { nameLike } from "../common/beside.ts";
import type { FormatInput } from "../common/format.ts";
import { scanAxes } from "../common/kinds.ts";
import type { OpenOptions } from "../common/options.ts";
import { plainXml, xmlAttribute, xmlElements, xmlText } from "../common/xml.ts";
import { FOOTER_BYTES, FRAME_BYTES, PITCH, scanInName } from "./format.ts";

const SIG: Shape = [128, 128];

/** Maximum size of an XML file. */
const MOST_XML = 2 ** 20;

/** The scan of a raw file, or of the XML file beside it. */
export async function open(input: FormatInput, options: OpenOptions): Promise<StoredDataset[]> {
  return [await openEmpad(input, options)];
}

async function openEmpad(input: FormatInput, options: OpenOptions): Promise<StoredDataset> {
  const isXml = input.head.includes(60) && !/\.raw$/i.test(input.name);
  const xml = isXml ? await readXml(input, options.signal) : undefined;
  const source = xml ? await input.openSibling(await nameLike(input, xml.rawFile)) : input.source;
  const images = Math.floor(source.size / PITCH);
  const known = xml ? scanOf(xml, images) : scanInName(input.name);
  const frames = known ? sizeOf(known) : Math.max(1, Math.ceil(source.size / PITCH));
  const promised = {
    name: source.name,
    size: source.size,
    start: 0,
    pitch: PITCH,
    last: FRAME_BYTES,
    frames,
  };
  const { frames: found, warnings } = completeFrames(promised, options);
  const isWhole = known !== undefined && found === frames;
  return fileDataset(input, {
    images: found,
    navShape: isWhole ? known : undefined,
    sigShape: SIG,
    layout: {
      files: [{ source: source.describe(), start: 0, end: found, headerBytes: 0 }],
      dtype: "float32",
      frameFooterBytes: FOOTER_BYTES,
      storedBytes: FRAME_BYTES,
    },
    warnings: [...warnings, ...xml ? untold(xml) : []],
    axes: ({ navShape, sigShape }) =>
      axesThatFit(
        input.name,
        [...navShape, ...sigShape],
        scanAxes(navShape.length, sigShape.length, xml ? axesIn(xml, navShape) : []),
      ),
    instrument: xml && instrumentOf(xml),
    metadata: xml && { rawFile: xml.rawFile, ...xml.facts },
  }, options);
}

/** Facts from an XML file. */
interface EmpadXml {
  readonly rawFile: string;
  /** Scans that may be meant, the likeliest first. */
  readonly scans: readonly Shape[];
  readonly facts: Readonly<Record<string, string>>;
}

async function readXml({ source, name, size }: FormatInput, signal?: AbortSignal): Promise<EmpadXml> {
  if (size > MOST_XML) throw malformed(name, `its XML has ${size} bytes; it is not a description of a scan`);
  const text = xmlText(await readAll(source, signal));
  const inside = /<raw_file\b[^<>]{0,2000}>([^<]{1,2000})</i.exec(text)?.[1];
  const rawFile = xmlAttribute(text, "raw_file", "filename") ?? (inside ? plainXml(inside) : undefined);
  if (!rawFile) throw malformed(name, "its XML names no raw file");
  const parameters = (mode: string) => parametersOf(text, mode) ?? "";
  const scans = [
    seriesIn(text),
    shapeIn(text, "pix"), // software before 1.0
    scanInName(rawFile), // later on the name has it
    shapeIn(parameters("acquire"), "scan_resolution"),
    shapeIn(parameters("search"), "scan_resolution"),
  ].filter((shape) => shape !== undefined);
  return { rawFile: rawFile.trim().replace(/^.*[/\\]/, ""), scans, facts: factsOf(text) };
}

/** Frames of a series without a scan. */
function seriesIn(text: string): Shape | undefined {
  const isSeries = /<type>\s{0,100}series/i.test(text) || !/<type>/i.test(text);
  const count = Number(/<series_count>\s{0,100}(\d+)/i.exec(text)?.[1] ?? 0);
  const other = /<type>\s{0,100}series/i.test(text)
    ? Number(/<count>\s{0,100}(\d+)/i.exec(text)?.[1] ?? 0)
    : 0;
  return isSeries && count + other > 0 ? [count || other] : undefined;
}

function parametersOf(text: string, mode: string): string | undefined {
  return xmlElements(text, "scan_parameters").find(({ tag }) =>
    xmlAttribute(tag, "scan_parameters", "mode")?.toLowerCase() === mode
  )?.inside;
}

async function readAll(source: ByteSource, signal?: AbortSignal): Promise<Uint8Array> {
  return await readBytes(source, 0, source.size, signal);
}

function shapeIn(text: string, name: string): Shape | undefined {
  const value = (axis: string) =>
    Number(new RegExp(`<${name}_${axis}(?:\\s[^<>]{0,2000})?>\\s{0,100}(\\d+)`, "i").exec(text)?.[1] ?? 0);
  const [y, x] = [value("y"), value("x")];
  return y > 0 && x > 0 ? [y, x] : undefined;
}

/** The scan that fits the number of frames; the first one if none fits, so that the difference gives a warning. */
function scanOf({ scans }: EmpadXml, images: number): Shape | undefined {
  return scans.find((shape) => sizeOf(shape) === images) ?? scans[0];
}

/**
 * Steps of the scan from its field of view: that of both directions, or, from software 1.2 on, that of the longer one in
 * units of another scan generator. Steps of the detector are not in the files in a form that programs agree on.
 */
function axesIn({ facts }: EmpadXml, navShape: Shape): (SaidAxis | undefined)[] {
  if (navShape.length !== 2) return [];
  const both = facts["optics.get_full_scan_field_of_view"]?.match(/[\d.eE+-]+/g)?.map(Number);
  const longer = Number(facts["full_scan_field_of_view.x"]) /
    Number(facts["full_scan_field_of_view.scale_factor"]);
  const steps = both?.length === 2
    ? navShape.map((n, d) => both[d]! / n)
    : navShape.map(() => longer / Math.max(...navShape));
  const axes = steps.map((step) =>
    Number.isNaN(step) ? undefined : { scale: step * 1e9, unit: "nm", isRising: true }
  );
  return [...axes, undefined, undefined];
}

/** The steps of the detector that the file states, which are not used. */
function untold({ facts }: EmpadXml): string[] {
  const { calibrated_pixelsize: size, calibrated_diffraction_angle: angle } = facts;
  if (size === undefined && angle === undefined) return [];
  const text = `calibrated_pixelsize ${size}, calibrated_diffraction_angle ${angle}`;
  return [`Steps of the patterns are not used, as programs read them differently: ${text}`];
}

/** Leaf elements with a number or a short text. */
function factsOf(text: string): Record<string, string> {
  const facts: Record<string, string> = {};
  for (const { inside } of xmlElements(text, "full_scan_field_of_view")) {
    for (const [, key, value] of inside.matchAll(/<(\w+)>([^<>]{1,80})</g)) {
      facts[`full_scan_field_of_view.${key}`] = value!.trim();
    }
  }
  const time = xmlAttribute(text, "timestamp", "isoformat");
  if (time && time.length <= 40) facts.timestamp = time;
  for (const [, key, value] of text.matchAll(/<([\w.]+)(?:\s[^<>]{0,2000})?>([^<>]{1,80})<\/\1>/g)) {
    if (value!.trim() && !(key! in facts)) facts[key!] = value!.trim();
  }
  return facts;
}

function instrumentOf({ facts }: EmpadXml): Instrument {
  const number = (key: string) => key in facts ? Number(facts[key]) : undefined;
  return known({
    voltage: number("source.get_voltage"),
    cameraLength: number("optics.get_cameralength"),
    scanRotation: number("column.get_scanrotation"),
    exposure: number("exposure_time") === undefined ? undefined : number("exposure_time")! / 1000, // kept in ms
    acquired: facts.timestamp,
    detector: "EMPAD",
  });
}

function malformed(file: string, problem: string): TilewiseError {
  return cannot("read", file, "malformed", problem);
}
