/**
 * The UDFs of a run with new parameters; loaded with the first update of a run.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { isNamed } from "../../options.ts";
import { each, must } from "../../options/rules.ts";
import { declaredBuffers } from "../buffers/buffers.ts";
import { coversPixels } from "../plan/culling.ts";
import { mergesAll } from "../plan/result_steps.ts";
import { Allowance } from "../plan/allowance.ts";
import { checkParams, type Params } from "../interface/udf_ref.ts";
import { udfPacks } from "../plan/packs.ts";
import type { UdfPlan } from "../plan/plan_facts.ts";
import { loadPlanned, planUdf, type PreparedUdf } from "../plan/plan_udf.ts";

const PATCHES = each(
  "an object of parameters by the keys of UDFs",
  must("an object of parameters", (value) => value === undefined || isNamed(value)),
);

/** The UDFs with `patches`. Errors: those of `update` of a run. */
export async function patchedUdfs(
  plan: UdfPlan,
  udfs: readonly PreparedUdf[],
  patches: Readonly<Record<string, Params>>,
): Promise<PreparedUdf[]> {
  PATCHES("update()", "patches", patches);
  for (const key of Object.keys(patches)) mustHave(plan, key);
  return await Promise.all(udfs.map((planned) => patched(plan, planned, patches[planned.key])));
}

async function patched(
  plan: UdfPlan,
  planned: PreparedUdf,
  patch: Params | undefined,
): Promise<PreparedUdf> {
  if (!patch) return planned;
  const { key, given, udf, backend, meta } = planned;
  if (given.inline || given.prepare) throw refused(key, "it is not an export of a module with parameters");
  const params = { ...given.params, ...patch };
  checkParams(udf.name, params);
  const loaded = await loadPlanned(key, { ...given, params }, meta);
  const { context, dataset } = plan;
  const allowance = new Allowance(context.memory, dataset.source);
  const next = loaded.backends.includes(backend) && await planUdf(loaded, backend, meta, allowance);
  const other = next ? difference(planned, next) : "other forms of tiles";
  if (other) throw refused(key, `with these parameters it would have ${other}, which a run cannot change`);
  if (!next || !coversPixels(plan.culling, next)) {
    throw refused(key, "it would need rows that are not read; plan the run with cull: false");
  }
  return next;
}

function mustHave(plan: UdfPlan, key: string): void {
  const keys = plan.udfs.map((planned) => planned.key);
  if (keys.includes(key)) return;
  const text = `Cannot update "${key}": the run has ${keys.map((known) => `"${known}"`).join(", ")}`;
  throw new TilewiseError("invalid", text, { found: key, expected: keys.join(", ") });
}

/** What cannot change during a run, because memory and tiles have been planned for it. */
const FIXED: Readonly<Record<string, (planned: PreparedUdf) => unknown>> = {
  "other buffers": ({ udf, meta, derivations }) => [
    declaredBuffers(udf, meta).sort(([a], [b]) => a < b ? -1 : 1),
    derivations.map(({ declared }) => declared),
  ],
  "another type of samples": ({ meta, wish }) => [meta.inputDType, wish],
  "another method": ({ method }) => method,
  "another order of merging": ({ tree, udf }) => [tree, mergesAll(udf)],
  "other scratch arrays": ({ udf, meta }) => udf.scratch?.(meta) ?? {},
  "kernels of other packs": ({ udf, meta }) => udfPacks(udf, meta),
  "raw tiles instead of converted ones, or the reverse": ({ udf }) => udf.raw ?? false,
};

function difference(now: PreparedUdf, next: PreparedUdf): string | undefined {
  return Object.keys(FIXED).find((what) => {
    const facts = FIXED[what]!;
    return JSON.stringify(facts(now)) !== JSON.stringify(facts(next));
  });
}

function refused(key: string, why: string): TilewiseError {
  return new TilewiseError("udf", `Cannot update "${key}": ${why}`, { udf: key });
}
