/** What holds of every operation over views: it is its definition, whatever the tiles, traversal, blocks, halo and workers. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { processExecutor } from "../../../src/executor/process/executor.ts";
import { workerPool } from "../../../src/executor/pool/pool.ts";
import { run } from "../../../src/run.ts";
import { RunContext } from "../../../src/runner/context.ts";
import { type Border, BORDERS } from "../../../src/space/border.ts";
import type { ByteOrder, DType } from "../../../src/space/dtype.ts";
import { ravel, type Shape, sizeOf, unravel } from "../../../src/space/shape.ts";
import { type Traversal, TRAVERSALS } from "../../../src/space/traversal.ts";
import type { BlockKind } from "../../../src/views/map/blocks.ts";
import { type MapPlanOptions, planMap } from "../../../src/views/map/plan.ts";
import { OPERATIONS } from "../../../src/views/registry.ts";
import { memoryArray } from "../data.ts";
import { OPERATION_ROWS, type OperationRow, PARTS, REDUCTION_ROWS } from "./table.ts";

/** Numbers that fit every sample type but bool; floats have digits behind the point. */
function noise(dtype: DType): (i: number) => number {
  if (dtype === "bool") return (i) => (i * 7919 + 3) % 3 === 0 ? 1 : 0;
  if (dtype.startsWith("float")) return (i) => Math.fround(((i * 7919 + 13) % 251 - 100) / 7);
  return (i) => (i * 7919 + 13) % 127 - (dtype.startsWith("int") ? 60 : 0);
}

/** The result by definition. */
function expected(
  row: Pick<OperationRow, "definition" | "factor" | "steps">,
  shape: Shape,
  radius: Shape,
  border: Border,
  fill: number,
  sample: (flat: number) => number,
): number[] {
  const { definition, factor, steps = [] } = row;
  if (steps.length > 0) {
    const half = radius.map((r) => r >> 1);
    const result = steps.reduce((of, step) => {
      const made = expected({ definition: step }, shape, half, border, fill, of);
      return (flat: number) => made[flat]!;
    }, sample);
    return Array.from({ length: sizeOf(shape) }, (_, flat) => {
      return definition({ samples: [sample(flat), result(flat)], counts: [2] });
    });
  }
  if (factor !== undefined) return ofBlocks(definition, factor, shape, sample);
  const counts = radius.map((r) => 2 * r + 1);
  const values = Array.from({ length: sizeOf(shape) }, (_, flat) => sample(flat));
  const window = Array.from({ length: sizeOf(counts) }, (_, w) => unravel(w, counts));
  return values.map((_, flat) => {
    const first = unravel(flat, shape).map((i, d) => i - radius[d]!);
    const seen = counts.map((n, d) =>
      Array.from({ length: n }, (_, o) => BORDERS[border](first[d]! + o, shape[d]!))
    );
    const samples = window.map((offset) => {
      let place = 0;
      for (let d = 0; d < offset.length; d++) {
        const at = seen[d]![offset[d]!]!;
        if (at < 0) return fill;
        place = place * shape[d]! + at;
      }
      return values[place]!;
    });
    return definition({ samples, counts });
  });
}

/** Whether results are those of the definition: bit for bit, or but for rounding if the operation rounds on its way. */
function assertIs(
  { tolerance, result }: OperationRow,
  dtype: DType,
  found: readonly number[],
  defined: readonly number[],
  what = "",
): void {
  const expected = result(dtype) === "float32" ? defined.map(Math.fround) : defined;
  if (tolerance === undefined) return assertEquals(found, expected, what);
  const scale = expected.reduce((most, value) => Math.max(most, Math.abs(value)), 1);
  const odd = expected.findIndex((value, i) => !(Math.abs(value - found[i]!) <= tolerance * scale));
  if (odd >= 0) throw new Error(`${found[odd]} for ${expected[odd]} at ${odd}: ${what}`);
}

