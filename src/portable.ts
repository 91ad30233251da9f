/**
 * What Node 20, Node 22 and browsers of 2023 lack of the language: own functions that are used in place of newer built-in ones.
 * `tests/portable_test.ts` reports those.
 *
 * @module
 */

import type * as Crypto from "node:crypto";
import type * as Fs from "node:fs";
import type * as Os from "node:os";
import type * as Path from "node:path";
import type * as V8 from "node:v8";
import type * as Threads from "node:worker_threads";
import type * as Zlib from "node:zlib";

/** A promise, and what settles it. */
export interface Resolvers<T> {
  /** The promise. */
  readonly promise: Promise<T>;
  /** Fulfils it. */
  readonly resolve: (value: T | PromiseLike<T>) => void;
  /** Rejects it. */
  readonly reject: (reason?: unknown) => void;
}

/** As `Promise.withResolvers`. */
export function withResolvers<T>(): Resolvers<T> {
  let settle: Pick<Resolvers<T>, "resolve" | "reject"> | undefined;
  const promise = new Promise<T>((resolve, reject) => settle = { resolve, reject });
  return { promise, ...settle! };
}

/** As `Array.fromAsync`: one after another. */
export async function arrayFromAsync<T, U = T>(
  from: Iterable<T> | AsyncIterable<T>,
  map: (one: T) => U | PromiseLike<U> = (one) => one as unknown as U,
): Promise<U[]> {
  const all: U[] = [];
  for await (const one of from) all.push(await map(one));
  return all;
}

/** As `Map.groupBy`. */
export function groupBy<T, K>(from: Iterable<T>, keyOf: (one: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const one of from) {
    const key = keyOf(one), group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}

/** As `URL.parse`, but `undefined` for what is not a URL. */
export function parseUrl(url: string | URL, base?: string | URL): URL | undefined {
  return URL.canParse(url, base) ? new URL(url, base) : undefined;
}

/** Returns the memory of an array that is not needed any more, where the platform can; garbage may wait until it is 64 MiB. */
export function discard({ buffer }: ArrayBufferView): void {
  if (buffer instanceof ArrayBuffer && "transfer" in buffer && !buffer.detached) buffer.transfer(0);
}

/** How many processors the platform says that there are; 1 if it does not say. */
export function processors(): number {
  const count = (globalThis as { navigator?: { hardwareConcurrency?: number } }).navigator
    ?.hardwareConcurrency;
  if (count !== undefined) return count;
  return nodeModule("node:os")?.availableParallelism() ?? 1; // asked for last
}

/** The modules of Node that are not imported, but asked for where they are needed: pages have none. */
interface NodeModules {
  readonly "node:crypto": typeof Crypto;
  readonly "node:fs": typeof Fs;
  readonly "node:os": typeof Os;
  readonly "node:path": typeof Path;
  readonly "node:v8": typeof V8;
  readonly "node:worker_threads": typeof Threads;
  readonly "node:zlib": typeof Zlib;
}

/** A module of Node, where there is one. In Deno, `process` is loaded when it is asked for, which takes 4 MiB in every thread. */
export function nodeModule<N extends keyof NodeModules>(name: N): NodeModules[N] | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } };
  return process?.getBuiltinModule?.(name) as NodeModules[N] | undefined;
}

/** Undoes raw deflate. Node takes 40 ms to load its `Response`, Deno 20 ms its `node:zlib`. */
export async function inflateRaw(packed: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const zlib = "Deno" in globalThis ? undefined : nodeModule("node:zlib");
  if (zlib) return zlib.inflateRawSync(packed);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The class of arrays of two-byte floats; absent in Node before 24, and in browsers of 2024. */
export const Float16: Float16ArrayConstructor | undefined =
  (globalThis as { Float16Array?: Float16ArrayConstructor }).Float16Array;

// Classes whose objects are disposed of have methods of these names. Compilers use the same symbols where there are none.
for (const name of ["dispose", "asyncDispose"] as const) {
  if (Symbol[name] === undefined) {
    Object.defineProperty(Symbol, name, { value: Symbol.for(`Symbol.${name}`) });
  }
}
