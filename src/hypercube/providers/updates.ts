/**
 * What providers change of a cube before a run: sizes of dimensions, and schemas of arrays.
 *
 * @module
 */

import { isTilewiseError, TilewiseError } from "../../errors.ts";
import { checkNames } from "../../options.ts";
import type { ArraySchema, Hypercube } from "../cube/cube.ts";
import type { DimensionChange } from "../cube/dimension.ts";
import type { DimensionUpdates } from "./provider.ts";

/** What one provider changes. */
export interface Update {
  /** Its name. */
  readonly provider: string;
  /** Its changes of dimensions. */
  readonly dimensions: DimensionUpdates;
  /** Its schemas. */
  readonly arrays: readonly ArraySchema[];
}

/** The cube with all updates; two that disagree are refused. */
export function updated(cube: Hypercube, updates: readonly Update[]): Hypercube {
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
