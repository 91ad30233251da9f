/**
 * A provider that remembers what the sources of another one have given.
 *
 * @module
 */

import { checkNames, checkOptionNames, inWords, type OptionNames } from "../../options.ts";
import { list, must, needed, truth } from "../../options/rules.ts";
import { TilewiseError } from "../../errors.ts";
import type { TypedArray } from "../../space/dtype.ts";
import { byteCount, bytesOrNone } from "../../space/rules.ts";
import { copyNumbers, zerosLike } from "../../space/numbers.ts";
import { samplesOf } from "./calls.ts";
import type { ProviderContext } from "./context.ts";
import { isProvider, type Provider, type Source, type Sources } from "./provider.ts";
import { isWorkerSource } from "./worker_source.ts";

/**
 * Options of {@link cached}.
 * @category Hypercubes
 */
export interface CachedOptions {
  /** Most bytes that it keeps, as a number or as text such as `64MiB`; the least recently used samples go first. */
  readonly bytes: number | string;
  /** The arrays whose samples it keeps. Default: all of them. */
  readonly arrays?: readonly string[];
  /** Whether it forgets everything when a run starts. Default false. */
  readonly clearOnStart?: boolean;
  /** Whether it forgets everything when a run stops. Default false. */
  readonly clearOnStop?: boolean;
}

// deno-fmt-ignore: written by `deno task build`
const OPTIONS: OptionNames<CachedOptions> = {
  bytes: needed(bytesOrNone), arrays: list, clearOnStart: truth, clearOnStop: truth,
};

/**
 * A provider with a cache.
 * @category Hypercubes
 */
export interface CachedProvider extends Provider {
  /** Bytes that it keeps now. */
  readonly bytes: number;
  /** How often samples were kept, and how often a source was called. */
  readonly counts: Readonly<Record<"hits" | "misses", number>>;
  /** Forgets everything. */
  clear(): void;
}

/**
 * A provider that keeps what the sources of another one have given, by array and extents, up to a limit of bytes. If the
 * same samples are asked for again while a source is at work, that work is waited for; nothing else waits for it. Errors
 * are not kept. Everything else of the provider is as before, and sources that run in workers are not cached.
 *
 * It assumes that the samples depend on name, type, extents and the sizes of dimensions alone. If they depend on more, such
 * as the option `config` of runs, call `clear()`, or use `clearOnStart`.
 *
 * @example
 * ```ts
 * import { cached } from "@tilewise/tilewise/unstable/hypercube";
 * import { assertEquals } from "@std/assert";
 * const slow = { name: "slow", sources: { x: () => new Float64Array(4) } };
 * const { name, bytes } = cached(slow, { bytes: "64MiB", arrays: ["x"] });
 * assertEquals([name, bytes], ["slow", 0]);
 * ```
 * @category Hypercubes
 */
export function cached(provider: Provider, options: CachedOptions): CachedProvider {
  if (!isProvider(provider)) {
    const found = inWords(provider);
    throw new TilewiseError("invalid", `cached() takes a provider; it was given ${found}`, { found });
  }
  checkOptionNames("cached()", options, OPTIONS);
  must("a list of names", (all) => Array.isArray(all) && all.every((name) => typeof name === "string"))(
    "cached()",
    "arrays",
    options.arrays ?? [],
  );
  return new Cached(provider, options);
}

/** Samples that are kept. */
interface Kept {
  readonly data: TypedArray;
}

class Cached implements CachedProvider {
  readonly #kept = new Map<string, Kept>();
  readonly #pending = new Map<string, Pending>();
  readonly #limit: number;
  #bytes = 0;
  readonly counts = { hits: 0, misses: 0 };

  constructor(private readonly inner: Provider, private readonly options: CachedOptions) {
    this.#limit = byteCount("cached()", "bytes", options.bytes, 0);
  }

