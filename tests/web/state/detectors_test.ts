/** Handles and forms change the same parameters: a region that is dragged is the region that is computed. */

import "../../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { open, plan, run } from "@tilewise/tilewise";
import { ANALYSES } from "../../../src/analyses/mod.ts";
import { annularDetector, diskDetector, pointDetector, rectangularDetector } from "@tilewise/tilewise";
import { changeDetector, detectorOf, DETECTORS, withDetector } from "../../../web/state/detectors.ts";
import { OLD_WORDS } from "../../../web/state/old_words.ts";
import type { Region } from "../../../web/state/state.ts";

const SIZE = [12, 16] as const;

/** Pixels of a region, by the words of the seam: disks include their edge, rings only the outer one, rectangles both corners. */
function pixelsOf(region: Region): Uint8Array {
  return Uint8Array.from({ length: SIZE[0] * SIZE[1] }, (_, i) => {
    const [y, x] = [Math.floor(i / SIZE[1]), i % SIZE[1]];
    if (region.kind === "point") return y === Math.trunc(region.y) && x === Math.trunc(region.x) ? 1 : 0;
    if (region.kind === "rectangle") {
      const isInside = y >= region.y && y <= region.y + region.height && x >= region.x &&
        x <= region.x + region.width;
      return isInside ? 1 : 0;
    }
    const square = (y - region.cy) ** 2 + (x - region.cx) ** 2;
    if (region.kind === "disk") return square <= region.r ** 2 ? 1 : 0;
    return square > region.ri ** 2 && square <= region.ro ** 2 ? 1 : 0;
  });
}

/** Which pixels a detector without parameters counts: a frame per pixel, in which only that pixel is 1. */
async function counted(detector: ReturnType<typeof diskDetector>): Promise<Uint8Array> {
  const pixels = SIZE[0] * SIZE[1];
  const data = new Uint8Array(pixels * pixels);
  for (let i = 0; i < pixels; i++) data[i * pixels + i] = 1;
  const { seen } = await run(await plan(await open({ data, shape: [pixels, ...SIZE] }), { seen: detector }));
  return Uint8Array.from(seen.intensity.data as Float64Array);
}

Deno.test("the regions of detectors without parameters are what they count", async () => {
  const made = {
    disk_detector: diskDetector(),
    annular_detector: annularDetector(),
    rectangular_detector: rectangularDetector(),
    point_detector: pointDetector(),
  };
  for (const [name, detector] of Object.entries(made)) {
    const region = detectorOf({ name, values: {} }, SIZE);
    assert(region, name);
    assertEquals(pixelsOf(region), await counted(detector), name);
  }
});

Deno.test("a region that is dragged is read back, to a tenth of a pixel", () => {
  const tenth = fc.integer({ min: 0, max: 600 }).map((n) => n / 10);
  const region: fc.Arbitrary<Region> = fc.oneof(
    fc.record({ kind: fc.constant("disk" as const), cy: tenth, cx: tenth, r: tenth }),
    fc.record({ kind: fc.constant("ring" as const), cy: tenth, cx: tenth, ri: tenth, ro: tenth }),
    fc.record({ kind: fc.constant("point" as const), y: tenth, x: tenth }),
    fc.record({
      kind: fc.constant("rectangle" as const),
      y: fc.nat(60),
      x: fc.nat(60),
      height: fc.nat(60),
      width: fc.nat(60),
    }),
  );
  const names = {
    disk: "disk_detector",
    ring: "annular_detector",
    point: "point_detector",
    rectangle: "rectangular_detector",
  };
  fc.assert(fc.property(region, (region) => {
    const choice = withDetector({ name: names[region.kind], values: { other: "kept" } }, region);
    assertEquals({ ...detectorOf(choice, SIZE) }, { ...region });
    assertEquals(choice.values["other"], "kept");
  }));
});

Deno.test("every analysis with a detector has the parameters that handles write", () => {
  for (const { name, parameters } of ANALYSES) {
    const region = detectorOf({ name, values: { cy: "3", cx: "4", r: "2" } }, SIZE);
    if (!region) continue;
    const written = Object.keys(withDetector({ name, values: {} }, region).values);
    assertEquals(written.filter((key) => !(key in parameters)), [], name);
  }
});

Deno.test("another detector stays at its place", () => {
  for (const [name] of DETECTORS) {
    for (const [other] of DETECTORS) {
      const choice = withDetector({ name: "disk_detector", values: {} }, {
        kind: "disk",
        cy: 5,
        cx: 7,
        r: 2,
      });
      const changed = changeDetector(changeDetector(choice, name, SIZE), other, SIZE);
      const region = detectorOf(changed, SIZE);
      assert(region);
      const [y, x] = "cy" in region ? [region.cy, region.cx] : [region.y, region.x];
      const [dy, dx] = region.kind === "rectangle" ? [region.height / 2, region.width / 2] : [0, 0];
      assert(
        Math.abs(y + dy - 5) <= 1 && Math.abs(x + dx - 7) <= 1,
        `${name} → ${other}: ${JSON.stringify(region)}`,
      );
    }
  }
});

Deno.test("names of objects are not analyses", () => {
  for (const name of ["constructor", "toString", "__proto__"]) {
    assertEquals(detectorOf({ name, values: {} }, SIZE), undefined);
  }
});

Deno.test("addresses with other words for analyses mean the same", () => {
  const words = ANALYSES.flatMap(({ name, aliases = [] }) => aliases.map((word) => [word, name]));
  assertEquals(OLD_WORDS, Object.fromEntries(words));
});
