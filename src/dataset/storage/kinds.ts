/**
 * The table of storage kinds, for planners. Readers are in `reader.ts`, so that workers load only the one they need.
 *
 * Frames that follow each other are always known. The facts about another kind are loaded when a data set of that kind is
 * opened or a run is planned, see {@link loadKinds}; from then on all code may ask for them at once. Code that cannot wait
 * imports `all_kinds.ts`.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { type BytesSpec, ownSpecs, type SourceSpec } from "../../io/source/source.ts";
import { loadPacks } from "../../kernels/code.ts";
import { inOrder, packsOf } from "../../kernels/pack_names.ts";
import type { Pack } from "../../kernels/families/packs.ts";
import { ALIGNMENT, roundUp } from "../../memory/arena.ts";
import { type Box, wholeBox } from "../../space/box.ts";
import type { FrameLayout } from "../layout/layout.ts";
import type { Storage } from "../layout/storage.ts";
import type { BlockSize, StorageKind } from "./common/kind.ts";
import { CONTIGUOUS } from "./contiguous/kind.ts";

type Kind = Storage["kind"];

/** The facts about kinds of storage, by their tags. */
type Kinds = { readonly [K in Kind]: StorageKind<Extract<Storage, { readonly kind: K }>> };

const KINDS: { readonly [K in Kind]: () => Promise<Kinds[K]> } = {
  "contiguous": () => Promise.resolve(CONTIGUOUS),
  "scan-first": async () => (await import("./scan_first/kind.ts")).SCAN_FIRST,
  "chunks": async () => (await import("./chunks/kind.ts")).CHUNKS,
  virtual: async () => (await import("./virtual/kind.ts")).VIRTUAL,
  "sectors": async () => (await import("./sectors/kind.ts")).SECTORS_KIND,
  "sparse": async () => (await import("./sparse/kind.ts")).SPARSE,
};

/** The facts that have been loaded. */
const loaded = new Map<Kind, unknown>([["contiguous", CONTIGUOUS]]);

/** Makes the facts about some kinds known. */
export function knowKinds(kinds: Partial<Kinds>): void {
  for (const [kind, facts] of Object.entries(kinds)) loaded.set(kind as Kind, facts);
}

/** Loads the facts about the storage kinds of `layouts`; without layouts, about all kinds. */
export async function loadKinds(layouts?: readonly FrameLayout[]): Promise<void> {
  const kinds = layouts ? layouts.map(({ storage }) => storage.kind) : Object.keys(KINDS) as Kind[];
  const missing = [...new Set(kinds)].filter((kind) => !loaded.has(kind));
  await Promise.all(missing.map(async (kind) => loaded.set(kind, await KINDS[kind]())));
}

/** The facts about the storage kind of `layout`, which has been loaded when its data set was opened. */
export function kindOf<S extends Storage>({ storage }: FrameLayout<S>): StorageKind<S> {
  const found = loaded.get(storage.kind);
  if (found) return found as StorageKind<S>; // the table has the kind of each tag
  const text = `The facts about frames stored as "${storage.kind}" have not been loaded`;
  throw new TilewiseError("corrupt", text, { found: storage.kind });
}

/** Bytes of a slab that a reader of so many frames takes, or of a part of them. */
export function readerBytes(
  layout: FrameLayout,
  frames: number,
  box?: Box,
  more: Pick<BlockSize, "entries" | "inOrder" | "lean"> = {},
): number {
  const size = { frames, box: box ?? wholeBox(layout.sigShape), ...more };
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

/** The packs for readers of these frames: `core`, and what undoes their storage. */
export function readingPacks(...layouts: readonly FrameLayout[]): Pack[] {
  return inOrder(["core", ...layouts.flatMap((layout) => packsOf(kindOf(layout).kernels(layout)))]);
}

/** Loads them, so that this thread can read. */
export async function loadReading(...layouts: readonly FrameLayout[]): Promise<void> {
  await loadKinds(layouts);
  await loadPacks(readingPacks(...layouts));
}

/** Whether the bytes of a source are in memory that other threads do not see. */
function isPrivate(spec: SourceSpec): spec is BytesSpec {
  return spec.kind === "bytes" && typeof SharedArrayBuffer !== "undefined" &&
    !(spec.bytes.buffer instanceof SharedArrayBuffer);
}

/** Bytes of the samples of a layout that workers need a copy of, as pieces of an arena. */
export function privateBytes(layout: FrameLayout): number {
  const specs = [...layout.files.map(({ source }) => source), ...ownSources(layout)];
  return specs.filter(isPrivate).reduce((sum, { bytes }) => sum + roundUp(bytes.byteLength, ALIGNMENT), 0);
}

/** The layout with those samples where `share` has put a copy of them. */
export function withShared(layout: FrameLayout, share: (bytes: Uint8Array) => Uint8Array): FrameLayout {
  if (privateBytes(layout) === 0) return layout;
  const shared = (spec: SourceSpec): SourceSpec =>
    isPrivate(spec) ? { ...spec, bytes: share(spec.bytes) } : spec;
  return {
    ...layout,
    files: layout.files.map((file) => ({ ...file, source: shared(file.source) })),
    storage: kindOf(layout).mapSources(layout.storage, shared),
  };
}
