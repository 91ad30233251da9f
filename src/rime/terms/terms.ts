/**
 * Lists of terms: which arrays they need, how they are prepared, and how they are multiplied.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { ArraySchema } from "../../hypercube/cube/cube.ts";
import type { Kernels } from "../../kernels/bind.ts";
import type { Brightness } from "../../observations/meaning/correlations.ts";
import { sizeOf } from "../../space/shape.ts";
import { typedArray } from "../../space/dtype.ts";
import { BEAM } from "./beam.ts";
import { FEED_ROTATION, rotatedBy } from "./feed.ts";
import { JONES_FUNCTION } from "./function.ts";
import { JONES_KERNEL } from "./kernel.ts";
import {
  complexOf,
  type Feed,
  type JonesBatch,
  type JonesTerm,
  type Precision,
  realOf,
  type StartTile,
  type TermEntry,
  type TermTile,
} from "./term.ts";
import { fillIdentity } from "./user_arrays.ts";

/** The kinds of terms by name. */
const ENTRIES: Readonly<Record<string, TermEntry<never>>> = {
  beam: BEAM,
  feedRotation: FEED_ROTATION,
  jonesFunction: JONES_FUNCTION,
  jonesKernel: JONES_KERNEL,
};

/** Compiles what terms of users have to compile, and refuses terms for other feeds. What comes back is plain data. */
export async function prepareTerms(
  terms: readonly JonesTerm[],
  feed: Feed | undefined,
  { conjugated = false }: Brightness = {},
): Promise<JonesTerm[]> {
  checkTerms(terms);
  const other = terms.find((term) => term.feed && feed && term.feed !== feed);
  if (other) {
    const text =
      `Term "${other.name}" is for ${other.feed} feeds, but the correlations are those of ${feed} ones`;
    throw new TilewiseError("invalid", text, { option: "terms", expected: feed!, found: other.feed! });
  }
  return await Promise.all(terms.map(async (term) => {
    const { prepare: _, ...plain } = await term.prepare?.() ?? term;
    return conjugated ? rotatedBy(plain, { conjugated }) : plain;
  }));
}

/** Refuses terms that hold a function where there are workers, to which functions do not travel. */
export function checkTravel(call: string, terms: readonly JonesTerm[], workers: number): void {
  const held = terms.find(({ here }) => here);
  if (!held || workers === 0) return;
  const text =
    `${call}: term "${held.name}" holds a function, which does not travel to workers; export it from a ` +
    `module: jonesFunction(import.meta.url, { export: "${held.name}" }), or run with workers: 0`;
  throw new TilewiseError("udf", text, { term: held.name });
}

/**
 * The arrays that some terms need together, each once: complex ones are complex64 in mixed precision. Call it for terms that
 * {@link prepareTerms} has prepared.
 *
 * Errors: `invalid` if two terms need different arrays of one name.
 */
export function termArrays(terms: readonly JonesTerm[], precision: Precision): ArraySchema[] {
  checkTerms(terms);
  const found = new Map<string, ArraySchema>();
  for (const { name: term, arrays } of terms) {
    for (const given of arrays) {
      if (given.name === `${term}_singles` && precision === "f64") continue;
      const array = given.dtype === "complex128" ? { ...given, dtype: complexOf(precision) } : given;
      const other = found.get(array.name);
      if (other && !sameArray(other, array)) throw conflict(term, array, other);
      found.set(array.name, array);
    }
  }
  return [...found.values()];
}

function sameArray(a: ArraySchema, b: ArraySchema): boolean {
  return a.dtype === b.dtype && a.role === b.role && a.shape.join() === b.shape.join();
}

function conflict(term: string, { name, shape, dtype }: ArraySchema, other: ArraySchema): TilewiseError {
  const text =
    `Term "${term}" needs the array ${name} as ${dtype} of [${shape.join(", ")}], another term as ` +
    `${other.dtype} of [${other.shape.join(", ")}]; give one of them another name`;
  return new TilewiseError("invalid", text, { term, array: name });
}

function checkTerms(terms: readonly JonesTerm[]): void {
  const names = terms.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) {
    const text = `There are two terms "${twice}"; each term of a list needs a name of its own`;
    throw new TilewiseError("invalid", text, { option: "terms", found: twice });
  }
  for (const { term } of terms) entryOf(term);
}

function entryOf(term: string): TermEntry<never> {
  const entry = Object.hasOwn(ENTRIES, term) ? ENTRIES[term] : undefined;
  if (entry) return entry;
  const known = Object.keys(ENTRIES).join(", ");
  throw new TilewiseError("invalid", `There is no kind of term "${term}"; there are ${known}`, {
    found: term,
  });
}

/**
 * Starts terms on a thread. For each tile, and then for each batch of sources, what it returns fills the Jones matrices of
 * the batch: the product of all terms in their order.
 */
export async function startTerms(
  terms: readonly JonesTerm[],
  { kernels, precision }: { readonly kernels: Kernels; readonly precision: Precision },
): Promise<StartTile> {
  const starts: StartTile[] = [];
  for (const { name, term, params } of terms) {
    // Each term was made by the function of its entry, which gave it these parameters.
    starts.push(await entryOf(term).start({ name, params: params as never, kernels, precision }));
  }
  const { memory } = kernels;
  return (tile) => {
    const multiply = starts.map((start) => start(tile));
    return (batch) => {
      fillIdentity(matricesIn(memory, tile, batch, precision));
      for (const one of multiply) one(batch);
    };
  };
}

function matricesIn(
  memory: WebAssembly.Memory,
  { times, antennas, channels }: TermTile,
  { jones, sources }: JonesBatch,
  precision: Precision,
): Float32Array | Float64Array {
  return typedArray(realOf(precision), memory.buffer, jones, sizeOf([sources, times, antennas, channels, 8]));
}
