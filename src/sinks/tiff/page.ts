/**
 * What pages of TIFF files have, whether their samples lie in tiles or in one strip: tags, and the shape of all of them.
 *
 * @module
 */

import type { AxisKind } from "../../space/axes.ts";
import { type DType, dtypeInfo } from "../../space/dtype.ts";
import type { Shape } from "../../space/shape.ts";
import type { DescribedArray, Keeps } from "../losses.ts";
import { type Tag, tagOf } from "./directory.ts";

/** Numbers of sample kinds: whole numbers without and with a sign, floats, complex ones. */
const SAMPLE_FORMATS = { b: 1, u: 1, i: 2, f: 3, c: 6 } as const;

/** Samples of a page. */
export interface PageSamples {
  /** Type of the samples. */
  readonly dtype: DType;
  /** Samples per pixel: 1, or the size of the last dimension. */
  readonly samples: number;
  /** Number of the compression; 1: none. */
  readonly compression: number;
  /** Number of the predictor; 1: none. */
  readonly predictor: number;
}

/** A page. */
interface Page extends PageSamples {
  /** Rows and columns. */
  readonly size: readonly [height: number, width: number];
  /** Whether it is a smaller version of another one. */
  readonly isSmaller: boolean;
  /** Text, with a zero at the end. */
  readonly description: Tag["values"] | undefined;
}

/** The tags of a page, in their order; `parts` say where its samples are. */
export function pageTags(
  { size: [height, width], dtype, samples, compression, predictor, isSmaller, description }: Page,
  parts: readonly Tag[],
): Tag[] {
  const { kind, itemSize } = dtypeInfo(dtype);
  const each = (value: number) => Array.from({ length: samples }, () => value);
  const isColour = samples >= 3 && kind === "u";
  const extra = samples - (isColour ? 3 : 1);
  return [
    tagOf(254, "long", isSmaller ? 1 : 0),
    tagOf(256, "long", width),
    tagOf(257, "long", height),
    tagOf(258, "short", ...each(8 * itemSize)), // bits of a sample
    tagOf(259, "short", compression),
    tagOf(262, "short", isColour ? 2 : 1), // colours, or 0 is black
    ...(description ? [{ tag: 270, type: "ascii", values: description } as const] : []),
    tagOf(277, "short", samples),
    ...(samples > 1 ? [tagOf(284, "short", 1)] : []), // samples of a pixel lie together
    ...(predictor > 1 ? [tagOf(317, "short", predictor)] : []),
    ...(extra > 0 ? [tagOf(338, "short", ...Array.from({ length: extra }, () => 0))] : []),
    tagOf(339, "short", ...each(SAMPLE_FORMATS[kind])),
    ...parts,
  ].toSorted((a, b) => a.tag - b.tag);
}

/** The shape of an array or of one of its levels as JSON, which tells readers of Python that pages are one array. */
export function shapeText(shape: Shape): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify({ shape })}\0`);
}

/**
 * What plain files keep of the description of an array where the last dimensions are a page, and so many are `outer`, which readers
 * take for a series.
 */
export function tiffKeeps(outer: (array: DescribedArray) => number): Keeps {
  const kinds = (array: DescribedArray): (AxisKind | undefined)[] => {
    const pages = array.shape.slice(0, outer(array)), isSeries = pages.filter((n) => n > 1).length === 1;
    return [...pages.map(() => isSeries ? "series" as const : undefined), "space", "space", "colour"];
  };
  return { kinds, scan: outer, dropsSingle: true, types: { bool: "uint8" } };
}
