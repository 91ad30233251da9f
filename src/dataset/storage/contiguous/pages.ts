/**
 * Decides whether workers map files, so that kernels read samples where they lie. Loaded where a context asks for it.
 *
 * @module
 */

import { whyNoPages, Windows } from "../../../io/map/windows.ts";
import { formatBytes } from "../../../space/size.ts";
import { type FrameLayout, isStoredAs } from "../../layout/layout.ts";

/** Over how many bytes workers can map files. */
export interface Pages {
  /** Bytes of the window of each worker, if there is memory for it; 0: there is none. */
  readonly window: number;
  /** Why files are read, if they are. */
  readonly why: string;
  /** Leases the windows of so many workers; `undefined`: files are read. */
  lease(run: Parameters<typeof Windows.in>[0], workers: number): Windows | undefined;
  /** The line of `explain()`, for a run with or without windows. */
  line(mapped: boolean): string;
}

/** Bytes of a worker: few calls of the system, and few pages that are mapped at the same time. */
const WINDOW = 16 * 2 ** 20;

/** What else decides. */
interface Reading {
  /** Whether frames are read with all their samples. */
  readonly dense: boolean;
  /** Whether each worker has its own memory. */
  readonly ownMemory: boolean;
}

/** Whether frames of `layout` can be mapped. */
export function pagesOf(layout: FrameLayout, reading: Reading): Pages {
  const against = reasonAgainst(layout, reading);
  const why = against ?? "there is no memory for windows";
  return {
    window: against === undefined ? WINDOW : 0,
    why,
    lease: (run, workers) => Windows.in(run, workers, WINDOW),
    line: (mapped) => `pages      ${mapped ? MAPPED : `not mapped, but read: ${why}`}`,
  };
}

const MAPPED = `mapped, ${formatBytes(WINDOW)} per worker at a time: tiles are not copied`;

function reasonAgainst(layout: FrameLayout, { dense, ownMemory }: Reading): string | undefined {
  if (ownMemory) return "workers have memory of their own";
  if (!dense || !isStoredAs(layout, "contiguous")) {
    return "frames are put together from what is stored";
  }
  const isElsewhere = layout.files.some(({ source }) => source.kind !== "file");
  return isElsewhere ? "only files on this machine can be mapped" : whyNoPages();
}
