/**
 * The table of readers: the module of a kind is loaded when frames of that kind are first read.
 *
 * @module
 */

import type { FrameLayout } from "../layout/layout.ts";
import type { Storage } from "../layout/storage.ts";
import type { MakeReader } from "./common/block_reader.ts";

const READERS: {
  readonly [K in Storage["kind"]]: (storage: Extract<Storage, { readonly kind: K }>) => Promise<
    { readonly makeReader: MakeReader<Extract<Storage, { readonly kind: K }>> }
  >;
} = {
  "contiguous": ({ codec }) =>
    codec ? import("./contiguous/encoded_reader.ts") : import("./contiguous/reader.ts"),
  "scan-first": () => import("./scan_first/reader.ts"),
  "chunks": () => import("./chunks/reader.ts"),
  virtual: () => import("./virtual/reader.ts"),
  "sectors": () => import("./sectors/reader.ts"),
  "sparse": () => import("./sparse/reader.ts"),
};

/** What makes readers of the frames of `layout`. */
export async function readerOf<S extends Storage>({ storage }: FrameLayout<S>): Promise<MakeReader<S>> {
  const { makeReader } = await READERS[storage.kind](storage as never);
  return makeReader as unknown as MakeReader<S>; // the table has the reader of each tag
}
