/** Axes of smaller results, of parts and of transforms, as HyperSpy, xarray and NumPy have them. */

import { assert, assertEquals } from "@std/assert";
import type { AxisFacts } from "../../src/space/axes.ts";
import { cropped, spectral, thinned } from "../../src/space/meaning/axes.ts";
import { powerOf } from "../../src/space/meaning/units.ts";

interface Case {
  readonly size: number;
  readonly factor: number;
  readonly scale: number;
  readonly offset: number;
  readonly start: number;
  readonly count: number;
  readonly hyperspy: Readonly<
    Record<"rebin" | "crop", readonly [scale: number, offset: number, size: number]>
  >;
  readonly xarray: Readonly<Record<"coarsen" | "every" | "crop", readonly number[]>>;
  readonly numpy: readonly number[];
}

const CASES: readonly Case[] = JSON.parse(
  await Deno.readTextFile(new URL("../data/meaning/axes.json", import.meta.url)),
);

/** Where the samples of an axis are. */
const placesOf = ({ scale = 1, offset = 0, positions }: AxisFacts, size: number) =>
  positions ?? Array.from({ length: size }, (_, i) => offset + i * scale);

function close(found: readonly number[], expected: readonly number[], what: string): void {
  assertEquals(found.length, expected.length, what);
  found.forEach((value, i) =>
    assert(Math.abs(value - expected[i]!) <= 1e-9, `${what}: ${value} is not ${expected[i]}`)
  );
}

Deno.test("60 drawn axes: smaller, cropped and transformed, as HyperSpy, xarray and NumPy have them", () => {
  assertEquals(CASES.length, 60);
  for (const { size, factor, scale, offset, start, count, hyperspy, xarray, numpy } of CASES) {
    const axis: AxisFacts = { name: "x", scale, offset, unit: "nm" };
    const uneven: AxisFacts = { name: "x", unit: "nm", positions: placesOf(axis, size) };
    const what = JSON.stringify({ size, factor, scale, offset, start, count });
    const blocks = size / factor;
    for (const one of [axis, uneven]) {
      close(placesOf(thinned(one, factor, "middle"), blocks), xarray.coarsen, `means of ${what}`);
      close(placesOf(thinned(one, factor, "first"), blocks), xarray.every, `every n-th of ${what}`);
      close(placesOf(cropped(one, start, count), count), xarray.crop, `part of ${what}`);
    }
    const [smaller, part] = [thinned(axis, factor, "middle"), cropped(axis, start, count)];
    close([smaller.scale!, smaller.offset ?? 0, blocks], hyperspy.rebin, `rebin of ${what}`);
    close([part.scale!, part.offset ?? 0, count], hyperspy.crop, `isig of ${what}`);
    const spectrum = spectral(axis, size);
    close(placesOf(spectrum, size), numpy, `spectrum of ${what}`);
    assertEquals([smaller.unit, part.unit, spectrum.unit], ["nm", "nm", "1/nm"]);
  }
});

Deno.test("the inverse of an inverse is the unit, and powers add up; texts that are not units stay", () => {
  for (const unit of ["nm", "1/nm", "µm", "mrad", "e-", "counts/s", "Å", "nm²", "1/(nm·s)"]) {
    assertEquals(powerOf(powerOf(unit, -1)!, -1), unit);
    assertEquals(powerOf(powerOf(unit, 2)!, -1), powerOf(unit, -2));
  }
  assertEquals(powerOf("nm-1", -1), "nm");
  assertEquals(powerOf("e-/px", 2), "e-²/px²");
  for (const text of ["arb. units", "10^3 counts", "a/b/c", "?"]) {
    assertEquals([powerOf(text, 2), powerOf(text, -1)], [`(${text})^2`, `1/(${text})`]);
  }
  assertEquals(spectral({ name: "x", scale: 2, unit: "arb. units" }, 4).unit, "1/(arb. units)");
  assertEquals(
    spectral({ name: "x", positions: [1, 2, 4] }, 3),
    { name: "x" },
    "uneven steps have no spectrum",
  );
});
