/**
 * Results of first passes in the store: the first shard computes them, the others use the same.
 *
 * @module
 */

import { sha256 } from "../../io/hash.ts";
import { type DType, type TypedArray, unitsOf } from "../../space/dtype.ts";
import { ndarray } from "../../space/ndarray.ts";
import type { UdfResult } from "../../udf/interface/buffer_types.ts";
import type { UdfPlan } from "../../udf/plan/plan_facts.ts";
import { sourcesRead } from "../../udf/run/run_state.ts";
import { identitiesOf } from "../manifest/inputs.ts";
import { canonical } from "../manifest/json.ts";
import { frozen } from "../manifest/values.ts";
import { decodePart, encodePart } from "../store/part.ts";
import type { PartStore } from "../store/store.ts";

const NODE = { level: 0, index: 0 } as const;

/** What is known of an array beside its numbers. */
interface Shaped {
  readonly name: string;
  readonly dtype: DType;
  readonly shape: readonly number[];
  readonly masked: boolean;
}

/**
 * The results of a plan with one UDF, called `udf`: from the store if they are there, otherwise computed and stored. They
 * are found by what decides them: inputs, UDF, selection, corrections.
 */
export async function firstPass(
  store: PartStore,
  plan: UdfPlan,
  compute: () => Promise<UdfResult>,
): Promise<UdfResult> {
  const run = await keyOf(plan);
  const name = `first/${run}`;
  const bytes = await store.get(name);
  if (bytes) return resultIn(await decodePart(bytes, { file: `${store.url}/${name}`, run, node: NODE }));
  const result = await compute();
  await store.commit(name, [await encodePart({ run, node: NODE, ...arraysOf(result) })]);
  return result;
}

async function keyOf(plan: UdfPlan): Promise<string> {
  const { udfs, selection: { indices }, corrections, dataset } = plan;
  const refs = udfs.map(({ ref: { module, export: name, params } }) => ({ module, export: name, params }));
  const { navShape, sigShape, syncOffset, dtype, array } = dataset;
  const facts = { refs, indices, corrections, navShape, sigShape, syncOffset, dtype, array };
  const inputs = await identitiesOf(sourcesRead(plan));
  return await sha256(new TextEncoder().encode(canonical([await frozen(facts, new Map()), inputs])));
}

function arraysOf(result: UdfResult): { arrays: Record<string, TypedArray>; values: readonly Shaped[] } {
  const arrays: Record<string, TypedArray> = {};
  const values = Object.entries(result).map(([name, { data, dtype, shape, valid }]): Shaped => {
    arrays[name] = data;
    if (valid) arrays[`${name} valid`] = valid;
    return { name, dtype, shape, masked: valid !== undefined };
  });
  return { arrays, values };
}

function resultIn(
  { arrays, values }: { arrays: Readonly<Record<string, TypedArray>>; values: unknown },
): UdfResult {
  const entries = (values as readonly Shaped[]).map(({ name, dtype, shape, masked }) => {
    const mask = masked ? arrays[`${name} valid`] as Uint8Array : undefined;
    return [name, ndarray(arrays[name] ?? new Uint8Array(unitsOf(dtype)), shape, dtype, mask)] as const;
  });
  return Object.fromEntries(entries);
}
