/**
 * The flags of `run` that say how it is cut.
 *
 * @module
 */

import type { Backend } from "../../dataset/facts.ts";
import { TilewiseError } from "../../errors.ts";
import { parseBytes } from "../../space/size.ts";
import { BACKENDS } from "../../udf/plan/backends.ts";
import type { PlanOptions } from "../../udf/plan/plan.ts";
import type { Arguments } from "../shell/args.ts";

/** The options of the plan for partitions and tiles. */
export function cutOptions(
  args: Arguments,
): Pick<PlanOptions, "partitions" | "tileBytes" | "backends" | "cull"> {
  const partitions = args.count("partitions", 1);
  const tileBytes = args.value("tile-bytes", parseBytes);
  const backends = args.value("backends", parseBackends);
  return {
    ...(partitions === undefined ? {} : { partitions }),
    ...(tileBytes === undefined ? {} : { tileBytes }),
    ...(backends === undefined ? {} : { backends }),
    ...(args.has("no-cull") ? { cull: false } : {}),
  };
}

function parseBackends(text: string): Backend[] {
  const known = Object.keys(BACKENDS.facts) as Backend[];
  return text.split(",").map((name) => {
    const found = known.find((backend) => backend === name.trim());
    if (found) return found;
    throw new TilewiseError("invalid", `"${name}" is not a form of tiles; there are ${known.join(", ")}`);
  });
}
