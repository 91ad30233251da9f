/**
 * Chunks in shards: entries of a store, or ranges of a file, that hold many chunks and an index of them. The index of a
 * shard is read when a chunk of it is first needed, once.
 *
 * @module
 */

import { cannot, TilewiseError } from "../../../errors.ts";
import { BytesSource } from "../../../io/source/bytes.ts";
import { type ByteSource, readBytes } from "../../../io/source/source.ts";
import type { ChunkLayout } from "../../layout/chunks.ts";
import { entriesOf, gridOfEntries, indexBytes, keyOf, placesIn, shardOf } from "../../layout/keyed.ts";
import { unravel } from "../../../space/shape.ts";
import type { LazyStore } from "./keyed.ts";
import type { OpenByNumber, Places } from "./window.ts";
import { type Index, indexOf, rangeOf, storedEntry, wrong } from "./shard_index.ts";

/** Shards whose indices are kept, unless those are few: their bytes count. */
const KEPT_BYTES = 8 * 2 ** 20;
/** Shards that are open at the same time. */
const MOST_OPEN = 32;
/** Chunks ahead whose shards are looked up at the same time. */
const AHEAD = 256;
/** Shards that are looked up at the same time. */
const LANES = 8;

/** A range of a shard. */
interface Range {
  readonly start: number;
  readonly size: number;
}

/** The shards of an array, by number, and where the chunks in them lie. */
export class Shards implements Places, OpenByNumber, AsyncDisposable {
  /** Chunks of the array. */
  readonly count: number;
  /** Most stored bytes of a chunk. */
  readonly largest: number;
  /** Stored bytes of all chunks: unknown. */
  readonly all = Infinity;
  /** Open shards, the longest unused first; `undefined`: never written. */
  readonly #open = new Map<number, ByteSource | undefined>();
  /** Opening shards, so that each is opened once. */
  readonly #opening = new Map<number, Promise<ByteSource | undefined>>();
  /** Indices by shard, and by the place of the shard in larger shards; `undefined`: never written. */
  readonly #indices = new Map<string, Index | undefined>();
  readonly #reading = new Map<string, Promise<Index | undefined>>();
  #indexBytes = 0;
  readonly #grid: readonly number[];

  /** The shards of `chunks`, in `files` or in `store`. */
  constructor(
    private readonly chunks: ChunkLayout,
    private readonly files: OpenByNumber,
    private readonly store: LazyStore | undefined,
    largest: number,
    count: number,
  ) {
    this.largest = largest;
    this.count = count;
    this.#grid = gridOfEntries(chunks);
  }

  /** Whether the indices on the way to `cell` have been read. */
  has(cell: number): boolean {
    return this.#locate(cell) !== null;
  }

  /** Whether it is known that a chunk was never written. */
  isBlank(cell: number): boolean {
    return this.#locate(cell) === undefined;
  }

  /** First byte of a chunk in its shard; −1: never written. */
  address(cell: number): number {
    return this.#known(cell)?.start ?? -1;
  }

  /** Stored bytes of a chunk. */
  size(cell: number): number {
    return this.#known(cell)?.size ?? 0;
  }

  /** The number of its shard. */
  file(cell: number): number {
    return shardOf(this.chunks, cell);
  }

