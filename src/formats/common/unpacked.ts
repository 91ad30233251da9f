/**
 * What is inside of a gzip file, as formats read it: in memory, or in a temporary file where it is long.
 *
 * @module
 */

import { cannot, TilewiseError } from "../../errors.ts";
import { hasFiles, openSpec } from "../../io/open.ts";
import { BytesSource } from "../../io/source/bytes.ts";
import { type ByteSource, readBytes, type SourceSpec } from "../../io/source/source.ts";
import { formatBytes } from "../../space/size.ts";
import { gunzip, MOST_RATIO } from "./gzip.ts";

/** Most bytes, packed or unpacked, that are held in memory beside the budget of runs. */
const MOST_IN_MEMORY = 2 ** 26;
/** The same if no temporary file can be written. */
const MOST_WITHOUT_FILES = 2 ** 29;
/** Surplus bytes, beyond the promised ones, that are accepted. */
const SURPLUS = 2 ** 20;

/** A source as a format reads it: its beginning now, all of it later. */
export interface Readable {
  /** What headers are read from; it may have nothing behind them. */
  readonly source: ByteSource;
  /** Bytes of the whole. */
  readonly size: number;
  /** How samples are read. */
  readonly spec: SourceSpec;
  /** What the user should know. */
  readonly warnings: readonly string[];
}

/** A source that is not packed. */
export function asItIs(source: ByteSource): Readable {
  return { source, size: source.size, spec: source.describe(), warnings: [] };
}

/**
 * The contents of the gzip file `packed`. A temporary file is written when the first sample is read; only then is it found if
 * the contents are shorter or longer than promised.
 *
 * @param start its first bytes, the headers
 * @param promised length according to these headers; much longer contents are refused
 *
 * Errors: `truncated` for a file that cannot hold so many, `unsupported` and `permission` where it is too large for memory
 * and no temporary file can be written, `malformed`.
 */
export async function unpackedSource(
  packed: ByteSource,
  start: ByteSource,
  promised: number,
  signal?: AbortSignal,
): Promise<Readable> {
  const { name } = packed;
  const possible = MOST_RATIO * packed.size;
  if (promised > possible) throw tooShort(name, promised, possible);
  const needed = Math.max(promised, packed.size);
  const place = needed > MOST_IN_MEMORY && hasFiles() ? await import("../../io/unpack.ts") : undefined;
  if (needed > MOST_IN_MEMORY && place?.mayUnpack()) {
    const [path, folder] = await place!.temporaryPath(name);
    const text = `${name} is compressed: its ${
      formatBytes(promised)
    } are unpacked to a temporary file in ${folder}`;
    const spec = {
      kind: "unpacked",
      name,
      size: promised,
      most: promised + SURPLUS,
      path,
      packed: packed.describe(),
    } as const;
    return { source: start, size: promised, spec, warnings: [text] };
  }
  if (needed > MOST_WITHOUT_FILES) throw tooLarge(packed, promised, place?.missingFlag());
  return asItIs(new BytesSource(await gunzip(packed, promised + SURPLUS, signal), name));
}

/** The same where headers lie anywhere: it is as long as the end of the gzip file says, and unpacked at once. */
export async function unpackedNow(packed: ByteSource, signal?: AbortSignal): Promise<Readable> {
  const end = await readBytes(packed, Math.max(0, packed.size - 4), Math.min(4, packed.size), signal);
  const promised = end.reduceRight((sum, byte) => sum * 256 + byte, 0);
  const readable = await unpackedSource(packed, packed, promised, signal);
  if (readable.spec.kind !== "unpacked") return readable;
  return { ...readable, source: await openSpec(readable.spec, signal ? { signal } : {}) };
}

function tooShort(file: string, expected: number, found: number): TilewiseError {
  const text = `it promises ${formatBytes(expected)}, and it can hold at most ${formatBytes(found)}`;
  return cannot("read", file, "truncated", text, { expected, found });
}

function tooLarge({ name, size }: ByteSource, promised: number, flag: string | undefined): TilewiseError {
  const [found, what] = promised > size ? [promised, "unpacks to"] : [size, "has"];
  const text = `Cannot read ${name}: it ${what} ${formatBytes(found)}; without temporary files up to ` +
    `${formatBytes(MOST_WITHOUT_FILES)} are unpacked, into memory: ` +
    `${flag === undefined ? "" : `add ${flag}, or `}unpack it first (gunzip -k)`;
  const details = { file: name, expected: flag ?? MOST_WITHOUT_FILES, found };
  return new TilewiseError(flag === undefined ? "unsupported" : "permission", text, details);
}
