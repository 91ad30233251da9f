/** What targets say that they do not hold: the split, steps below 0, dimensions of one sample, truth values, names. */

import { assertEquals } from "@std/assert";
import { lossesOf } from "../../src/sinks/losses.ts";
import { rawTarget } from "../../src/sinks/rows/raw.ts";
import type { AxisFacts } from "../../src/space/axes.ts";
import type { DType } from "../../src/space/dtype.ts";
import { keptBy } from "../../src/sinks/stored/registry.ts";

async function lost(
  path: string,
  shape: readonly number[],
  nav: number,
  axes: AxisFacts[],
  dtype: DType = "uint8",
) {
  return lossesOf(await keptBy(path), { shape, dtype, nav, axes });
}

Deno.test("a split that readers would take for another one is named, unless the file says it", async () => {
  for (const ending of ["npy", "tif", "ome.tif", "ome.zarr", "emd", "nxs", "fits"]) {
    assertEquals(await lost(`a.${ending}`, [4, 5, 6], 2, []), "which axes are the scan", ending);
    assertEquals(await lost(`a.${ending}`, [4, 5, 6], 1, []), "", ending);
  }
  for (const ending of ["hspy", "zspy", "zarr"]) {
    assertEquals(await lost(`a.${ending}`, [4, 5, 6], 2, []), "", ending);
  }
});

Deno.test("steps below 0, steps of one sample, and names that are not words are named where they are lost", async () => {
  const space = (name: string, scale: number): AxisFacts => ({ name, kind: "space", scale, unit: "nm" });
  for (const ending of ["ome.tif", "ome.zarr"]) {
    assertEquals(
      await lost(`a.${ending}`, [5, 6], 0, [space("y", -2), space("x", 2)]),
      "scale and unit of y",
      ending,
    );
  }
  const named = [space("RA---SIN", 1), space("x", 2)];
  assertEquals(await lost("a.nxs", [5, 6], 0, named), "name of RA---SIN");
  assertEquals(await lost("a.emd", [5, 6], 0, named), "");
  assertEquals(await lost("a.emd", [1, 6], 0, named), "scale and unit of RA---SIN");
});

Deno.test("samples of a pixel are called sample by readers of OME-TIFF", async () => {
  const said = (name: string) =>
    lost("a.ome.tif", [5, 6, 3], 0, [{ name: "y", kind: "space" }, { name: "x", kind: "space" }, {
      name,
      kind: "colour",
    }]);
  assertEquals([await said("s"), await said("sample")], ["name of s", ""]);
});

Deno.test("a micro sign is u in FITS in front of a unit, and a text with it elsewhere is named", async () => {
  const said = (unit: string) => lost("a.fits", [5, 6], 0, [{ name: "y", scale: 2, unit }, { name: "x" }]);
  assertEquals([await said("µm"), await said("µrad"), await said("1/µm")], ["", "", ""]);
  for (const unit of ["µ", "µnn", "1/nµ"]) assertEquals(await said(unit), "scale and unit of y", unit);
});

Deno.test("a name that gives an axis of FITS a unit, or uneven steps, that it does not have is named", async () => {
  for (
    const [name, unit, told] of [["RA---SIN", "", "name"], ["FREQ", "", "name"], ["WAVE-LOG", "m", "name"]]
  ) {
    const axes: AxisFacts[] = [{ name: name!, kind: "other", ...unit ? { unit } : {}, scale: 2 }, {
      name: "x",
    }];
    assertEquals((await lost("a.fits", [5, 6], 0, axes)).split(" of ")[0], told, name);
  }
  assertEquals(
    await lost("a.fits", [5, 6], 0, [{ name: "RA---SIN", unit: "deg", scale: 2 }, { name: "x" }]),
    "",
  );
});

Deno.test("dimensions of one sample and truth values are named for TIFF", async () => {
  const said = "dimensions of one sample: 0; the type bool: samples are uint8";
  assertEquals(await lost("a.tif", [1, 5, 6], 1, [], "bool"), said);
  assertEquals(await lost("a.npy", [1, 5, 6], 1, [], "bool"), "");
});

Deno.test("a scan of three dimensions is named where only two are written", async () => {
  const said = (ending: string, nav: number) => lost(`a.${ending}`, [2, 3, 4, 5, 6].slice(3 - nav), nav, []);
  for (const ending of ["mib", "xml"]) {
    assertEquals(await Promise.all([1, 2, 3].map((nav) => said(ending, nav))), [
      "",
      "",
      "the shape of the scan",
    ], ending);
  }
  assertEquals(await said("raw", 3), "");
});

Deno.test("Ripple says no order of a lone image, as HyperSpy wants it", () => {
  const order = (nav: number[]) =>
    rawTarget.layout({ nav, sig: [3, 4], dtype: "uint8", stem: "a" }).beside[0]!.text.match(
      /record-by\t(.*)/,
    )![1];
  assertEquals([order([]), order([1]), order([2])], ["dont-care", "dont-care", "image"]);
});
