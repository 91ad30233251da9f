/** Places on the screen and samples. */

import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  cornerInset,
  edgesOn,
  fit,
  fitStretched,
  indicesAlong,
  kept,
  orientedBy,
  panned,
  placeOn,
  reductionFor,
  sampleOf,
  stepOf,
  zoomed,
} from "../../../web/draw/look.ts";

const SCREEN = { width: 400, height: 300 };

const size = fc.record({
  width: fc.integer({ min: 1, max: 5000 }),
  height: fc.integer({ min: 1, max: 5000 }),
});

Deno.test("the whole image fits and is in the middle", () => {
  assertEquals(fit({ width: 100, height: 100 }, SCREEN), { y: 49.5, x: 49.5, zoom: 3 });
  assertEquals(fit({ width: 100, height: 100 }, { width: 0, height: 0 }).zoom, 1);
});

Deno.test("lines are stretched until they are seen, and all of their samples are on the screen", () => {
  fc.assert(fc.property(size, (image) => {
    const look = fitStretched(image, SCREEN);
    const [top, left] = placeOn(look, SCREEN, [-0.5, -0.5]);
    const [bottom, right] = placeOn(look, SCREEN, [image.height - 0.5, image.width - 0.5]);
    assert(top >= -1e-6 && left >= -1e-6 && bottom <= SCREEN.height + 1e-6 && right <= SCREEN.width + 1e-6);
    assert(Math.min(bottom - top, right - left) >= 24 - 1e-6);
    const back = sampleOf(look, SCREEN, placeOn(look, SCREEN, [image.height / 3, image.width / 5]));
    assertAlmostEquals(back[0], image.height / 3, 1e-6);
    assertAlmostEquals(back[1], image.width / 5, 1e-6);
    if (look.tall === undefined) assertEquals(look, fit(image, SCREEN));
  }));
  assertEquals(fitStretched({ width: 1, height: 1 }, { width: 10, height: 10 }).tall, undefined);
});

Deno.test("what is written on an image lies in its corners, or in those of the screen if it is small", () => {
  const least = { width: 100, height: 50 };
  const inset = (image: { width: number; height: number }) =>
    cornerInset(fit(image, SCREEN), SCREEN, image, least);
  assertEquals(inset({ width: 100, height: 100 }), { down: 0, side: 50 });
  assertEquals(inset({ width: 100, height: 50 }), { down: 50, side: 0 });
  assertEquals(inset({ width: 100, height: 1 }), { down: 0, side: 0 });
  const look = { y: 50, x: 50, zoom: 10 }; // larger than the screen
  assertEquals(cornerInset(look, SCREEN, { width: 100, height: 100 }, least), { down: 0, side: 0 });
});

Deno.test("the sample under the pointer stays there while the zoom changes, as long as the image covers the screen", () => {
  const image = { width: 1000, height: 1000 };
  const look = { y: 500, x: 480, zoom: 2 };
  for (const factor of [1.5, 4, 0.8]) {
    const next = zoomed(look, SCREEN, image, factor, [70, 310]);
    const [before, after] = [sampleOf(look, SCREEN, [70, 310]), sampleOf(next, SCREEN, [70, 310])];
    assertAlmostEquals(before[0], after[0], 1e-9);
    assertAlmostEquals(before[1], after[1], 1e-9);
  }
});

Deno.test("the image cannot leave the screen", () => {
  fc.assert(
    fc.property(
      size,
      fc.integer({ min: -9000, max: 9000 }),
      fc.double({ min: 0.1, max: 50, noNaN: true }),
      (image, by, factor) => {
        const look = panned(
          zoomed(fit(image, SCREEN), SCREEN, image, factor, [20, 30]),
          SCREEN,
          image,
          by,
          -by,
        );
        const [top, left] = placeOn(look, SCREEN, [-0.5, -0.5]);
        const [bottom, right] = placeOn(look, SCREEN, [image.height - 0.5, image.width - 0.5]);
        const near = 1e-6 * (bottom - top + right - left);
        assert(
          bottom - top <= SCREEN.height + near
            ? top >= -near && bottom <= SCREEN.height + near
            : top <= near && bottom >= SCREEN.height - near,
        );
        assert(
          right - left <= SCREEN.width + near
            ? left >= -near && right <= SCREEN.width + near
            : left <= near && right >= SCREEN.width - near,
        );
        assertEquals(kept(look, SCREEN, image), look);
      },
    ),
  );
});

Deno.test("places and samples are inverse to each other", () => {
  const look = { y: 12.25, x: 3.5, zoom: 2.5 };
  assertEquals(sampleOf(look, SCREEN, placeOn(look, SCREEN, [7, 9])), [7, 9]);
});

Deno.test("pixels show the sample whose area they are in", () => {
  assertEquals([...indicesAlong(8, 1.5, 2, 4, 1)], [0, 0, 1, 1, 2, 2, 3, 3]);
  assertEquals([...indicesAlong(6, 0.5, 1, 2, 1)], [-1, -1, 0, 1, -1, -1]);
  assertEquals([...indicesAlong(3, 2.5, 0.5, 6, 2)], [0, 1, 2]);
  assertEquals([...indicesAlong(2, 2, 0.4, 5, 3)], [0, 1]); // the last mean is over two samples
});

Deno.test("means cover at least a pixel and less than two, while few of them are needed", () => {
  for (let zoom = 0.02; zoom < 4; zoom *= 1.03) {
    const n = reductionFor(zoom);
    assert(n * zoom >= 1 - 1e-5, `${n} at ${zoom}`);
    assert(n === 1 || n * zoom < 2.1, `${n} at ${zoom}`);
  }
  assertEquals(reductionFor(1e-4) * 1e-4 >= 1, true);
});

Deno.test("rows that grow upwards are mirrored, whatever is done with the image", () => {
  fc.assert(fc.property(size, fc.double({ min: 1, max: 20, noNaN: true }), (image, factor) => {
    const whole = orientedBy(
      { axes: [{ name: "", step: 1, unit: "", upwards: true }] },
      fitStretched(image, SCREEN),
    );
    const { top, bottom, left, right } = edgesOn(whole, SCREEN, image);
    assert(top >= -1e-6 && left >= -1e-6 && bottom <= SCREEN.height + 1e-6 && right <= SCREEN.width + 1e-6);
    assertAlmostEquals(placeOn(whole, SCREEN, [-0.5, 0])[0], bottom, 1e-6); // row 0 is the lowest one
    const place = [100, 150] as const;
    const near = zoomed(whole, SCREEN, image, factor, place), moved = panned(near, SCREEN, image, 7, 5);
    assertEquals([near.upwards, moved.upwards], [true, true]);
    const plain = zoomed(fitStretched(image, SCREEN), SCREEN, image, factor, place);
    assertAlmostEquals(near.y, image.height - 1 - plain.y, 1e-6); // that of the image with its last row first
    const back = sampleOf(moved, SCREEN, placeOn(moved, SCREEN, [image.height / 3, image.width / 5]));
    assertAlmostEquals(back[0], image.height / 3, 1e-6);
    assertEquals(stepOf(moved, [-1, 2]), [1, 2]);
  }));
  assertEquals([...indicesAlong(6, 1.5, -1, 4, 1)], [-1, 3, 2, 1, 0, -1]);
});
