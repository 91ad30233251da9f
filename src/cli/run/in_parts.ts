/**
 * The words of `run`, checked before anything is opened.
 *
 * @module
 */

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
import { cutOptions } from "./plan_flags.ts";

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
