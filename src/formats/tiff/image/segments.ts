/**
 * Where the tiles or strips of an image lie in the file: the tables of offsets and byte counts, checked.
 *
 * @module
 */

import { type Directory, TAG } from "../container/directory.ts";

/** The grid of tiles or strips of an image. */
export interface Segments {
  /** Tiles or strips of a plane; planes follow each other in the tables. */
  readonly perPlane: number;
  /** Planes: 1 where the samples of a pixel lie together. */
  readonly planes: number;
  /** What they are called in messages. */
  readonly what: "tile" | "strip";
  /** Bytes of the rows that exist of number `i` of a plane, before compression; absent where this is not known. */
  readonly plainBytes?: (i: number) => number;
  /** Bytes of a tile with all its rows. */
  readonly wholeBytes?: number;
  /** Whether they are stored without compression. */
  readonly isStored: boolean;
  /** Most bytes that decompression gives per byte; absent if there is no useful bound. */
  readonly most?: number;
  /** Offsets that are not those of the table; then its byte counts are those before compression. */
  readonly offsets?: Float64Array;
}

/** Where tiles or strips lie. */
export interface Places {
  /** First byte of each; -1 where it was never written. */
  readonly addresses: Float64Array;
  /** Bytes of each. */
  readonly sizes: Float64Array;
}

/** How many times as long as before compression its result may be. */
const MOST_GROWTH = 2;
/** Most tiles or strips of an image, and most stored bytes of one. */
const MOST_SEGMENTS = 2 ** 24;
const MOST_BYTES = 2 ** 31 - 1;

/** The places of all tiles or strips, planes one after another. Errors: `malformed`, `truncated`, `unsupported`. */
export async function readPlaces(directory: Directory, segments: Segments): Promise<Places> {
  const { file, offset } = directory;
  const { perPlane, planes, what } = segments;
  const count = perPlane * planes;
  const [offsetTag, countTag] = tablesOf(directory, what);
  const entry = directory.entry(offsetTag);
  if (!entry || entry.count < count) {
    const found = entry?.count ?? 0;
    const problem = `the image has ${count} ${what}s, its table has the offsets of ${found}`;
    throw file.error("malformed", problem, { offset: entry?.at ?? offset, expected: count, found });
  }
  if (count > MOST_SEGMENTS) {
    const problem = `the image has ${count} ${what}s; ${MOST_SEGMENTS} is the most`;
    throw file.error("unsupported", problem, { offset, expected: MOST_SEGMENTS, found: count });
  }
  const addresses = segments.offsets?.slice(0, count) ?? await directory.table(offsetTag, count);
  const sizes = await sizesOf(directory, segments, addresses, countTag);
  return { addresses, sizes };
}

/** Tags of offsets and counts: some writers use those of strips for tiles. */
function tablesOf(directory: Directory, what: "tile" | "strip"): [offsets: number, counts: number] {
  const [tile, strip] = [[TAG.tileOffsets, TAG.tileCounts], [TAG.stripOffsets, TAG.stripCounts]] as const;
  const [own, other] = what === "tile" ? [tile, strip] : [strip, tile];
  const pick = (which: 0 | 1) =>
    directory.has(own[which]) || !directory.has(other[which]) ? own[which] : other[which];
  return [pick(0), pick(1)];
}

/** The bytes of each; in `addresses`, those that were never written become -1. */
async function sizesOf(
  directory: Directory,
  segments: Segments,
  addresses: Float64Array,
  tag: number,
): Promise<Float64Array> {
  const { perPlane, what, isStored, plainBytes, wholeBytes, most } = segments;
  const { file } = directory;
  const counts = await countsOf(directory, segments, addresses, tag);
  const sizes = new Float64Array(addresses.length);
  for (let i = 0; i < sizes.length; i++) {
    const at = addresses[i]!;
    const count = counts[i]!;
    if (at === 0 || count === 0) {
      addresses[i] = -1;
      continue;
    }
    const plain = plainBytes?.(i % perPlane) ?? 0;
    const size = !isStored ? count : wholeBytes === undefined ? plain : Math.min(wholeBytes, count);
    const place = { offset: at, expected: plain, found: count };
    if (isStored && count < plain && sizes.length > 1) {
      throw file.error("malformed", `${what} ${i} has ${count} bytes, not ${plain}`, place);
    }
    file.inside(at, size, `${what} ${i}`);
    if (size > MOST_BYTES && !(isStored && what === "strip")) { // plain strips are cut again
      throw file.error("unsupported", `${what} ${i} has ${size} bytes; ${MOST_BYTES} is the most`, place);
    }
    if (most !== undefined && size * most < plain) {
      throw file.error("malformed", `${what} ${i} has ${size} bytes, which cannot unpack to ${plain}`, place);
    }
    sizes[i] = size;
  }
  return sizes;
}

/**
 * The table of byte counts; those that are missing follow from the image, or from what comes next in the file. So do counts of 0
 * of strips that have an offset, as old writers of fax images left them; tiles with a count of 0 were never written.
 */
async function countsOf(
  directory: Directory,
  { what, isStored, offsets }: Segments,
  addresses: Float64Array,
  tag: number,
): Promise<Float64Array> {
  const told = Math.min(directory.entry(tag)?.count ?? 0, addresses.length);
  const counts = new Float64Array(addresses.length);
  if (told > 0) counts.set(await directory.table(tag, told));
  const isMissing = (i: number) => addresses[i]! > 0 && (i >= told || (what === "strip" && counts[i] === 0));
  const isBefore = offsets !== undefined && !isStored;
  if (!isBefore && !addresses.some((_, i) => isMissing(i))) return counts;
  const gaps = isStored ? undefined : gapsBetween(addresses, directory);
  for (let i = 0; i < counts.length; i++) {
    const gap = gaps?.get(addresses[i]!) ?? Infinity; // of plain samples the bytes follow from the image
    if (!isMissing(i)) counts[i] = isBefore ? Math.min(MOST_GROWTH * counts[i]!, gap) : counts[i]!;
    else if (gap > 0) counts[i] = gap;
    else throw nothingThere(directory, addresses[i]!, `${what} ${i}`);
  }
  return counts;
}

function nothingThere({ file }: Directory, offset: number, what: string) {
  file.inside(offset, 1, what);
  const problem = `the byte count of ${what} is missing, and nothing lies between it and what follows`;
  return file.error("malformed", problem, { offset, expected: "bytes", found: 0 });
}

/** The bytes up to what follows, by offset: another tile or strip, the directory or its values, or the end of the file. */
function gapsBetween(addresses: Float64Array, { file, places }: Directory): Map<number, number> {
  const known = new Set(addresses).add(file.size);
  for (const place of places) known.add(place);
  const order = Float64Array.from(known).sort();
  return new Map(Array.from(order, (at, i) => [at, Math.max(0, (order[i + 1] ?? at) - at)]));
}
