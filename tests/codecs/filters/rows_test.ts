/** Filters of rows of tables: headers of arrays, and values that count for several rows. */

import { assert, assertEquals } from "@std/assert";
import { chunkFilter } from "../../../src/codecs/filters/registry.ts";
import { isTilewiseError } from "../../../src/errors.ts";
import { apply, mutations } from "../../fuzz/mutate.ts";
import { undo } from "./undo.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const VALUES = [7, 8, 9, 1, 2, 3];

/** Values with the rows that have them. */
function repeated(runs: readonly (readonly [rows: number, value: readonly number[]])[]): Bytes {
  return Uint8Array.from(runs.flatMap(([rows, value]) => [rows & 255, rows >> 8, 0, 0, ...value]));
}

/** Arrays of 3 × 2 bytes with their headers, and `gap` bytes between them. */
function arrays(count: number, gap: number, isBig: boolean): Bytes {
  const word = (n: number) => isBig ? [0, 0, 0, n] : [n, 0, 0, 0];
  return Uint8Array.from(
    { length: count },
    (_, i) => i,
  ).reduce<Bytes>((all, i) => {
    const more = [...word(2), ...word(2), ...word(3), ...VALUES.map((value) => value + i)];
    return Uint8Array.from([...all, ...(i > 0 ? new Array(gap).fill(99) : []), ...more]);
  }, new Uint8Array(0));
}

async function run(
  filter: string,
  values: readonly number[],
  stored: Bytes,
  room: number,
): Promise<Uint8Array> {
  const one = { name: filter, filter, values, stored: "", plain: "" };
  return await undo(await chunkFilter(filter), one, stored, room);
}

Deno.test("values are repeated for their rows, of any number and size", async () => {
  for (const bytes of [1, 3, 8]) {
    const value = (start: number) => Array.from({ length: bytes }, (_, i) => start + i);
    const runs = [1, 2, 3, 7, 64, 300].map((rows, i) => [rows, value(10 * i)] as const);
    const expected = runs.flatMap(([rows, own]) => new Array(rows).fill(own).flat());
    const found = await run("run-lengths", [bytes], repeated(runs), expected.length);
    assertEquals([...found], expected);
  }
});

Deno.test("headers are taken off arrays at equal distances, in either byte order", async () => {
  for (const isBig of [true, false]) {
    for (const [count, gap] of [[1, 0], [4, 0], [5, 3]] as const) {
      const values = [Number(isBig), 0, 6, 18 + gap, 2, 3];
      const found = await run("array-header", values, arrays(count, gap, isBig), 6 * count);
      assertEquals(
        [...found],
        Array.from({ length: count }, (_, i) => VALUES.map((value) => value + i)).flat(),
      );
    }
  }
});

Deno.test("an array with another shape is refused with its place", async () => {
  const stored = arrays(3, 0, false);
  stored[18 + 4] = 5;
  const error = await run("array-header", [0, 0, 6, 18, 2, 3], stored, 18).catch((error: unknown) => error);
  assert(isTilewiseError(error, "malformed"), String(error));
  assertEquals([error.details.place, error.details.found, error.details.expected], [18, "5 × 3", "2 × 3"]);
});

Deno.test("damaged rows end in bytes or in a typed error", async () => {
  const cases = [
    ["run-lengths", [3], repeated([[5, [1, 2, 3]], [9, [4, 5, 6]]]), 42],
    ["array-header", [0, 0, 6, 18, 2, 3], arrays(4, 0, false), 24],
  ] as const;
  for (const [filter, values, stored, room] of cases) {
    for (let seed = 1; seed <= 400; seed++) {
      const damaged = apply(stored, mutations(stored.length, seed));
      try {
        await run(filter, values, damaged, room - seed % 2);
      } catch (error) {
        assert(isTilewiseError(error, "malformed"), `${filter}, seed ${seed}: ${error}`);
      }
    }
  }
});
