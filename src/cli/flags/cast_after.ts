/**
 * The last step to the type of samples that `--out-dtype` asks for.
 *
 * @module
 */

import { asOne } from "../../views/operations/chain.ts";
import { convert } from "../../views/operations/convert.ts";
import type { ViewOperation } from "../../views/operations/operation.ts";
import type { Arguments } from "../shell/args.ts";
import { outDtype } from "./out_dtype.ts";

/** The operation, if there is one, and after it the step to the type that is asked for; itself where none is. */
export function castAfter(operation: ViewOperation | undefined, args: Arguments): ViewOperation | undefined {
  const dtype = outDtype(args);
  if (dtype === undefined) return operation;
  const last = convert({ dtype, beyond: "refuse" });
  return operation ? asOne("map", [operation, last]) : last;
}
