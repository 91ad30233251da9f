/**
 * The images of a file one by one, each with its reduced copies, and stacks of equal ones.
 *
 * @module
 */

import { known } from "../../../dataset/facts.ts";
import { sizeOf } from "../../../space/shape.ts";
import { keyOf, sizesOf, spacingsOf, type TiffFile } from "./images.ts";
import {
  DIMENSIONS,
  isMask,
  isReduced,
  type Member,
  type MemberFacts,
  NO_FACTS,
  type Series,
  type TiffImage,
} from "./members.ts";

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

// Facts that scanners of slides write into the description of the first image: Aperio (SVS), Philips.
//
// ```
// Aperio Image Library v11.2.1 …|AppMag = 20|MPP = 0.4990|Date = 12/29/09|Time = 09:59:15|…
// ```

/** Whether a description is one of Aperio. */
export function isAperio(description: string): boolean {
  return description.startsWith("Aperio");
}

/** The facts of a slide with `samples` samples per pixel. */
export function aperioFacts(description: string, samples: number): MemberFacts {
  const [title = "", ...fields] = description.split("|");
  const facts = Object.fromEntries(fields.flatMap((field) => {
    const [name, value] = field.split("=").map((part) => part.trim());
    return name && value !== undefined ? [[name, value]] : [];
  }));
  const scaled = facts.MPP === undefined ? {} : { scale: Number(facts.MPP), unit: "µm" };
  return {
    ...NO_FACTS,
    axes: [{ name: "y", ...scaled }, { name: "x", ...scaled }, ...(samples > 1 ? [DIMENSIONS["S"]!] : [])],
    instrument: known({
      magnification: Number(facts.AppMag ?? NaN),
      acquired: acquired(facts.Date, facts.Time),
      detector: facts["ScanScope ID"],
    }),
    metadata: { metadata: "Aperio", description: title.trim(), aperio: facts },
  };
}

/** Whether a description is one of Philips. */
export function isPhilips(description: string): boolean {
  return description.includes('ObjectType="DPUfsImport"');
}

/** The facts of a slide of Philips with `samples` samples per pixel. */
export function philipsFacts(description: string, samples: number): MemberFacts {
  const [spacing] = spacingsOf(description);
  const scaled = (step: number | undefined) => step === undefined ? {} : { scale: step * MICRO, unit: "µm" };
  return {
    ...NO_FACTS,
    axes: [
      { name: "y", ...scaled(spacing?.[0]) },
      { name: "x", ...scaled(spacing?.[1]) },
      ...(samples > 1 ? [DIMENSIONS["S"]!] : []),
    ],
    metadata: { metadata: "Philips" },
  };
}

/** Micrometres in a millimetre. */
const MICRO = 1000;

/** `12/29/09` and `09:59:15` as ISO 8601; none where the order of day and month is not sure. */
function acquired(date: string = "", time: string = ""): string | undefined {
  const [, month, day, year] = /^(\d{2})\/(\d{2})\/(\d{2})$/.exec(date) ?? [];
  return year === undefined || Number(day) <= 12 || !/^\d{2}:\d{2}:\d{2}$/.test(time)
    ? undefined
    : `20${year}-${month}-${day}T${time}`;
}
