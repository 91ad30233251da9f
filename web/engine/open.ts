/**
 * Opens a source for the page.
 *
 * @module
 */

import type { Dataset } from "@tilewise/tilewise";
import { openAll, type OpenInput, type OpenOptions } from "@tilewise/tilewise/formats";
import { mainOf } from "./main_array.ts";
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
  const uv = options.array === undefined ? await uvOf(input, all, signal) : undefined;
  return uv ? new Opened(uv, [uv, ...all], settings) : new Opened(mainOf(all), all, settings);
}

/** The image that {@link openSession} shows first, without a session: nothing of it is kept. */
export async function mainImage(
  input: OpenInput,
  options: OpenOptions,
  signal: AbortSignal,
): Promise<Dataset> {
  const all = await openAll(input, { ...options, signal });
  return await uvOf(input, all, signal) ?? mainOf(all);
}

/** The image of the baselines of a Measurement Set; its code is loaded for one only. */
async function uvOf(input: OpenInput, all: readonly Dataset[], signal: AbortSignal | undefined) {
  if (!all.some(({ array }) => array === "UVW")) return undefined;
  return await (await import("./uv_coverage.ts")).uvImage(input, all, signal);
}

/** How many images there are, however they are placed on a scan. */
export async function imagesIn(input: OpenInput, options: OpenOptions, signal: AbortSignal): Promise<number> {
  return mainOf(await openAll(input, { ...options, signal })).images;
}