/** The result where every block of samples becomes one. */
function ofBlocks(
  definition: OperationRow["definition"],
  factor: number,
  shape: Shape,
  sample: (flat: number) => number,
): number[] {
  const blocks = shape.map((n) => Math.ceil(n / factor));
  return Array.from({ length: sizeOf(blocks) }, (_, flat) => {
    const first = unravel(flat, blocks).map((i) => i * factor);
    const counts = first.map((o, d) => Math.min(factor, shape[d]! - o));
    const samples = Array.from({ length: sizeOf(counts) }, (_, s) => {
      return sample(ravel(unravel(s, counts).map((i, d) => first[d]! + i), shape));
    });
    return definition({ samples, counts });
  });
}

/** The result of a run, put together from its blocks; they come as the plan says, and its memory is all that it takes. */
async function found(
  row: OperationRow,
  { shape, dtype, order = "little" }: { shape: Shape; dtype: DType; order?: ByteOrder },
  radius: Shape,
  { tile, ...others }: MapPlanOptions,
  workers: RunContext,
): Promise<number[]> {
  const { factor = 1 } = row;
  const options = { ...others, ...(tile ? { tile: tile.map((n) => Math.ceil(n / factor) * factor) } : {}) };
  const array = memoryArray(shape, dtype, noise(dtype), order);
  const operation = row.operation(radius, dtype);
  const wide = await planMap(array, operation, { ...options, context: workers });
  await using context = new RunContext({ memory: wide.memory.total, executor: workers.executor });
  const plan = await planMap(array, operation, { ...options, context });
  const result = new Array<number>(sizeOf(plan.shape)).fill(NaN);
  let [blocks, next] = [0, 0];
  for await (const { origin, shape: part, data } of run(plan)) {
    blocks++;
    if (plan.blocks.kind === "bands") assertEquals(ravel(origin, plan.shape), next);
    next += data.length;
    data.forEach((value, i) => {
      const at = unravel(i, part).map((p, d) => p + origin[d]!);
      result[ravel(at, plan.shape)] = Number(value);
    });
  }
  await context.settled();
  assertEquals(plan.shape, shape.map((n) => Math.ceil(n / factor)));
  assertEquals([plan.dtype, blocks, next], [
    row.result(dtype),
    sizeOf(plan.blocks.counts),
    sizeOf(plan.shape),
  ]);
  assertEquals([context.arena.used, context.arena.peak], [0, plan.memory.total]);
  return result;
}

/** Arrays, radii and tiles: one to four dimensions, tiles that fit and that do not, radii beyond tile and array. */
const CASES: readonly (readonly [shape: Shape, radius: Shape, tile: Shape])[] = [
  [[11], [2], [4]],
  [[5], [7], [2]],
  [[7, 9], [1, 2], [3, 4]],
  [[7, 9], [0, 0], [2, 16]],
  [[6, 40], [2, 1], [1, 33]],
  [[4, 5, 6], [0, 1, 2], [1, 2, 4]],
  [[4, 5, 6], [1, 1, 1], [2, 3, 6]],
  [[2, 3, 4, 5], [1, 0, 2, 1], [1, 1, 3, 2]],
];

Deno.test("every operation of the table has a row here, and its own name", async () => {
  const rows = [...Object.keys(OPERATION_ROWS), ...Object.keys(REDUCTION_ROWS), ...PARTS];
  assertEquals(rows.sort(), Object.keys(OPERATIONS).sort());
  for (const [name, load] of Object.entries(OPERATIONS)) assertEquals((await load()).name, name);
  const lost = { name: "lost", operation: "toString", params: {} };
  const error = await assertRejects(() => planMap(memoryArray([4], "uint8"), lost), TilewiseError);
  const known = Object.keys(OPERATIONS).join(", ");
  assertEquals(error.message, `There is no operation "toString"; there are ${known}`);
});

Deno.test("no operation rounds samples to floats that do not hold them", () => {
  const wide: readonly DType[] = ["int32", "uint32", "float64"];
  for (const [name, { dtypes, result }] of Object.entries(OPERATION_ROWS)) {
    for (const dtype of wide.filter((one) => dtypes.includes(one))) {
      assert(!["float16", "float32"].includes(result(dtype)), `${name} of ${dtype}`);
    }
  }
});

