/**
 * MIB files that belong together: the numbered files of one acquisition, in the order of their frames.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { cannot, isTilewiseError, TilewiseError } from "../../errors.ts";
import { type ByteSource, readBytes, readUpTo, type SourceSpec } from "../../io/source/source.ts";
import type { FormatInput } from "../common/format.ts";
import { stemOf } from "../../io/file/names.ts";
import { isMib, isMibHdr } from "./format.ts";
import {
  type MibHdr,
  type MibHeader,
  type MibImage,
  mibImage,
  MOST_HDR_BYTES,
  MOST_MIB_HEADER,
  parseMibHdr,
  parseMibHeader,
} from "./header.ts";
import type { OpenOptions } from "../common/options.ts";

/** One file, by its first and last header and its size. */
export interface MibFile {
  /** Its name, for messages. */
  readonly name: string;
  /** How to open it. */
  readonly spec: SourceSpec;
  /** Its first header. */
  readonly header: MibHeader;
  /** What follows every header. */
  readonly image: MibImage;
  /** Bytes from one frame to the next. */
  readonly pitch: number;
  /** Complete frames. */
  readonly images: number;
  /** Bytes after them. */
  readonly rest: number;
}

/** The files of a data set. */
export interface MibSeries {
  /** The MIB files, in order. */
  readonly files: readonly MibFile[];
  /** The `.hdr`, if there is one. */
  readonly hdr?: { readonly name: string; readonly parsed: MibHdr };
  /** What decided which files belong to it. */
  readonly why: readonly string[];
}

/** Finds the files that belong to what was given: a `.mib`, a `.hdr`, or a list of such. */
export async function findSeries(input: FormatInput, options: OpenOptions): Promise<MibSeries> {
  const { signal } = options;
  if (input.given.length > 1) return await givenSeries(input, signal);
  if (isMib(input.head)) {
    const first = await mibFile(input.source, signal);
    const names = options.noSeries ? [] : numbered(input.name, await input.siblings());
    const [files, why] = await joinSeries(input, first, input.name, names, signal);
    return { files, why, ...await hdrBeside(input, signal) };
  }
  const hdr = await hdrOf(input.source, input.name, signal);
  if (hdr) return await seriesOfHdr(input, hdr, options);
  parseMibHeader(input.head, input.name); // says what is wrong
  throw new TilewiseError("malformed", `Cannot read ${input.name} as MIB`, { file: input.name });
}

/** What was given, sorted; one of them may be a `.hdr`. */
async function givenSeries(input: FormatInput, signal?: AbortSignal): Promise<MibSeries> {
  const files: MibFile[] = [];
  let hdr: MibSeries["hdr"];
  for (const source of input.given) {
    const parsed = await hdrOf(source, source.name, signal);
    if (parsed) hdr = { name: source.name, parsed };
    else {
      await using once = source; // a series may have more files than may be open at the same time
      files.push(await mibFile(once, signal));
    }
  }
  if (files.length === 0) throw noFiles(input.name, "a list with a .mib");
  return { files: inOrder(files), why: [`${files.length} files were given`], ...defined({ hdr }) };
}

async function seriesOfHdr(input: FormatInput, parsed: MibHdr, options: OpenOptions): Promise<MibSeries> {
  const { noSeries, signal } = options;
  const stem = stemOf(input.name);
  const names = (await input.siblings()).filter((name) =>
    name.startsWith(stem) && /^[ _-]?\d*\.mib$/i.test(name.slice(stem.length))
  );
  const alone = names.find((name) => name.toLowerCase() === `${stem}.mib`.toLowerCase());
  const chosen = alone ?? names[0];
  if (chosen === undefined) throw noFiles(input.name, `${stem}.mib or ${stem}000.mib`);
  const first = await siblingFile(input, chosen, signal);
  const [files, why] = await joinSeries(input, first, chosen, alone || noSeries ? [] : names, signal);
  return { files, why, hdr: { name: input.name, parsed } };
}

/** The other files of the series of `own`: the same name but for the digits at its end. */
function numbered(own: string, names: readonly string[]): string[] {
  const match = /^(.*?)\d+(\.mib)$/i.exec(own);
  if (!match) return [];
  const [, prefix, ending] = match;
  return names.filter((name) =>
    name.startsWith(prefix!) && name.endsWith(ending!) &&
    /^\d+$/.test(name.slice(prefix!.length, -ending!.length))
  );
}

/**
 * The series of `first` among the files `names`. Files of other acquisitions may be named alike: only files of
 * equal frames count, and they must continue each other; if they begin anew, `first` stands alone.
 */
