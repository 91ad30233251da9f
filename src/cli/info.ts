/**
 * `tilewise info`: the format of a source, why it was chosen, and facts about the source.
 *
 * @module
 */

import { HEADS } from "./shell/heads.ts";
import type { StoredDataset } from "../dataset/dataset.ts";
import { imageCount } from "../dataset/layout/layout.ts";
import { kindOf } from "../dataset/storage/kinds.ts";
import { axisInWords } from "../space/meaning/axes.ts";
import { valuesInWords } from "../space/meaning/values.ts";
import { showShape } from "../space/shape.ts";
import { formatBytes } from "../space/size.ts";
import type { Arguments } from "./shell/args.ts";
import { type CliIo, headingOf, outJson, outTable } from "./shell/io.ts";
import { SEVERAL_FLAGS } from "./shell/several.ts";
import { asFlags } from "./flags/option_flags.ts";
import { SOURCE_FLAGS } from "./flags/source_flags.ts";
import { ALL_ARRAYS, type Folded, foldedOf, levelRows, pageRows, type Pages } from "./inputs/folded.ts";
import { observationIn, observationRows } from "./inputs/observations.ts";
import { forEachArray } from "./inputs/sources.ts";
import { bytesOf } from "./outputs/size.ts";
import type { Verb } from "./shell/verb.ts";

/** The verb. */
export const INFO: Verb = {
  ...HEADS.info,
  least: 1,
  several: {},
  flags: [...SEVERAL_FLAGS, ...SOURCE_FLAGS],
  examples: [
    ["tilewise info scan.mib", "Says what was found in a MIB series, and what decided."],
    ["tilewise info scans/ --each", "All files of a folder that can be opened."],
    [
      "tilewise info scan.raw --dtype uint16 --nav 64x64 --sig 128x128",
      "Checks that a raw file fits a shape.",
    ],
  ],
  run: (args, io) => {
    let seen: string | undefined, isWhole = false, folded: Folded | undefined;
    let others: readonly StoredDataset[] = []; // those that have a line of their own
    const told = new Set<string>(); // warnings of the source
    return forEachArray(
      args,
      io,
      async (dataset, source) => {
        if (source !== seen) {
          told.clear();
          isWhole = !args.has("array") && await showObservation(dataset, source, args, io);
          seen = source;
        }
        if (args.has("json")) outJson(io, { source, ...facts(dataset) });
        else if (!isWhole) show(dataset, source, told, folded?.pages, others, io);
      },
      {
        arrays: MOST_ARRAYS,
        asSeries: true,
        left: (count, source) => showLeft(count - (folded?.pages?.left ?? 0), source, args, io),
        told: ({ arrays, more, main }) => {
          if (args.has("json")) return arrays;
          folded = foldedOf(arrays, more);
          const { shown } = folded;
          others = [];
          if (shown.length <= MOST_FULL) return shown;
          others = shown.filter((one) => one !== main);
          return [main];
        },
      },
    );
  },
};

/** Most arrays of a source that are shown: the largest ones. */
const MOST_ARRAYS = 100;

/** Of more arrays than these, the one that is taken where none is chosen is told in full. */
const MOST_FULL = 4;

/** The lines of other arrays, below that of the main one. */
function otherRows(others: readonly StoredDataset[]): [string, string][] {
  if (others.length === 0) return [];
  return [
    ["arrays", ALL_ARRAYS],
    ...others.map(({ array, shape, dtype, warnings }): [string, string] => {
      const count = warnings.length,
        said = count === 0 ? "" : `, ${count} ${count === 1 ? "warning" : "warnings"}`;
      return ["also", `${array}: ${showShape(shape)} ${dtype}${said}`];
    }),
  ];
}

/** What is said of the observation that an array belongs to; whether that is all that is said. */
async function showObservation(
  dataset: StoredDataset,
  source: string,
  args: Arguments,
  io: CliIo,
): Promise<boolean> {
  const found = await observationIn(dataset, source, args.text("root"));
  if (found === undefined) return false;
  if (args.has("json")) {
    outJson(io, { source, observation: typeof found === "string" ? { error: found } : found });
  } else {
    io.out(headingOf(source, ""));
    const warnings = dataset.warnings.map((text): [string, string] => ["warning", asFlags(text, source)]);
    outTable(io, [...observationRows(found), ...warnings, ...await sizeRow(source)]);
  }
  return typeof found !== "string";
}

/** How much room a source takes, and how more is seen of it. */
async function sizeRow(source: string): Promise<[string, string][]> {
  const bytes = await bytesOf(source).catch(() => undefined); // what is at a URL is not a file
  return [
    ...(bytes === undefined ? [] : [["size", formatBytes(bytes)] as [string, string]]),
    ["arrays", ALL_ARRAYS],
  ];
}

function showLeft(more: number, source: string, args: Arguments, io: CliIo): void {
  if (more <= 0) return;
  const text = `and ${more} more arrays; the flag --array NAME shows any of them`;
  if (args.has("json")) outJson(io, { source, more });
  else io.out(`${source}: ${text}\n`);
}

