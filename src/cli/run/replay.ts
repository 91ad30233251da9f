/**
 * How a run is said again from its manifest, without writing anything.
 *
 * @module
 */

import { runManifest } from "../../udf/results/manifest.ts";
import { inputsOf } from "../manifests/compare.ts";
import type { Kind } from "../manifests/file.ts";
import type { Arguments } from "../shell/args.ts";
import { partsIn } from "../shell/several.ts";
import { compute } from "./compute.ts";
import { RUN_SOURCES } from "./in_parts.ts";
import { mustRepeat, namedModules, RUN_FORM } from "./manifest.ts";
import { RUN } from "./run.ts";
import { withPlan } from "./run_plan.ts";

/** Manifests of `run`. */
export const RUN_KIND: Kind = {
  verb: RUN,
  form: RUN_FORM,
  mustRepeat,
  modules: (args: Arguments) => namedModules(partsIn(args, RUN_SOURCES).words),
  again: (args, { io, tellInputs }) =>
    withPlan(args, io, async ({ plan, finish }) => {
      tellInputs(await inputsOf(plan.dataset));
      const { results } = await compute(plan, args, io);
      const { results: found, kernels } = await runManifest(plan, await finish(results));
      return {
        kernels,
        digestOf: ({ udf, result }) =>
          found.find((other) => other.udf === udf && other.result === result)?.sha256,
      };
    }),
};
