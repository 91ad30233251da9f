/**
 * Chains: operations one after another, in one pass over the array.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { inWords } from "../../options.ts";
import type { DType } from "../../space/dtype.ts";
import { type Along, isOperation, type ViewOperation } from "./operation.ts";

/** The name of chains among the operations. */
export const CHAIN = "chain";

/** The parameters of a chain: its steps, none of which is a chain. */
export interface ChainParams {
  /** The steps, first to last. */
  readonly steps: readonly ViewOperation[];
}

/**
 * One operation, or a list of operations that are computed one after another, as {@link chain} joins them.
 * @category Views
 */
export type ViewOperations<D extends DType = DType> =
  | ViewOperation<D>
  | readonly [...ViewOperation[], ViewOperation<D>];

/**
 * Several operations as one: each gets the result of the one before. They run in one pass over the array, with a halo
 * that is the sum of their radii; what is between them exists only for one tile at a time. The result has the same bits
 * as one run per step, each with the same border: outside of the array, a step sees what the border makes of the
 * result of the step before.
 *
 * A list of operations means the same: `mapViews(image, [boxMean(), localMaximum()])`.
 *
 * @param operations at least one
 * @returns the operation
 *
 * @example
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { chain, localMaximum, localMinimum, mapViews } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const image = await open({ data: Uint8Array.of(5, 3, 9, 9, 9, 1), shape: [1, 6] });
 * const opening = chain([localMinimum({ radius: [0, 1] }), localMaximum({ radius: [0, 1] })]);
 * await using context = createContext({ workers: 0 });
 * assertEquals((await mapViews(image, opening, { context })).data, Uint8Array.of(3, 3, 9, 9, 9, 1));
 * ```
 * @category Views
 */
export function chain<D extends DType>(
  operations: readonly [...ViewOperation[], ViewOperation<D>],
): ViewOperation<D>;
/**
 * A list whose length is known when it runs: so is the type of the result.
 * @category Views
 */
export function chain(operations: readonly ViewOperation[]): ViewOperation;
export function chain(operations: readonly ViewOperation[]): ViewOperation {
  return asOne("chain()", operations);
}

/** One operation, or several as a chain; other values are refused, and errors name `call`. */
export function asOne<D extends DType>(call: string, operations: ViewOperations<D>): ViewOperation<D>;
/** A list of any length. */
export function asOne(call: string, operations: readonly ViewOperation[]): ViewOperation;
export function asOne(call: string, operations: ViewOperation | readonly ViewOperation[]): ViewOperation {
  if (!isList(operations)) return checked(call, operations);
  const steps = operations.flatMap((step) => stepsOf(checked(call, step)));
  const [first] = steps;
  if (!first) {
    const text = `${call} takes a list with one operation or more, such as [boxMean()]; it was given none`;
    throw new TilewiseError("invalid", text, { option: "operation", found: "[]" });
  }
  if (steps.length === 1) return first;
  const modules = steps.flatMap((step) => step.modules ?? []);
  return {
    name: steps.map(({ name }) => name).join(" → "),
    operation: CHAIN,
    params: { steps } satisfies ChainParams,
    ...(modules.length > 0 ? { modules } : {}),
    ...(steps.some(({ here }) => here) ? { here: true } : {}),
  };
}

/** The same operation, along some dimensions. */
export function alongAll<D extends DType>(operation: ViewOperation<D>, along: Along): ViewOperation<D> {
  if (operation.operation !== CHAIN) return { ...operation, along };
  return { ...operation, params: { steps: stepsOf(operation).map((step) => ({ ...step, along })) } };
}

/** The steps of a chain; any other operation is its only step. */
export function stepsOf(operation: ViewOperation): readonly ViewOperation[] {
  return operation.operation === CHAIN ? (operation.params as ChainParams).steps : [operation];
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function checked(call: string, operation: unknown): ViewOperation {
  if (isOperation(operation)) return operation;
  const found = inWords(operation);
  const hint = typeof operation === "function" ? "; make one of it with viewFunction()" : "";
  const text = `${call} takes an operation over views, such as boxMean(); it was given ${found}${hint}`;
  throw new TilewiseError("invalid", text, { option: "operation", found });
}