async function joinSeries(
  input: FormatInput,
  first: MibFile,
  own: string,
  names: readonly string[],
  signal?: AbortSignal,
): Promise<[MibFile[], string[]]> {
  const files = [first];
  let others = 0;
  for (const name of names) {
    if (name === own) continue;
    const file = await siblingFile(input, name, signal).catch(notOurs);
    if (file && sameFrames(file, first)) files.push(file);
    else others++;
  }
  const why = others > 0 ? [`${others} files with names like a series have other frames`] : [];
  if (files.length === 1) return [files, why];
  const starts = files.map(({ header }) => header.sequence);
  if (new Set(starts).size < starts.length) {
    return [[first], [
      ...why,
      "files with names like a series begin anew: each is an acquisition of its own",
    ]];
  }
  const ordered = inOrder(files);
  return [ordered, [
    ...why,
    `a series of ${files.length} files with frames from ${ordered[0]!.header.sequence} on`,
  ]];
}

/** A file that is not an MIB belongs to nothing; any other failure is one. */
function notOurs(error: unknown): undefined {
  const about = ["malformed", "unsupported", "truncated"] as const;
  if (!about.some((code) => isTilewiseError(error, code))) throw error;
}

function sameFrames(a: MibFile, b: MibFile): boolean {
  return frameKey(a.header) === frameKey(b.header) && a.header.bits === b.header.bits;
}

/** The files by their first frame; `malformed` if their frames differ. */
function inOrder(files: readonly MibFile[]): MibFile[] {
  const odd = files.find((file) => !sameFrames(file, files[0]!));
  if (odd) {
    const text = `Cannot read ${odd.name} with ${files[0]!.name}: their frames differ in size or type`;
    throw new TilewiseError("malformed", text, { file: odd.name });
  }
  return files.toSorted((a, b) => a.header.sequence - b.header.sequence);
}

async function siblingFile(input: FormatInput, name: string, signal?: AbortSignal): Promise<MibFile> {
  await using source = await input.openSibling(name);
  return await mibFile(source, signal);
}

async function mibFile(source: ByteSource, signal?: AbortSignal): Promise<MibFile> {
  const { name, size } = source;
  const header = parseMibHeader(await readUpTo(source, 0, MOST_MIB_HEADER, signal), name);
  const image = mibImage(header, name);
  const pitch = header.headerBytes + image.storedBytes;
  const images = Math.floor(size / pitch);
  if (images > 1) await checkLast(source, header, (images - 1) * pitch, signal);
  return { name, spec: source.describe(), header, image, pitch, images, rest: size - images * pitch };
}

/** A first header that is wrong in size would make later frames begin anywhere: the last must be like the first. */
async function checkLast(
  source: ByteSource,
  first: MibHeader,
  at: number,
  signal?: AbortSignal,
): Promise<void> {
  const last = parseMibHeader(await readBytes(source, at, first.headerBytes, signal), source.name, at);
  const [found, expected] = [frameKey(last), frameKey(first)];
  if (found === expected) return;
  const text = `the header at byte ${at} says ${found}, the first one ${expected}`;
  throw cannot("read", source.name, "malformed", text, { offset: at, expected, found });
}

function frameKey({ headerBytes, width, height, type, sensor }: MibHeader): string {
  return `${width} × ${height} ${type} ${sensor}, header ${headerBytes}`;
}

async function hdrOf(source: ByteSource, name: string, signal?: AbortSignal): Promise<MibHdr | undefined> {
  if (!isMibHdr(await readUpTo(source, 0, 4, signal))) return undefined;
  const bytes = await readUpTo(source, 0, MOST_HDR_BYTES, signal);
  const parsed = parseMibHdr(new TextDecoder("latin1").decode(bytes));
  if (parsed) return parsed;
  throw cannot("read", name, "malformed", "its first line does not start with HDR");
}

/** The `.hdr` of a `.mib`: the same name, with or without the digits of a series. */
async function hdrBeside(input: FormatInput, signal?: AbortSignal): Promise<Pick<MibSeries, "hdr">> {
  const stem = stemOf(input.name);
  const stems = new Set([stem, stem.replace(/\d+$/, ""), stem.replace(/[ _-]?\d+$/, "")]);
  for (const wanted of stems) {
    const found = await hdrNamed(input, `${wanted}.hdr`);
    const parsed = found && await hdrOf(found.source, found.name, signal);
    if (parsed) return { hdr: { name: found.name, parsed } };
  }
  return {};
}

/** A file beside the source, by its name in any case; servers, which do not list what they have, are asked for that name. */
async function hdrNamed(
  input: FormatInput,
  wanted: string,
): Promise<{ readonly name: string; readonly source: ByteSource } | undefined> {
  if (input.source.describe().kind === "http") {
    const source = await input.openBeside(wanted).catch(notThere);
    return source && { name: wanted, source };
  }
  const name = (await input.siblings()).find((one) => one.toLowerCase() === wanted.toLowerCase());
  return name === undefined ? undefined : { name, source: await input.openSibling(name) };
}

/** Servers say that what is missing may not be read, or does not exist; any other failure is one. */
function notThere(error: unknown): undefined {
  if (!isTilewiseError(error, "not-found") && !isTilewiseError(error, "permission")) throw error;
}

function noFiles(name: string, wanted: string): TilewiseError {
  const text = `a .hdr describes .mib files, but there is none beside it; expected ${wanted}`;
  return cannot("open", name, "not-found", text, { expected: wanted });
}
