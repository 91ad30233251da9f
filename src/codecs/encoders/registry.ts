/**
 * The registry of encoders, by name.
 *
 * @module
 */

import type { Encode, EncoderStep } from "./encoder.ts";

/** All encoders. */
export const ENCODERS: Readonly<Record<string, () => Promise<Encode>>> = {
  "deflate": async () => (await import("./packed.ts")).deflate,
  "gzip": async () => (await import("./packed.ts")).gzip,
  "Zstandard": async () => (await import("./packed.ts")).zstd,
  "Blosc": async () => (await import("./packed.ts")).blosc,
  "packbits": async () => (await import("./runs.ts")).packbits,
  "lzw": async () => (await import("./runs.ts")).lzw,
  "predictor-2": async () => (await import("./predictors.ts")).differences,
  "predictor-3": async () => (await import("./predictors.ts")).floatDifferences,
};

/** Encodes bytes, which it may change. */
export type EncodeAll = (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array<ArrayBuffer>>;

/** All of `steps`, which must be known, one after another. */
export async function encoderOf(steps: readonly EncoderStep[]): Promise<EncodeAll> {
  const all = await Promise.all(steps.map(async ({ name, values }) => {
    const encode = await ENCODERS[name]!();
    return (bytes: Uint8Array<ArrayBuffer>) => encode(bytes, values);
  }));
  return async (bytes) => {
    let now = bytes;
    for (const step of all) now = await step(now);
    return now;
  };
}
