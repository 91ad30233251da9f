/**
 * OME-Zarr, versions 0.1 to 0.6: images with levels, axes, channels, labels, plates and wells.
 *
 * @module
 */

import { defined } from "../../options.ts";
import type { SaidAxis } from "../../dataset/said_axes.ts";
import type { AxisFacts, AxisKind } from "../../space/axes.ts";
import { axisNamed } from "../../space/meaning/kinds.ts";
import { isObject, type Json, numbersIn, objectIn, objectsIn, textIn } from "./json.ts";
import type { ZarrNode } from "./node.ts";

/** A level of an image, and the facts about the image. */
export interface ImageLevel {
  /** Paths of all levels, the largest first. */
  readonly paths: readonly string[];
  /** Facts about its axes. */
  readonly axes: readonly SaidAxis[];
  /** The axis of its only channel, if that has a name and no dimension. */
  readonly of: readonly AxisFacts[];
  /** Whether the file lists its axes; else they are those of the first versions. */
  readonly saysAxes: boolean;
  /** What of them contradicts itself. */
  readonly problems: readonly string[];
  /** Facts about the image, as the file has them. */
  readonly metadata: Json;
  /** Whether it shows labels of another image. */
  readonly isLabel: boolean;
}

/** Names of the axes of versions 0.1 and 0.2. */
const OLD_AXES = ["t", "c", "z", "y", "x"];

/** Names of the images of a file that was converted by bioformats2raw, in their order, as the group OME lists them. */
export function seriesIn(group: ZarrNode | undefined): string[] {
  const series = group && omeOf(group)["series"];
  return Array.isArray(series) ? series.filter((name) => typeof name === "string") : [];
}

/** Groups and arrays in the order of the series that they belong to; others stay where they are. */
export function inSeries(nodes: readonly ZarrNode[]): ZarrNode[] {
  const series = nodes.filter((node) => omeOf(node)["bioformats2raw.layout"] !== undefined).flatMap(
    ({ path }) => {
      const group = nodes.find((node) => node.path === join(path, "OME"));
      return seriesIn(group).map((name) => join(path, name));
    },
  );
  const rank = ({ path }: ZarrNode) =>
    series.findIndex((name) => path === name || path.startsWith(`${name}/`));
  const members = nodes.filter((node) => rank(node) >= 0).sort((a, b) => rank(a) - rank(b)).values();
  return nodes.map((node) => rank(node) < 0 ? node : members.next().value!);
}

/** Levels of images by the paths of their arrays, in the order in which the groups mention them. */
export function imagesOf(nodes: readonly ZarrNode[]): Map<string, ImageLevel> {
  const found = new Map<string, ImageLevel>();
  const groups = new Map(nodes.map((node) => [node.path, node]));
  for (const node of nodes) {
    const ome = omeOf(node);
    for (const scales of objectsIn(ome, "multiscales")) addImage(node, ome, scales, groups, found);
  }
  return found;
}

/** The attributes of OME-Zarr: below `ome` from version 0.5 on. */
function omeOf({ attributes }: ZarrNode): Json {
  return isObject(attributes["ome"]) ? attributes["ome"] : attributes;
}

function addImage(
  node: ZarrNode,
  ome: Json,
  scales: Json,
  groups: ReadonlyMap<string, ZarrNode>,
  found: Map<string, ImageLevel>,
): void {
  const datasets = objectsIn(scales, "datasets");
  const paths = datasets.map((dataset) => join(node.path, textIn(dataset, "path") ?? ""));
  const label = objectIn(ome, "image-label");
  const metadata = {
    ...factsOf(ome, scales),
    ...(isObject(ome["image-label"]) ? { label } : {}),
    ...placeOf(node.path, groups),
  };
  const isLabel = isObject(ome["image-label"]) || /(^|\/)labels\//.test(node.path);
  const labels = objectsIn(objectIn(ome, "omero"), "channels").map((one) => textIn(one, "label") ?? "");
  datasets.forEach((dataset, level) => {
    if (found.has(paths[level]!)) return;
    const said = axesOf(scales, dataset, labels);
    const isOnly = labels.length === 1 && labels[0] !== "" &&
      !said.axes.some(({ kind }) => kind === "channel");
    const of = isOnly ? [{ ...axisNamed("channel"), names: labels }] : [];
    found.set(paths[level]!, { paths, ...said, of, metadata, isLabel });
  });
}

