/** The unit of samples, and the number of missing ones, as files of different formats say them. */

import { assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { open } from "../../../src/formats/open.ts";
import { type Entry, makeTiff } from "../tiff/make.ts";

const H5 = fromFileUrl(new URL("../../data/meaning/units.h5", import.meta.url));

Deno.test("NeXus and CF, HyperSpy and Nion say the unit of their samples", async () => {
  const values = async (array: string) => (await open(H5, { array }) as StoredDataset).values;
  assertEquals(await values("/entry/data"), { kind: "amount", unit: "counts", missing: 65535 });
  assertEquals(await values("/Experiments/one/data"), { kind: "amount", unit: "e-" });
  assertEquals(await values("/nion/data"), { kind: "amount", unit: "electrons" });
  assertEquals(
    await values("/scaled/data"),
    { kind: "amount" },
    "half an electron each: that is not their unit",
  );
});

const SCALED = (unit: string, line: string) =>
  `Samples x are as stored; the file says that amounts${unit} are ${line}`;

Deno.test("samples that are not yet amounts are told, with what to compute", async () => {
  assertEquals((await open(H5, { array: "/scaled/data" })).warnings, [SCALED(" in electrons", "x * 0.5")]);
  const page = (...lines: string[]) =>
    open(
      makeTiff([{
        height: 2,
        width: 2,
        bits: 16,
        entries: [[270, 2, ["ImageJ=1.54f", ...lines].join("\n")]],
      }]),
    );
  const signed = await page("cf=0", "c0=-32768.0", "c1=1.0", "vunit=Gray Value"); // how ImageJ stores int16
  assertEquals(signed.warnings, [SCALED(" in Gray Value", "x - 32768")]);
  assertEquals((await page("cf=0", "c0=0", "c1=2")).warnings, [SCALED("", "x * 2")]);
  assertEquals((await page("vunit=Gray Value")).warnings, []);
});

Deno.test("GDAL says which samples are missing, and their unit, scale and offset", async () => {
  const items = (...said: readonly (readonly [string, string | number])[]) =>
    `<GDALMetadata>${
      said.map(([role, text]) => `<Item name="A" sample="0" role="${role}">${text}</Item>`).join("")
    }</GDALMetadata>`;
  const band = (...entries: Entry[]) => open(makeTiff([{ height: 2, width: 2, bits: 16, entries }]));
  assertEquals((await band([42113, 2, "65535"])).values, { kind: "amount", missing: 65535 });
  for (const none of ["-9999", "nan", "1.5", ""]) { // no uint16 is that
    assertEquals((await band([42113, 2, none])).values, { kind: "amount" });
  }
  const plain = await band([42112, 2, items(["unittype", "m &amp; km"], ["scale", 1], ["offset", 0])]);
  assertEquals([plain.values, plain.warnings], [{ kind: "amount", unit: "m & km" }, []]);
  const packed = await band([42112, 2, items(["scale", 0.01], ["offset", 273.15], ["unittype", "K"])]);
  assertEquals([packed.values, packed.warnings], [{ kind: "amount" }, [
    SCALED(" in K", "x * 0.01 + 273.15"),
  ]]);
});

/** A FITS image of 2 × 2 integers of 16 bits. */
function fits(...cards: readonly string[]): Uint8Array {
  const own = ["SIMPLE  = T", "BITPIX  = 16", "NAXIS   = 2", "NAXIS1  = 2", "NAXIS2  = 2", ...cards, "END"];
  const head = own.map((card) => card.padEnd(80)).join("").padEnd(2880);
  const file = new Uint8Array(2 * 2880);
  file.set(new TextEncoder().encode(head));
  return file;
}

Deno.test("FITS says the unit, and which integer is missing: that of the samples, not of what is stored", async () => {
  const values = async (...cards: string[]) =>
    (await open(fits(...cards), { format: "fits" }) as StoredDataset).values;
  assertEquals(await values("BUNIT   = 'Jy/beam '"), { kind: "amount", unit: "Jy/beam" });
  assertEquals(await values("BLANK   = -32768"), { kind: "amount", missing: -32768 });
  assertEquals(await values("BLANK   = -32768", "BZERO   = 32768"), { kind: "amount", missing: 0 });
  assertEquals(await values("BLANK   = -1", "BSCALE  = 2.5"), { kind: "amount" }, "they are NaN");
  assertEquals(await values(), { kind: "amount" });
});

Deno.test("Zarr says it as Tilewise, HyperSpy and CF do; a unit that does not parse is kept as text", async () => {
  const folder = await Deno.makeTempDir();
  const values = async (attributes: object) => {
    const array = {
      zarr_format: 2,
      shape: [2, 2],
      chunks: [2, 2],
      dtype: "<u2",
      compressor: null,
      fill_value: 0,
      order: "C",
      filters: null,
    };
    await Deno.writeTextFile(`${folder}/.zarray`, JSON.stringify(array));
    await Deno.writeTextFile(`${folder}/.zattrs`, JSON.stringify(attributes));
    return (await open(folder) as StoredDataset).values;
  };
  try {
    const phase = { kind: "phase", unit: "rad", missing: -9 } as const;
    assertEquals(await values({ tilewise: { values: phase } }), phase);
    assertEquals(await values({ tilewise: { values: { kind: "label" } } }), { kind: "label" });
    const cf = { units: "W m-2 (net)", _FillValue: -999 };
    assertEquals(await values(cf), { kind: "amount", unit: "W m-2 (net)", missing: -999 });
    assertEquals(await values({ units: "<undefined>", missing_value: "none" }), { kind: "amount" });
    assertEquals(await values({ units: "K", scale_factor: 1, add_offset: 0 }), { kind: "amount", unit: "K" });
    const packed = { units: "K", scale_factor: 0.01, add_offset: [273.15], _FillValue: -1 }; // as NetCDF packs numbers
    assertEquals(await values(packed), { kind: "amount", missing: -1 }, "they are not kelvins");
    assertEquals((await open(folder)).warnings, [SCALED(" in K", "x * 0.01 + 273.15")]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
