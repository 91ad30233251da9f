/**
 * Parameters that change during a run: each change makes a version, used by all partitions that start afterwards.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { isNamed } from "../../options.ts";
import { each, must } from "../../options/rules.ts";
import { declaredBuffers } from "../buffers/buffers.ts";
import { coversPixels } from "../plan/culling.ts";
import { mergesAll } from "../plan/merge_all.ts";
import { Allowance } from "../plan/allowance.ts";
import { checkParams, type Params } from "../interface/params.ts";
import { udfPacks } from "../plan/packs.ts";
import type { Plan } from "../plan/plan_facts.ts";
import { loadPlanned, type PlannedUdf, planUdf } from "../plan/plan_udf.ts";

/** The UDFs of a run with the parameters of one version. */
export interface Version {
  /** 0 for the parameters of the plan; each update adds 1. */
  readonly number: number;
  /** The UDFs. */
  readonly udfs: readonly PlannedUdf[];
}

/**
 * New parameters by the keys of the plan; parameters that are not named keep their values.
 * @category Runs
 */
export type ParamPatches = Readonly<Record<string, Params>>;

const PATCHES = each(
  "an object of parameters by the keys of UDFs",
  must("an object of parameters", (value) => value === undefined || isNamed(value)),
);

/** Prepares a version, or throws; the returned function makes the version current and cannot fail. */
export type Adopt = (version: Version) => () => void;

/** The versions of one run, in order. */
export class Versions {
  #current: Version;
  #turn: Promise<unknown> = Promise.resolve();

  /** Version 0: the parameters of `plan`. */
  constructor(private readonly plan: Plan) {
    this.#current = { number: 0, udfs: plan.udfs };
  }

  /** The newest version. */
  get current(): Version {
    return this.#current;
  }

  /** Makes a version with `patches`, which all `adopters` adopt, or none of them. Updates are done one after another. */
  update(patches: ParamPatches, adopters: () => Iterable<Adopt>): Promise<number> {
    const next = this.#turn.then(() => this.#update(patches, adopters));
    this.#turn = next.catch(() => {});
    return next;
  }

  async #update(patches: ParamPatches, adopters: () => Iterable<Adopt>): Promise<number> {
    PATCHES("update()", "patches", patches);
    const { number, udfs } = this.#current;
    for (const key of Object.keys(patches)) this.#mustHave(key);
    const version = {
      number: number + 1,
      udfs: await Promise.all(udfs.map((planned) => this.#patched(planned, patches[planned.key]))),
    };
    const commits = [...adopters()].map((adopt) => adopt(version));
    for (const commit of commits) commit();
    this.#current = version;
    return version.number;
  }

  async #patched(planned: PlannedUdf, patch: Params | undefined): Promise<PlannedUdf> {
    if (!patch) return planned;
    const { key, given, udf, backend, meta } = planned;
    if (given.inline || given.prepare) throw refused(key, "it is no export of a module with parameters");
    const params = { ...given.params, ...patch };
    checkParams(udf.name, params);
    const loaded = await loadPlanned(key, { ...given, params }, meta);
    const { context, dataset } = this.plan;
    const allowance = new Allowance(context.memory, dataset.source);
    const next = loaded.backends.includes(backend) && await planUdf(loaded, backend, meta, allowance);
    const other = next ? difference(planned, next) : "other forms of tiles";
    if (other) throw refused(key, `with these parameters it would have ${other}, which a run cannot change`);
    if (!next || !coversPixels(this.plan.culling, next)) {
      throw refused(key, "it would need rows that are not read; plan the run with cull: false");
    }
    return next;
  }

  #mustHave(key: string): void {
    const keys = this.plan.udfs.map((planned) => planned.key);
    if (keys.includes(key)) return;
    const text = `Cannot update "${key}": the run has ${keys.map((known) => `"${known}"`).join(", ")}`;
    throw new TilewiseError("invalid", text, { found: key, expected: keys.join(", ") });
  }
}

/** What cannot change during a run, because memory and tiles have been planned for it. */
const FIXED: Readonly<Record<string, (planned: PlannedUdf) => unknown>> = {
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

function difference(now: PlannedUdf, next: PlannedUdf): string | undefined {
  return Object.keys(FIXED).find((what) => {
    const facts = FIXED[what]!;
    return JSON.stringify(facts(now)) !== JSON.stringify(facts(next));
  });
}

function refused(key: string, why: string): TilewiseError {
  return new TilewiseError("udf", `Cannot update "${key}": ${why}`, { udf: key });
}
