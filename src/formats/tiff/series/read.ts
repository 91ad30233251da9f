/**
 * Reads a TIFF file: its images, and the series that its metadata describe.
 *
 * @module
 */

import type { TilewiseError } from "../../../errors.ts";
import type { FormatInput } from "../../common/format.ts";
import type { OpenOptions } from "../../common/options.ts";
import { descriptionOf, readImages, type TiffImage } from "./images.ts";
import { type Member, type MemberFacts, NO_FACTS } from "./members.ts";
import { pageMembers, seriesMembers, stackOfPages } from "./pages.ts";

/** The arrays of a file. */
export interface Members {
  /** All arrays, images before series. */
  readonly members: readonly Member[];
  /** Why images cannot be read. */
  readonly problems: readonly { readonly error: TilewiseError }[];
  /** What the metadata are, and how it is known. */
  readonly why: readonly string[];
}

/** The arrays of the file that is opened. */
export async function readMembers(input: FormatInput, options: OpenOptions): Promise<Members> {
  const file = await readImages(input.source, input.head, options.signal);
  const description = file.images[0] ? await descriptionOf(file.images[0].directory) : "";
  const factsOf = (image: TiffImage): MemberFacts => {
    const text = image === file.images[0] ? description : "";
    return { ...NO_FACTS, metadata: text === "" ? {} : { description: text.slice(0, MOST_SHOWN) } };
  };
  const stack = stackOfPages(file);
  const members = [...pageMembers(file, factsOf), ...(stack ? seriesMembers(stack) : [])];
  return { members, problems: file.problems, why: [] };
}

/** Letters of a description that are kept. */
const MOST_SHOWN = 2000;
