/**
 * The journal of a result that is written chunk by chunk, in a fixed order: what each chunk has become. After a crash its
 * valid records tell how far the result had come.
 *
 * ```
 * record n    bytes₄  checksum of the bytes₄  checksum of the memory of the writer₄  checksum of n and this record₄
 * ```
 * Records have one size, so that a torn one is found by its checksum, and the next run writes over it.
 *
 * @module
 */

import { crc32c } from "../../space/crc32.ts";
import { writeError } from "./calls.ts";
import { GatheredWrites } from "./gathered.ts";
import { type WriteAt, writerAt } from "./part_file.ts";
import type { PartialFolder } from "./partial_folder.ts";

/** Bytes of a record. */
const RECORD = 16;

/** What is known of a finished chunk. */
export interface JournalRecord {
  /** Its stored bytes; 0 if nothing was stored. */
  readonly bytes: number;
  /** Their CRC-32. */
  readonly checksum: number;
  /** CRC-32 of what the writer keeps about it until the result is complete. */
  readonly kept: number;
}

/** Milliseconds after which what was written is noted: a process that is killed loses no more work than that. */
const FLUSH = 100;

/** A journal, and the writes of which it tells: these reach their files before their records do. */
export class Journal {
  #count = 0;
  #flushed = performance.now();
  readonly #content = new GatheredWrites();
  readonly #records = new GatheredWrites();

  private constructor(
    private readonly write: WriteAt,
    /** What an earlier run has noted. */
    readonly earlier: readonly JournalRecord[],
  ) {}

  /** The journal of a result; empty, unless an earlier run has left one. */
  static async open(partial: PartialFolder): Promise<Journal> {
    const path = `${partial.folder}/journal`;
    await partial.makeFile(path);
    return new Journal(await writerAt(path, partial.path), await readJournal(path));
  }

  /** Takes over the next record of the earlier run. */
  accept(): void {
    this.#count++;
  }

  /** Writes bytes of the result, now or at the next {@link flush}. */
  add(write: WriteAt, bytes: Uint8Array, position: number): void {
    this.#content.add(write, bytes, position);
  }

  /** Notes that what the record tells of has been added. */
  append(record: JournalRecord): void {
    this.#records.add(this.write, bytesOf(this.#count, record), this.#count * RECORD);
    this.#count++;
    if (performance.now() - this.#flushed >= FLUSH) this.flush();
  }

  /** Writes what has been gathered: first the result, then what the journal tells of it. */
  flush(): void {
    this.#content.flush();
    this.#records.flush();
    this.#flushed = performance.now();
  }
}

/** The records of the journal `path` up to the first that is torn. */
async function readJournal(path: string): Promise<JournalRecord[]> {
  const { readFile } = await import("node:fs/promises");
  let all: Uint8Array;
  try {
    all = await readFile(path);
  } catch (error) {
    throw writeError(path, error);
  }
  const view = new DataView(all.buffer, all.byteOffset, all.byteLength);
  const records: JournalRecord[] = [];
  for (let at = 0; at + RECORD <= all.length; at += RECORD) {
    const [bytes, checksum, kept] = [0, 4, 8].map((o) => view.getUint32(at + o, true)) as [
      number,
      number,
      number,
    ];
    const record = { bytes, checksum, kept };
    const expected = bytesOf(records.length, record);
    if (expected.some((byte, i) => byte !== all[at + i])) break;
    records.push(record);
  }
  return records;
}

/** The number of a record, and the record. */
const NUMBERED = new DataView(new ArrayBuffer(8 + RECORD));
const [CHECKED, BYTES] = [[0, 8 + RECORD - 4], [8, RECORD]].map(([first, count]) =>
  new Uint8Array(NUMBERED.buffer, first, count)
) as [Uint8Array, Uint8Array];

/** The bytes of record `n`; the next call makes others in their place. */
function bytesOf(n: number, { bytes, checksum, kept }: JournalRecord): Uint8Array {
  NUMBERED.setFloat64(0, n, true);
  NUMBERED.setUint32(8, bytes, true);
  NUMBERED.setUint32(12, checksum, true);
  NUMBERED.setUint32(16, kept, true);
  NUMBERED.setUint32(20, crc32c(CHECKED), true);
  return BYTES;
}
