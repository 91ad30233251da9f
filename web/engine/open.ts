/**
 * Opens a source for the page.
 *
 * @module
 */

import { type Dataset, TilewiseError } from "@tilewise/tilewise";
import { openAll, type OpenInput, type OpenOptions } from "@tilewise/tilewise/formats";
import { Opened, type SessionSettings } from "./opened.ts";
import type { Session } from "./session.ts";

/**
 * Opens `input` and chooses its largest array, or the one that the options name. Its samples are kept in memory if they fit.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const data = Uint16Array.of(1, 2, 3, 4);
 * const session = await openSession({ data, shape: [2, 1, 1, 2] }, {});
 * const answer = await new Promise((resolve) =>
 *   session.ask({ analysis: { name: "sum_pixels", values: {} } }, (part) => part.state === "done" && resolve(part.results[0]!.array))
 * );
 * assertEquals([...(answer as { data: Float64Array }).data], [3, 7]);
 * await session.close();
 * ```
 */
export async function openSession(
  input: OpenInput,
  options: OpenOptions,
  signal?: AbortSignal,
  settings: SessionSettings = {},
): Promise<Session> {
  const all = await openAll(input, { ...options, ...(signal ? { signal } : {}) });
  return new Opened(chosenOf(all), all, settings);
}

/** How many images there are, however they are placed on a scan. */
export async function imagesIn(input: OpenInput, options: OpenOptions, signal: AbortSignal): Promise<number> {
  return chosenOf(await openAll(input, { ...options, signal })).images;
}

function chosenOf(all: readonly Dataset[]): Dataset {
  const datasets = all.filter(({ auxiliary }) => !auxiliary);
  const dataset = largest(datasets.length > 0 ? datasets : all);
  if (!dataset) throw new TilewiseError("unsupported", "There is no array of numbers in this source");
  return dataset;
}

function largest(datasets: readonly Dataset[]): Dataset | undefined {
  return datasets.reduce<Dataset | undefined>(
    (best, one) => best && best.byteLength >= one.byteLength ? best : one,
    undefined,
  );
}
