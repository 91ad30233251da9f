/** Histograms, profiles, scale bars, ticks, words. */

import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "fast-check";
import { ndarray } from "@tilewise/tilewise/arrays";
import { COLORMAPS } from "../../../src/pictures/mod.ts";
import { binsFor, countValues, domainFor, extremesOf, heightsOf } from "../../../web/draw/histogram.ts";
import { barTicks } from "../../../web/draw/legend.ts";
import { limitsOf } from "../../../web/draw/limits.ts";
import { MAP_GROUPS } from "../../../web/draw/maps.ts";
import { planesOf, sampleAt } from "../../../web/draw/numbers.ts";
import { profileOf } from "../../../web/draw/profile.ts";
import { roundLength, scaleBar } from "../../../web/draw/scale_bar.ts";
import { summaryOf } from "../../../web/draw/summary.ts";
import { placeOf, shareAt } from "../../../web/draw/transfer.ts";
import { lengthUnit, numberText, placeText, unitText, valueText } from "../../../web/draw/words.ts";
import { floats, shown, WHOLE } from "./made.ts";

function last<T, R>(work: Generator<T, R>): { readonly parts: number; readonly value: R } {
  for (let parts = 0;; parts++) {
    const { done, value } = work.next();
    if (done) return { parts, value };
  }
}

Deno.test("counts are those of a plain loop, whatever the size", () => {
  fc.assert(fc.property(
    fc.array(
      fc.oneof(fc.double({ min: -5, max: 5, noNaN: true }), fc.constantFrom(NaN, Infinity, -Infinity)),
      { minLength: 1 },
    ),
    fc.integer({ min: 1, max: 20 }),
    (values, bins) => {
      const { parts: [plane] } = planesOf(shown(floats(1, values.length, (_, x) => values[x]!)));
      const finite = values.filter(Number.isFinite);
      const { value: [low, high] } = last(extremesOf(plane));
      assertEquals([low, high], finite.length > 0 ? [Math.min(...finite), Math.max(...finite)] : [0, 1]);
      const { counts, total, done } = last(countValues(plane, [low, high], bins)).value;
      assertEquals([total, done], [finite.length, 1]);
      assertEquals(counts.reduce((sum, n) => sum + n, 0), finite.length);
      const plain = new Uint32Array(bins);
      for (const value of finite) {
        const bin = high > low ? Math.floor((value - low) / (high - low) * bins) : 0;
        plain[Math.min(bins - 1, bin)]!++;
      }
      assertEquals(counts, plain);
    },
  ));
});

Deno.test("large images are counted in parts", () => {
  const { parts: [plane] } = planesOf(shown(floats(512, 512, (y, x) => y + x)));
  const { parts, value } = last(countValues(plane, [0, 1022], 16));
  assertEquals([parts, value.total], [4, 512 * 512]);
  assertEquals(Math.max(...heightsOf(value.counts)), 1);
});

Deno.test("bins of whole numbers hold one number each, and narrow limits are shown from near", () => {
  assertEquals([binsFor([0, 9], true, 256), binsFor([0, 9], false, 256), binsFor([0, 65535], true, 256)], [
    10,
    256,
    256,
  ]);
  assertEquals(domainFor([0, 1000], [10, 900]), [0, 1000]);
  assertEquals(domainFor([0, 1000], [10, 20]), [0, 50]);
  assertEquals(domainFor([0, 1000], [-50, 2000]), [-50, 2000]);
});

Deno.test("percentiles of large images come from an even selection", () => {
  const planes = planesOf(shown(floats(600, 600, (y, x) => (y * 600 + x) % 1000)));
  const [low, high] = limitsOf(planes, { ...WHOLE, percentile: [10, 90] });
  assertAlmostEquals(low, 100, 10);
  assertAlmostEquals(high, 900, 10);
  assertEquals(limitsOf(planes, WHOLE), [0, 999]);
});

Deno.test("a profile has the values of a plane at its places", () => {
  const { parts: [plane] } = planesOf(shown(floats(20, 30, (y, x) => 3 * y + 2 * x)));
  const { values, step } = profileOf(plane, [[2, 3], [14, 8]], 3);
  assertEquals(values.length, 14);
  values.forEach((value, i) =>
    assertAlmostEquals(value, 3 * (2 + i * step[0]) + 2 * (3 + i * step[1]), 1e-9)
  );
  assert(Number.isNaN(profileOf(plane, [[-5, 0], [5, 0]]).values[0]));
  assertEquals(profileOf(plane, [[4, 4], [4, 4]]).values, Float64Array.of(20, 20));
});

Deno.test("a profile leaves out what is missing", () => {
  const { parts: [plane] } = planesOf(shown(floats(3, 5, (y, x) => y === 0 && x === 2 ? NaN : 1)));
  assertEquals([...profileOf(plane, [[1, 0], [1, 4]], 3).values], [1, 1, 1, 1, 1]);
  assertEquals([...profileOf(plane, [[0, 0], [0, 4]]).values], [1, 1, NaN, 1, 1]);
});

