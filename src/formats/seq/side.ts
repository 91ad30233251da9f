/**
 * What may lie beside a Norpix sequence `x.seq`: `x.seq.dark.mrc`, `x.seq.gain.mrc`, and the defects of the camera in
 * `x.seq.Config.Metadata.xml` and `x.seq.metadata`.
 *
 * @module
 */

import type { FrameLayout } from "../../dataset/layout/layout.ts";
import type { SuppliedCorrections } from "../../dataset/supplied.ts";
import { isTilewiseError, TilewiseError } from "../../errors.ts";
import { type ByteSource, readBytes, readUpTo } from "../../io/source/source.ts";
import { sameShape, type Shape, showShape, unravel } from "../../space/shape.ts";
import { besideAnyCase, nameLike } from "../common/beside.ts";
import type { FormatInput } from "../common/format.ts";
import { readMrcHead } from "../mrc/head.ts";
import type { OpenOptions } from "../common/options.ts";
import { deadPixels, readWindow } from "./defects.ts";
import { xmlText } from "../common/xml.ts";

const MOST_XML = 2 ** 24;
const METADATA_BYTES = 4096;

/** Corrections that lie beside a sequence. */
export interface SideFiles {
  /** Those that fit the frames, if any. */
  readonly corrections?: SuppliedCorrections;
  /** Those that do not. */
  readonly warnings: readonly string[];
}

/** Shapes of the frames of a sequence. */
export interface SeqFrames {
  /** In the file. */
  readonly stored: Shape;
  /** As they are shown. */
  readonly shown: Shape;
}

/** Looks for side files; maps that are not of the shape of the frames are left out, with a warning. */
export async function sideFiles(
  input: FormatInput,
  frames: SeqFrames,
  options: OpenOptions,
): Promise<SideFiles> {
  const base = `${input.name.replace(/(\.seq)+$/i, "")}.seq`;
  const dark = await mapOf(input, `${base}.dark.mrc`, frames, options);
  const gain = await mapOf(input, `${base}.gain.mrc`, frames, options);
  const dead = await defects(input, base, frames, options);
  const warnings = [dark, gain, dead].flatMap(({ problem }) => problem === undefined ? [] : [problem]);
  const why = [
    ...(dark.found ? [`dark frame: ${base}.dark.mrc`] : []),
    ...(gain.found ? [`gain map: ${base}.gain.mrc`] : []),
    ...(dead.found ? [`${dead.found.length} dead pixels: ${base}.Config.Metadata.xml`] : []),
  ];
  if (why.length === 0) return { warnings };
  return {
    corrections: {
      ...(dark.found ? { dark: dark.found } : {}),
      ...(gain.found ? { gain: gain.found } : {}),
      ...(dead.found ? { excluded: dead.found } : {}),
      why,
    },
    warnings,
  };
}

/** What a file beside the sequence gives, or why it is not applied; neither where there is no such file. */
interface Side<T> {
  readonly found?: T;
  readonly problem?: string;
}

/** A file beside the sequence. Where the folder cannot be listed, servers are asked for it. */
async function side(input: FormatInput, name: string): Promise<ByteSource | undefined> {
  const isThere = (await input.siblings()).includes(await nameLike(input, name));
  if (!isThere && input.source.describe().kind !== "http") return undefined;
  try {
    return await besideAnyCase(input, name);
  } catch (error) {
    if (!isThere && isTilewiseError(error, "permission")) return undefined; // what some servers say of missing files
    throw error;
  }
}

async function mapOf(
  input: FormatInput,
  name: string,
  { stored, shown }: SeqFrames,
  { signal }: OpenOptions,
): Promise<Side<FrameLayout>> {
  const source = await side(input, name);
  if (!source) return {};
  const { layout, sections: images } = await readMrcHead(source, signal);
  const end = layout.files[0]!.headerBytes + layout.storedBytes;
  if (end > source.size) {
    const text = `Cannot read ${source.name}: it ends at byte ${source.size} of ${end}`;
    throw new TilewiseError("truncated", text, { file: source.name, expected: end, found: source.size });
  }
  if (sameShape(layout.sigShape, stored) && images === 1) {
    return { found: { ...layout, sigShape: shown } };
  }
  const found = `${images === 1 ? "" : `${images} images of `}${showShape(layout.sigShape)}`;
  return { problem: `${name} is not applied: it has ${found}, frames are ${showShape(stored)}` };
}

async function defects(
  input: FormatInput,
  base: string,
  { stored, shown }: SeqFrames,
  { signal }: OpenOptions,
): Promise<Side<number[][]>> {
  const name = `${base}.Config.Metadata.xml`;
  const xml = await side(input, name);
  if (!xml) return {};
  const metadata = await side(input, `${base}.metadata`);
  if (!metadata) {
    const missing = `${base}.metadata, which has the window of the sensor, is not there`;
    return { problem: `${name} is not applied: ${missing}` };
  }
  if (xml.size > MOST_XML) {
    const text = `Cannot read ${xml.name}: it has ${xml.size} bytes, ${MOST_XML} is the most`;
    throw new TilewiseError("malformed", text, { file: xml.name, expected: MOST_XML, found: xml.size });
  }
  const window = readWindow(await readUpTo(metadata, 0, METADATA_BYTES, signal), metadata.name);
  const text = xmlText(await readBytes(xml, 0, xml.size, signal));
  const dead = deadPixels(text, window, xml.name);
  const problem = !dead
    ? `has no map of dead pixels for ${window.binned ? "" : "un"}binned frames`
    : sameShape(dead.shape, stored)
    ? undefined
    : `is for ${showShape(dead.shape)}, frames are ${showShape(stored)}`;
  if (problem) return { problem: `${name} is not applied: it ${problem}` };
  if (!dead || dead.pixels.length === 0) return {};
  return { found: dead.pixels.map((pixel) => unravel(pixel, shown)) };
}
