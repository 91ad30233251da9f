/**
 * Chains as entries of the table of operations: what a chain needs is the sum of what its steps need.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { list, needed } from "../../options/rules.ts";
import { type DType, dtypeInfo } from "../../space/dtype.ts";
import { isEven } from "../../space/halo.ts";
import { type Shape, sizeOf } from "../../space/shape.ts";
import { asOne, CHAIN, type ChainParams, stepsOf } from "../operations/chain.ts";
import type {
  OperationEntry,
  OperationFacts,
  OperationSetting,
  ViewOperation,
} from "../operations/operation.ts";
import { operationNamed } from "../registry.ts";
import {
  type ChainStep,
  chainSteps,
  factorsOfChain,
  type LoadedStep,
  radiusOfChain,
  typeAt,
  unevenError,
} from "./steps.ts";
import { borderMaps } from "../border_function.ts";
import { alongEntry } from "./along.ts";
import { shapesOfSteps } from "./regions.ts";
import { chainWork } from "./work.ts";

/** The entry of an operation; that of a chain has the entries of its steps inside. */
export async function entryOf(operation: ViewOperation): Promise<OperationEntry> {
  const steps = await loadedSteps(operation);
  return operation.operation === CHAIN ? chainOf(steps) : steps[0]!.entry;
}

/** The steps of an operation with their entries; an operation that is not a chain is its own only step. */
export async function loadedSteps(operation: ViewOperation): Promise<LoadedStep[]> {
  const steps: LoadedStep[] = [];
  for (const { name, operation: entry, params, along } of stepsOf(operation)) {
    const own = await operationNamed(entry);
    steps.push({ name, params, entry: along ? alongEntry(own, params, along) : own });
  }
  return steps;
}

/** The operation with all steps prepared for samples of `dtype`: kernels of users are compiled. */
export async function prepared<D extends DType>(
  operation: ViewOperation<D>,
  dtype: DType,
): Promise<ViewOperation<D>> {
  const steps = stepsOf(operation);
  if (steps.every(({ prepare }) => prepare === undefined)) return operation;
  const loaded = await loadedSteps(operation);
  const ready: ViewOperation[] = [];
  for (const [k, step] of steps.entries()) {
    ready.push(await step.prepare?.(typeAt(loaded, dtype, k)) ?? step);
  }
  return asOne("chain()", ready) as ViewOperation<D>; // preparing a step does not change its result
}

function chainOf(steps: readonly LoadedStep[]): OperationEntry<ChainParams> {
  const withFacts = ({ dtype, tile, arrays }: OperationFacts<ChainParams>) =>
    chainSteps(steps, dtype, tile, arrays);
  return {
    name: CHAIN,
    params: { steps: needed(list) },
    kernels: [],
    usualRadius: 0,
    radius: () => radiusOfChain(steps),
    factors: () => factorsOfChain(steps),
    result: (dtype) => typeAt(steps, dtype, steps.length),
    values: () => "unknown", // plans ask the steps
    ...(steps.at(-1)!.entry.partial ? { partial: (facts) => partialOf(withFacts(facts)) } : {}),
    async check(facts) {
      mustEnd(steps);
      for (const { entry, facts: own, name } of withFacts(facts)) {
        if (!entry.uneven && !isEven(own.halo)) throw unevenError(name, own.halo);
        await entry.check?.(own);
      }
    },
    scratch: (facts) => scratchOf(withFacts(facts)),
    start: (setting) => startChain(withFacts(setting), setting),
  };
}

/** Samples of the partial result of the last step. */
function partialOf(steps: readonly ChainStep[]): number {
  const { entry, facts } = steps.at(-1)!;
  return entry.partial!(facts);
}

/** Refuses chains that go on after a step whose result is not an array. */
function mustEnd(steps: readonly LoadedStep[]): void {
  const early = steps.slice(0, -1).find(({ entry }) => entry.partial);
  if (!early) return;
  const text =
    `Cannot chain operations after ${early.name}: its result is not an array; make it the last one`;
  throw new TilewiseError("unsupported", text, { option: "operation", found: early.name });
}

/** Scratch memory of all steps, by number and name; two places for what is between steps, used in turn. */
function scratchOf(steps: readonly ChainStep[]): Record<string, number> {
  const parts: Record<string, number> = {};
  for (const [k, { entry, facts }] of steps.entries()) {
    for (const [name, bytes] of Object.entries<number>(entry.scratch(facts))) parts[`${k} ${name}`] = bytes;
  }
  const between = steps.slice(0, -1).map(({ made, facts: { result } }) =>
    bytesOf(made, dtypeInfo(result).itemSize)
  );
  for (const turn of [0, 1]) {
    parts[`between ${turn}`] = Math.max(0, ...between.filter((_, k) => k % 2 === turn));
  }
  return parts;
}

function bytesOf(shape: Shape, itemSize: number): number {
  return sizeOf([...shape, itemSize]);
}

async function startChain(steps: readonly ChainStep[], setting: OperationSetting<ChainParams, string>) {
  const { kernels, scratch, whole } = setting;
  const shapes = shapesOfSteps(whole.shape, steps);
  const works = [];
  for (const [k, { entry, facts, name }] of steps.entries()) {
    const own = { at: (part: string) => scratch.at(`${k} ${part}`) };
    const seen = { ...whole, shape: shapes[k]! };
    works.push(await entry.start({ ...facts, whole: seen, name, kernels, scratch: own }));
  }
  const between = steps.slice(1).map((_, k) => scratch.at(`between ${k % 2}`));
  const maps = await borderMaps(whole.borders);
  return chainWork({ steps, works, between, whole, shapes, maps, kernels });
}
