/**
 * The words and flags of `run`: checked before anything is opened, and those that say how it is cut.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { isUdfWord, modulesIn, parseUdfs, type UdfWord } from "../analyses/udf_args.ts";
import { parseLook } from "../flags/look.ts";
import { outDtype } from "../flags/out_dtype.ts";
import { openOptions } from "../flags/source_flags.ts";
import { checkRegion } from "../inputs/run_inputs.ts";
import { mustBeSaved } from "../outputs/outputs.ts";
import { type Arguments, UsageError } from "../shell/args.ts";
import { partsIn } from "../shell/several.ts";
import { checkThreads } from "../shell/threads.ts";
import type { Several } from "../shell/verb.ts";
import type { InParts } from "../stores/units.ts";
import type { Backend } from "../../dataset/facts.ts";
import { TilewiseError } from "../../errors.ts";
import { parseBytes } from "../../space/size.ts";
import { BACKENDS } from "../../udf/plan/backends.ts";
import type { PlanOptions } from "../../udf/plan/plan.ts";

/** The options of the plan for partitions and tiles. */
export function cutOptions(
  args: Arguments,
): Pick<PlanOptions, "partitions" | "tileBytes" | "backends" | "cull"> {
  const partitions = args.count("partitions", 1);
  const tileBytes = args.value("tile-bytes", parseBytes);
  const backends = args.value("backends", parseBackends);
  return {
    ...defined({ partitions, tileBytes, backends }),
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

/** How `run` takes several sources. */
export const RUN_SOURCES: Several = { isWord: isUdfWord, out: "flag", ending: "", check: checkedUdfs };

/** The UDFs; {@link UsageError} for words and flags that mean nothing. */
export function checkedUdfs(args: Arguments): UdfWord[] {
  const words = parseUdfs(partsIn(args, RUN_SOURCES).words);
  checkThreads(args);
  openOptions(args);
  checkRegion(args);
  cutOptions(args);
  outDtype(args);
  return words;
}

/** A run in parts. */
export async function runInParts(args: Arguments): Promise<InParts> {
  parseLook(args);
  const words = checkedUdfs(args);
  const output = args.text("output");
  if (output === undefined) throw new UsageError("run needs a place for the results: add -o OUT");
  await mustBeSaved(output);
  return { output, tellsShards: false, modules: [...new Set(words.flatMap(modulesIn))] };
}
