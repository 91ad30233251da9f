/**
 * A source whose reads go wrong by plan: for tests of everything that reads.
 *
 * @module
 */

import { TilewiseError } from "../../src/errors.ts";
import type { ByteSource, SourceSpec } from "../../src/io/source/source.ts";

/** What happens to one read: it fails at once, fails after half of its bytes, or comes late. */
export type Fault =
  | { readonly kind: "fail"; readonly error?: Error }
  | { readonly kind: "shorten" }
  | { readonly kind: "delay"; readonly milliseconds: number };

/** Says what happens to the `n`-th read, counted from 0; nothing: it works. */
export type FaultPlan = (n: number) => Fault | undefined;

/** The plan under which only read `n` goes wrong. */
export function only(n: number, fault: Fault = { kind: "fail" }): FaultPlan {
  return (read) => read === n ? fault : undefined;
}

/** `inner`, with faults. */
export class FaultySource implements ByteSource {
  readonly name: string;
  readonly size: number;
  /** Reads so far, the failed ones included. */
  reads = 0;

  constructor(private readonly inner: ByteSource, private readonly plan: FaultPlan) {
    this.name = inner.name;
    this.size = inner.size;
  }

  async readInto(into: Uint8Array, at: number, signal?: AbortSignal): Promise<void> {
    const fault = this.plan(this.reads++);
    if (fault?.kind === "fail") throw fault.error ?? this.#error("io", "a fault by plan", at);
    if (fault?.kind === "delay") await new Promise((resolve) => setTimeout(resolve, fault.milliseconds));
    const half = Math.floor(into.byteLength / 2);
    await this.inner.readInto(fault?.kind === "shorten" ? into.subarray(0, half) : into, at, signal);
    if (fault?.kind === "shorten") throw this.#error("truncated", `ends after ${half} bytes by plan`, at);
  }

  verify(signal?: AbortSignal): Promise<void> {
    return this.inner.verify(signal);
  }

  describe(): SourceSpec {
    return this.inner.describe();
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.inner[Symbol.asyncDispose]();
  }

  #error(code: "io" | "truncated", what: string, offset: number): TilewiseError {
    return new TilewiseError(code, `Cannot read ${this.name} at ${offset}: ${what}`, {
      file: this.name,
      offset,
    });
  }
}
