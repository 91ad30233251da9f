/**
 * Samples in memory of one thread, which must be copied for workers.
 *
 * @module
 */

import type { BytesSpec, SourceSpec } from "../../io/source/source.ts";
import { ALIGNMENT, roundUp } from "../../memory/arena.ts";
import type { FrameLayout } from "../layout/layout.ts";
import { kindOf, ownSources } from "./kinds.ts";

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
