/**
 * Results in tiled TIFF files: plain ones, and OME-TIFF pyramids.
 *
 * @module
 */

import { checkOptionNames } from "../../options.ts";
import { codecOf } from "../chunks/chunk_options.ts";
import type { ChunkFile, ChunkKind } from "../chunks/file.ts";
import { omeTiffKept, omeTiffKinds, pagesOf } from "./description.ts";
import { tiffKeeps } from "./page.ts";
import { TIFF_COMPRESSIONS, TIFF_OPTIONS, type TiffOptions, tiffTarget, tileOf } from "./target.ts";

const ALL = Object.keys(TIFF_OPTIONS);
const KEEPS = tiffKeeps(pagesOf);

/** Plain pages. */
export const tiffKind: ChunkKind<TiffOptions> = {
  options: ALL,
  keeps: KEEPS,
  file: (path, options) => tiffOf(path, { levels: 1, ...options }, false),
};

/** A pyramid with OME-XML. */
export const omeTiffKind: ChunkKind<TiffOptions> = {
  options: ALL,
  keeps: {
    ...KEEPS,
    axes: omeTiffKept,
    kinds: omeTiffKinds,
    values: (array) => omeTiffKinds(array).includes("channel") ? [] : ["channel"],
  },
  file: (path, options) => tiffOf(path, { levels: "auto", ...options }, true),
};

function tiffOf(path: string, options: TiffOptions, isOme: boolean): ChunkFile {
  checkOptionNames("fileSink()", options, TIFF_OPTIONS);
  const { tile, resume = false } = options;
  const codec = codecOf("fileSink()", "compression", options.compression ?? "deflate", TIFF_COMPRESSIONS);
  const asked = typeof tile === "number" ? [tile, tile] as const : tile;
  return {
    path,
    resume,
    takesAnyChunk: false,
    chunked: ({ shape, dtype, axes }) => ({
      shape,
      dtype,
      chunk: tileOf(shape, options.axes ?? axes, asked),
    }),
    target: (array) => tiffTarget(array, options, { isOme, codec }),
  };
}
