/**
 * Gatan K2 Summit in-situ data (K2IS): eight `.bin` files with a sector of every frame each, and a `.gtg` with tags.
 *
 * The scan is in the tags, flyback included. The camera begins before the scan does: the first frame with an open
 * shutter decides, and with a scan the one before it, as the flag comes a frame late. Without a scan in the tags the
 * data are a time series.
 *
 * @module
 */

import { defined } from "../../options.ts";
import type { StoredDataset } from "../../dataset/dataset.ts";
import { K2_SHAPE, SECTOR_BYTES, SECTORS } from "../../dataset/layout/sectors.ts";
import { visiblePositions } from "../../dataset/sync.ts";
import { cannot, TilewiseError } from "../../errors.ts";
import type { ByteSource } from "../../io/source/source.ts";
import { type Shape, showShape, sizeOf } from "../../space/shape.ts";
import { fileDataset } from "../common/arrange.ts";
import { besideAnyCase } from "../common/beside.ts";
import { dmHead } from "../dm/head.ts";
import { type DmGroup, readTags } from "../dm/tags.ts";
import type { FormatInput } from "../common/format.ts";
import { extensionOf, stemOf } from "../../io/file/names.ts";
import { firstExposed, synchronise, type Synchronised } from "./sync.ts";
import { scanAxes } from "../common/kinds.ts";
import type { OpenOptions } from "../common/options.ts";

/** The scan, or the time series, of a set of files. */
export async function open(input: FormatInput, options: OpenOptions): Promise<StoredDataset[]> {
  return [await openK2is(input, options)];
}

async function openK2is(input: FormatInput, options: OpenOptions): Promise<StoredDataset> {
  const base = baseOf(input.name);
  const sectors = await openSectors(input, base);
  const synced = await synchronise(sectors, options);
  const scan = await scanOf(input, base, options);
  const exposed = await firstExposed(sectors[0]!, synced, options.signal);
  const syncOffset = offsetOf(exposed, scan.navShape !== undefined, synced.images);
  const { navShape } = scan, { images, files, firstBlock } = synced;
  return fileDataset(input, {
    images,
    navShape: navShape ?? [images - Math.max(0, syncOffset)],
    sigShape: K2_SHAPE,
    syncOffset,
    why: reasons(synced, scan, exposed),
    layout: {
      files,
      dtype: "uint16",
      storedBytes: SECTORS * SECTOR_BYTES,
      storage: { kind: "sectors", firstBlock },
    },
    warnings: (given) => [
      ...synced.warnings,
      ...scan.warnings,
      ...(exposed === undefined
        ? ["No frame has the flag of an open shutter: the first frame is shown first"]
        : []),
      ...blankWarning(given, images),
    ],
    axes: (given) => ({
      axes: scanAxes(
        given.navShape.length,
        given.sigShape.length,
        [],
        navShape || options.nav ? "scan" : "time",
      ),
    }),
    metadata: {
      firstFrame: synced.firstFrame,
      firstBlock,
      firstExposed: exposed ?? null,
      ...defined({ navWithoutFlyback: scan.withoutFlyback }),
    },
  }, options);
}

/** The first exposed image is the first of a series; in a scan the flag comes one frame late. */
function offsetOf(exposed: number | undefined, isScan: boolean, images: number): number {
  if (exposed === undefined) return 0;
  const offset = isScan ? exposed - 1 : exposed;
  return Math.abs(offset) < images ? offset : 0;
}

/** Frames before and after the scan are as they should be, positions without a frame are not. */
function blankWarning(
  { navShape, syncOffset }: { readonly navShape: Shape; readonly syncOffset: number },
  images: number,
): string[] {
  const frames = sizeOf(navShape);
  const { start, stop } = visiblePositions({ frames, images, syncOffset });
  const blank = frames - (stop - start);
  if (blank === 0) return [];
  return [
    `${blank} of the ${frames} positions of the scan of ${showShape(navShape)} have no frame and stay blank`,
  ];
}

/** What all names of the files have in common. */
function baseOf(name: string): string {
  const stem = stemOf(name);
  return extensionOf(name) === "gtg" ? stem : stem.replace(/[1-8]$/, "");
}

async function openSectors(input: FormatInput, base: string): Promise<ByteSource[]> {
  const sources: ByteSource[] = [];
  const missing: string[] = [];
  const ending = extensionOf(input.name) === "gtg" ? "bin" : input.name.slice(stemOf(input.name).length + 1);
  for (let sector = 1; sector <= SECTORS; sector++) {
    const name = `${base}${sector}.${ending}`;
    const source = await besideAnyCase(input, name);
    if (source) sources.push(source);
    else missing.push(name);
  }
  if (missing.length === 0) return sources;
  const text = `Cannot read ${input.name}: of its ${SECTORS} sectors ${missing.join(", ")} ${
    missing.length === 1 ? "is" : "are"
  } not beside it`;
  throw new TilewiseError("not-found", text, { file: missing[0]!, expected: SECTORS, found: sources.length });
}

/** What the tags say of the scan. */
interface Scan {
  /** Rows and columns, flyback included; absent in time series. */
  readonly navShape?: Shape;
  readonly withoutFlyback?: Shape;
  readonly warnings: readonly string[];
}

async function scanOf(input: FormatInput, base: string, { signal }: OpenOptions): Promise<Scan> {
  const source = await besideAnyCase(input, `${base}.gtg`);
  if (!source) {
    return { warnings: [`${base}.gtg, which has the size of the scan, is not there: read as a time series`] };
  }
  const head = dmHead(await readHead(source, signal));
  if (!head) {
    throw cannot("read", source.name, "malformed", "it does not begin as Gatan's tags do", { offset: 0 });
  }
  const tags = await readTags(source, head, signal);
  const navShape = shapeOf(tags, ["SI Dimensions"], "Size Y", "Size X");
  const sampling = ["SI Image Tags", "SI", "Acquisition", "Spatial Sampling"];
  const withoutFlyback = shapeOf(tags, sampling, "Height (pixels)", "Width (pixels)");
  return {
    ...defined({ navShape, withoutFlyback }),
    warnings: [],
  };
}

async function readHead(source: ByteSource, signal?: AbortSignal): Promise<Uint8Array> {
  const bytes = new Uint8Array(Math.min(16, source.size));
  await source.readInto(bytes, 0, signal);
  return bytes;
}

function shapeOf(tags: DmGroup, path: readonly string[], y: string, x: string): Shape | undefined {
  const shape = [tags.number(...path, y), tags.number(...path, x)];
  return shape.every((n) => n !== undefined && Number.isSafeInteger(n) && n > 0)
    ? shape as number[]
    : undefined;
}

function reasons({ images, firstFrame }: Synchronised, scan: Scan, exposed: number | undefined): string[] {
  const inside =
    scan.withoutFlyback && scan.navShape && !scan.withoutFlyback.every((n, d) => n === scan.navShape![d])
      ? `, flyback included (${showShape(scan.withoutFlyback)} without)`
      : "";
  return [
    `${images} complete frames in all sectors, from the camera's frame ${firstFrame} on`,
    scan.navShape
      ? `scan of ${showShape(scan.navShape)} from the tags${inside}`
      : "no scan in the tags: a time series",
    ...(exposed === undefined ? [] : [`shutter open from image ${exposed} on`]),
  ];
}
