/**
 * The packs of kernels that reading frames needs.
 *
 * @module
 */

import { loadPacks } from "../../kernels/code.ts";
import type { Pack } from "../../kernels/table/common/packs.ts";
import { inOrder, packsOf } from "../../kernels/pack_names.ts";
import type { FrameLayout } from "../layout/layout.ts";
import { kindOf, loadKinds } from "./kinds.ts";

/** The packs for readers of these frames: `core`, and what undoes their storage. */
export function readingPacks(...layouts: readonly FrameLayout[]): Pack[] {
  return inOrder(["core", ...layouts.flatMap((layout) => packsOf(kindOf(layout).kernels(layout)))]);
}

/** Loads them, so that this thread can read. */
export async function loadReading(...layouts: readonly FrameLayout[]): Promise<void> {
  await loadKinds(layouts);
  await loadPacks(readingPacks(...layouts));
}
