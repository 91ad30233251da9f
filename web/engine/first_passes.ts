/**
 * Results of first passes: what one question has found, the next one of a drag need not compute again.
 *
 * @module
 */

import { type Context, type Dataset, plan, run } from "@tilewise/tilewise";
import type { AnalysisContext } from "../../src/analyses/mod.ts";
import type { Region } from "../state/state.ts";

type FirstPass = AnalysisContext["firstPass"];
type Ref = Parameters<FirstPass>[0];
type Result = NonNullable<Awaited<ReturnType<FirstPass>>>;

/** Results that are kept: the newest ones. */
const MOST = 4;

/** The results of first passes by what was computed, and where. */
export class FirstPasses {
  readonly #known = new Map<string, Result>();

  /** The result of `ref` over the positions of `region`, whose mask is `roi`. */
  async result(
    ref: Ref,
    { dataset, context }: { readonly dataset: Dataset; readonly context: Context },
    region: Region | undefined,
    roi: Uint8Array | undefined,
    signal: AbortSignal,
  ): Promise<Result> {
    const key = keyOf(ref, region);
    const known = this.#known.get(key);
    if (known) return known;
    const planned = await plan(dataset, { pass: ref }, { context, signal, ...(roi ? { roi } : {}) });
    const { pass } = await run(planned, { signal });
    this.#know(key, pass);
    return pass;
  }

  /** Takes the result of `ref` over the whole scan, which another run has brought. */
  took(ref: Ref, result: Result): void {
    this.#know(keyOf(ref, undefined), result);
  }

  #know(key: string, result: Result): void {
    this.#known.set(key, result);
    for (const old of [...this.#known.keys()].slice(0, -MOST)) this.#known.delete(old);
  }
}

function keyOf(ref: Ref, region: Region | undefined): string {
  return JSON.stringify([ref, region]);
}