  get name(): string {
    return this.inner.name;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get sources(): Sources {
    const { arrays } = this.options;
    return Object.fromEntries(
      Object.entries(this.inner.sources ?? {}).map(([name, source]) => {
        const keeps = !isWorkerSource(source) && (arrays === undefined || arrays.includes(name));
        return [name, keeps ? (context: ProviderContext) => this.#samples(source, context) : source];
      }),
    );
  }

  get sinks(): NonNullable<Provider["sinks"]> {
    return this.inner.sinks ?? {};
  }

  init(...args: Parameters<NonNullable<Provider["init"]>>): void | Promise<void> {
    return this.inner.init?.(...args);
  }

  async dimensions(...args: Parameters<NonNullable<Provider["dimensions"]>>) {
    return await this.inner.dimensions?.(...args) ?? {};
  }

  async arrays(...args: Parameters<NonNullable<Provider["arrays"]>>) {
    return await this.inner.arrays?.(...args) ?? [];
  }

  start(...args: Parameters<NonNullable<Provider["start"]>>): void | Promise<void> {
    const { arrays = [], clearOnStart } = this.options;
    const has = Object.keys(this.inner.sources ?? {});
    checkNames("it has no source to cache for", Object.fromEntries(arrays.map((name) => [name, true])), has);
    if (clearOnStart) this.clear();
    return this.inner.start?.(...args);
  }

  stop(...args: Parameters<NonNullable<Provider["stop"]>>): void | Promise<void> {
    if (this.options.clearOnStop) this.clear();
    return this.inner.stop?.(...args);
  }

  close(...args: Parameters<NonNullable<Provider["close"]>>): void | Promise<void> {
    return this.inner.close?.(...args);
  }

  clear(): void {
    this.#kept.clear();
    this.#pending.clear();
    this.#bytes = 0;
  }

  async #samples(source: Source, context: ProviderContext): Promise<TypedArray> {
    const key = keyOf(context);
    const kept = this.#kept.get(key);
    if (kept) {
      this.counts.hits++;
      this.#kept.delete(key);
      this.#kept.set(key, kept); // the last one that was used
      return kept.data;
    }
    const pending = this.#pending.get(key);
    if (pending) return await this.#joined(pending, source, context);
    return await this.#fresh(key, source, context);
  }

  /** Waits for the call of another run; if that run was cancelled meanwhile, calls the source for this one. */
  async #joined(pending: Pending, source: Source, context: ProviderContext): Promise<TypedArray> {
    try {
      const samples = await pending.samples;
      this.counts.hits++;
      return samples;
    } catch (error) {
      if (!pending.signal.aborted || context.signal.aborted) throw error;
      return await this.#samples(source, context);
    }
  }

  async #fresh(key: string, source: Source, context: ProviderContext): Promise<TypedArray> {
    this.counts.misses++;
    const samples = (async () => copyOf(await source(context), context))();
    const pending = { samples, signal: context.signal };
    this.#pending.set(key, pending);
    try {
      const data = await samples;
      if (this.#pending.get(key) === pending) this.#keep(key, data);
      return data;
    } finally {
      if (this.#pending.get(key) === pending) this.#pending.delete(key);
    }
  }

  #keep(key: string, data: TypedArray): void {
    if (data.byteLength > this.#limit) return;
    this.#kept.set(key, { data });
    this.#bytes += data.byteLength;
    for (const [oldest, { data: { byteLength } }] of this.#kept) {
      if (this.#bytes <= this.#limit) break;
      this.#kept.delete(oldest);
      this.#bytes -= byteLength;
    }
  }
}

/** A call of a source that others wait for. */
interface Pending {
  readonly samples: Promise<TypedArray>;
  readonly signal: AbortSignal;
}

function keyOf({ name, dtype, extents, schema, cube }: ProviderContext): string {
  const sizes = schema.shape.map((axis) => typeof axis === "number" ? axis : cube.dimension(axis).size);
  return JSON.stringify([name, dtype, extents, sizes]);
}

/** A copy, as a source may use its array again; what is not an array of samples is passed on, and refused by the run. */
function copyOf(brought: unknown, context: ProviderContext): TypedArray {
  const samples = samplesOf(brought, context);
  if (!samples) return brought as TypedArray;
  const copy = zerosLike(samples, samples.length);
  copyNumbers(copy, samples);
  return copy;
}
