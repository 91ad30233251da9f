/**
 * `--out-dtype`: the type of the samples that are written, which is a last step of whatever is computed.
 *
 * @module
 */

import { CAST_TYPES } from "../../space/cast.ts";
import { type DType, parseDType } from "../../space/dtype.ts";
import { type Arguments, UsageError } from "../shell/args.ts";
import type { Flag } from "../shell/verb.ts";

/** The flag. */
export const OUT_DTYPE_FLAG: Flag = {
  name: "out-dtype",
  value: "TYPE",
  values: CAST_TYPES,
  help:
    "write samples of this type, such as float32 or uint16: the nearest ones; one that does not fit is an error",
};

/** The type that is asked for. */
export function outDtype(args: Arguments): DType | undefined {
  const found = args.value("out-dtype", parseDType);
  if (found === undefined || CAST_TYPES.includes(found)) return found;
  throw new UsageError(`--out-dtype ${found}: write one of ${CAST_TYPES.join(", ")}`);
}
