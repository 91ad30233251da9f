/**
 * Images of Zeiss LSM: a thumbnail behind every image, facts in a tag of the first directory, and offsets of 32 bits also in files
 * of more than 4 GiB: they wrap, and grow from image to image.
 *
 * ```
 * CZ_LSMINFO  magic₄ size₄ x₄ y₄ z₄ channels₄ times₄ type₄ thumbnail₄ₓ₂  steps of x y z in metres (f64) …
 * ```
 * Source: the description of the format by Zeiss, as tifffile has it.
 *
 * @module
 */

import type { AxisFacts } from "../../../space/axes.ts";
import { axisNamed } from "../../../space/meaning/kinds.ts";
import { TAG } from "../container/directory.ts";
import { Fields } from "../../common/fields.ts";
import { isReduced, NO_FACTS, type Series, type TiffImage } from "./members.ts";
import type { SourceSpec } from "../../../io/source/source.ts";

/** Whether images are those of an LSM file. */
export function isLsm(images: readonly TiffImage[]): boolean {
  return images[0]?.directory.has(TAG.lsm) ?? false;
}

/** The images with their true offsets. */
export async function lsmImages(images: readonly TiffImage[]): Promise<TiffImage[]> {
  const own: TiffImage[] = [];
  const last = { images: 0, thumbnails: 0 };
  for (const image of images) {
    const kind = isReduced(image) ? "thumbnails" : "images";
    const { directory } = image;
    const count = directory.entry(TAG.stripOffsets)?.count ?? 0;
    if (count === 0 || count > MOST_STRIPS) {
      own.push(image);
      continue;
    }
    const offsets = await directory.table(TAG.stripOffsets, count);
    for (let i = 0; i < count; i++) {
      while (directory.file.size > WRAP && offsets[i]! < last[kind]) offsets[i]! += WRAP;
      last[kind] = offsets[i]!;
    }
    own.push({ ...image, offsets });
  }
  return own;
}

const WRAP = 2 ** 32;
/** Most strips of an image of a microscope. */
const MOST_STRIPS = 2 ** 16;
/** Bytes of the facts that are used. */
const INFO_BYTES = 64;
/** Micrometres in a metre. */
const MICRO = 1e6;

/** The series of an LSM file: times, planes, and channels as samples of a pixel; `undefined` for a single image. */
export async function lsmSeries(
  images: readonly TiffImage[],
  source: SourceSpec,
): Promise<Series | undefined> {
  const pages = images.filter((image) => image.isPage && !isReduced(image));
  const { directory } = images[0]!;
  const info = await directory.bytes(TAG.lsm, INFO_BYTES);
  if (info.length < INFO_BYTES || pages.length === 0) return undefined;
  const fields = new Fields(
    info,
    directory.file.name,
    directory.file.byteOrder,
    directory.entry(TAG.lsm)!.at,
  );
  const sizes: [name: string, size: number][] = [["t", fields.u32(24)], ["z", fields.u32(16)]];
  const told = sizes.reduce((product, [, size]) => product * size, 1) === pages.length
    ? sizes
    : [["page", pages.length] as [string, number]];
  const used = told.filter(([, size]) => size > 1);
  const steps = [0, 1, 2].map((i) => Number((fields.f64(40 + 8 * i) * MICRO).toPrecision(15)));
  const scaled = (name: string, step: number | undefined): AxisFacts =>
    step !== undefined && step !== 0 ? { ...axisNamed(name), scale: step, unit: "µm" } : axisNamed(name);
  const [x, y, z] = steps;
  const { depth, samples } = pages[0]!.facts;
  return {
    name: "series0",
    navShape: used.map(([, size]) => size),
    planes: pages.map((image) => ({ image, file: 0 })),
    sources: [source],
    facts: {
      ...NO_FACTS,
      axes: [
        ...used.map(([name]) => scaled(name, name === "z" ? z : undefined)),
        ...(depth > 1 ? [axisNamed("z")] : []),
        scaled("y", y),
        scaled("x", x),
        ...(samples > 1 ? [axisNamed("channel")] : []),
      ],
      of: told.filter(([, size]) => size === 1).map(([name]) => axisNamed(name)),
      metadata: { metadata: "Zeiss LSM" },
    },
  };
}