/** Every traversal, but a spiral only in planes. */
function traversals(rank: number): Traversal[] {
  const names = Object.keys(TRAVERSALS) as Traversal[];
  return names.map((name) => name === "spiral" && rank > 2 ? "hilbert" : name);
}

for (const [name, row] of Object.entries(OPERATION_ROWS)) {
  Deno.test(`${name} is its definition, whatever tiles, border, samples, traversal and blocks`, async () => {
    await using context = new RunContext({ workers: 0 });
    let n = 0;
    for (const [i, [shape, wanted, tile]] of CASES.entries()) {
      const radius = wanted.map((r, d) => row.reaches(d, shape.length) ? r : 0);
      for (const [j, dtype] of row.dtypes.entries()) {
        if (row.dtypes.length > 1 && (i + j) % 2 !== 0) continue; // all types meet half of the cases, each case half of the types
        const border = Object.keys(BORDERS)[n % 5] as Border;
        const traversal = traversals(shape.length)[n % 6]!;
        const blocks: BlockKind = n % 3 === 0 ? "tiles" : "bands";
        const order = n++ % 4 < 2 ? "little" : "big";
        const fill = dtype === "bool" ? 1 : 5;
        const options = { border, traversal, blocks, tile, fill };
        const what = `${shape} ${radius} ${dtype} ${order} ${JSON.stringify(options)}`;
        const result = expected(row, shape, radius, border, fill, noise(dtype));
        const tiled = await found(row, { shape, dtype, order }, radius, options, context);
        assertIs(row, dtype, tiled, result, what);
        if (row.tolerance === undefined) continue;
        const whole = await found(
          row,
          { shape, dtype, order },
          radius,
          { border, fill, tile: shape },
          context,
        );
        assertEquals(tiled, whole, what);
      }
    }
  });
}

/** Orders of tiles by the number of workers: with one, their order is that of their computation. */
const ORDERS: Readonly<Record<number, readonly (readonly [Traversal, BlockKind])[]>> = {
  1: [["hilbert", "tiles"]],
  3: [["row-major", "bands"], ["spiral", "bands"], ["hilbert", "tiles"]],
};

for (const workers of [1, 3]) {
  Deno.test(`every operation gives the same bits with a wider halo on workers: ${workers}`, async () => {
    const [shape, tile] = [[37, 41], [5, 12]];
    await using executor = workerPool({ workers });
    await using context = new RunContext({ executor });
    await using alone = new RunContext({ workers: 0 });
    for (const [name, row] of Object.entries(OPERATION_ROWS)) {
      const radius = [1, 2].map((r, d) => row.reaches(d, 2) ? r : 0);
      const samples = { shape, dtype: "float32" } as const;
      const result = await found(row, samples, radius, { border: "reflect", tile: shape }, alone);
      assertIs(row, "float32", result, expected(row, shape, radius, "reflect", 0, noise("float32")), name);
      for (const [traversal, blocks] of ORDERS[workers]!) {
        const options = { border: "reflect", traversal, blocks, tile, radius: [1 + workers, 2] };
        assertEquals(await found(row, samples, radius, options, context), result, name);
      }
    }
  });
}

Deno.test("every operation gives the same in processes that share no memory, for arrays of any dimensions", async () => {
  await using executor = processExecutor({ workers: 2 });
  await using context = new RunContext({ executor });
  for (const [place, row] of Object.values(OPERATION_ROWS).entries()) {
    for (const [n, [shape, wanted, tile]] of CASES.entries()) {
      if (n !== place % CASES.length) continue; // each operation takes one case, and each case some operations
      const radius = wanted.map((r, d) => row.reaches(d, shape.length) ? r : 0);
      const blocks: BlockKind = n % 2 === 0 ? "tiles" : "bands";
      const options = { border: "edge", blocks, tile } as const;
      const result = expected(row, shape, radius, "edge", 0, noise("float32"));
      assertIs(
        row,
        "float32",
        await found(row, { shape, dtype: "float32" }, radius, options, context),
        result,
        `${shape}`,
      );
    }
  }
});
