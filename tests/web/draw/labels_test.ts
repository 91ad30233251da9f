/** Labels over an image: placed, coloured and outlined as plain loops do. */

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { ndarray } from "@tilewise/tilewise/arrays";
import { displayOfAll, DrawnImage } from "../../../web/draw/drawn.ts";
import { displayOf } from "../../../web/draw/maps.ts";
import { labelColour, labelPixels, paint, placeLabels } from "../../../web/draw/paint.ts";
import { TileStore } from "../../../web/draw/tile_store.ts";
import { wholePainting } from "../../../web/pictures/surface/whole.ts";
import { START } from "../../../web/state/state.ts";
import { floats, shown } from "./made.ts";

/** An image that is shrunk to a few pixels. */
const LOOK = { y: 2, x: 2.5, zoom: 0.4 }, SCREEN = { width: 3, height: 2 };

Deno.test("a pixel is coloured where it is in a label, or at its edge", () => {
  const images = fc.tuple(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 7 })).chain(([h, w]) =>
    fc.tuple(fc.constant(w), fc.array(fc.nat(2), { minLength: h * w, maxLength: h * w }))
  );
  fc.assert(fc.property(images, fc.boolean(), fc.nat(2), ([width, labels], outline, chosen) => {
    const pixels = labelPixels(Uint32Array.from(labels), width, { opacity: 0.4, outline, chosen });
    const at = (y: number, x: number) => x < 0 || x >= width ? undefined : labels[y * width + x];
    labels.forEach((label, i) => {
      const [y, x] = [Math.floor(i / width), i % width];
      const around = [at(y - 1, x), at(y + 1, x), at(y, x - 1), at(y, x + 1)];
      const isEdge = around.some((other) => other !== undefined && other !== label);
      const isSeen = label !== 0 && (!outline || isEdge);
      const colour = label === chosen && isEdge ? [255, 255, 255, 255] : [...labelColour(label), 102];
      const expected = isSeen ? colour : [0, 0, 0, 0];
      assertEquals([...pixels.subarray(4 * i, 4 * i + 4)], expected);
    });
  }));
});

Deno.test("labels that follow each other have different colours", () => {
  for (let label = 1; label < 500; label++) {
    const [one, next] = [labelColour(label), labelColour(label + 1)];
    assert(Math.hypot(...one.map((part, i) => part - next[i]!)) > 100, `${label}: ${one} ${next}`);
  }
});

Deno.test("an image of labels has one colour for each, at any zoom, and a legend that counts them", () => {
  const labels = fc.array(fc.nat(255), { minLength: 30, maxLength: 30 });
  fc.assert(fc.property(labels, fc.nat(29), (values, missing) => {
    const array = floats(5, 6, (y, x) => y * 6 + x === missing ? NaN : values[y * 6 + x]!);
    const image = new DrawnImage({ ...shown(array), meaning: "label" });
    const display = displayOf(image.image, START.scan);
    const { pieces: [piece], colours: [colours] } = wholePainting(image, display, LOOK, SCREEN, 1);
    assertEquals(piece!.n, 1, "labels have no mean");
    const pixels = new Uint8ClampedArray(4 * 30);
    paint(pixels, image.planes, Int32Array.of(0, 1, 2, 3, 4), Int32Array.of(0, 1, 2, 3, 4, 5), colours!);
    values.forEach((label, i) => {
      const expected = i === missing ? [0, 0, 0, 0] : [...labelColour(label), 255];
      assertEquals([...pixels.subarray(4 * i, 4 * i + 4)], expected);
    });
    for (const { label, share } of image.labels!) {
      const count = values.filter((value, i) => value === label && i !== missing).length;
      assertEquals(share, count / 29);
    }
    assertEquals(image.labels!.length, new Set(values.filter((_, i) => i !== missing)).size);
  }));
});

Deno.test("angles have the colours of a whole turn; a range and a map that were chosen stay", () => {
  const image = (unit: string) => ({ ...shown(floats(1, 2, (_, x) => x)), meaning: "angle" as const, unit });
  assertEquals(displayOf(image("rad"), START.scan).range, [-Math.PI, Math.PI]);
  assertEquals(displayOf(image("deg"), START.scan).range, [-180, 180]);
  assertEquals(displayOf(image("rad"), { ...START.scan, range: [0, 1] }).range, [0, 1]);
  assertEquals(displayOf(image("rad"), { ...START.scan, colormap: "gray" }), {
    ...START.scan,
    colormap: "gray",
  });
});

Deno.test("images that are seen together have one range around zero; one alone, and a given range, stay", () => {
  const image = (low: number, high: number) => shown(floats(1, 2, (_, x) => x === 0 ? low : high));
  const display = { ...START.scan, colormap: "RdBu_r", percentile: [0, 100] as const };
  const images = [image(-1, 2), image(-7, 3), image(NaN, 4)];
  assertEquals(displayOfAll(images, display).range, [-7, 7]);
  assertEquals(displayOfAll(images.slice(0, 1), display), display);
  assertEquals(displayOfAll(images, { ...display, range: [0, 1] }).range, [0, 1]);
  assertEquals(displayOfAll([image(0, 0), image(NaN, NaN)], display).range, [-1, 1]); // as pictures of one value have
});

Deno.test("tiles lie at their places, and coarse ones have labels of the image, not means of them", async () => {
  const [height, width] = [600, 700];
  const data = Uint32Array.from({ length: height * width }, (_, i) => (i % width < 350 ? 3 : 90_001));
  const image = new DrawnImage(shown(ndarray(Uint32Array.of(1, 2, 3, 4), [2, 2], "uint32")));
  const into = new Uint32Array(12);
  const place = { top: 1, left: 1, rows: Int32Array.of(0, 1), columns: Int32Array.of(0, 0, 1) };
  placeLabels(into, 4, image.planes, place);
  assertEquals([...into], [0, 0, 0, 0, 0, 1, 1, 2, 0, 3, 3, 4]);

  const whole = ndarray(data, [height, width], "uint32");
  const reader = {
    levels: [{ height, width, scale: [1, 1] as const }],
    tileSize: 1024,
    isLabels: true,
    getTile: () => Promise.resolve(whole),
  };
  const read = Promise.withResolvers<void>();
  const store = new TileStore(reader, [{}], { changed: read.resolve, failed: read.reject });
  const key = { level: store.levels.length - 1, y: 0, x: 0 };
  assert(key.level > 0);
  store.want([key]);
  await read.promise;
  const [tile] = store.get(key)!;
  const line = new Float64Array(tile!.image.width);
  tile!.image.planes.parts[0].row(0, line);
  assertEquals([...new Set(line)], [3, 90_001]);
});
