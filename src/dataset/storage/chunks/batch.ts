/**
 * Stored chunks from sources with a long latency: HTTP, blobs. Of the chunks that will be needed, as many as fit a buffer
 * are fetched together: those that lie close to each other with one request, several requests at the same time.
 *
 * @module
 */

import { groupBy } from "../../../portable.ts";
import { type ByteRange, coalesce } from "../../../io/coalesce.ts";
import { type ByteSource, ownSpecs } from "../../../io/source/source.ts";
import type { ChunkLayout } from "../../layout/chunks.ts";
import type { FileSpan } from "../../layout/layout.ts";
import type { Fetcher, OpenByNumber, Places, Stored } from "./window.ts";

/** Bytes per batch, unless one chunk is larger. */
const BATCH_BYTES = 4 * 2 ** 20;
/** Bytes of one request, unless one chunk is larger. */
const REQUEST_BYTES = 2 ** 20;
/**
 * Gaps between two chunks of at most this many bytes are read instead of skipped: they arrive in the time of a request. Fewer if
 * more than three quarters of many bytes would be read for nothing.
 */
const GAPS = [64 * 1024, 4096, 0];
const MOST_WASTE = 4;
/** Requests at the same time. */
const LANES = 8;
/** Files of one batch: far fewer than are kept open. */
const MOST_FILES = 8;

/** Whether reads of these files have such a long latency that they should be made together. */
export function isFar(files: readonly FileSpan[], { keyed }: Pick<ChunkLayout, "keyed">): boolean {
  if (keyed) return keyed.store.kind === "web";
  return files.some(({ source }) => ownSpecs(source).some(({ kind }) => kind === "http" || kind === "blob"));
}

/** Bytes of the buffer for chunks of up to `largest` stored bytes, one of `share` that are used in turn. */
export function batchBytes(
  { all, count }: Pick<Places, "all" | "count">,
  largest: number,
  share: number,
): number {
  const most = Math.max(REQUEST_BYTES, Math.floor(BATCH_BYTES / share));
  return Math.max(largest, Math.min(most, all + count * GAPS[0]!));
}

/** A range of a file with chunks that are needed. */
interface ChunkRequest extends ByteRange {
  readonly source: ByteSource;
  readonly cells: readonly number[];
  /** When the first of them is needed. */
  readonly rank: number;
}

/** A request, and the place for its bytes. */
interface Request extends ByteRange {
  /** Address of its first byte in memory. */
  readonly to: number;
  /** Done when the bytes are there. */
  readonly arrival: Promise<void>;
}

/** The chunks that were fetched last. */
export class ChunkBatch implements Fetcher {
  readonly #requests = new Map<number, Request>();
  #arrivals: readonly Promise<void>[] = [];

  /** Fetches chunks at `places` to the `bytes` bytes at `address` of `memory`. */
  constructor(
    private readonly places: Places,
    private readonly files: OpenByNumber,
    private readonly memory: WebAssembly.Memory,
    private readonly address: number,
    private readonly bytes: number,
  ) {}

  /** The stored bytes of `cell`; valid until the next call. `next`: chunks that will be needed after it, in order. */
  async fetch(cell: number, next: () => Iterable<number>, signal?: AbortSignal): Promise<Stored> {
    const { places } = this;
    if (!places.has(cell)) await places.find(cell, next(), signal);
    if (places.address(cell) < 0) return undefined;
    if (!this.#requests.has(cell)) await this.#begin(this.#choose(cell, next()), signal);
    const { start, to, arrival } = this.#requests.get(cell)!;
    await arrival;
    const at = to + places.address(cell) - start;
    return new Uint8Array(this.memory.buffer, at, places.size(cell));
  }

  /** Resolves when all requests have ended, also failed ones: nothing writes to the memory any more. */
  async settled(): Promise<void> {
    const results = await Promise.allSettled(this.#arrivals);
    if (results.some(({ status }) => status === "rejected")) this.#requests.clear(); // so that they are requested again
    this.#arrivals = [];
  }

  /** The chunks that fit into the buffer, beginning with `cell`. */
  #choose(cell: number, next: Iterable<number>): number[] {
    const { places } = this;
    const cells = [cell];
    const numbers = new Set([places.file(cell)]);
    let left = this.bytes - places.size(cell);
    for (const other of next) {
      if (!places.has(other)) break;
      if (places.address(other) < 0) continue;
      left -= places.size(other);
      numbers.add(places.file(other));
      if (left < 0 || numbers.size > MOST_FILES) break;
      cells.push(other);
    }
    return cells;
  }

  /** Starts the requests for `cells`, the one with the first of them first. */
  async #begin(cells: readonly number[], signal?: AbortSignal): Promise<void> {
    await this.settled();
    this.#requests.clear();
    const arrivals: Promise<void>[] = [];
    let to = this.address;
    for (const { source, start, stop, cells: inside } of await this.#ordered(cells, signal)) {
      const into = new Uint8Array(this.memory.buffer, to, stop - start);
      const before = arrivals[arrivals.length - LANES] ?? Promise.resolve();
      const arrival = before.then(() => source.readInto(into, start, signal));
      arrival.catch(() => {}); // reported when one of its chunks is needed
      arrivals.push(arrival);
      for (const cell of inside) this.#requests.set(cell, { start, stop, to, arrival });
      to += stop - start;
    }
    this.#arrivals = arrivals;
  }

  /** The requests: ranges with `cells`, joined where this is faster, and as many as fit. */
  async #ordered(cells: readonly number[], signal?: AbortSignal): Promise<ChunkRequest[]> {
    const { places } = this;
    const byFile = groupBy(cells, (cell) => places.file(cell));
    const sources = new Map<number, ByteSource>();
    for (const file of byFile.keys()) {
      sources.set(file, this.files.get(file) ?? await this.files.open(file, signal));
    }
    for (const gap of GAPS) {
      const all = [...byFile].flatMap(([file, own]) => this.#joined(sources.get(file)!, own, cells, gap));
      const { chosen, bytes, first } = fitting(all.sort((a, b) => a.rank - b.rank), this.bytes);
      const useful = cells.slice(0, first).reduce((sum, cell) => sum + places.size(cell), 0);
      if (gap === 0 || bytes <= Math.max(REQUEST_BYTES, useful * MOST_WASTE)) return chosen;
    }
    return [];
  }

  #joined(source: ByteSource, own: readonly number[], cells: readonly number[], gap: number): ChunkRequest[] {
    const { places } = this;
    const rank = new Map(cells.map((cell, i) => [cell, i]));
    const ranges = own.map((cell) => {
      const start = places.address(cell);
      return { start, stop: start + places.size(cell) };
    });
    const max = Math.min(REQUEST_BYTES, this.bytes);
    return coalesce(ranges, { gap, max }).map(({ start, stop, members }) => {
      const inside = members.map(({ index }) => own[index]!);
      const first = inside.reduce((least, cell) => Math.min(least, rank.get(cell)!), Infinity);
      return { source, start, stop, cells: inside, rank: first };
    });
  }
}

/** Those of `all` that fit into `room` bytes together, and the first chunk that is left out. */
function fitting(
  all: readonly ChunkRequest[],
  room: number,
): { chosen: ChunkRequest[]; bytes: number; first: number } {
  const chosen: ChunkRequest[] = [];
  let bytes = 0, first = Infinity;
  for (const request of all) {
    const length = request.stop - request.start;
    if (bytes + length <= room) {
      chosen.push(request);
      bytes += length;
    } else first = Math.min(first, request.rank);
  }
  return { chosen, bytes, first };
}
