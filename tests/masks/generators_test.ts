/** Mask generators give what LiberTEM gives, and refuse what makes no mask. */

import { assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { type NDArray, ndarray } from "../../src/space/ndarray.ts";
import * as masks from "../../src/masks/mod.ts";
import golden from "./golden.json" with { type: "json" };

const SHAPE = [5, 6];
const CENTRE = { cy: 1.6, cx: 2.3 };
const RING = { ...CENTRE, ro: 2.6, ri: 1.2 };
const DISK = { ...CENTRE, r: 2.1 };
const TEMPLATE = ndarray(Float64Array.of(1, 2, 3, 4), [2, 2], "float64");
const STAMPS = [{ mask: 0, y: 0, x: -1 }, { mask: 1, y: 1, x: 2 }, { mask: 1, y: 3, x: 4 }];
const stretched = () => masks.polarMap(SHAPE, { ...CENTRE, stretchY: 1.3, angle: 0.4 }).radius;

const MADE: Readonly<Record<keyof typeof golden, () => NDArray>> = {
  "circular": () => masks.circular(SHAPE, DISK),
  "circular, antialiased": () => masks.circular(SHAPE, { ...DISK, antialiased: true }),
  "ring": () => masks.ring(SHAPE, RING),
  "ring, antialiased": () => masks.ring(SHAPE, { ...RING, antialiased: true }),
  "radialGradient": () => masks.radialGradient(SHAPE, DISK),
  "radialGradient, antialiased": () => masks.radialGradient(SHAPE, { ...DISK, antialiased: true }),
  "radialGradientBackgroundSubtraction": () =>
    masks.radialGradientBackgroundSubtraction(stretched(), { r: 1.5, ro: 2.8, delta: 0.8 }),
  "backgroundSubtraction": () => masks.backgroundSubtraction(SHAPE, RING),
  "backgroundSubtraction, antialiased": () =>
    masks.backgroundSubtraction(SHAPE, { ...RING, antialiased: true }),
  "rectangular, negative": () => masks.rectangular(SHAPE, { x: 4, y: 3, width: -2, height: -1.5 }),
  "rectangular, cut": () => masks.rectangular(SHAPE, { x: -1, y: 1, width: 3, height: 2 }),
  "radius, ellipse": stretched,
  "angle": () => masks.polarMap(SHAPE, CENTRE).angle,
  "radialBins": () => masks.radialBins(SHAPE, { ...CENTRE, ro: 3.4, ri: 0.3, bins: 3 }),
  "radialBins, normalized": () =>
    masks.radialBins(SHAPE, { ...CENTRE, ro: 3.4, ri: 1, bins: 2, normalize: true }),
  "radialBins, default": () => masks.radialBins(SHAPE, { cy: 2.5, cx: 2.5 }),
  "stampTemplates": () => masks.denseMasks(masks.stampTemplates(SHAPE, TEMPLATE, STAMPS)),
  "stampDisks": () =>
    masks.denseMasks(
      masks.stampDisks(SHAPE, 1.5, [{ mask: 0, y: 2.2, x: 1.7 }, { mask: 1, y: 4, x: 5 }]),
    ),
  "gradientX": () => masks.gradientX(SHAPE),
  "gradientY": () => masks.gradientY(SHAPE),
};

for (const [name, make] of Object.entries(MADE)) {
  Deno.test(`${name} is LiberTEM's`, () => {
    const { data, shape } = make();
    const expected = golden[name as keyof typeof golden].split(" ").map(Number);
    assertEquals(shape.slice(-2), SHAPE);
    assertEquals(data.length, expected.length);
    expected.forEach((value, i) => assertAlmostEquals(Number(data[i]), value, 1e-7));
  });
}

Deno.test("radial bins: the values of the specification; a bin and its neighbour add up to 1", () => {
  const options = { cy: 2, cx: 1.5, ro: 3, bins: 2 };
  const { data } = masks.radialBins([4, 5], { ...options, cy: 1.5, cx: 2 });
  const rows = [0, 0.197224, 0.5, 0.197224, 0, 0, 0.881966, 1, 0.881966, 0];
  rows.forEach((value, i) => assertAlmostEquals(Number(data[i]), value, 1e-6));
  for (let i = 0; i < 20; i++) assertAlmostEquals(Number(data[i]) + Number(data[20 + i]), 1, 1e-15);
});

Deno.test("sparse bins are the dense ones, normalized ones sum to 1 with the pixel at the centre", () => {
  for (const normalize of [false, true]) {
    const options = { ...CENTRE, bins: 4, normalize };
    const dense = masks.radialBins(SHAPE, options);
    const sparse = masks.sparseRadialBins(SHAPE, options);
    assertEquals(masks.denseMasks(sparse), dense);
    const sum = (bin: number) => Array.from(dense.data.subarray(30 * bin, 30 * (bin + 1)), Number);
    if (normalize) {
      [0, 1, 2].map(sum).forEach((bin) => assertAlmostEquals(bin.reduce((a, b) => a + b), 1, 1e-14));
    }
  }
});

Deno.test("balance and background subtraction sum to 0", () => {
  const weights = Float64Array.of(-3, -2, -1, 0, 1, 2, 3, 4);
  const balanced = [...masks.balance(ndarray(weights, [8], "float64")).data].map(Number);
  assertAlmostEquals(balanced.reduce((a, b) => a + b), 0, 1e-14);
  assertEquals(balanced.slice(0, 2), [-5, -10 / 3]);
  const total = Array.from(masks.backgroundSubtraction(SHAPE, RING).data, Number).reduce((a, b) => a + b);
  assertAlmostEquals(total, 0, 1e-14);
});

Deno.test("the bounding radius is LiberTEM's", () => {
  assertEquals(masks.boundingRadius(SHAPE, CENTRE), 7);
});

Deno.test("radial Fourier masks are rings times exp(i o phi)", () => {
  const options = { cy: 1.5, cx: 2, ro: 3, bins: 2 };
  const stack = masks.radialFourierMasks([4, 5], { ...options, maxOrder: 2 });
  const bins = masks.radialBins([4, 5], options).data;
  const angle = masks.polarMap([4, 5], options).angle.data;
  assertEquals([stack.shape, stack.dtype], [[6, 4, 5], "complex128"]);
  for (let i = 0; i < 120; i++) {
    const [bin, order, pixel] = [Math.floor(i / 60), Math.floor(i / 20) % 3, i % 20];
    const weight = Number(bins[20 * bin + pixel]);
    assertAlmostEquals(Number(stack.data[2 * i]), weight * Math.cos(order * Number(angle[pixel])), 1e-15);
    assertAlmostEquals(Number(stack.data[2 * i + 1]), weight * Math.sin(order * Number(angle[pixel])), 1e-15);
  }
});

Deno.test("a cone without a radius is a mask without a NaN", () => {
  assertEquals(masks.radialGradient([1, 3], { cy: 0, cx: 1, r: 0 }).data, new Float64Array(3));
});

Deno.test("generators refuse what makes no mask", () => {
  const invalid = (make: () => unknown, text: string) => assertThrows(make, Error, text);
  invalid(() => masks.circular([16], DISK), "it needs 2 dimensions");
  invalid(() => masks.circular(SHAPE, { cy: 1, cx: 1, r: NaN }), '"r" is NaN');
  invalid(() => masks.radialBins(SHAPE, { ...CENTRE, ro: 2, ri: 3 }), "ri must be less than ro");
  invalid(() => masks.backgroundSubtraction(SHAPE, { cy: 2, cx: 2, ri: 1, ro: 1.2 }), "no pixel");
  invalid(() => masks.radialBins(SHAPE, { ...CENTRE, bins: 1.5 }), '"bins" is 1.5');
  invalid(() => masks.radialFourierMasks(SHAPE, { ...CENTRE, maxOrder: -1 }), '"maxOrder" is -1');
  const far = { cy: 90, cx: 0 };
  invalid(
    () => masks.circular(SHAPE, { ...far, r: 2 }),
    "Cannot make a disk: frames of 5 × 6 have no pixel within 2 px of (90, 0)",
  );
  invalid(() => masks.circular(SHAPE, { ...CENTRE, r: -2 }), '"r" is -2; it must be a number from 0');
  invalid(
    () => masks.ring(SHAPE, { ...CENTRE, ri: 4, ro: 2 }),
    "from ri = 4 to ro = 2: ri must be less than ro",
  );
  invalid(() => masks.ring(SHAPE, { ...far, ri: 1, ro: 2 }), "no pixel from 1 to 2 px around (90, 0)");
  invalid(() => masks.backgroundSubtraction(SHAPE, { ...far, ri: 1, ro: 2 }), "no pixel");
  invalid(() => masks.radialGradient(SHAPE, { ...far, r: 2 }), "no pixel");
  invalid(() => masks.radialBins(SHAPE, { ...far, ro: 2 }), "no pixel");
  invalid(() => masks.sparseRadialBins(SHAPE, { ...far, ri: 1, ro: 2 }), "no pixel");
  invalid(() => masks.radialFourierMasks(SHAPE, { ...far, ro: 2 }), "no pixel");
  invalid(() => masks.rectangular(SHAPE, { x: 1, y: 1, width: 0, height: 2 }), "no pixel");
  invalid(() => masks.rectangular(SHAPE, { x: 9, y: 1, width: 3, height: 2 }), "no pixel");
  invalid(() => masks.stampDisks(SHAPE, 2, [{ mask: 0, y: 0, x: 90 }]), "no pixel");
  const cone = { r: 2, ro: 1 };
  invalid(() => masks.radialGradientBackgroundSubtraction(stretched(), cone), "ro must not be less than r");
  invalid(() => masks.polarMap(SHAPE, { ...CENTRE, stretchY: 0 }), '"stretchY" is 0');
  invalid(() => masks.stampDisks(SHAPE, 2, [{ mask: -1, y: 0, x: 0 }]), "masks count from 0");
  invalid(
    () => masks.sparseMasks([1, 2, 2], [0], [4], Float64Array.of(1), "float64"),
    "outside of 1 × 2 × 2",
  );
  invalid(
    () => masks.sparseMasks([1, 2, 2], [0], [0], Float64Array.of(1, 2), "float64"),
    "do not belong together",
  );
});
