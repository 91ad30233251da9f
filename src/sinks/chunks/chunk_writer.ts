/**
 * Writes chunks into the files of a target, in its order, and keeps the journal.
 *
 * @module
 */

import { type Checksum, checksumOfRuntime } from "../../io/checksum.ts";
import { Journal, type JournalRecord } from "../../io/write/journal.ts";
import { type WriteAt, writerAt } from "../../io/write/part_file.ts";
import type { PartialFolder } from "../../io/write/partial_folder.ts";
import { readerAt } from "../../io/write/scratch.ts";
import type { EncodedChunk } from "./made.ts";
import { FileOfChunks } from "./placing.ts";
import { partOf } from "./rows.ts";
import type { ChunkPlace, ChunkTarget } from "./target.ts";

/** A file that is being written. */
interface OpenFile {
  readonly path: string;
  readonly chunks: FileOfChunks;
  /** Set when the file has been made. */
  write?: WriteAt;
}

/** How chunks lie in files. */
export interface ChunkFiles
  extends Pick<ChunkTarget, "kind" | "head" | "places" | "before" | "around" | "documents"> {
  /** Bytes of a result that is one file, of which not all need be written. */
  readonly size?: number;
}

/** Whether a chunk of an earlier run, with its record, is still what it was: its half is. */
export type IsKept = (place: ChunkPlace, record: JournalRecord) => boolean;

/** Writes the chunks of one result. */
export class ChunkWriter {
  /** Chunks that are complete. */
  done = 0;
  readonly #places: Iterator<ChunkPlace>;
  #file: OpenFile | undefined;
  #folder = "";

  private constructor(
    private readonly target: ChunkFiles,
    private readonly partial: PartialFolder,
    private readonly journal: Journal,
    private readonly checksumOf: Checksum,
  ) {
    this.#places = target.places()[Symbol.iterator]();
  }

  /** Goes on behind the last chunk that an earlier run has completed, if there was one. */
  static async open(target: ChunkFiles, partial: PartialFolder, isKept: IsKept): Promise<ChunkWriter> {
    const journal = await Journal.open(partial);
    if (target.kind === "folder") await partial.makeFolder(partial.result);
    else await partial.makeFile(partial.result);
    if (target.size !== undefined) await partial.sizeFile(partial.result, target.size);
    const writer = new ChunkWriter(target, partial, journal, await checksumOfRuntime());
    await writer.#replay(journal.earlier, isKept);
    return writer;
  }

  /** Writes the next chunk, unless a worker has done it. */
  async put({ bytes, checksum, kept }: EncodedChunk): Promise<void> {
    const size = await this.#place(this.#places.next().value as ChunkPlace, bytes, checksum);
    this.journal.append({ bytes: size, checksum, kept });
  }

  /** Writes a chunk out of turn, which no later run can go on with; it has a file or rows of its own. */
  async putAt(place: ChunkPlace, bytes: Uint8Array): Promise<void> {
    await this.#place(place, bytes, 0);
  }

  /** Writes what has been gathered. */
  flush(): void {
    this.journal.flush();
  }

  /** Writes the documents of the result. */
  async finish(): Promise<void> {
    this.flush();
    for (const [name, content] of this.target.documents()) {
      const file = this.#new(name);
      const write = await this.#make(file);
      write(typeof content === "string" ? new TextEncoder().encode(content) : content, 0);
    }
  }

  /** The paths of all files; those of a sparse result may be missing. */
  *files(): Generator<string> {
    let last: string | undefined;
    for (const { file } of this.target.places()) {
      if (file !== last) yield this.#path(last = file);
      if (this.target.kind === "file") break;
    }
    for (const [name] of this.target.documents()) yield this.#path(name);
  }

  /** Takes over the chunks of an earlier run, up to the first that is not complete. */
  async #replay(records: readonly JournalRecord[], isKept: IsKept): Promise<void> {
    const places = this.target.places()[Symbol.iterator]();
    for (const record of records) {
      const place = places.next().value as ChunkPlace | undefined;
      if (!place || !isKept(place, record)) return;
      if (record.bytes > 0 && !await this.#isThere(this.#opened(place), place, record)) return;
      this.#places.next();
      await this.#place(place, record.bytes, record.checksum);
      this.journal.accept();
    }
  }

  async #isThere(
    { path, chunks }: OpenFile,
    place: ChunkPlace,
    { bytes, checksum }: JournalRecord,
  ): Promise<boolean> {
    const head = chunks.headOf(place, bytes, checksum);
    const [found, into] = [new Uint8Array(head.length), new Uint8Array(bytes)];
    try {
      const read = await readerAt(path, this.partial.path);
      let size = head.length > 0 ? read(found, chunks.end) : 0;
      for (const row of chunks.rowsOf(place, bytes, head.length)) size += read(partOf(into, row), row.to);
      return size === head.length + bytes && head.every((byte, i) => byte === found[i]) &&
        this.checksumOf(into) === checksum;
    } catch {
      return false;
    }
  }

  /** Writes the next chunk of its file, or notes one of so many bytes, and what comes around the chunks of a complete file. */
  async #place(place: ChunkPlace, bytes: Uint8Array | number, checksum: number): Promise<number> {
    const file = this.#opened(place);
    using _ = place.rows && (file.write ??= await this.#make(file)).hold(); // rows are all over the file, which is opened once
    for (const one of file.chunks.put(place, bytes, checksum)) {
      file.write ??= await this.#make(file);
      this.journal.add(file.write, one.bytes, one.position);
    }
    this.done++;
    if (place.last) this.#file = undefined;
    return typeof bytes === "number" ? bytes : bytes.length;
  }

  #opened({ file }: ChunkPlace): OpenFile {
    if (this.#file?.chunks.name === file) return this.#file;
    return this.#file = this.#new(file);
  }

  #new(name: string): OpenFile {
    return { path: this.#path(name), chunks: new FileOfChunks(this.target, name) };
  }

  #path(file: string): string {
    return file === "" ? this.partial.result : `${this.partial.result}/${file}`;
  }

  async #make({ path }: OpenFile): Promise<WriteAt> {
    const folder = path.slice(0, path.lastIndexOf("/"));
    if (folder !== this.#folder) await this.partial.makeFolder(this.#folder = folder);
    await this.partial.makeFile(path);
    return await writerAt(path, this.partial.path);
  }
}
