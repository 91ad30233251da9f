/**
 * What the first page of an OME-TIFF file says of all of them, and what readers take pages for.
 *
 * @module
 */

import type { AxisFacts, AxisKind, ValueFacts } from "../../space/axes.ts";
import { samplesOf } from "../chunks/chunk_options.ts";
import { channelIn } from "../array.ts";
import type { AxisKept, DescribedArray } from "../losses.ts";
import { TilewiseError } from "../../errors.ts";
import type { DType } from "../../space/dtype.ts";
import { type Shape, showShape, sizeOf } from "../../space/shape.ts";

/** What is described. */
export interface Described {
  /** Shape of the array. */
  readonly shape: Shape;
  /** Type of its samples. */
  readonly dtype: DType;
  /** Samples per pixel; more than 1: the last dimension. */
  readonly samples: number;
  /** Known facts about the dimensions. */
  readonly axes?: readonly AxisFacts[] | undefined;
  /** What its samples mean. */
  readonly values?: ValueFacts;
  /** Name of the image. */
  readonly name: string;
}

/** Sample types as OME names them. */
const TYPES: Readonly<Partial<Record<DType, string>>> = {
  bool: "uint8",
  uint8: "uint8",
  int8: "int8",
  uint16: "uint16",
  int16: "int16",
  uint32: "uint32",
  int32: "int32",
  float32: "float",
  float64: "double",
  complex64: "complex",
  complex128: "double-complex",
};

/** Units of length that OME knows. */
const UNITS = ["m", "mm", "µm", "nm", "pm", "Å"];

/** Units of time that OME knows. */
const TIMES = ["s", "ms", "µs", "ns", "min", "h", "d"];

/** What the dimensions in front of the last two can be. */
const OUTER = ["T", "C", "Z"] as const;
type Outer = (typeof OUTER)[number];

/** OME-XML; `unsupported` for arrays that OME-TIFF does not have. */
export function omeXml(described: Described): Uint8Array {
  const { shape, dtype, samples, axes, values, name } = described;
  const type = TYPES[dtype];
  const own = samples > 1 ? 3 : 2;
  const outer = shape.slice(0, -own);
  if (!type || outer.length > OUTER.length) {
    const text =
      `Cannot write ${showShape(shape)} samples of ${dtype} as OME-TIFF: it has up to five dimensions, ` +
      "integers of up to 32 bits and floats of 32 or 64 bits; .tif takes any";
    throw new TilewiseError("unsupported", text, { found: `${showShape(shape)} ${dtype}` });
  }
  const names = outerNames(outer.length, axes);
  const sizes = Object.fromEntries(OUTER.map((one) => [one, outer[names.indexOf(one)] ?? 1])) as Record<
    Outer,
    number
  >;
  const order = [...names.toReversed(), ...OUTER.toReversed().filter((one) => !names.includes(one))];
  const [height, width] = shape.slice(-own) as [number, number];
  const labels = channelIn(axes?.[names.indexOf("C")], values)?.names ?? [];
  const channels = Array.from(
    { length: sizes.C },
    (_, c) => `<Channel ID="Channel:0:${c}"${nameOf(labels[c])} SamplesPerPixel="${samples}"/>`,
  );
  const pixels = [
    `ID="Pixels:0" DimensionOrder="XY${order.join("")}" Type="${type}"`,
    `SizeX="${width}" SizeY="${height}" SizeZ="${sizes.Z}" SizeC="${sizes.C * samples}" SizeT="${sizes.T}"`,
    'BigEndian="false"',
    ...physical(axes, [shape.length - own + 1, shape.length - own, names.indexOf("Z"), names.indexOf("T")]),
  ].join(" ");
  return new TextEncoder().encode(
    '<?xml version="1.0" encoding="UTF-8"?><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06" ' +
      'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation=' +
      '"http://www.openmicroscopy.org/Schemas/OME/2016-06 ' +
      'http://www.openmicroscopy.org/Schemas/OME/2016-06/ome.xsd" Creator="Tilewise">' +
      `<Image ID="Image:0" Name="${escaped(name)}"><Pixels ${pixels}>${channels.join("")}` +
      `<TiffData IFD="0" PlaneCount="${sizeOf(outer)}"/></Pixels></Image></OME>\0`,
  );
}

function nameOf(label: string = ""): string {
  return label === "" ? "" : ` Name="${escaped(label)}"`;
}

/** Which of time, channel and depth the outer dimensions are, by their names, otherwise depth, channel, time from the last on. */
function outerNames(count: number, axes: readonly AxisFacts[] | undefined): Outer[] {
  const known = (axes ?? []).slice(0, count).map(({ name = "" }) => LETTERS[name.toLowerCase()] as Outer);
  const fits = known.length === count && known.every((name) => OUTER.includes(name)) &&
    new Set(known).size === count;
  return fits ? known : OUTER.slice(OUTER.length - count);
}

/** Letters of OME by the names of axes. */
const LETTERS: Readonly<Record<string, Outer>> = {
  t: "T",
  time: "T",
  c: "C",
  channel: "C",
  z: "Z",
  depth: "Z",
};

/** What OME-TIFF keeps of axes: sizes of pixels in lengths, a step of time, names of channels. */
export function omeTiffKept({ shape, axes = [] }: DescribedArray): AxisKept[] {
  const own = samplesOf(shape, axes) > 1 ? 3 : 2;
  const places = [...outerNames(shape.length - own, axes), "Y", "X", "S"];
  return axes.map(({ name = "", unit = "", scale = 1 }, d) => ({
    name: places[d] === "S"
      ? name === "sample"
      : (LETTERS[name.toLowerCase()] ?? name.toUpperCase()) === places[d],
    scale: scale > 0 && (places[d] === "T" ? TIMES : "ZYX".includes(places[d]!) ? UNITS : []).includes(unit),
    names: places[d] === "C",
  }));
}

/** What the letters of OME count. */
const KINDS: Readonly<Record<string, AxisKind>> = { T: "time", C: "channel", S: "colour" };

/** What readers of OME-TIFF take axes for. */
export function omeTiffKinds({ shape, axes = [] }: DescribedArray): AxisKind[] {
  const own = samplesOf(shape, axes) > 1 ? 3 : 2;
  return [...outerNames(shape.length - own, axes), "Y", "X", "S"].map((letter) => KINDS[letter] ?? "space");
}

/** How many dimensions readers of TIFF take for the scan: all but those of a page, which has rows, columns and colours. */
export function pagesOf({ shape, axes }: DescribedArray): number {
  return Math.max(0, shape.length - (samplesOf(shape, axes) > 1 ? 3 : 2));
}

/** Sizes of samples along x, y and z, and the time between images, where their units are lengths and times. */
function physical(axes: readonly AxisFacts[] | undefined, [x, y, z, t]: readonly number[]): string[] {
  const places = [["PhysicalSizeX", x, UNITS], ["PhysicalSizeY", y, UNITS], ["PhysicalSizeZ", z, UNITS], [
    "TimeIncrement",
    t,
    TIMES,
  ]] as const;
  return places.flatMap(([name, d, units]) => {
    const { scale = 1, unit = "" } = axes?.[d!] ?? {};
    if (!units.includes(unit)) return [];
    return [`${name}="${Math.abs(scale)}" ${name}Unit="${escaped(unit)}"`];
  });
}

/** Text in XML, without characters that are not ASCII. */
function escaped(text: string): string {
  return text.replace(/[&<>"]|[^ -~]/gu, (c) => `&#${c.codePointAt(0)};`);
}
