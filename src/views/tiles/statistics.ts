/**
 * What views and their tiles have cost: counts, bytes and times per stage, as numbers, as text, and as a picture.
 *
 * @module
 */

import { formatBytes } from "../../space/size.ts";

/**
 * Counts and times of views that are loaded from tiles. Times are milliseconds, added up.
 * @category Views
 */
export interface LoadingStatistics {
  /** Views. */
  readonly views: {
    /** Views that have been handed over. */
    readonly delivered: number;
    /** Those of them that have been returned. */
    readonly returned: number;
    /** Views that could not be loaded. */
    readonly failed: number;
    /** Views that were cancelled before they were handed over. */
    readonly cancelled: number;
    /** Views that got the memory of a tile instead of a copy of it. */
    readonly withoutCopy: number;
  };
  /** Tiles. */
  readonly tiles: {
    /** How often a view found a tile in the cache. */
    readonly hits: number;
    /** How often it did not. */
    readonly misses: number;
    /** Misses for which the tile was being loaded already. */
    readonly joined: number;
    /** Tiles that have been loaded. */
    readonly loads: number;
    /** Loads that were tried again after an error. */
    readonly retried: number;
    /** Tiles that could not be loaded. */
    readonly failed: number;
    /** Tiles that had to leave the cache for others. */
    readonly evictions: number;
  };
  /** Bytes. */
  readonly bytes: {
    /** Bytes of the tiles that have been loaded. */
    readonly loaded: number;
    /** Bytes that were copied from tiles to views. */
    readonly copied: number;
  };
  /** Milliseconds. */
  readonly time: {
    /** Loading of tiles, added over all workers. */
    readonly loading: number;
    /** Copies from tiles to views. */
    readonly copying: number;
    /** From the place that a view gets to its last sample, added over all views. */
    readonly total: number;
  };
  /** How many wait or are in progress now. */
  readonly now: Readonly<Record<Stage, number>>;
  /** The most of each at one time. */
  readonly most: Readonly<Record<Stage, number>>;
}

/**
 * A queue of the pipeline: requests that are known, views that are being put together, tiles that are being loaded, views
 * that wait for the caller, views that the caller holds.
 * @category Views
 */
export type Stage = "requested" | "loading" | "tiles" | "ready" | "held";

/** Statistics that are being counted. */
export type Counting = {
  -readonly [K in keyof LoadingStatistics]: { -readonly [N in keyof LoadingStatistics[K]]: number };
};

/** All zero. */
export function noStatistics(): Counting {
  const stages = () => ({ requested: 0, loading: 0, tiles: 0, ready: 0, held: 0 });
  return {
    views: { delivered: 0, returned: 0, failed: 0, cancelled: 0, withoutCopy: 0 },
    tiles: { hits: 0, misses: 0, joined: 0, loads: 0, retried: 0, failed: 0, evictions: 0 },
    bytes: { loaded: 0, copied: 0 },
    time: { loading: 0, copying: 0, total: 0 },
    now: stages(),
    most: stages(),
  };
}

/** The pipeline as text, one line per stage. */
export function pictureOf({ views, tiles, bytes, time, now, most }: LoadingStatistics): string {
  const asked = tiles.hits + tiles.misses;
  const rate = asked === 0 ? "" : `, ${percent(tiles.misses / asked)} missed`;
  const queue = (stage: Stage) => `${now[stage]} now, ${most[stage]} at most`;
  const perTile = tiles.loads === 0 ? "" : `, ${(time.loading / tiles.loads).toFixed(2)} ms each`;
  return [
    `requests       ${queue("requested")} known`,
    `      ↓        views in progress: ${queue("loading")}`,
    `tile cache     ${tiles.hits} hits, ${tiles.misses} misses${rate}, ${tiles.evictions} evicted`,
    `      ↓        tiles in progress: ${queue("tiles")}`,
    `tile loader    ${tiles.loads} loads${perTile}, ${
      formatBytes(bytes.loaded)
    }, ${tiles.retried} retried, ${tiles.failed} failed`,
    `      ↓        `,
    `copy to views  ${formatBytes(bytes.copied)} in ${
      time.copying.toFixed(1)
    } ms, ${views.withoutCopy} views without a copy`,
    `      ↓        ready: ${queue("ready")}`,
    `views          ${views.delivered} delivered, ${views.failed} failed, ${views.cancelled} cancelled; held: ${
      queue("held")
    }`,
  ].map((line) => line.trimEnd()).join("\n");
}

/** The pipeline as a Mermaid diagram. */
export function diagramOf({ views, tiles, bytes, time, most }: LoadingStatistics): string {
  return [
    "flowchart LR",
    `  requests["requests<br>${most.requested} known at most"] --> cache`,
    `  cache["tile cache<br>${tiles.hits} hits, ${tiles.misses} misses, ${tiles.evictions} evicted"] --> copy`,
    `  cache -- "${most.tiles} at most" --> loader["tile loader<br>${tiles.loads} loads, ${
      formatBytes(bytes.loaded)
    }<br>${time.loading.toFixed(0)} ms"]`,
    `  loader --> copy["copy to views<br>${formatBytes(bytes.copied)}<br>${time.copying.toFixed(0)} ms"]`,
    `  copy -- "${most.ready} ready at most" --> views["views<br>${views.delivered} delivered, ${views.failed} failed"]`,
  ].join("\n");
}

function percent(part: number): string {
  return `${(100 * part).toFixed(1)} %`;
}
