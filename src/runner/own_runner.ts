/**
 * Plans that bring their runner: `run()` calls it, and needs to load nothing but the plan.
 *
 * @module
 */

/** Key of the function that runs a plan. */
export const RUN_PLAN: unique symbol = Symbol("tilewise.run");

/** A plan with its runner. A copy of the plan keeps it, as the runner is given the plan. */
export interface OwnRunner<P, O extends object, R> {
  /** Runs a plan of this kind. */
  readonly [RUN_PLAN]: (plan: P, options: O) => R;
}

/** The runner that a plan brings; `undefined` if it has none. */
export function ownRunner(plan: unknown): ((plan: unknown, options: object) => unknown) | undefined {
  return (plan as Partial<OwnRunner<unknown, object, unknown>> | null | undefined)?.[RUN_PLAN];
}
