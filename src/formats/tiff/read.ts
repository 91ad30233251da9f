/**
 * Reads a TIFF file: its images, and the series that its metadata describe.
 *
 * @module
 */

import { cannot, isTilewiseError, type TilewiseError } from "../../errors.ts";
import { type FormatInput, PROBE_BYTES } from "../common/format.ts";
import type { OpenOptions } from "../common/options.ts";
import { TAG } from "./container/directory.ts";
import { isCompanion, isOme } from "./format.ts";
import { readOme } from "./ome/model.ts";
import { MOST_XML, omeSeries } from "./ome/series.ts";
import { isImageJ } from "./pixels/axes.ts";
import { planesOfMetamorph } from "./pixels/metamorph.ts";
import { following, imageJSeries, shapedSeries, tellsRow } from "./series/shaped.ts";
import { type Member, type MemberFacts, NO_FACTS, type Series, type TiffImage } from "./series/members.ts";
import { descriptionOf, readImages, type TiffFile } from "./series/images.ts";
import { isLsm, lsmSeries } from "./series/lsm.ts";
import {
  aperioFacts,
  isAperio,
  isPhilips,
  pageMembers,
  philipsFacts,
  seriesMembers,
  stackOfPages,
} from "./series/pages.ts";
import { readUpTo } from "../../io/source/source.ts";

/** Most planes of a stack. */
const MOST_PLANES = 2 ** 20;

/** Whether an image is the first of a stack of MetaMorph. */
function isStk({ directory }: TiffImage): boolean {
  return directory.has(TAG.uic2);
}

/** The stack of the file; `undefined` for a single plane. Errors: `unsupported` for planes that are compressed. */
async function stkSeries(file: TiffFile): Promise<Series | undefined> {
  const [image] = file.images;
  const entry = image!.directory.entry(TAG.uic2)!;
  const count = entry.count;
  if (count < 2) return undefined;
  const planes = count <= MOST_PLANES ? await following(file, image!, count) : undefined;
  if (!planes) {
    const problem =
      `the file is a stack of MetaMorph (STK) of ${count} planes; at most ${MOST_PLANES} are read, and ` +
      "only without compression";
    throw file.bytes.error("unsupported", problem, { offset: entry.at, found: count });
  }
  return {
    name: "series0",
    navShape: [count],
    planes,
    sources: [file.bytes.source.describe()],
    facts: {
      ...NO_FACTS,
      axes: [await planesOfMetamorph(image!.directory, count)],
      metadata: { metadata: "MetaMorph" },
    },
  };
}

/** The arrays of a file. */
export interface Members {
  /** All arrays, images before series. */
  readonly members: readonly Member[];
  /** Why images cannot be read. */
  readonly problems: readonly TilewiseError[];
  /** What the metadata are, and how it is known. */
  readonly why: readonly string[];
}

/** Letters of a description that are kept. */
const MOST_SHOWN = 2000;

/** The arrays of the file that is opened. */
export async function readMembers(input: FormatInput, options: OpenOptions): Promise<Members> {
  if (isCompanion(input.head)) return await readCompanion(input, options);
  const file = await readImages(input.source, input.head, options.signal);
  refuseNdpi(file);
  const first = file.images[0];
  const description = first ? await descriptionOf(first.directory) : "";
  const { series, why, problems } = await described(file, description, input, options);
  const several = series.filter(({ planes }) => planes.length > 1);
  const alone = new Map(
    series.filter(({ planes }) => planes.length === 1).map((one) => [one.planes[0]!.image, one]),
  );
  const stack = several.find(({ isHidden }) => isHidden);
  const factsOf = (image: TiffImage): MemberFacts => {
    const facts = alone.get(image)?.facts ?? (image === first ? plainFacts(image, description) : NO_FACTS);
    if (!stack || image !== stack.planes[0]?.image) return facts;
    const text =
      `"${stack.name}" has all ${stack.planes.length} pages; it is opened where one array is wanted`;
    return { ...facts, metadata: { ...facts.metadata, stack: text } };
  };
  const isSet = series.some(({ sources }) => sources.length > 1);
  const pages = pageMembers(file, factsOf).map((page) => isSet ? { ...page, isHidden: true } : page);
  return {
    members: [...pages, ...several.flatMap(seriesMembers)],
    problems: [...file.problems, ...problems],
    why,
  };
}

