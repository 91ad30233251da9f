/** Handles of regions: any pull gives a region inside of the image with its radii in order. */

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  type Arrow,
  diagonal,
  handlesOf,
  handleText,
  handleTitle,
  nudged,
  pulled,
} from "../../../web/draw/region.ts";
import { outlineOf } from "../../../web/draw/outline.ts";
import type { Region } from "../../../web/state/state.ts";

const IMAGE = { width: 40, height: 30 };

const REGIONS: readonly Region[] = [
  { kind: "point", y: 3, x: 4 },
  { kind: "disk", cy: 10, cx: 12, r: 5 },
  { kind: "ring", cy: 15, cx: 20, ri: 4, ro: 9 },
  { kind: "rectangle", y: 5, x: 6, height: 8, width: 10 },
];

function checkInside(region: Region): void {
  const { width, height } = IMAGE;
  if (region.kind === "point") {
    assert(Number.isInteger(region.y) && Number.isInteger(region.x));
    assert(region.y >= 0 && region.y < height && region.x >= 0 && region.x < width);
  } else if (region.kind === "rectangle") {
    assert(Object.values(region).every((value) => typeof value === "string" || Number.isInteger(value)));
    assert(region.y >= 0 && region.x >= 0 && region.height >= 1 && region.width >= 1);
    assert(region.y + region.height < height && region.x + region.width < width);
  } else {
    assert(region.cy >= 0 && region.cy <= height - 1 && region.cx >= 0 && region.cx <= width - 1);
    const [inner, outer] = region.kind === "disk" ? [0, region.r] : [region.ri, region.ro];
    assert(inner >= 0 && inner <= outer && outer >= 0.5 && outer <= diagonal(IMAGE));
  }
}

Deno.test("pulls and arrow keys in any order keep a region valid", () => {
  const place = fc.double({ min: -100, max: 100, noNaN: true });
  const step = fc.record({ handle: fc.nat(2), y: place, x: place, isKey: fc.boolean() });
  fc.assert(fc.property(fc.constantFrom(...REGIONS), fc.array(step, { maxLength: 12 }), (start, steps) => {
    let region = start;
    for (const { handle, y, x, isKey } of steps) {
      const handles = handlesOf(region);
      const { name } = handles[handle % handles.length]!;
      region = isKey
        ? nudged(region, name, Math.sign(y) * 10, Math.sign(x), IMAGE)
        : pulled(region, name, [y, x], IMAGE);
      checkInside(region);
    }
  }));
});

Deno.test("the tip of a vector is pulled to a tenth of a pixel, inside of the image", () => {
  const arrow: Arrow = { kind: "arrow", from: [10, 12], tip: [4.2, 20] };
  const places: readonly (readonly [number, number])[] = [[7.26, 3.14], [-5, 99], [4.2, 20]];
  const tips = places.map((place) => pulled(arrow, "tip", place, IMAGE).tip);
  assertEquals(tips, [[7.3, 3.1], [0, 39], [4.2, 20]]);
  assertEquals(nudged(arrow, "tip", 1, -10, IMAGE), { ...arrow, tip: [5.2, 10] });
  const look = { y: 15, x: 20, zoom: 2 };
  const path = outlineOf(arrow, look, { width: 80, height: 60 });
  const numbers = path.match(/-?[\d.]+/g)!.map(Number);
  assert(numbers.length === 10 && numbers.every(Number.isFinite), path);
});

Deno.test("a handle that is pulled to where it is changes nothing", () => {
  for (const region of REGIONS) {
    for (const { name, at, others } of handlesOf(region)) {
      for (const place of [at, ...others]) assertEquals(pulled(region, name, place, IMAGE), region);
    }
  }
});

Deno.test("handles change what they are named for", () => {
  const [point, disk, ring, rectangle] = REGIONS as [Region, Region, Region, Region];
  assertEquals(pulled(point, "centre", [7.4, 8.6], IMAGE), { kind: "point", y: 7, x: 9 });
  assertEquals(pulled(disk, "radius", [10, 19.26], IMAGE), { kind: "disk", cy: 10, cx: 12, r: 7.3 });
  assertEquals(pulled(ring, "inner", [15, 60], IMAGE), { kind: "ring", cy: 15, cx: 20, ri: 9, ro: 9 });
  assertEquals(pulled(ring, "outer", [15, 20], IMAGE), { kind: "ring", cy: 15, cx: 20, ri: 4, ro: 4 });
  assertEquals(pulled(rectangle, "start", [-9, 2.6], IMAGE), {
    kind: "rectangle",
    y: 0,
    x: 3,
    height: 13,
    width: 13,
  });
  assertEquals(pulled(rectangle, "end", [90, 9.5], IMAGE), {
    kind: "rectangle",
    y: 5,
    x: 6,
    height: 24,
    width: 3,
  });
  assertEquals(nudged(ring, "outer", -10, 0, IMAGE), { kind: "ring", cy: 15, cx: 20, ri: 4, ro: 19 });
  assertEquals(nudged(ring, "outer", 0, -1, IMAGE), { kind: "ring", cy: 15, cx: 20, ri: 4, ro: 8 });
});

Deno.test("handles have names and values in words", () => {
  const words = REGIONS.flatMap((region) =>
    handlesOf(region).map(({ name }) =>
      `${handleTitle("Detector", region, name)}: ${handleText(region, name)}`
    )
  );
  assertEquals(words, [
    "Detector: row 3, column 4",
    "Detector, centre: row 10, column 12",
    "Detector, radius: radius 5",
    "Detector, centre: row 15, column 20",
    "Detector, inner radius: radius 4",
    "Detector, outer radius: radius 9",
    "Detector, place: first row 5, first column 6",
    "Detector, first corner: first row 5, first column 6",
    "Detector, last corner: 9 rows, 11 columns",
  ]);
});

Deno.test("outlines lie around the samples of a region", () => {
  const [look, screen] = [{ y: 14.5, x: 19.5, zoom: 2 }, { width: 80, height: 60 }];
  assertEquals(outlineOf(REGIONS[0]!, look, screen), "M8 6h2v2h-2Z");
  assertEquals(outlineOf(REGIONS[3]!, look, screen), "M12 10h22v18h-22Z");
});
