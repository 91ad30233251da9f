/**
 * Samples that the page makes on the spot, a slice of time after the other, so that it stays responsive.
 *
 * @module
 */

/// <reference lib="dom" />

import type { OpenInput } from "@tilewise/tilewise/formats";
import type { NDArray } from "@tilewise/tilewise";
import { DemoScan, samplePyramid } from "../../src/samples/mod.ts";
import { message } from "../../src/turns.ts";

/** What the page shows of a sample. */
export interface SampleFacts {
  readonly name: string;
  readonly title: string;
  readonly about: string;
}

/** How a sample is drawn. */
export interface DrawOptions {
  /** Stops it. */
  readonly signal: AbortSignal;
  /** Hears the share that is done. */
  readonly progress?: (share: number) => void;
}

/** Longest time in which the page cannot answer, in milliseconds. */
const SLICE = 12;

/** Draws a sample; the same name gives the same samples. `undefined`: there is none of that name. */
export async function drawSample(name: string, options: DrawOptions): Promise<OpenInput | undefined> {
  switch (name) {
    case "crystal":
      return await drawScan(128, options);
    case "crystal-small":
      return await drawScan(64, options);
    case "pyramid":
      return await pyramidOf(await inSlices(samplePyramid(), options), "sample.ome.tif");
    default:
      return undefined;
  }
}

async function pyramidOf(image: NDArray, name: string): Promise<File> {
  const { storedPieces } = await import("../../src/pictures/mod.ts");
  return new File(await storedPieces(image, name, "auto"), name);
}

async function drawScan(side: number, options: DrawOptions): Promise<OpenInput> {
  const scan = [64, 64] as const;
  const pixels = side * side;
  const total = scan[0] * scan[1];
  const bytes = 2 * total * pixels;
  const data = new Uint16Array(
    globalThis.crossOriginIsolated ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes),
  );
  function* steps(): Generator<number, void> {
    let n = 0;
    for (const frame of new DemoScan({ scan, side, seed: 1 }).frames()) {
      data.set(frame, n * pixels);
      yield ++n / total;
    }
  }
  await inSlices(steps(), options);
  return { data, shape: [...scan, side, side], name: "sample scan" };
}

/** Runs a generator of shares in slices; gives what it returns. */
async function inSlices<T>(steps: Generator<number, T>, { signal, progress }: DrawOptions): Promise<T> {
  let until = performance.now() + SLICE;
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() < until) continue;
    progress?.(value);
    await message();
    signal.throwIfAborted();
    until = performance.now() + SLICE;
  }
}
