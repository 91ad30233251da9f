import { assertEquals } from "@std/assert";
import { type OpenOptions, openStored as open } from "../../src/formats/open.ts";
import { counting, failure } from "./helpers.ts";
import { readAll } from "./read_all.ts";

const FIELDS = {
  "key": "value",
  "width": "4",
  "height": "3",
  "depth": "2",
  "offset": "0",
  "data-length": "1",
  "data-type": "unsigned",
  "byte-order": "dont-care",
  "record-by": "image",
};

/** Header and data as two files. */
function pair(fields: Readonly<Record<string, string>>, data: Uint8Array<ArrayBuffer>): File[] {
  const text = Object.entries({ ...FIELDS, ...fields }).map(([key, value]) => `${key}\t${value}`).join("\n");
  return [new File([`; a comment\n${text}\n`], "map.rpl"), new File([data], "map.raw")];
}

async function shapes(fields: Readonly<Record<string, string>>, options: OpenOptions = {}): Promise<unknown> {
  const scan = await open(pair(fields, counting(24)), options);
  assertEquals(await readAll(scan), counting(24));
  return [scan.navShape, scan.sigShape];
}

Deno.test("images and spectra, in the order of the file", async () => {
  assertEquals(await shapes({}), [[2], [3, 4]]);
  assertEquals(await shapes({ "record-by": "vector" }), [[3, 4], [2]]);
  assertEquals(await shapes({ "record-by": "vector" }, { sigDims: 2 }), [[3], [4, 2]]);
  assertEquals(await shapes({ height: "0", width: "12" }), [[2], [12]]);
  assertEquals(await shapes({}, { nav: [2, 1] }), [[2, 1], [3, 4]]);
  const units = { "height-units": "keV", "depth-units": "deg" }; // whatever they are, the records are what the file says
  assertEquals(await shapes(units), [[2], [3, 4]]);
  assertEquals(await shapes({ "record-by": "vector", ...units }), [[3, 4], [2]]);
});

Deno.test("types, byte order and offset", async () => {
  const facts = async (fields: Readonly<Record<string, string>>) => {
    const scan = await open(pair({ depth: "1", ...fields }, counting(100)));
    return [scan.dtype, scan.byteOrder, scan.layout.files[0]!.headerBytes, scan.warnings.length];
  };
  assertEquals(await facts({ "data-type": "signed", "data-length": "2", "byte-order": "big-endian" }), [
    "int16",
    "big",
    0,
    1,
  ]);
  assertEquals(await facts({ "data-type": "float", "data-length": "8", "offset": "4" }), [
    "float64",
    "little",
    4,
    0,
  ]);
});

Deno.test("a description that is wrong, or without its data, is refused", async () => {
  const wrong = [
    { "data-length": "3" },
    { "data-type": "complex" },
    { "data-type": "float", "data-length": "1" },
    { "byte-order": "middle" },
    { "record-by": "heart" },
    { "width": "many" },
    { "width": "0", "height": "0", "depth": "0" },
  ];
  for (const fields of wrong) await failure(open(pair(fields, counting(24))), "malformed");
  await failure(open(pair({}, counting(23))), "truncated");
  await failure(open(pair({}, counting(24)), { sigDims: 4 }), "invalid");
  await failure(open(pair({}, counting(24))[0]!), "not-found");
  await failure(open(pair({ width: "999999999999", height: "999999999999" }, counting(24))), "overflow");
});