function factsOf(ome: Json, scales: Json): Json {
  const { axes } = systemOf(scales);
  const version = textIn(ome, "version") ?? textIn(scales, "version");
  const omero = objectIn(ome, "omero");
  const channels = objectsIn(omero, "channels").map((channel) => ({
    ...(textIn(channel, "label") === undefined ? {} : { name: textIn(channel, "label") }),
    ...(textIn(channel, "color") === undefined ? {} : { color: `#${textIn(channel, "color")}` }),
    ...(isObject(channel["window"]) ? { window: channel["window"] } : {}),
  }));
  return {
    ...defined({ omeZarr: version }),
    ...(textIn(scales, "name") === undefined ? {} : { image: textIn(scales, "name") }),
    ...(Array.isArray(axes) ? { axes } : {}),
    ...(channels.length > 0 ? { channels } : {}),
    ...(isObject(ome["omero"]) ? { omero } : {}),
  };
}

/** Plate, well and field of an image, and the acquisition of the plate in which it was taken. */
function placeOf(path: string, groups: ReadonlyMap<string, ZarrNode>): Json {
  const steps = path.split("/");
  if (steps.length < 3) return {};
  const [row, column, field] = steps.slice(-3) as [string, string, string];
  const owner = groups.get(steps.slice(0, -3).join("/"));
  const plate = owner && omeOf(owner)["plate"];
  if (!isObject(plate)) return {};
  const well = groups.get(steps.slice(0, -1).join("/"));
  const fields = well ? objectsIn(objectIn(omeOf(well), "well"), "images") : [];
  const id = fields.find((one) => one["path"] === field)?.["acquisition"];
  const taken = objectsIn(plate, "acquisitions").find((one) => one["id"] === id);
  const acquisition = (taken && textIn(taken, "name")) ?? id;
  return { well: { row, column, field, ...defined({ plate: textIn(plate, "name"), acquisition }) } };
}

/** Facts about the axes of one level: names, units, and how far samples are apart. */
function axesOf(
  scales: Json,
  dataset: Json,
  labels: readonly string[],
): Pick<ImageLevel, "axes" | "saysAxes" | "problems"> {
  const { axes: own } = systemOf(scales), saysAxes = Array.isArray(own);
  const listed = saysAxes ? own as unknown[] : "coordinateSystems" in scales ? [] : OLD_AXES;
  const rank = listed.length;
  let scale = new Array<number>(rank).fill(1), offset = new Array<number>(rank).fill(0);
  const steps = rank === 0 ? [] : objectsIn(dataset, "coordinateTransformations").flatMap(stepsOf);
  if (!("coordinateSystems" in scales)) steps.push(...objectsIn(scales, "coordinateTransformations"));
  let isScaled = false;
  const problems: string[] = [];
  for (const step of steps) {
    const type = textIn(step, "type") ?? "";
    const isKnown = type === "scale" || type === "translation", by = isKnown ? numbersIn(step, type) : [];
    if (by?.length !== rank) {
      if (type === "identity") continue;
      const why = isKnown
        ? `it has not ${rank} numbers, one per axis`
        : "only scales and translations are read";
      problems.push(`${type || "a transformation"} of ${textIn(dataset, "path")} is not used: ${why}`);
      continue;
    }
    isScaled = true;
    if (type === "scale") {
      scale = scale.map((n, d) => n * by[d]!);
      offset = offset.map((n, d) => n * by[d]!);
    } else offset = offset.map((n, d) => n + by[d]!);
  }
  const isScan = listed.some((axis) => isPattern(nameOf(axis)));
  const axes = listed.map((axis, d): SaidAxis => {
    const name = nameOf(axis);
    const told = isObject(axis) ? textIn(axis, "unit") : undefined;
    const unit = isScaled || problems.length === 0 ? told : undefined; // without a transformation, it is the step
    const said = KINDS[(isObject(axis) ? textIn(axis, "type") : undefined) ?? ""];
    const kind = said === "space" && isScan ? isPattern(name) ? "detector" : "scan" : said;
    const isPlain = scale[d] === 1 && offset[d] === 0 && unit === undefined; // what must stand there without a step
    const isStep = isScaled ? !(kind === "channel" && isPlain) : unit !== undefined;
    return {
      ...defined({ name, kind }),
      ...(kind === "channel" && labels.length > 0 ? { names: labels } : {}),
      ...(isStep ? { scale: scale[d]!, isRising: true } : {}),
      ...(isStep && offset[d] !== 0 ? { offset: offset[d]! } : {}),
      ...(unit !== undefined ? { unit: UNITS[unit] ?? unit } : {}),
    };
  });
  return { axes, saysAxes, problems: [...problems, ...otherSystems(scales)] };
}

