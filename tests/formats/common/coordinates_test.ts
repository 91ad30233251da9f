/** Coordinates of dimensions, as xarray, netCDF4 and h5py have written them with `tests/data/meaning/make_coordinates.py`. */

import { assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { open } from "../../../src/formats/open.ts";

const pathOf = (name: string) => fromFileUrl(new URL(`../../data/meaning/${name}`, import.meta.url));
const TIME = { name: "time", kind: "time", size: 2, scale: 1.5, offset: 0, unit: "s" };
const IMAGE = [
  { name: "y", kind: "space", size: 3, scale: 10, offset: 10, unit: "nm" },
  { name: "x", kind: "space", size: 4, positions: [1, 2, 4, 8], unit: "nm" },
];

for (const file of ["coordinates.nc", "coordinates.zarr.zip"]) {
  const slash = file.endsWith(".nc") ? "/" : "";
  const arrayOf = async (name: string) =>
    await open(pathOf(file), { array: `${slash}${name}` }) as StoredDataset;

  Deno.test(`${file}: axes have the coordinates of their names, a dimension without them has its name`, async () => {
    assertEquals((await arrayOf("image")).axes as unknown[], [TIME, ...IMAGE]);
    assertEquals((await arrayOf("bands")).axes as unknown[], [{ name: "band", size: 2 }, ...IMAGE]);
  });

  Deno.test(`${file}: numbers that are packed are told, with the number of missing ones`, async () => {
    const { axes, values, warnings } = await arrayOf("packed");
    assertEquals([axes as unknown[], values], [[TIME, ...IMAGE], { kind: "amount", missing: -9 }]);
    assertEquals(warnings.filter((text) => text.endsWith("are x * 0.01 + 5")).length, 1);
    assertEquals((await arrayOf("image")).values, { kind: "amount", unit: "counts" });
  });
}

Deno.test("labels of dimensions are names, also of those with a scale", async () => {
  const { axes, metadata } = await open(pathOf("labels.h5"), { array: "/data" });
  assertEquals(axes.map(({ name, scale, unit }) => [name, scale, unit]), [
    ["t", undefined, undefined],
    ["ky", undefined, undefined], // no name
    ["x", 0.5, "µm"],
  ]);
  assertEquals(Object.keys(metadata["attributes"] as object), ["DIMENSION_LABELS"]); // and no addresses
});
