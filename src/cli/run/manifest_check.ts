/**
 * The fields of the manifest of a run.
 *
 * @module
 */

import type { RunManifest } from "../../udf/results/manifest.ts";
import {
  anything,
  type Check,
  command,
  count,
  digest,
  fields,
  inputs,
  list,
  mustHaveFields,
  name,
  optional,
  result,
  rule,
  shape,
  text,
  time,
  whole,
} from "../manifests/fields.ts";

const origin = { module: optional(name), export: optional(name), sha256: optional(digest) };

/** Every field of a manifest. */
const MANIFEST: { readonly [K in keyof Required<RunManifest>]: Check } = {
  manifest: rule("tilewise-run-1", (value) => value === "tilewise-run-1"),
  version: name,
  kernels: digest,
  created: time,
  inputs,
  dataset: fields({
    source: text,
    format: name,
    navShape: shape,
    sigShape: shape,
    dtype: name,
    syncOffset: whole,
  }),
  udfs: list(
    fields({ key: name, name: text, ...origin, params: anything, derived: optional(fields(origin)) }),
  ),
  roi: optional(fields({ selected: count, sha256: digest })),
  corrections: anything,
  plan: fields({
    tileShape: shape,
    partitions: count,
    workers: count,
    bytesToRead: count,
    peakBytes: count,
  }),
  results: list(fields({ udf: name, ...result })),
  command: optional(command),
  partial: optional(fields({ frames: count, framesTotal: count, damage: list(list(count)) })),
};

/** Throws `malformed` for the first field of a manifest that is not what it must be. */
export function checkManifest(path: string, manifest: unknown): asserts manifest is RunManifest {
  mustHaveFields(path, manifest, MANIFEST);
}