/** What has the axes: from version 0.6 on the coordinate system to which all levels lead, before it the image. */
function systemOf(scales: Json): Json {
  if (!("coordinateSystems" in scales)) return scales;
  const [step] = objectsIn(scales, "datasets").flatMap((one) => objectsIn(one, "coordinateTransformations"));
  const name = step && systemIn(step, "output");
  return objectsIn(scales, "coordinateSystems").find((one) => textIn(one, "name") === name) ?? {};
}

/** Systems from version 0.6 on in which the image has other places: the registration of images, say. */
function otherSystems(scales: Json): string[] {
  if (!("coordinateSystems" in scales)) return [];
  const steps = objectsIn(scales, "coordinateTransformations").filter(({ type }) => type !== "identity");
  const paths = steps.map((one) => `${systemIn(one, "input")} to ${systemIn(one, "output")}`);
  return [
    ...(systemOf(scales)["axes"] ? [] : ["The coordinate system to which its levels lead is not there"]),
    ...(paths.length > 0 ? [`Places in other coordinate systems are not computed: ${paths.join(", ")}`] : []),
  ];
}

/** The name of the coordinate system that a transformation leads to; drafts of version 0.6 have it as a text. */
function systemIn(step: Json, key: string): string | undefined {
  return textIn(step, key) ?? textIn(objectIn(step, key), "name");
}

/** The steps of a sequence, or the one. */
function stepsOf(step: Json): Json[] {
  return step["type"] === "sequence" ? objectsIn(step, "transformations").flatMap(stepsOf) : [step];
}

function nameOf(axis: unknown): string | undefined {
  return typeof axis === "string" ? axis : isObject(axis) ? textIn(axis, "name") : undefined;
}

/** Whether an axis of such a name lies in a diffraction plane; what else is called space is the scan then. */
function isPattern(name: string | undefined): boolean {
  return name !== undefined && axisNamed(name).kind === "detector";
}

/** Kinds of axes by the types that OME-Zarr gives them; those of scans are our own. */
const KINDS: Readonly<Record<string, AxisKind>> = {
  space: "space",
  time: "time",
  channel: "channel",
  scan: "scan",
};

/** Symbols of the units that OME-Zarr names in words. */
const UNITS: Readonly<Record<string, string>> = {
  angstrom: "Å",
  picometer: "pm",
  nanometer: "nm",
  micrometer: "µm",
  millimeter: "mm",
  centimeter: "cm",
  meter: "m",
  kilometer: "km",
  nanosecond: "ns",
  microsecond: "µs",
  millisecond: "ms",
  second: "s",
  minute: "min",
  hour: "h",
  day: "d",
};

/** The path of `name` below `folder`, where `..` may lead up inside of the store. */
function join(folder: string, name: string): string {
  const steps = folder === "" ? [] : folder.split("/");
  for (const step of name.split("/")) {
    if (step === "..") steps.pop();
    else if (step !== "" && step !== ".") steps.push(step);
  }
  return steps.join("/");
}
