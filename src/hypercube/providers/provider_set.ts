/**
 * The providers of a run: who supplies which array, what they change, and their life cycle.
 *
 * @module
 */

import { isTilewiseError, TilewiseError } from "../../errors.ts";
import { ALIGNMENT, roundUp } from "../../memory/arena.ts";
import { checkNames, checkOptionNames, defined, inWords } from "../../options.ts";
import { reasonOf } from "../../reason.ts";
import { untilAborted } from "../../turns.ts";
import type { ArraySchema, Hypercube } from "../cube/cube.ts";
import { withDeadline } from "./calls.ts";
import type { InitContext, StartContext, StopContext } from "./context.ts";
import {
  type DimensionUpdates,
  isProvider,
  type Provider,
  PROVIDER_NAMES,
  type Sinks,
  type Sources,
} from "./provider.ts";
import { type Listed, type Supply, supplyOf } from "./supply.ts";
import type { DimensionChange } from "../cube/dimension.ts";

/** Sources or sinks as users give them: an object of them, or a list of such objects and of providers. */
export type Given<T> = T | readonly (T | Provider)[];

/** The handlers of a life cycle. */
type Handler = "init" | "start" | "stop" | "close";

/** All providers of a run. */
export class ProviderSet {
  readonly #sources: readonly (Provider | Plain)[];
  readonly #sinks: readonly (Provider | Plain)[];
  /** Each of them once, in the order in which they were given. */
  readonly #all: readonly Provider[];
  readonly #begun: Record<"init" | "start", Provider[]> = { init: [], start: [] };

  /** Checks them; errors name `call`. `limit`: milliseconds until a handler counts as hung. */
  constructor(call: string, sources: Given<Sources>, sinks: Given<Sinks>, private readonly limit: number) {
    this.#sources = providersOf(call, "sources", sources);
    this.#sinks = providersOf(call, "sinks", sinks);
    this.#all = [...new Set([...this.#sources, ...this.#sinks].filter((one) => !isPlain(one)))];
  }

  /** Calls `init` of all of them. */
  async init(context: InitContext): Promise<void> {
    await this.#begin("init", context);
  }

  /** Calls `start` of all of them. */
  async start(context: StartContext): Promise<void> {
    await this.#begin("start", context);
  }

  /** Calls `stop` of those whose `start` was called, the last one first; the errors of all of them. */
  async stop(context: StopContext): Promise<unknown[]> {
    return await this.#end("stop", this.#begun.start.splice(0), context);
  }

  /** Calls `close` of those whose `init` was called, the last one first; the errors of all of them. */
  async close(context: InitContext): Promise<unknown[]> {
    return await this.#end("close", this.#begun.init.splice(0), context);
  }

  /** The cube with the changes of all of them. */
  async updated(context: InitContext): Promise<Hypercube> {
    const updates: Update[] = [];
    for (const provider of this.#all) {
      const { name } = provider;
      const dimensions = await this.#call("dimensions", name, context, () => provider.dimensions?.(context));
      const arrays = await this.#call("arrays", name, context, () => provider.arrays?.(context));
      updates.push({ provider: name, dimensions: dimensions ?? {}, arrays: arrays ?? [] });
    }
    return updated(context.cube, updates);
  }

  /** Bytes that all of them need outside of the arrays of the run. */
  async memory(context: StartContext): Promise<number> {
    let sum = 0;
    for (const provider of this.#all) {
      const bytes = await this.#call("memory", provider.name, context, () => provider.memory?.(context)) ?? 0;
      if (!Number.isSafeInteger(bytes) || bytes < 0) throw noBytes(provider.name, bytes);
      sum += roundUp(bytes, ALIGNMENT);
    }
    return sum;
  }

  /** Tiles that all sinks of these outputs have already. */
  async completed(context: StartContext, outputs: Iterable<string>): Promise<number> {
    const names = [...outputs];
    const used = this.#sinks.filter(({ sinks = {} }) => names.some((name) => Object.hasOwn(sinks, name)));
    let least = used.length > 0 ? context.tiles : 0;
    for (const one of used) {
      const call = () => isPlain(one) ? 0 : one.completed?.(context);
      least = Math.min(least, await this.#call("completed", one.name, context, call) ?? 0);
    }
    return least;
  }

  /** Who supplies and takes the arrays of a cube. */
  supply(cube: Hypercube): Supply {
    return supplyOf(cube, this.#sources.map(listed), this.#sinks.map(listed));
  }

  async #begin<H extends "init" | "start">(handler: H, context: StartContext | InitContext): Promise<void> {
    for (const provider of this.#all) {
      this.#begun[handler].push(provider);
      await this.#call(handler, provider.name, context, () => handlerOf(provider, handler, context));
    }
  }

  async #end(handler: Handler, providers: readonly Provider[], context: InitContext): Promise<unknown[]> {
    const errors: unknown[] = [];
    for (const provider of providers.toReversed()) {
      try {
        const done = async () => await handlerOf(provider, handler, context);
        await withDeadline(done(), this.limit, () => this.#late(provider.name));
      } catch (error) {
        errors.push(told(handler, provider.name, error));
      }
    }
    return errors;
  }

  async #call<T>(
    handler: string,
    provider: string,
    { signal }: InitContext,
    call: () => T | Promise<T>,
  ): Promise<T> {
    try {
      const work = (async () => await call())();
      return await withDeadline(untilAborted(work, signal), this.limit, () => this.#late(provider));
    } catch (error) {
      throw told(handler, provider, error);
    }
  }

  #late(provider: string): TilewiseError {
    const text = `it has not resolved within ${this.limit / 1000} s (option callTimeout)`;
    return new TilewiseError("timeout", text, { option: "callTimeout", provider, expected: this.limit });
  }
}

