/**
 * From an array of a TIFF file to its data set.
 *
 * @module
 */

import { Dataset } from "../../dataset/dataset.ts";
import type { Level } from "../../dataset/facts.ts";
import type { AxisFacts } from "../../space/axes.ts";
import { axesThatFit } from "../../dataset/said_axes.ts";
import { isStoredAs } from "../../dataset/layout/layout.ts";
import { TilewiseError } from "../../errors.ts";
import { type Shape, showShape, sizeOf } from "../../space/shape.ts";
import { arrange, splitShape } from "../common/arrange.ts";
import type { FormatInput } from "../common/format.ts";
import type { OpenOptions } from "../common/options.ts";
import { compressionOf } from "./image/compressions.ts";
import type { TiffImage } from "./series/image.ts";
import { sizesOf, StoredImages } from "./series/images.ts";
import type { Pixels } from "./pixels/axes.ts";
import { pixelsOf } from "./pixels/pixels.ts";
import { DIMENSIONS, type Member, type MemberFacts } from "./series/members.ts";
import { layoutOf, type Plane, type Stack, stackShape } from "./series/stack.ts";

/** The data set of `member`; `all` has the other resolutions. */
export async function datasetOf(
  input: FormatInput,
  member: Member,
  all: ReadonlyMap<string, Member>,
  options: OpenOptions,
): Promise<Dataset> {
  const { name, navShape, sources } = member;
  const planes: (Plane | undefined)[] = [];
  const stored = new StoredImages(member.planes.flatMap((plane) => plane ? [plane.image] : []));
  for (const plane of member.planes) {
    planes.push(plane && { image: await stored.of(plane.image), file: plane.file });
  }
  const stack: Stack = { name: `${name} of ${input.source.name}`, navShape, planes, sources };
  const shape = stackShape(stack);
  const [nav, sig] = splitShape(shape, options.sigDims ?? shape.length - navShape.length, input.source.name);
  const layout = layoutOf(stack, sig.length);
  const isChunked = isStoredAs(layout, "chunks");
  if (isChunked) checkFrame(input.source.name, sig, options.sig);
  const arranged = arrange(
    { name: input.source.name, images: sizeOf(nav), navShape: nav, sigShape: sig },
    options,
  );
  const first = member.planes.find((plane) => plane)!.image;
  const valid = isWhole(member, nav) ? undefined : validIn(member);
  const base = (all.get(member.pyramid[0] ?? "") ?? member).planes.find((plane) => plane)!.image;
  const facts = withPixels(member, base, await pixelsOf(base));
  const whole = [...navShape, ...sizesOf(base).shape];
  const said = facts.axes.slice(0, whole.length).map((axis) => ({ ...axis, isRising: true }));
  const { axes, warnings } = axesThatFit(stack.name, whole, said);
  return new Dataset({
    source: input.source.name,
    array: name,
    detection: input.detection,
    navShape: arranged.navShape,
    layout: { ...layout, sigShape: arranged.sigShape },
    syncOffset: arranged.syncOffset,
    warnings: [...facts.warnings, ...arranged.warnings, ...warnings],
    axes: axesIn(member, axes, shape, base),
    instrument: facts.instrument,
    metadata: {
      ...storageFacts(first, isChunked ? layout.storage.chunks.chunk : undefined),
      ...facts.metadata,
    },
    level: member.level,
    levels: levelsOf(member, all),
    auxiliary: member.isAuxiliary,
    ...(valid ? { valid } : {}),
  });
}

function isWhole({ planes, navShape }: Member, nav: Shape): boolean {
  return nav.length !== navShape.length || planes.every((plane) => plane !== undefined);
}

/** Which images are there. */
function validIn({ planes }: Member): Uint8Array {
  return Uint8Array.from(planes, (plane) => plane ? 1 : 0);
}

/** Frames in chunks keep their shape: another one would cut through the chunks. */
function checkFrame(file: string, own: Shape, asked: Shape | undefined): void {
  if (!asked || (own.length === asked.length && own.every((n, d) => n === asked[d]))) return;
  const text =
    `Cannot open ${file} with frames of ${showShape(asked)}: it is stored in tiles or strips, so they stay ` +
    showShape(own);
  throw new TilewiseError("unsupported", text, {
    file,
    option: "sig",
    expected: own.join(),
    found: asked.join(),
  });
}

