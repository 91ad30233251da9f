/**
 * The table of operations over views. An operation is loaded when it is first used, on the thread that uses it.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { OperationName } from "./names.ts";
import type { OperationEntry } from "./operation.ts";

/** Every operation by its name. */
export const OPERATIONS: Readonly<Record<OperationName, () => Promise<OperationEntry>>> = {
  boxMean: async () => (await import("./box_mean.ts")).BOX_MEAN,
  localMinimum: async () => (await import("./local_extremes.ts")).LOCAL_MINIMUM,
  localMaximum: async () => (await import("./local_extremes.ts")).LOCAL_MAXIMUM,
  viewFunction: async () => (await import("./view_function.ts")).VIEW_FUNCTION,
};

/** The operation with this name. */
export async function operationNamed(name: OperationName): Promise<OperationEntry> {
  if (Object.hasOwn(OPERATIONS, name)) return await OPERATIONS[name]();
  const text = `There is no operation "${name}"; there are ${Object.keys(OPERATIONS).join(", ")}`;
  throw new TilewiseError("invalid", text, { found: name });
}
