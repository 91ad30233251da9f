import "../../fences/mod.ts";
import { assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { TilewiseError } from "../../../src/errors.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import { type Shape, sizeOf, unravel } from "../../../src/space/shape.ts";
import { wardInTurns } from "../../../src/udf/cluster/ward.ts";
import golden from "./golden.json" with { type: "json" };
import { noise } from "./noise.ts";
import { measured } from "../../fuzz/clock.ts";

Deno.test("the regions that scikit-learn finds, also where costs are equal", async () => {
  for (const { shape, width, modulus, n, labels } of golden.ward) {
    const features = ndarray(noise(sizeOf(shape) * width, modulus), [...shape, width], "float64");
    const found = await wardInTurns(features, shape, n);
    assertEquals([found.dtype, found.shape], ["int32", shape]);
    assertEquals([...found.data], labels, `${shape} × ${width} into ${n}`);
  }
});

interface Cluster {
  readonly members: number[];
  readonly id: number;
}

/** The definition: of all pairs that touch, the one whose union adds least to the sum of squares. */
function plain(values: readonly (readonly number[])[], shape: Shape, n: number): number[] {
  let clusters: Cluster[] = values.map((_, i) => ({ members: [i], id: i }));
  let next = values.length;
  const touch = (a: Cluster, b: Cluster) =>
    a.members.some((i) =>
      b.members.some((k) => {
        const [p, q] = [unravel(i, shape), unravel(k, shape)];
        return p.reduce((sum, c, d) => sum + Math.abs(c - q[d]!), 0) === 1;
      })
    );
  const squares = (members: readonly number[]) =>
    values[0]!.reduce((sum, _, f) => {
      const mean = members.reduce((m, i) => m + values[i]![f]!, 0) / members.length;
      return sum + members.reduce((s, i) => s + (values[i]![f]! - mean) ** 2, 0);
    }, 0);
  while (clusters.length > n) {
    let best: { cost: number; a: Cluster; b: Cluster } | undefined;
    for (const a of clusters) { // ids ascend: of equal costs the first pair with the least later cluster wins
      for (const b of clusters.filter(({ id }) => id < a.id)) {
        if (!touch(a, b)) continue;
        const cost = squares([...a.members, ...b.members]) - squares(a.members) - squares(b.members);
        if (!best || cost < best.cost - 1e-9) best = { cost, a, b };
      }
    }
    const { a, b } = best!;
    const joined = { members: [...a.members, ...b.members], id: next++ };
    clusters = [...clusters.filter((one) => one !== a && one !== b), joined];
  }
  const labels = new Map<Cluster, number>();
  return values.map((_, i) => {
    const own = clusters.find(({ members }) => members.includes(i))!;
    if (!labels.has(own)) labels.set(own, labels.size + 1);
    return labels.get(own)!;
  });
}

Deno.test("the regions of the definition, on grids of one to three dimensions", async () => {
  const shapes = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 })
    .filter((shape) => sizeOf(shape) <= 16);
  const cases = shapes.chain((shape) =>
    fc.record({
      shape: fc.constant(shape),
      values: fc.array(fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 2, maxLength: 2 }), {
        minLength: sizeOf(shape),
        maxLength: sizeOf(shape),
      }),
      n: fc.integer({ min: 1, max: sizeOf(shape) }),
    })
  );
  await fc.assert(
    fc.asyncProperty(cases, async ({ shape, values, n }) => {
      const features = ndarray(Float64Array.from(values.flat()), [...shape, 2], "float64");
      assertEquals([...(await wardInTurns(features, shape, n)).data], plain(values, shape, n));
    }),
    { seed: 11, numRuns: 60 },
  );
});

Deno.test("a scan of 128 × 128 positions takes moments", async () => {
  const [size, width] = [128, 15];
  const data = Float64Array.from({ length: size * size * width }, (_, i) => {
    const position = Math.floor(i / width);
    const [y, x] = [Math.floor(position / size), position % size];
    return (y < 40 ? 1 : x < y ? 5 : 9) + ((7 * i * i + 3 * i) % 101) / 500;
  });
  const spent = measured();
  const { data: labels } = await wardInTurns(ndarray(data, [size, size, width], "float64"), [size, size], 3);
  // Quadratic work would take minutes; the limit is far above what a busy machine needs.
  assertEquals([labels[0], labels[127 * size], labels[60 * size + 100]], [1, 2, 3]);
  assertEquals(spent().milliseconds < 30_000, true);
});

Deno.test("an abort is heard while clusters are made", async () => {
  const large = ndarray(new Float64Array(512 * 512), [512, 512, 1], "float64");
  const controller = new AbortController();
  setTimeout(() => controller.abort("enough"), 1);
  const error = await assertRejects(
    () => wardInTurns(large, [512, 512], 1, controller.signal),
    TilewiseError,
  );
  assertEquals([error.code, error.cause], ["aborted", "enough"]);
});

Deno.test("what cannot be clustered is refused", async () => {
  const features = ndarray(Float32Array.of(1, 2, 3, 4), [4, 1], "float32");
  for (const n of [0, 5, 1.5]) {
    await assertRejects(() => wardInTurns(features, [2, 2], n), TilewiseError, "ask for 1 to 4");
  }
  await assertRejects(() => wardInTurns(features, [3], 1), TilewiseError, "(3, features)");
  const complex = ndarray(Float32Array.of(1, 2), [1, 1], "complex64");
  await assertRejects(() => wardInTurns(complex, [1], 1), TilewiseError, "real numbers");
  const odd = ndarray(Float32Array.of(1, 2, NaN, 4), [2, 2], "float32");
  await assertRejects(() => wardInTurns(odd, [2], 1), TilewiseError, "NaN, at position 1");
});

Deno.test("features of 64-bit integers are clustered like other numbers", async () => {
  const features = ndarray(BigInt64Array.of(1n, 1n, 9n, 9n), [2, 2, 1], "int64");
  assertEquals([...(await wardInTurns(features, [2, 2], 2)).data], [1, 1, 2, 2]);
});
