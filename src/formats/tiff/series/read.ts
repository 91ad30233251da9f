/**
 * Reads a TIFF file: its images, and the series that its metadata describe.
 *
 * @module
 */

import { isTilewiseError, type TilewiseError } from "../../../errors.ts";
import type { FormatInput } from "../../common/format.ts";
import type { OpenOptions } from "../../common/options.ts";
import { TAG } from "../container/tags.ts";
import { isOme, omeSeries } from "../ome/series.ts";
import { imageJSeries, isImageJ } from "./imagej.ts";
import { descriptionOf, readImages, type TiffFile, type TiffImage } from "./images.ts";
import { type Member, type MemberFacts, NO_FACTS } from "./members.ts";
import { pageMembers, type Series, seriesMembers, stackOfPages } from "./pages.ts";
import { aperioFacts, isAperio } from "./slides.ts";

/** The arrays of a file. */
export interface Members {
  /** All arrays, images before series. */
  readonly members: readonly Member[];
  /** Why images cannot be read. */
  readonly problems: readonly { readonly error: TilewiseError }[];
  /** What the metadata are, and how it is known. */
  readonly why: readonly string[];
}

/** Letters of a description that are kept. */
const MOST_SHOWN = 2000;

/** The arrays of the file that is opened. */
export async function readMembers(input: FormatInput, options: OpenOptions): Promise<Members> {
  const file = await readImages(input.source, input.head, options.signal);
  refuseNdpi(file);
  const first = file.images[0];
  const description = first ? await descriptionOf(first.directory) : "";
  const { series, why, problems } = await described(file, description, input, options);
  const several = series.filter(({ planes }) => planes.length > 1);
  const alone = new Map(
    series.filter(({ planes }) => planes.length === 1).map((one) => [one.planes[0]!.image, one]),
  );
  const factsOf = (image: TiffImage): MemberFacts =>
    alone.get(image)?.facts ?? (image === first ? plainFacts(image, description) : NO_FACTS);
  const isSet = series.some(({ sources }) => sources.length > 1);
  const pages = pageMembers(file, factsOf).map((page) => isSet ? { ...page, isHidden: true } : page);
  return {
    members: [...pages, ...several.flatMap(seriesMembers)],
    problems: [...file.problems, ...problems],
    why,
  };
}

/** The series of a file: those that its metadata describe, else all pages where they are alike. */
async function described(file: TiffFile, description: string, input: FormatInput, options: OpenOptions) {
  const problems: { error: TilewiseError }[] = [];
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
    problems.push({ error });
  }
  const stack: Series | undefined = stackOfPages(file);
  return {
    series: stack ? [stack] : [],
    why: isAperio(description) ? ["its description is one of Aperio (SVS)"] : [],
    problems,
  };
}

/** Facts of an image whose description is not one of a series. */
function plainFacts({ facts }: TiffImage, description: string): MemberFacts {
  if (isAperio(description)) return aperioFacts(description, facts.samples);
  return description === "" || isOme(description)
    ? NO_FACTS
    : { ...NO_FACTS, metadata: { description: description.slice(0, MOST_SHOWN) } };
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
