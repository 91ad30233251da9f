/**
 * Small stores for tests of single cases.
 *
 * @module
 */

import { readBox } from "../../../src/cli/inputs/frames.ts";
import { type OpenInput, type OpenOptions, openStored as open } from "../../../src/formats/open.ts";
import { wholeBox } from "../../../src/space/box.ts";
import { type RangeServer, rightAnswer, serve } from "../../io/range_server.ts";
import { type ArraySpec, type Entries, flatOf, writeArray } from "./writer.ts";

/** An array of bytes 0, 1, 2 … of 6 × 8 in chunks of 2 × 4, in version 3, with changes. */
export function smallStore(changes: Partial<ArraySpec> = {}, entries: Entries = new Map()): Entries {
  const spec: ArraySpec = {
    version: 3,
    path: "",
    shape: [6, 8],
    chunk: [2, 4],
    dtype: "uint8",
    isBig: false,
    codecs: [],
    shards: [],
    separator: "/",
    fill: 9,
    missing: () => false,
    ...changes,
  };
  writeArray(entries, spec, (at) => Uint8Array.of(flatOf(at, [8, 8].slice(0, at.length)) & 255));
  return entries;
}

/** One shard of all chunks. */
export const ONE_SHARD: Partial<ArraySpec> = {
  chunk: [6, 8],
  shards: [{ chunk: [2, 4], index: "end", bigIndex: false, checked: false }],
};

/** All samples. */
export async function samplesOf(source: OpenInput, options: OpenOptions = {}): Promise<number[]> {
  const dataset = await open(source, options);
  const { data } = await readBox(dataset, wholeBox(dataset.shape));
  return Array.from(data as Uint8Array);
}

/** 0, 1, 2 … 47. */
export const ALL: readonly number[] = Array.from({ length: 48 }, (_, i) => i);

/** Serves a store below `/store.zarr/`; `status` is the answer for what is missing. */
export function serving(entries: Entries, status = 404): RangeServer {
  return serve((question) => {
    const bytes = entries.get(
      decodeURIComponent(question.path.replace(/\?.*$/, "")).replace(/^\/store\.zarr\//, ""),
    );
    return bytes ? rightAnswer(bytes, question) : { status, body: new Uint8Array() };
  });
}

/** The document under `key`, changed. */
export function edited(
  entries: Entries,
  key: string,
  change: (json: Record<string, unknown>) => void,
): Entries {
  const found = JSON.parse(new TextDecoder().decode(entries.get(key)!));
  change(found);
  return new Map(entries).set(key, new TextEncoder().encode(JSON.stringify(found)));
}
