/**
 * A `.npy` file of an output that a later run can go on with: tiles are written to their places, and a journal has the
 * checksum of each.
 *
 * @module
 */

import { npyHeader } from "../../../sinks/npy/npy_header.ts";
import { type Checksum, checksumOfRuntime } from "../../../io/checksum.ts";
import { GatheredWrites } from "../../../io/write/gathered.ts";
import { Journal, type JournalRecord, readJournal } from "../../../io/write/journal.ts";
import { type WriteAt, writerAt } from "../../../io/write/part_file.ts";
import { PartialFolder } from "../../../io/write/partial_folder.ts";
import { readerAt } from "../../../io/write/scratch.ts";
import { type DType, dtypeInfo } from "../../../space/dtype.ts";
import { type Shape, sizeOf } from "../../../space/shape.ts";
import type { Extent } from "../../cube/cube.ts";
import { globalShape } from "../arrays.ts";
import type { SinkContext, StartContext } from "../context.ts";
import { digestOf, outOfOrder, tilesOf } from "./resume.ts";
import { rowsOf } from "./rows.ts";

/** Milliseconds after which what was written is noted. */
const FLUSH = 100;

/** What a file is like. */
interface NpyFacts {
  readonly path: string;
  readonly shape: Shape;
  readonly dtype: DType;
  readonly head: number;
}

/** A file that is being written, or was by an earlier run. */
export class ResumedNpy implements AsyncDisposable {
  readonly #gathered = new GatheredWrites();
  #flushed = performance.now();

  private constructor(
    private readonly facts: NpyFacts,
    private readonly partial: PartialFolder,
    private readonly journal: Journal,
    private readonly write: WriteAt,
    private readonly checksum: Checksum,
    /** Tiles that are complete. */
    private done: number,
  ) {}

  /** Makes the file of output `name`, or goes on with that of an earlier run with the same words `resume`. */
  static async open(context: StartContext, name: string, path: string, resume: string): Promise<ResumedNpy> {
    const { cube } = context;
    const { dtype } = cube.array(name);
    const shape = globalShape(cube, name);
    const head = npyHeader(dtype, shape);
    const digest = await digestOf(context, [name], { kind: "npy", resume });
    const partial = await PartialFolder.open(path, { digest, resume: true, kind: "file" });
    try {
      const log = `${partial.folder}/journal`;
      await partial.makeFile(log);
      await partial.makeFile(partial.result);
      await partial.sizeFile(partial.result, head.length + sizeOf([...shape, dtypeInfo(dtype).itemSize]));
      const write = await writerAt(partial.result, path);
      write(head, 0);
      const facts = { path, shape, dtype, head: head.length };
      const checksum = await checksumOfRuntime();
      const journal = await Journal.open(log, path);
      const file = new ResumedNpy(facts, partial, journal, write, checksum, 0);
      await file.#replay(context, name, await readJournal(log));
      return file;
    } catch (error) {
      await partial[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Tiles that need not be computed. */
  get completed(): number {
    return this.done;
  }

  /** Writes a tile, unless an earlier run has done it. */
  put(context: SinkContext): void {
    const { tile, extents, data: { data: { buffer, byteOffset, byteLength } } } = context;
    if (tile < this.done) return;
    if (tile !== this.journal.count) throw outOfOrder("toNpy()", context);
    const bytes = new Uint8Array(buffer, byteOffset, byteLength);
    for (const row of this.#rows(extents)) {
      this.#gathered.add(
        this.write,
        bytes.subarray(row.from, row.from + row.bytes),
        this.facts.head + row.to,
      );
    }
    this.journal.append({ bytes: byteLength, checksum: this.checksum(bytes), kept: 0 });
    if (performance.now() - this.#flushed >= FLUSH) this.flush();
  }

  /** Writes what has been gathered: first the samples, then what the journal tells of them. */
  flush(): void {
    this.#gathered.flush();
    this.journal.flush();
    this.#flushed = performance.now();
  }

  /** Gives the file its name. */
  async finish(): Promise<void> {
    this.flush();
    await this.partial.finish([this.partial.result]);
  }

  /** Keeps what is complete, unless the file has its name. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.partial[Symbol.asyncDispose]();
  }

  #rows(extents: readonly Extent[]) {
    return rowsOf(this.facts.shape, this.facts.dtype, extents);
  }

  /** Takes over the tiles of an earlier run, up to the first that is not what it was. */
  async #replay(context: StartContext, name: string, records: readonly JournalRecord[]): Promise<void> {
    const { path, head } = this.facts;
    const read = await readerAt(this.partial.result, path);
    let tile = 0;
    for (const cube of tilesOf(context)) {
      const record = records[tile++];
      if (!record) return;
      const bytes = new Uint8Array(record.bytes);
      let size = 0;
      for (const row of this.#rows(cube.arrayExtents(name))) {
        if (row.from + row.bytes > bytes.length) return;
        size += read(bytes.subarray(row.from, row.from + row.bytes), head + row.to);
      }
      if (size !== record.bytes || this.checksum(bytes) !== record.checksum) return;
      this.journal.accept();
      this.done++;
    }
  }
}
