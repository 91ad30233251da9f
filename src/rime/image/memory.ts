/**
 * The memory of imaging: planes of the grid as many as fit, the image, parts of the rows and what reads them, tables, scratch.
 *
 * @module
 */

import { fftTables } from "../../kernels/families/fft_tables.ts";
import { account, fits, type Limits, type MemoryAccount, overBudget } from "../../memory/account.ts";
import { ALIGNMENT, leasedBytes, roundUp } from "../../memory/arena.ts";
import type { Leases } from "../../runner/leases.ts";
import type { Layout } from "./layout.ts";
import { RECORD, sortingBytes } from "./samples.ts";
import type { ImagingShared, PartPlace, SourcesPlace } from "./task.ts";
import { tableOf } from "./window.ts";

/** Samples of a part of the rows, unless one row has more channels. */
const PART_SAMPLES = 2 ** 15;

/** Parts per worker: so many are computed, and as many read meanwhile. */
const PARTS = 2;

/** What the memory is for. */
export interface Needs {
  /** The grid. */
  readonly layout: Layout;
  /** Type of its numbers. */
  readonly dtype: "float32" | "float64";
  /** Rows and channels. */
  readonly nrow: number;
  /** Channels. */
  readonly nchan: number;
  /** Whether there are weights. */
  readonly weights: boolean;
  /** Whether there is an image; predictions have none. */
  readonly image: boolean;
  /** Whether weights depend on those of other samples in their cell. */
  readonly byCells: boolean;
  /** Number of sources. */
  readonly sources: number;
  /** Number of workers. */
  readonly workers: number;
  /** Bytes of what is returned. */
  readonly result: number;
  /** Bytes that are held while so many rows are read. */
  reading(rows: number): number;
}

/** What fits. */
export interface Room {
  /** Planes that are in memory at the same time. */
  readonly planes: number;
  /** Parts that are in memory at the same time. */
  readonly parts: number;
  /** Rows of a part. */
  readonly partRows: number;
  /** All memory of the run. */
  readonly memory: MemoryAccount;
}

/** How much of it fits; at least one plane and one part must. */
export function roomFor(call: string, needs: Needs, limits: Limits): Room {
  const { layout, nrow, nchan, workers } = needs;
  const partRows = Math.max(1, Math.min(nrow, Math.floor(PART_SAMPLES / Math.max(1, nchan))));
  const partBytes = sum(Object.values(bytesOfPart(needs, partRows)));
  const plane = planeBytes(needs);
  const held = (planes: number, parts: number) =>
    account([
      { what: `planes of ${layout.stored[1]} × ${layout.stored[0]} cells`, each: plane, count: planes },
      { what: "samples", each: partBytes, count: parts },
      { what: "the image and tables", each: sum(Object.values(bytesOnce(needs))), count: 1 },
      { what: "scratch", each: scratchBytes(needs), count: Math.max(1, workers) },
      { what: "reading rows", each: needs.reading(partRows), count: 1, onHeap: true },
      { what: "the result", each: needs.result, count: 1, onHeap: true },
    ]);
  const least = held(1, 1);
  if (!fits(least, limits)) {
    throw overBudget(
      `${call}: cannot make the grid`,
      least,
      limits,
      "a smaller field, the precision mixed, or ",
    );
  }
  const free = Math.min(limits.arenaBudget - least.leased, limits.memory - least.total) + plane + partBytes;
  const wanted = Math.max(1, Math.min(Math.ceil(nrow / partRows), PARTS * Math.max(1, workers)));
  const passes = Math.ceil(layout.planes / Math.min(layout.planes, Math.floor((free - partBytes) / plane)));
  const planes = Math.ceil(layout.planes / passes); // more would not save a pass
  const parts = Math.max(1, Math.min(wanted, Math.floor((free - planes * plane) / partBytes)));
  return { planes, parts, partRows, memory: held(planes, parts) };
}

const sum = (bytes: readonly number[]) => bytes.reduce((all, one) => all + leasedBytes(one), 0);