/** Calls a handler of a provider; the one who calls knows which context it takes. */
function handlerOf(provider: Provider, handler: Handler, context: InitContext): void | Promise<void> {
  return provider[handler]?.(context as StopContext);
}

function noBytes(provider: string, found: unknown): TilewiseError {
  const text = `memory() of the provider "${provider}" must give a number of bytes; it gave ${
    inWords(found)
  }`;
  return new TilewiseError("invalid", text, { provider, found: inWords(found) });
}

/** The error of a handler, which names it and its provider. */
function told(handler: string, provider: string, cause: unknown): TilewiseError {
  const own = isTilewiseError(cause) ? cause : undefined;
  if (own?.code === "aborted") return own;
  const text = `${handler}() of the provider "${provider}" failed: ${reasonOf(cause)}`;
  return new TilewiseError(own?.code ?? "udf", text, { ...own?.details, provider }, { cause });
}

/** Sources or sinks that were given as a plain object. */
interface Plain extends Pick<Provider, "name" | "sources" | "sinks"> {
  readonly plain: true;
}

function isPlain(one: Provider | Plain): one is Plain {
  return (one as Partial<Plain>).plain === true;
}

function listed(one: Provider | Plain): Listed {
  const { name, sources, sinks } = one;
  const lists = { name, ...defined({ sources, sinks }) };
  return isPlain(one) ? lists : { ...lists, provider: one };
}

function providersOf<T extends Sources | Sinks>(
  call: string,
  option: "sources" | "sinks",
  given: Given<T>,
): (Provider | Plain)[] {
  const list: readonly (T | Provider)[] = Array.isArray(given) ? given : [given];
  return list.map((one, i) => {
    const path = given === one ? option : `${option}[${i}]`;
    if (!isProvider(one)) return { name: path, plain: true, [option]: one };
    checkOptionNames(call, known(one), PROVIDER_NAMES, path);
    return one;
  });
}

/** The properties that providers have: objects of users may have more of their own. */
function known(provider: Provider): Provider {
  const has = Object.keys(PROVIDER_NAMES).filter((name) => name in provider);
  return Object.fromEntries(
    has.map((name) => [name, provider[name as keyof Provider]]),
  ) as unknown as Provider;
}

/** What one provider changes. */
interface Update {
  /** Its name. */
  readonly provider: string;
  /** Its changes of dimensions. */
  readonly dimensions: DimensionUpdates;
  /** Its schemas. */
  readonly arrays: readonly ArraySchema[];
}

/** The cube with all updates; two that disagree are refused. */
function updated(cube: Hypercube, updates: readonly Update[]): Hypercube {
  const arrays = arraysOf(cube, updates);
  const changes = changesOf(cube, updates);
  const whose = updates.filter(({ dimensions, arrays }) =>
    Object.keys(dimensions).length + arrays.length > 0
  );
  if (whose.length === 0) return cube;
  try {
    const sized = Object.keys(changes).length > 0 ? cube.with(changes) : cube;
    return arrays ? sized.withArrays(arrays) : sized;
  } catch (error) {
    if (!isTilewiseError(error)) throw error;
    const names = whose.map(({ provider }) => `"${provider}"`).join(", ");
    const text = `Cannot apply what ${names} changed: ${error.message}`;
    throw new TilewiseError(error.code, text, { ...error.details, provider: names }, { cause: error });
  }
}

/** All changes of dimensions together. */
function changesOf(cube: Hypercube, updates: readonly Update[]): Record<string, DimensionChange> {
  const all: Record<string, DimensionChange> = {};
  const whose = new Map<string, string>();
  for (const { provider, dimensions } of updates) {
    checkNames(`The provider "${provider}" changes a dimension that the cube does not have:`, dimensions, [
      ...cube.dimensions.keys(),
    ]);
    for (const [name, given] of Object.entries(dimensions)) {
      const change: DimensionChange = typeof given === "number" ? { size: given } : given;
      for (const [key, value] of Object.entries(change)) {
        const before = (all[name] as Readonly<Record<string, unknown>> | undefined)?.[key];
        const what = `the ${key} of the dimension ${name}`;
        const by = whose.get(`${name}.${key}`);
        if (by !== undefined && before !== value) throw conflict(what, [by, before], [provider, value]);
        whose.set(`${name}.${key}`, provider);
      }
      all[name] = { ...all[name], ...change };
    }
  }
  return all;
}

/** The schemas of the cube with those of all updates; undefined if there are none. */
function arraysOf(cube: Hypercube, updates: readonly Update[]): ArraySchema[] | undefined {
  const all = new Map(cube.arrays);
  const whose = new Map<string, string>();
  for (const { provider, arrays } of updates) {
    for (const schema of arrays) {
      const by = whose.get(schema.name);
      const before = all.get(schema.name);
      if (by !== undefined && before && inShort(before) !== inShort(schema)) {
        throw conflict(`the array ${schema.name}`, [by, inShort(before)], [provider, inShort(schema)]);
      }
      whose.set(schema.name, provider);
      all.set(schema.name, schema);
    }
  }
  return whose.size > 0 ? [...all.values()] : undefined;
}

/** What must agree. */
function inShort({ shape, dtype, role = "input" }: ArraySchema): string {
  return `${shape.join(" × ") || "scalar"} ${dtype}, ${role}`;
}

type Claim = readonly [provider: string, value: unknown];

function conflict(what: string, [a, first]: Claim, [b, second]: Claim): TilewiseError {
  const text = `The providers "${a}" and "${b}" disagree about ${what}: ${first} and ${second}`;
  return new TilewiseError("invalid", text, {
    expected: String(first),
    found: String(second),
    providers: [a, b],
  });
}
