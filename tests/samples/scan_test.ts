import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { demoGeometry, DemoScan } from "../../src/samples/scan.ts";
import { PoissonTable, Random } from "../../src/samples/poisson.ts";

const spec = { scan: [8, 10] as const, side: 64, seed: 5 };

Deno.test("the same seed gives the same frames, another seed others", () => {
  const frames = (seed: number) => [...new DemoScan({ ...spec, seed }).frames()].length;
  const first = (seed: number): Uint16Array => {
    const [frame] = new DemoScan({ ...spec, seed }).frames();
    return frame!;
  };
  assertEquals(frames(1), 80);
  assertEquals(first(1), first(1));
  assertNotEquals(first(1), first(2));
});

Deno.test("every electron is in the disks or in the background, and in the sum", () => {
  const scan = new DemoScan(spec);
  const background = 64 * 64 / 64;
  let n = 0;
  let total = 0;
  for (const frame of scan.frames()) {
    const counts = frame.reduce((a, b) => a + b, 0);
    assertEquals(counts, scan.truth.direct[n]! + scan.truth.bragg[n]! + background);
    total += counts;
    n++;
  }
  assertEquals(scan.truth.sum.reduce((a, b) => a + b, 0), total);
});

Deno.test("no disk ever leaves its detector", () => {
  for (const side of [64, 128, 256]) {
    const { centre, disk, inner, ring, bragg, deflection } = demoGeometry(side);
    const reach = disk + 0.5 + deflection;
    assert(reach < inner && inner < ring[0]);
    assert(bragg - reach > ring[0] && bragg + reach < ring[1] && ring[1] < centre);
  }
});

Deno.test("the longest deflection is what the geometry says", () => {
  const { truth, geometry } = new DemoScan(spec);
  const lengths = truth.shiftY.map((y, n) => Math.hypot(y, truth.shiftX[n]!));
  assert(Math.abs(Math.max(...lengths) - geometry.deflection) < 1e-12);
  assert(Math.min(...lengths) < geometry.deflection / 4);
});

Deno.test("Poisson counts have their mean and their variance", () => {
  const table = new PoissonTable(100);
  for (const wanted of [0, 0.4, 3, 25, 100]) {
    const level = table.level(wanted);
    const mean = level * 100 / 255;
    const random = new Random(11);
    let [sum, squares] = [0, 0];
    const n = 40_000;
    for (let i = 0; i < n; i++) {
      const count = table.draw(level, random);
      sum += count;
      squares += (count - mean) ** 2;
    }
    assert(Math.abs(sum / n - mean) < 5 * Math.sqrt(mean / n) + 1e-12, `mean of ${mean}: ${sum / n}`);
    assert(Math.abs(squares / n - mean) < 0.06 * mean + 1e-12, `variance of ${mean}: ${squares / n}`);
  }
});
