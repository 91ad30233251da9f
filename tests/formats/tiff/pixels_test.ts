/**
 * Pixels have the size that tags say, in the ways of all programs: `tests/data/tiff/make_pixels.py` wrote the files.
 *
 * @module
 */

import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { openAllStored as openAll, openStored as open } from "../../../src/formats/open.ts";
import pixels from "../../data/tiff/pixels.json" with { type: "json" };
import { ENTRIES, FOLDER } from "../conformance/samples.ts";
import { type Entry, makeTiff } from "./make.ts";

/** An axis as the files tell it. */
type Told = { readonly scale: number; readonly unit: string; readonly offset: number } | null;

function assertAxis({ axes }: StoredDataset, d: number, told: Told, tolerance = 1e-12): void {
  const { scale, unit, offset = 0 } = axes[d]!;
  assertEquals(unit, told?.unit);
  if (!told) return assertEquals(scale, undefined);
  assertAlmostEquals(scale! / told.scale, 1, tolerance);
  assertAlmostEquals(offset, told.offset, 1e-12);
}

for (const one of pixels.files) {
  Deno.test(`${one.name}: pixels have the size of the tags`, async () => {
    const dataset = await open(Uint8Array.fromBase64(one.file));
    const rank = dataset.shape.length;
    const tolerance = one.name === "JEOL pattern" ? 1e-5 : 1e-9; // digits of the table of wavelengths
    assertAxis(dataset, rank - 2, one.y, tolerance);
    assertAxis(dataset, rank - 1, one.x, tolerance);
    const kind = ("kind" in one ? one.kind : "space") as string;
    const names = kind === "detector" ? ["ky", "kx"] : ["y", "x"];
    assertEquals<unknown>(dataset.axes.slice(-2).map((axis) => axis.kind), [kind, kind]);
    assertEquals(dataset.axes.slice(-2).map((axis) => axis.name), names);
    if ("of" in one) assertEquals<unknown>(dataset.axes[0]!.kind, one.of);
    if (one.first) assertAxis(dataset, 0, one.first);
    if ("positions" in one) {
      assertEquals<unknown>([dataset.axes[0]!.positions, dataset.axes[0]!.unit], [one.positions, "µm"]);
    }
    for (const fact of ["voltage", "magnification", "cameraLength"] as const) {
      if (fact in one) assertEquals(dataset.instrument[fact], (one as Record<string, unknown>)[fact]);
    }
  });
}

Deno.test("resolutions that are not taken are shown", async () => {
  const of = async (name: string) => {
    const { file } = pixels.files.find((one) => one.name === name)!;
    return (await open(Uint8Array.fromBase64(file))).metadata["resolution"];
  };
  assertEquals(
    await of("resolution of screens"),
    "72 x 72 pixels per inch, as screens and prints have: no size of pixels",
  );
  assertEquals(await of("resolution in cm"), "20000 x 40000 pixels per cm");
  assertEquals(await of("resolution without unit"), undefined);
});

Deno.test("reduced copies have larger pixels", async () => {
  const small = { height: 4, width: 4 };
  const bytes = makeTiff([{
    height: 8,
    width: 12,
    entries: [[282, 5, [20000, 1]], [283, 5, [40000, 1]], [296, 3, [3]]],
    below: [small],
  }]);
  const [top, level] = await openAll(bytes);
  assertEquals(top!.axes.map(({ scale, unit }) => [scale, unit]), [[0.25, "µm"], [0.5, "µm"]]);
  if (level) assertEquals(level.axes.map(({ scale }) => scale), [0.5, 1.5]);
  const damaged = makeTiff([{ height: 8, width: 12, entries: [[37706, 4, [2 ** 31]]] }]);
  assert((await open(damaged)).axes.every(({ scale }) => scale === undefined));
});

const SIS = new URL("tiff/olympus_SIS.tif", FOLDER);

Deno.test({
  name: "a camera of Olympus: steps and magnification are those that tifffile reads",
  ignore: ENTRIES.length === 0,
  fn: async () => {
    const dataset = await open(fromFileUrl(SIS), { array: "ifd1" });
    assertAxis(dataset, 0, { scale: 2.3927917758761087e-11, unit: "m", offset: 0 });
    assertAxis(dataset, 1, { scale: 2.392791775876109e-11, unit: "m", offset: 0 });
    assertEquals([dataset.warnings, dataset.instrument.magnification], [[], 600000]);
  },
});

Deno.test("what programs say in ways that are not read is told by their names, and how numbers are meant", async () => {
  const told = async (...entries: Entry[]) =>
    (await open(makeTiff([{ height: 4, width: 4, entries }]))).warnings;
  const line = (name: string) => [`What ${name} says of this image, as its size of pixels, is not read`];
  assertEquals(await told([33550, 12, [60, 60, 0]]), line("GeoTIFF (tag 33550: places on a map)"));
  assertEquals(await told([51123, 2, "{}"]), line("Micro-Manager (tag 51123)"));
  assertEquals(await told([305, 2, "TVX TIFF v 1.3"]), line("Pilatus"));
  assertEquals(await told([270, 2, "[Application],Date="]), line("streak cameras of Hamamatsu"));
  assertEquals(await told([51123, 2, "{}"], [282, 5, [5000, 1]], [283, 5, [5000, 1]], [296, 3, [3]]), []);
  assertEquals(await told([33445, 4, [2]], [33446, 5, [0.125]]), [
    "Samples x are as stored; the file says that amounts are x ** 2 * 0.125",
  ]);
  assertEquals(await told([33445, 4, [128]], [33446, 5, [1]]), []);
});