/** Bytes of the arrays of a part. */
function bytesOfPart({ layout, nchan, weights }: Needs, rows: number): Record<keyof PartPlace, number> {
  const count = rows * nchan;
  return {
    uvw: 24 * rows,
    values: 16 * count,
    weights: weights ? 8 * count : 0,
    records: 8 * RECORD * count,
    ...sortingBytes(count, layout.tiles),
  };
}

/** Bytes of what exists once. */
function bytesOnce({ layout, dtype, image, byCells, sources }: Needs) {
  const { field: { pixels: [nx, ny] }, window, cells: [width, height] } = layout;
  const size = dtype === "float64" ? 8 : 4;
  return {
    image: image ? 8 * nx * ny : 0,
    density: byCells ? 8 * layout.weighed[0] * layout.weighed[1] : 0,
    window: size * tableOf(window).numbers.length,
    u: size * tableLength(width),
    v: size * tableLength(height),
    ...(sources ? bytesOfSources(layout, sources) : {}),
  };
}

/** Bytes of the arrays of sources. */
function bytesOfSources(layout: Layout, count: number): Record<keyof SourcesPlace["places"], number> {
  return { lmf: 24 * count, records: 8 * RECORD * count, ...sortingBytes(count, tilesOf(layout)) };
}

const lengths = new Map<number, number>();

/** Numbers of the table of a transform. */
function tableLength(length: number): number {
  const known = lengths.get(length) ?? fftTables(length, "float64").length;
  lengths.set(length, known);
  return known;
}

function scratchBytes({ layout: { cells, window: { support } } }: Needs): number {
  return roundUp(Math.max(64 * Math.max(...cells), 3 * 8 * (support + 3)), ALIGNMENT);
}

function planeBytes({ layout: { stored: [columns, rows] }, dtype }: Needs): number {
  return (dtype === "float64" ? 16 : 8) * columns * rows;
}

/** Tiles of pixels, by which sources are ordered. */
function tilesOf({ field: { pixels: [nx, ny] }, tile }: Layout): [number, number] {
  return [Math.ceil(nx / tile), Math.ceil(ny / tile)];
}

/** Leases all of it: where everything lies. */
export function placeImaging(
  needs: Needs,
  room: Room,
  leases: Leases,
): Pick<ImagingShared, "grid" | "image" | "density" | "tables" | "parts" | "scratch"> & {
  sources?: SourcesPlace;
} {
  const { layout, dtype, sources, workers } = needs;
  const lease = (bytes: number, label: string) => leases.lease(bytes, label).offset;
  const once = bytesOnce(needs);
  const table = (numbers: Float64Array, label: string) =>
    leases.copy(dtype === "float64" ? numbers : Float32Array.from(numbers), label).pointer;
  const [width, height] = layout.cells;
  return {
    grid: lease(room.planes * planeBytes(needs), "planes of the grid"),
    image: once.image && lease(once.image, "the image"),
    density: once.density && lease(once.density, "weights per cell"),
    tables: [
      table(tableOf(layout.window).numbers, "the window"),
      table(Float64Array.from(fftTables(width, "float64")), "transforms along u"),
      table(Float64Array.from(fftTables(height, "float64")), "transforms along v"),
    ],
    parts: Array.from(
      { length: room.parts },
      () => placed(bytesOfPart(needs, room.partRows), "samples", leases),
    ),
    scratch: leases.many(Math.max(1, workers), scratchBytes(needs), "scratch of imaging").map(({ offset }) =>
      offset
    ),
    ...(sources === 0 ? {} : {
      sources: {
        count: sources,
        tiles: tilesOf(layout),
        places: placed(bytesOfSources(layout, sources), "sources", leases),
      },
    }),
  };
}

/** Leases what has bytes; the addresses. */
function placed<K extends string>(
  bytes: Readonly<Record<K, number>>,
  label: string,
  leases: Leases,
): Record<K, number> {
  const names = Object.keys(bytes) as K[];
  const addresses = names.map((name) =>
    [name, bytes[name] && leases.lease(bytes[name], `${label}: ${name}`).offset] as const
  );
  return Object.fromEntries(addresses) as Record<K, number>;
}