/** The arrays of a set of files whose description lies in a file of its own, which is the one that is opened. */
async function readCompanion(input: FormatInput, options: OpenOptions): Promise<Members> {
  const text = new TextDecoder().decode(await input.bytesAt(0, MOST_XML));
  const named = readOme(text).images.flatMap(({ data }) => data.map(({ file }) => file)).find((file) => file);
  if (named === undefined) {
    const error = "its OME-XML names no TIFF file";
    throw cannot("read", input.source.name, "malformed", error, { expected: "a FileName", found: "none" });
  }
  const source = await input.openBeside(named);
  const file = await readImages(
    source,
    await readUpTo(source, 0, PROBE_BYTES, options.signal),
    options.signal,
  );
  const series = await omeSeries(file, text, (path) => input.openBeside(path), options);
  const why = [`names the images of the set, the first in ${named}`];
  return { members: series.flatMap(seriesMembers), problems: file.problems, why };
}

/** The series of a file: those that its metadata describe, else all pages where they are alike. */
async function described(file: TiffFile, description: string, input: FormatInput, options: OpenOptions) {
  const problems: TilewiseError[] = [];
  const vendor = await ofMicroscope(file);
  if (vendor) return { ...vendor, problems };
  try {
    if (isOme(description)) {
      const series = await omeSeries(file, description, (path) => input.openBeside(path), options);
      if (series.length > 0) return { series, why: ["its description is OME-XML"], problems };
    }
    if (isImageJ(description)) {
      const one = await imageJSeries(file, description);
      return { series: one ? [one] : [], why: ["its description is one of ImageJ"], problems };
    }
  } catch (error) {
    if (!isTilewiseError(error, "unsupported")) throw error;
    problems.push(error);
  }
  const shaped = await shapedSeries(file, problems);
  if (shaped.length > 0) return { series: shaped, why: ["its description is one of tifffile"], problems };
  const stack: Series | undefined = stackOfPages(file);
  return {
    series: stack ? [stack] : [],
    why: isAperio(description)
      ? ["its description is one of Aperio (SVS)"]
      : isPhilips(description)
      ? ["its description is one of Philips"]
      : [],
    problems,
  };
}

/** The series of a file in whose tags a program of a microscope says how its images belong together. */
async function ofMicroscope(file: TiffFile): Promise<{ series: Series[]; why: string[] } | undefined> {
  const [first] = file.images;
  if (!first || (!isLsm(file.images) && !isStk(first))) return undefined;
  const series = isStk(first)
    ? await stkSeries(file)
    : await lsmSeries(file.images, file.bytes.source.describe());
  const why = isStk(first) ? "it has the tag of MetaMorph stacks (STK)" : "it has the tag of Zeiss LSM";
  return { series: series ? [series] : [], why: [why] };
}

/** Facts of an image whose description is not one of a series. */
function plainFacts({ facts }: TiffImage, description: string): MemberFacts {
  if (isAperio(description)) return aperioFacts(description, facts.samples);
  if (isPhilips(description)) return philipsFacts(description, facts.samples);
  return description === "" || isOme(description) ? NO_FACTS : {
    ...NO_FACTS,
    metadata: { description: description.slice(0, MOST_SHOWN) },
    isRow: facts.height * facts.depth * facts.samples === 1 && tellsRow(description, facts.width),
  };
}

/** Files of Hamamatsu have offsets of more than 32 bits in places of their own, and one JPEG for a whole slide. */
function refuseNdpi({ bytes, images }: TiffFile): void {
  const marked = images.find(({ directory }) => directory.has(TAG.ndpi));
  if (!marked) return;
  const { offset } = marked.directory;
  const problem = "the file is one of a Hamamatsu scanner (NDPI), which is not supported; " +
    "a copy as OME-TIFF or as pyramidal TIFF is read";
  throw bytes.error("unsupported", problem, { offset, found: "NDPI" });
}
