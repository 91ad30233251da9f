/**
 * Views: tiles of a large image with a halo of any radius, and filters over them.
 *
 * @example The corner of an image, its edge repeated
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { arrayOf, planViews, ViewReader } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 *
 * const bytes = Uint8Array.of(1, 2, 3, 4, 5, 6);
 * const image = await open(bytes, { format: "raw", dtype: "uint8", nav: [], sig: [2, 3] });
 * await using context = createContext({ memory: "1MiB", workers: 0 });
 * const plan = planViews(arrayOf(image), { tile: [1, 2], radius: 1, border: "edge", context });
 * await using views = await ViewReader.open(plan);
 * using view = await views.read([0, 0]);
 * assertEquals(view.data, Uint8Array.of(1, 1, 2, 3, 1, 1, 2, 3, 4, 4, 5, 6));
 * ```
 *
 * @module
 */

export * from "../space/border.ts";
export { type Box, box } from "../space/box.ts";
export type { NDArray } from "../space/ndarray.ts";
export { type Grid, gridOf, tileBox, tileBoxes } from "../space/grid.ts";
export { type ArrayFacts, arrayOf, type ArraySpec, type FrameArray, type PlainArray } from "./array.ts";
export { type BoxFilterOptions, type FilterMemory, type FilterPlan, planBoxFilter } from "./filter_plan.ts";
export { type ViewGeometry, viewGeometry, viewShape } from "./geometry.ts";
export { type Band, boxFilter, type FilterRunOptions } from "./map.ts";
export { planViews, type ViewLayout, type ViewOptions, type ViewPlan } from "./plan.ts";
export { View, ViewReader, type ViewReaderOptions } from "./view.ts";
export type { FilterRun } from "./whole.ts";