  /** Reads the indices on the way to `cell`, and to some of `next`. */
  async find(cell: number, next: Iterable<number>, signal?: AbortSignal): Promise<void> {
    const cells = [cell];
    const shards = new Set([this.file(cell)]);
    let looked = 0;
    for (const other of next) {
      if (looked++ === AHEAD || shards.size === LANES) break;
      const shard = this.file(other);
      if (shards.has(shard)) continue;
      shards.add(shard);
      cells.push(other);
    }
    const [first, ...others] = cells.map((one) => this.#find(one, signal));
    await Promise.allSettled(others); // errors are reported when their chunks are needed
    await first;
  }

  /** The shard, if it is open. */
  get(file: number): ByteSource | undefined {
    return this.#open.get(file);
  }

  /** Opens a shard that exists. */
  async open(file: number, signal?: AbortSignal): Promise<ByteSource> {
    const source = await this.#shard(file, signal);
    if (source) return source;
    throw cannot("read", this.nameOf(file), "changed", "it has gone");
  }

  /** The name of a shard, for messages. */
  nameOf(shard: number): string {
    const { keyed, files } = this.chunks;
    const key = keyed && keyOf(keyed, unravel(shard, this.#grid));
    if (key !== undefined) {
      return `${keyed!.store.kind === "web" ? keyed!.store.url : `${keyed!.store.path}/`}${key}`;
    }
    return `shard ${shard} of ${this.files.get(files?.[shard] ?? 0)?.name ?? "the data set"}`;
  }

  /** Throws `changed` when a shard has changed. */
  recheck(): void {
    for (const source of this.#open.values()) source?.recheck?.();
  }

  /** Closes all shards. */
  async [Symbol.asyncDispose](): Promise<void> {
    const sources = [...this.#open.values()];
    this.#open.clear();
    for (const source of sources) await source?.[Symbol.asyncDispose]();
  }

  #known(cell: number): Range | undefined {
    const found = this.#locate(cell);
    if (found !== null) return found;
    throw new TilewiseError("corrupt", `The index of ${this.nameOf(this.file(cell))} was not read`);
  }

  /** Where a chunk lies; `undefined`: never written, `null`: not known yet. */
  #locate(cell: number): Range | undefined | null {
    const shard = this.file(cell);
    let key = String(shard), start = 0, size = -1;
    for (const place of placesIn(this.chunks, cell)) {
      if (!this.#indices.has(key)) return null;
      const index = this.#indices.get(key);
      if (!index || index[2 * place]! < 0) return undefined;
      [start, size] = [start + index[2 * place]!, index[2 * place + 1]!];
      key = `${key}/${place}`;
    }
    return { start, size };
  }

  async #find(cell: number, signal?: AbortSignal): Promise<void> {
    const shard = this.file(cell);
    const places = placesIn(this.chunks, cell);
    let key = String(shard);
    let range: Range | undefined;
    for (const [level, place] of places.entries()) {
      const index = await this.#index(key, shard, level, range, signal);
      if (!index || index[2 * place]! < 0) return;
      range = { start: (range?.start ?? 0) + index[2 * place]!, size: index[2 * place + 1]! };
      key = `${key}/${place}`;
    }
  }

  /** The index of a shard, in `range` of the outermost one; read once. */
  #index(
    key: string,
    shard: number,
    level: number,
    range: Range | undefined,
    signal?: AbortSignal,
  ): Promise<Index | undefined> | Index | undefined {
    if (this.#indices.has(key)) return this.#indices.get(key);
    let reading = this.#reading.get(key);
    if (!reading) {
      reading = this.#readIndex(shard, level, range, signal).then((index) => {
        this.#keep(key, index);
        return index;
      }).finally(() => this.#reading.delete(key));
      this.#reading.set(key, reading);
    }
    return reading;
  }

  #keep(key: string, index: Index | undefined): void {
    this.#indexBytes += index?.byteLength ?? 0;
    for (const [oldest, old] of this.#indices) {
      if (this.#indexBytes <= KEPT_BYTES || this.#indices.size < 2 * LANES * this.chunks.shards!.length) {
        break;
      }
      this.#indices.delete(oldest);
      this.#indexBytes -= old?.byteLength ?? 0;
    }
    this.#indices.set(key, index);
  }

  async #readIndex(
    shard: number,
    level: number,
    range: Range | undefined,
    signal?: AbortSignal,
  ): Promise<Index | undefined> {
    const source = await this.#shard(shard, signal);
    if (!source) return undefined;
    const within = range ?? { start: 0, size: source.size };
    const bytes = indexBytes(this.chunks, level);
    const own = this.chunks.shards![level]!;
    if (bytes > within.size) {
      throw wrong(this.nameOf(shard), `it has ${within.size} bytes, its index ${bytes}`, bytes, within.size);
    }
    const at = within.start + (own.index === "start" ? 0 : within.size - bytes);
    const stored = await readBytes(source, at, bytes, signal);
    return indexOf(
      stored,
      own,
      entriesOf(this.chunks, level),
      within.size,
      this.nameOf(shard),
      this.#mostAt(level),
    );
  }

  /** Most bytes of an entry of the index at `level`. */
  #mostAt(level: number): number {
    if (level === this.chunks.shards!.length - 1) return this.largest;
    return entriesOf(this.chunks, level + 1) * this.#mostAt(level + 1) + indexBytes(this.chunks, level + 1);
  }

  /** A shard, open; `undefined`: never written. */
  async #shard(shard: number, signal?: AbortSignal): Promise<ByteSource | undefined> {
    if (this.#open.has(shard)) return this.#open.get(shard);
    let opening = this.#opening.get(shard);
    if (!opening) {
      opening = this.#openShard(shard, signal).finally(() => this.#opening.delete(shard));
      this.#opening.set(shard, opening);
    }
    const source = await opening;
    await this.#use(shard, source);
    return source;
  }

  async #openShard(shard: number, signal?: AbortSignal): Promise<ByteSource | undefined> {
    const { keyed, addresses, sizes, files, shards } = this.chunks;
    let source: ByteSource | undefined;
    if (keyed) {
      source = await (await this.store!.open()).open(keyOf(keyed, unravel(shard, this.#grid)), signal);
    } else if (addresses[shard]! >= 0) {
      const number = files?.[shard] ?? 0;
      const file = this.files.get(number) ?? await this.files.open(number, signal);
      source = rangeOf(file, addresses[shard]!, sizes[shard]!);
    }
    const { filters } = shards![0]!;
    if (!source || filters.length === 0) return source;
    if (filters.length === 1 && filters[0]!.name === "zip-entry") {
      const plain = await storedEntry(source, signal);
      if (plain) return plain;
    }
    await using packed = source;
    const most = entriesOf(this.chunks, 0) * this.#mostAt(0) + indexBytes(this.chunks, 0);
    const { unpackWhole } = await import("./whole.ts"); // rare, and it brings the text of all kernels
    return new BytesSource(await unpackWhole(packed, filters, most, signal), packed.name);
  }

  async #use(shard: number, source: ByteSource | undefined): Promise<void> {
    this.#open.delete(shard);
    this.#open.set(shard, source);
    if (this.#open.size <= MOST_OPEN) return;
    const [oldest, old] = this.#open.entries().next().value!;
    this.#open.delete(oldest);
    try {
      old?.recheck?.();
    } finally {
      await old?.[Symbol.asyncDispose]();
    }
  }
}