Deno.test("scale bars have round lengths, and prefixes of metres", () => {
  const axis = (step: number, unit: string) => ({ name: "x", step, unit });
  assertEquals(scaleBar(axis(0.5, "nm"), 2, 100), { pixels: 80, label: "20 nm" });
  assertEquals(scaleBar(axis(500, "nm"), 1, 100)?.label, "50 µm");
  assertEquals(scaleBar(axis(0.01, "um"), 1, 55)?.label, "500 nm");
  assertEquals(scaleBar(axis(0.05, "1/nm"), 2, 50)?.label, "1 nm⁻¹");
  assertEquals(scaleBar(axis(1, "px"), 0.5, 50), { pixels: 50, label: "100 px" });
  assertEquals(scaleBar(axis(NaN, "nm"), 1, 50)?.label, "50 px");
  assertEquals(scaleBar(axis(1, "px"), 100, 50), undefined);
  assertEquals([0.7, 1, 1.99, 4.9, 5, 999].map(roundLength), [0.5, 1, 1, 2, 5, 500]);
  assertEquals([0, -1, NaN, Infinity].map(roundLength), [0, 0, 0, 0]);
});

Deno.test("the scale of colours goes from 0 to 1 and back", () => {
  for (const scale of ["linear", "log"] as const) {
    for (const gamma of [0.4, 1, 2.2]) {
      assertEquals([placeOf(0, { scale, gamma }), placeOf(1, { scale, gamma })], [0, 1]);
      for (let share = 0; share <= 1; share += 0.125) {
        assertAlmostEquals(shareAt(placeOf(share, { scale, gamma }), { scale, gamma }), share, 1e-12);
      }
    }
  }
});

Deno.test("ticks of a colour bar lie inside of it and rise", () => {
  assertEquals(barTicks([0, 10], { scale: "linear", gamma: 1 }, 5).map(({ label }) => label), [
    "0",
    "2",
    "4",
    "6",
    "8",
    "10",
  ]);
  assertEquals(barTicks([999000, 1001000], { scale: "linear", gamma: 1 }, 2).map(({ label }) => label), [
    "999\u202f000",
    "1\u202f000\u202f000",
    "1\u202f001\u202f000",
  ]);
  assertEquals(barTicks([2, 96], { scale: "linear", gamma: 1 }, 3).map(({ label }) => label), [
    "20",
    "40",
    "60",
    "80",
  ]);
  assertEquals(barTicks([3, 3], { scale: "log", gamma: 1 }, 5), [{ at: 0.5, label: "3" }]);
  fc.assert(
    fc.property(
      fc.double({ min: -1e6, max: 1e6, noNaN: true }),
      fc.double({ min: 1e-3, max: 1e6, noNaN: true }),
      fc.constantFrom(0.5, 1, 3),
      (low, span, gamma) => {
        const ticks = barTicks([low, low + span], { scale: "log", gamma }, 6);
        ticks.forEach(({ at }, i) => assert(at >= 0 && at <= 1 && (i === 0 || at > ticks[i - 1]!.at)));
      },
    ),
  );
});

Deno.test("all colour maps are offered once", () => {
  assertEquals(MAP_GROUPS.flatMap(({ names }) => names).sort(), [...COLORMAPS].sort());
});

Deno.test("numbers, units and places in words", () => {
  assertEquals([0, -3, 123456, 1234567, 0.1 + 0.2, 1e-9, NaN, -Infinity].map((n) => numberText(n)), [
    "0",
    "−3",
    "123456",
    "1.2346e6",
    "0.3",
    "1e−9",
    "not a number",
    "−infinite",
  ]);
  assertEquals(["1/nm", "um", "px", "1/um"].map(unitText), ["nm⁻¹", "µm", "px", "µm⁻¹"]);
  assertEquals(["A", "1/A", "Angstrom", "nm"].map(lengthUnit), ["Å", "Å⁻¹", "Å", "nm"]);
  assertEquals(unitText("A"), "A"); // of values, it is the ampere
  assertEquals(placeText(shown(floats(1, 1, () => 0), 0.5, "nm"), 4, 10), "y 4, x 10 (2, 5 nm)");
  const valid = Uint8Array.of(1, 0, 1);
  const image = { ...shown(ndarray(Float32Array.of(7, 0, NaN), [1, 3], "float32", valid)), unit: "counts" };
  const texts = [0, 1, 2, 3].map((x) => valueText(sampleAt(image, 0, x), image.unit));
  assertEquals(texts, ["7 counts", "not computed", "no value", ""]);
  const complex = shown(ndarray(Float32Array.of(0, -2), [1, 1], "complex64"));
  assertEquals(valueText(sampleAt(complex, 0, 0)), "2 at −90°");
  assertEquals(
    summaryOf(image, [7, 7]),
    "Made: 1 rows, 3 columns, values shown from 7 to 7 counts, 33 percent not computed",
  );
});
