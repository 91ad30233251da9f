/**
 * What programs say of an image in tags of their own that are not read: which program that is, so that nothing is skipped in silence.
 *
 * Source: the dialects that tifffile knows.
 *
 * @module
 */

import { type Directory, TAG } from "../container/directory.ts";

/** A program, by one of its tags, the beginning of its name in the tag Software, or its description. */
interface Dialect {
  readonly name: string;
  readonly tags?: readonly number[];
  readonly software?: string;
  readonly description?: RegExp;
}

const DIALECTS: readonly Dialect[] = [
  { name: "GeoTIFF (tag 33550: places on a map)", tags: [33550, 34264] },
  { name: "Olympus cellSens (tag 33471)", tags: [33471] },
  { name: "Olympus FluoView (tag 34361)", tags: [34361, 34362] },
  { name: "Micro-Manager (tag 51123)", tags: [51123] },
  { name: "Andor (tag 4864)", tags: [4864] },
  { name: "NIH Image (tag 43314)", tags: [43314] },
  { name: "ScanImage", software: "SI.", description: /^state\.|scanimage\.SI/ },
  { name: "MetaSeries", software: "MetaSeries" },
  { name: "Pilatus", software: "TVX TIFF" },
  { name: "PerkinElmer (QPI)", software: "PerkinElmer-QPI" },
  { name: "Ventana", software: "ScanOutputManager" },
  { name: "Leica (SCN)", description: /<\/scn>\s*$/ },
  { name: "streak cameras of Hamamatsu", description: /^\[[^\]]{0,31}\],/ },
  { name: "FITS", description: /^SIMPLE {2}= / },
];

/** What is said of an image and not read: by programs, where nothing else says `hasSteps`, and of how numbers are meant. */
export async function untoldOf(
  directory: Directory,
  description: string,
  hasSteps: boolean,
): Promise<string[]> {
  const software = await directory.text(TAG.software, 64);
  const found = DIALECTS.find(({ tags = [], software: name, description: words }) =>
    tags.some((tag) => directory.has(tag)) || name !== undefined && software.startsWith(name) ||
    words?.test(description)
  );
  const inverted = /^ImageJ=/.test(description) && /^inverty=true/m.test(description);
  return [
    ...(found && !hasSteps
      ? [`What ${found.name} says of this image, as its size of pixels, is not read`]
      : []),
    ...(inverted
      ? ["Places of rows are counted downwards; the file counts them upwards (inverty of ImageJ)"]
      : []),
    ...await ofGel(directory),
  ];
}

/** Gels of Molecular Dynamics: tag 33445 says that samples are roots, tag 33446 has a scale. */
async function ofGel(directory: Directory): Promise<string[]> {
  const kind = await directory.number(33445), [scale = 1] = await directory.numbers(33446, 1);
  if (kind === undefined) return [];
  const amounts = `${kind === 2 ? "x ** 2" : "x"}${scale === 1 ? "" : ` * ${scale}`}`;
  return amounts === "x" ? [] : [`Samples x are as stored; the file says that amounts are ${amounts}`];
}
