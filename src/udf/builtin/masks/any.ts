/**
 * The UDF behind `applyMasks`, for masks of all kinds.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { checkOptionNames } from "../../../options.ts";
import { importExport } from "../../../runner/import_export.ts";
import type { Udf } from "../../interface/udf.ts";
import type { Mask } from "./mask.ts";
import { MASK_OPTIONS, type MaskOptions } from "./options.ts";
import { leastOfMasks } from "./least.ts";
import type { MaskFunction, MaskFunctions, MaskMakers } from "./makers.ts";
import { SHIFTING } from "./shifts.ts";
import { type MaskParts, type MaskTypes, maskUdf } from "./udf.ts";
import { functionKey, weightsInSteps } from "./weights.ts";

/** Makes masks of all kinds. */
export const ANY_MASKS: MaskMakers = {
  binary: false,
  weights: weightsInSteps,
  least: leastOfMasks,
  shifting: SHIFTING,
};

/** The UDF behind `applyMasks`. */
export async function applyMasksUdf(options: MaskOptions): Promise<Udf<MaskTypes, MaskParts>> {
  checkOptionNames("applyMasks()", options, MASK_OPTIONS);
  const { masks } = options;
  if (!Array.isArray(masks) || masks.length === 0) {
    throw new TilewiseError("invalid", "Cannot apply masks: give at least one", { option: "masks" });
  }
  const functions = await importFunctions(masks);
  return maskUdf({ name: "apply_masks", options, masks: () => masks, functions, makers: ANY_MASKS });
}

/** The mask functions that modules export, for the masks that name one. */
async function importFunctions(masks: readonly Mask[]): Promise<MaskFunctions> {
  const found = masks.filter((mask) => "module" in mask);
  const entries = found.map(async (mask) => {
    const value = await importExport(mask.module, mask.export ?? "default", "mask function");
    if (typeof value === "function") return [functionKey(mask), value as MaskFunction] as const;
    const text = `Cannot use ${functionKey(mask)} for masks: it is no function (shape, params) => masks`;
    throw new TilewiseError("invalid", text, { option: "masks", found: typeof value });
  });
  return new Map(await Promise.all(entries));
}