/** The names of the axes of an image. */
function lettersOf({ facts }: TiffImage): string[] {
  return [...(facts.depth > 1 ? ["Z"] : []), "Y", "X", "S"];
}

/** The facts of a member, with those that the tags of its largest `image` say of pixels where nothing else does. */
function withPixels({ facts, navShape }: Member, image: TiffImage, pixels: Pixels): MemberFacts {
  const names = [...navShape.map(() => navShape.length === 1 ? "z" : ""), ...lettersOf(image)];
  const axes = names.map((letter, d): AxisFacts => {
    const own = facts.axes[d] ?? {};
    const found = pixels.axes[letter.toLowerCase() as "z" | "y" | "x"];
    return own.scale !== undefined || own.positions || !found ? own : found;
  });
  return {
    ...facts,
    axes,
    instrument: { ...pixels.instrument, ...facts.instrument },
    metadata: { ...pixels.metadata, ...facts.metadata },
  };
}

/** The axes that are known, with the names of the others; a reduced copy has larger steps than its `base`. */
function axesIn(
  { navShape }: Member,
  given: readonly (AxisFacts | undefined)[],
  shape: Shape,
  base: TiffImage,
): AxisFacts[] {
  const usual = lettersOf(base).map((letter) => DIMENSIONS[letter]!);
  const top = sizesOf(base).shape;
  return shape.map((size, d) => {
    const inImage = d - navShape.length;
    const { scale, ...others } = given[d] ?? {};
    const factor = inImage >= 0 && inImage < top.length ? top[inImage]! / size : 1;
    return {
      ...(inImage >= 0 && others.kind !== "detector" ? usual[inImage] : {}),
      ...(inImage < 0 && others.kind === undefined ? { name: `nav${d}` } : {}),
      ...others,
      ...(scale === undefined ? {} : { scale: scale * factor }),
    };
  });
}

function levelsOf({ pyramid }: Member, all: ReadonlyMap<string, Member>): Level[] {
  const shapes = pyramid.map((name) => {
    const { navShape, planes } = all.get(name)!;
    return { array: name, shape: [...navShape, ...sizesOf(planes.find((plane) => plane)!.image).shape] };
  });
  return shapes.map(({ array, shape }) => ({
    array,
    shape,
    scale: shape.map((size, d) => shapes[0]!.shape[d]! / size),
  }));
}

/** Meanings of samples, as the format numbers them. */
const PHOTOMETRIC: Readonly<Record<number, string>> = {
  0: "white is zero",
  1: "black is zero",
  2: "RGB",
  3: "palette indices",
  4: "mask",
  5: "separated (CMYK)",
  6: "YCbCr, read as RGB",
  8: "CIE L*a*b*",
  9: "ICC L*a*b*",
  10: "ITU L*a*b*",
  32803: "colour filter array",
  34892: "linear raw",
};

/** How an image is stored, in words. */
function storageFacts({ facts, directory }: TiffImage, chunk: Shape | undefined): Record<string, unknown> {
  const { compression, predictor, tile, tileDepth, rowsPerStrip, width, photometric, planar, samples, bits } =
    facts;
  const { name } = compressionOf(compression);
  return {
    container: `${directory.file.isBig ? "BigTIFF" : "TIFF"}, ${directory.file.byteOrder} endian`,
    compression: predictor > 1 && compression !== 1 ? `${name}, predictor ${predictor}` : name,
    ...(tile
      ? { tiles: showShape(tileDepth > 1 ? [tileDepth, ...tile] : tile) }
      : { strips: showShape([rowsPerStrip, width]) }),
    ...(chunk ? { chunks: chunk } : {}),
    colours: PHOTOMETRIC[photometric] ?? `photometric interpretation ${photometric}`,
    bits,
    ...(samples > 1 ? { pixels: planar === 1 ? "interleaved" : "in planes" } : {}),
  };
}