function facts(dataset: StoredDataset): Record<string, unknown> {
  const { array, detection, shape, navShape, sigShape, dtype, byteOrder, layout } = dataset;
  const kind = kindOf(layout);
  const stored = kind.facts(layout);
  return {
    array,
    format: detection.format,
    why: detection.why.map((reason) => asFlags(reason, dataset.source)),
    shape,
    navShape,
    sigShape,
    dtype,
    byteOrder,
    bytes: dataset.byteLength,
    frames: dataset.frames,
    images: imageCount(layout),
    syncOffset: dataset.syncOffset,
    files: layout.files.length,
    frameHeaderBytes: layout.frameHeaderBytes,
    frameFooterBytes: layout.frameFooterBytes,
    storage: layout.storage.kind,
    order: stored.order,
    codec: stored.codec ?? null,
    sparse: kind.form === "csr" ? "csr" : null,
    level: dataset.level,
    levels: dataset.levels,
    axes: dataset.axes,
    stored: dataset.stored
      ? { shape: dataset.stored.shape, axes: dataset.stored.axes.map(({ name }) => name) }
      : null,
    values: dataset.values,
    instrument: dataset.instrument,
    corrections: dataset.corrections?.why ?? [],
    warnings: dataset.warnings.map((warning) => asFlags(warning, dataset.source)),
    metadata: dataset.metadata,
  };
}

function show(
  dataset: StoredDataset,
  source: string,
  told: Set<string>,
  pages: Pages | undefined,
  others: readonly StoredDataset[],
  io: CliIo,
): void {
  const { array, detection, layout, metadata, instrument } = dataset;
  const warnings = dataset.warnings.filter((warning) => !told.has(warning));
  for (const warning of warnings) told.add(warning);
  io.out(headingOf(source, array));
  const rows: [string, string][] = [
    ["format", detection.format],
    ...detection.why.map((reason): [string, string] => ["because", asFlags(reason, source)]),
    ["shape", shapeInWords(dataset)],
    ["samples", `${dataset.dtype}, ${formatBytes(dataset.byteLength)} in all`],
    ...valueRows(dataset),
    ["stored", storage(dataset)],
    ...orderRows(dataset),
    ["files", `${layout.files.length} with ${imageCount(layout)} images`],
    ...(dataset.syncOffset ? [["sync offset", String(dataset.syncOffset)] as [string, string]] : []),
    ...levelRows(dataset),
    ...pageRows(dataset, pages),
    ...axisRows(dataset),
    ...Object.entries(instrument).map((
      [name, value],
    ): [string, string] => [words(name), instrumentText(name, value)]),
    ...(dataset.corrections?.why ?? []).map((why): [string, string] => ["corrections", why]),
    ...warnings.map((warning): [string, string] => ["warning", asFlags(warning, source)]),
  ];
  outTable(io, [...rows, ...factRows(metadata), ...otherRows(others)]);
}

/** Its shape: frames of a scan, unless the source says that they are images of something else, such as channels. */
function shapeInWords({ navShape, sigShape, axes, frames }: StoredDataset): string {
  const [nav, sig] = [showShape(navShape), showShape(sigShape)];
  if (navShape.length === 0 || axes[0]!.kind !== undefined && frames === 1) return `one image of ${sig}`;
  const isScan = axes.slice(0, navShape.length).every(({ kind = "scan" }) => kind === "scan");
  return isScan ? `${nav} scan of ${sig} frames` : `${nav} images of ${sig}`;
}

/** The order of storage, where it is another one: sums and digests of `stats` are in it. */
function orderRows({ stored }: StoredDataset): [string, string][] {
  if (!stored) return [];
  return [["in the file", `${showShape(stored.shape)}: ${stored.axes.map(({ name }) => name).join(", ")}`]];
}

/** What samples mean, where more than their type is known. */
function valueRows({ values }: StoredDataset): [string, string][] {
  const words = valuesInWords(values);
  return words === "" ? [] : [["values", words]];
}

/** Axes of which more than the name is known. */
function axisRows({ axes }: StoredDataset): [string, string][] {
  return axes.filter((axis) => Object.keys(axis).length > 2).map((axis) => [
    `axis ${axis.name}`,
    `${axis.size} samples${axisInWords(axis)}`,
  ]);
}

/** Units of facts about the instrument. */
const UNITS: Readonly<Record<string, string>> = {
  voltage: " V",
  cameraLength: " m",
  exposure: " s",
  frameRate: " per second",
  pixelSize: " m",
};

function instrumentText(name: string, value: unknown): string {
  if (name === "scanRotation") return rotationText(Number(value));
  return `${Array.isArray(value) ? value.join(" × ") : value}${UNITS[name] ?? ""}`;
}

/** A scan that is turned by an angle needs the opposite one to turn shifts of patterns into its directions. */
function rotationText(value: number): string {
  const degrees = Number(value.toPrecision(12));
  return `${degrees}°; com:scanRotation=${-degrees} turns shifts into directions of the scan, if nothing else turns patterns`;
}

/** `cameraLength` as `camera length`. */
function words(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** Facts as rows; a group of facts gives one row each. */
function factRows(metadata: Readonly<Record<string, unknown>>): [string, string][] {
  return Object.entries(metadata).flatMap(([name, value]): [string, string][] => {
    if (typeof value === "string") return value.trim() === "" ? [] : [[name, value]];
    const isGroup = typeof value === "object" && value !== null && !Array.isArray(value);
    if (!isGroup) return [[name, JSON.stringify(value)]];
    return factRows(value as Record<string, unknown>).map(([inner, text]) => [name, `${inner}: ${text}`]);
  });
}

function storage({ layout }: StoredDataset): string {
  const { frameHeaderBytes: header, frameFooterBytes: footer, storedBytes } = layout;
  const { words, isAverage } = kindOf(layout).facts(layout);
  return [
    ...words,
    `${formatBytes(storedBytes)} per frame${isAverage ? " on average" : ""}`,
    header > 0 ? `after ${header} bytes of header` : "",
    footer > 0 ? `before ${footer} bytes of footer` : "",
  ].filter((part) => part !== "").join(", ");
}
