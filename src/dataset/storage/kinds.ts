/**
 * The table of storage kinds, for planners. Readers are in `readers.ts`, so that workers load only the one they need.
 *
 * @module
 */

import { ownSpecs, type SourceSpec } from "../../io/source/source.ts";
import { ALIGNMENT, roundUp } from "../../memory/arena.ts";
import { type Box, wholeBox } from "../../space/box.ts";
import type { FrameLayout } from "../layout/layout.ts";
import type { Storage } from "../layout/storage.ts";
import { CHUNKS } from "./chunks/kind.ts";
import type { StorageKind } from "./common/kind.ts";
import { CONTIGUOUS } from "./contiguous/kind.ts";
import { PIECES } from "./pieces/kind.ts";
import { SCAN_FIRST } from "./scan_first/kind.ts";
import { SECTORS_KIND } from "./sectors/kind.ts";
import { SPARSE } from "./sparse/kind.ts";

const KINDS: {
  readonly [K in Storage["kind"]]: StorageKind<Extract<Storage, { readonly kind: K }>>;
} = {
  "contiguous": CONTIGUOUS,
  "scan-first": SCAN_FIRST,
  "chunks": CHUNKS,
  "pieces": PIECES,
  "sectors": SECTORS_KIND,
  "sparse": SPARSE,
};

/** The facts about the storage kind of `layout`. */
export function kindOf<S extends Storage>({ storage }: FrameLayout<S>): StorageKind<S> {
  return KINDS[storage.kind] as unknown as StorageKind<S>; // the table has the kind of each tag
}

/** Bytes of a slab that a reader of so many frames takes, or of a part of them. */
export function readerBytes(layout: FrameLayout, frames: number, box?: Box, entries?: number): number {
  const size = {
    frames,
    box: box ?? wholeBox(layout.sigShape),
    ...(entries === undefined ? {} : { entries }),
  };
  return kindOf(layout).buffers(layout, size).reduce((sum, bytes) => sum + roundUp(bytes, ALIGNMENT), 0);
}

/** The sources that the storage names itself, beside the files of the layout. */
export function ownSources(layout: FrameLayout): SourceSpec[] {
  const found: SourceSpec[] = [];
  kindOf(layout).mapSources(layout.storage, (source) => {
    found.push(...ownSpecs(source));
    return source;
  });
  return found;
}
