/**
 * The observations in `tests/data/observations`, and what their writers put into them.
 *
 * @module
 */

import { cp } from "node:fs/promises";
import { assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import type { Observation, RowSamples } from "../../src/observations/observation.ts";
import type { ProviderContext } from "../../src/hypercube/providers/provider.ts";
import type { TypedArray } from "../../src/space/dtype.ts";
import { sha256 } from "../formats/read_all.ts";

/** What an observation holds. */
export interface Expected {
  readonly antennas: string[];
  readonly positions: number[][];
  readonly times: number[];
  readonly frequencies: number[];
  readonly channelWidths: number[];
  readonly correlations: string[];
  readonly phaseCentre: number[];
  readonly field: string;
  readonly rows: number;
  readonly antenna1: number[];
  readonly antenna2: number[];
  readonly uvw: string;
  readonly visibility: string;
  readonly model?: string;
  readonly flag: string;
  readonly weight: string;
  readonly interval: number[];
  readonly sign: string;
}

const FOLDER = new URL("../data/observations/", import.meta.url);

/** By the names of files. */
export const EXPECTED = JSON.parse(Deno.readTextFileSync(new URL("expected.json", FOLDER)));

/** The path of an observation. */
export function pathOf(name: string): string {
  return fromFileUrl(new URL(name, FOLDER));
}

async function digest(data: TypedArray): Promise<string> {
  return await sha256(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
}

/** What a source is told of a tile, as far as those of observations look at it. */
export function tile(extents: readonly (readonly [number, number])[]): ProviderContext {
  return { extents } as unknown as ProviderContext;
}

/** All samples, as one tile. */
export async function allSamples({ shape, source }: RowSamples): Promise<TypedArray> {
  return await source(tile(shape.map((n) => [0, n]))) as TypedArray;
}

/** Compares an observation with what its writer put into it. */
export async function compare(found: Observation, expected: Expected): Promise<void> {
  assertEquals(found.antennas.map(({ name }) => name), expected.antennas);
  found.antennas.forEach(({ position }, i) => near(position, expected.positions[i]!, 1e-6));
  near(found.times, expected.times, 1e-3);
  near(found.frequencies, expected.frequencies, 0);
  near(found.channelWidths, expected.channelWidths, 0);
  assertEquals(found.correlations, expected.correlations);
  near(found.field.phaseCentre, expected.phaseCentre, 1e-12);
  assertEquals([found.field.name, found.rows, found.uvwSign], [expected.field, expected.rows, expected.sign]);
  assertEquals([...await found.antenna1(0, found.rows)], expected.antenna1);
  assertEquals([...await found.antenna2(0, found.rows)], expected.antenna2);
  assertEquals([...await found.interval(0, found.rows)], expected.interval);
  assertEquals(await digest(await found.uvw(0, found.rows)), expected.uvw);
  assertEquals(await digest(await allSamples(found.visibility!)), expected.visibility);
  assertEquals(await digest(await allSamples(found.flag!)), expected.flag);
  assertEquals(await digest(await allSamples(found.weight!)), expected.weight);
}

function near(found: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number): void {
  assertEquals(found.length, expected.length);
  for (let i = 0; i < found.length; i++) {
    if (Math.abs(found[i]! - expected[i]!) > tolerance) assertEquals(found[i], expected[i]);
  }
}

/** Writes `day.ms`, a copy of a Measurement Set, and `sky.txt`, a source in it, to a folder. */
export async function writeObservation(folder: string): Promise<void> {
  await cp(pathOf("small.ms"), `${folder}/day.ms`, { recursive: true });
  await Deno.writeTextFile(`${folder}/sky.txt`, "Name,Ra,Dec,I\nsource,71.62,-28.65,1.5\n");
}
