/**
 * The images of a file one by one, each with its reduced copies, and stacks of equal ones.
 *
 * @module
 */

import { sizeOf } from "../../../space/shape.ts";
import { isMask, isReduced, type TiffImage } from "./image.ts";
import { keyOf, sizesOf, type TiffFile } from "./images.ts";
import { type Member, type MemberFacts, NO_FACTS, type Series } from "./members.ts";

/** Every image of a file. */
export function pageMembers(
  { bytes, images, beside }: TiffFile,
  factsOf: (image: TiffImage) => MemberFacts,
): Member[] {
  const sources = [bytes.source.describe()];
  const base = new Map(images.flatMap((image) => image.levels.map((level) => [level, image] as const)));
  return images.map((image) => {
    const top = base.get(image) ?? image;
    const all = [top, ...top.levels];
    return {
      name: image.name,
      navShape: [],
      planes: [{ image, file: 0 }],
      sources,
      byteLength: sizesOf(image).byteLength,
      level: all.indexOf(image),
      pyramid: all.length > 1 ? all.map(({ name }) => name) : [],
      facts: top === image ? factsOf(image) : { ...NO_FACTS, axes: factsOf(top).axes },
      isHidden: false,
      isAuxiliary: isMask(image) || beside.has(image) || (isReduced(image) && !base.has(image)),
    };
  });
}

/** A series, and one more for each resolution that all of its images have. */
export function seriesMembers(
  { name, navShape, planes, sources, facts, isHidden = false }: Series,
): Member[] {
  const there = planes.filter((plane) => plane !== undefined);
  const levels = there.reduce((least, { image }) => Math.min(least, image.levels.length), Infinity);
  const names = Array.from(
    { length: levels + 1 },
    (_, level) => level === 0 ? name : `${name}.level${level}`,
  );
  return names.map((own, level) => {
    const reduced = planes.map((plane) =>
      plane && (level === 0 ? plane : { ...plane, image: plane.image.levels[level - 1]! })
    );
    const one = reduced.find((plane) => plane)!;
    return {
      name: own,
      navShape,
      planes: reduced,
      sources,
      byteLength: sizesOf(one.image).byteLength * sizeOf(navShape),
      level,
      pyramid: names.length > 1 ? names : [],
      facts,
      isHidden,
      isAuxiliary: false,
    };
  });
}

/** All pages of a file as one stack, if there are several, all alike and none damaged. */
export function stackOfPages({ bytes, images, beside, problems }: TiffFile): Series | undefined {
  const copies = new Set(images.flatMap(({ levels }) => levels));
  const pages = images.filter((image) =>
    image.isPage && !copies.has(image) && !beside.has(image) && !isMask(image)
  );
  const [first, ...others] = pages;
  if (
    !first || others.length === 0 || problems.length > 0 ||
    others.some((image) => keyOf(image) !== keyOf(first))
  ) {
    return undefined;
  }
  return {
    name: "series0",
    navShape: [pages.length],
    planes: pages.map((image) => ({ image, file: 0 })),
    sources: [bytes.source.describe()],
    facts: { ...NO_FACTS, axes: [{ name: "page" }] },
    isHidden: true,
  };
}
