/**
 * FITS files: what astropy has written is read as it reads it; what is written here is read back; broken headers are
 * refused. The files are those of `tests/data/fits`.
 *
 * @module
 */

import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import { TilewiseError } from "../../../src/errors.ts";
import { valueOf } from "../../../src/formats/fits/cards.ts";
import { cli, withFolder } from "../../cli/harness.ts";
import { encodeFits } from "./encode.ts";
import type { CardValue } from "../../../src/sinks/fits/head.ts";
import { openAllStored as openAll, openStored as open } from "../../../src/formats/open.ts";
import { wholeBox } from "../../../src/space/box.ts";
import type { DType, TypedArray } from "../../../src/space/dtype.ts";
import { failure } from "../helpers.ts";

const FOLDER = new URL("../../data/fits/", import.meta.url);
const EXPECTED: Record<string, { name: string; dtype: string; shape: number[]; sha256: string }[]> = JSON
  .parse(
    Deno.readTextFileSync(new URL("expected.json", FOLDER)),
  );
const bytesOf = (name: string) => Deno.readFileSync(new URL(name, FOLDER));

const FILES = Object.entries(EXPECTED).flatMap(([file, arrays]) => [
  { file, arrays, bytes: bytesOf(file) },
  { file: `${file}.gz`, arrays, bytes: new Uint8Array(gzipSync(bytesOf(file))) },
]);
for (const { file, arrays, bytes } of FILES) {
  Deno.test(`${file}: every image is what astropy reads`, async () => {
    const opened = await openAll(bytes, { sigDims: 1 });
    const found = await Promise.all(opened.map(async (dataset) => {
      const { data } = await readBox(dataset, wholeBox(dataset.shape));
      const samples = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
      const sha256 = createHash("sha256").update(samples).digest("hex");
      return {
        name: dataset.array || arrays[0]!.name,
        dtype: dataset.dtype,
        shape: [...dataset.shape],
        sha256,
      };
    }));
    assertEquals(found, arrays as typeof found);
    for (const { name } of arrays) assertEquals((await open(bytes, { array: name })).array, name);
  });
}

Deno.test("a gzip file with a FITS file inside that is damaged or cut is refused", async () => {
  const packed = new Uint8Array(gzipSync(bytesOf("cube.fits")));
  const flipped = packed.slice();
  flipped[flipped.length - 6]! ^= 1;
  assertMatch((await failure(open(flipped), "malformed")).message, /the checksum is wrong/);
  const huge = packed.slice();
  huge.fill(0xff, -4); // 4 GiB are more than so few bytes can hold
  assertMatch((await failure(open(huge), "truncated")).message, /promises 4.0 GiB/);
});

Deno.test("axes are those of the world coordinates, slowest first; long texts are put together", async () => {
  const cube = await open(bytesOf("cube.fits"));
  assertEquals(cube.axes.map(({ name, unit }) => [name, unit]), [
    ["STOKES", undefined],
    ["FREQ", "Hz"],
    ["DEC--SIN", "deg"],
    ["RA---SIN", "deg"],
  ]);
  assertEquals(cube.axes[1], {
    name: "FREQ",
    kind: "frequency",
    size: 3,
    scale: 1e6,
    offset: 1.4e9,
    unit: "Hz",
  });
  assertEquals(cube.metadata["OBJECT"], "it's a name with a quote");
  assertEquals(String(cube.metadata["LONGTEXT"]).length, 174 - 1); // blanks at the end of a text do not count
});

Deno.test("a table is left out, and said so", async () => {
  const [first] = await openAll(bytesOf("scaled.fits"));
  assertMatch(first!.warnings.join(), /Left out are units that hold no image: 2: BINTABLE/);
});

Deno.test("a file ends before a block that is no extension, whatever it holds", async () => {
  const file = bytesOf("cube.fits");
  for (const byte of [0, 32]) { // astropy reads the same units with and without it
    const longer = new Uint8Array(file.length + 2880).fill(byte);
    longer.set(file);
    assertEquals((await openAll(longer)).length, (await openAll(file)).length);
  }
});

Deno.test("a number of missing samples that is not exact is told, and the file is read", async () => {
  const of = (BLANK: number) => open(encodeFits(BigInt64Array.of(-3n, 5n), [2], "int64", { BLANK }));
  assertEquals((await of(-3)).values.missing, -3);
  const { values, warnings } = await of(-4206006594898523000); // astropy makes floats of the samples
  assertEquals(values.missing, undefined);
  assertMatch(warnings.join(), /Missing samples count as numbers: their number, BLANK -42060/);
});

Deno.test("values of cards", () => {
  assertEquals(
    ["'it''s'  / c", "  T", " F / x", " 1.5D3 / y", "-7", "''", "", "(1, 2)", "'a/b'"].map(valueOf),
    ["it's", true, false, 1500, -7, "", null, "(1, 2)", "a/b"],
  );
});

Deno.test("what is written is read back, with its cards", async () => {
  const cases: [DType, TypedArray][] = [
    ["uint8", Uint8Array.of(0, 1, 254, 255, 7, 8)],
    ["int16", Int16Array.of(-32768, 32767, 0, 1, -1, 5)],
    ["int32", Int32Array.of(-(2 ** 31), 2 ** 31 - 1, 0, 1, -1, 5)],
    ["int64", BigInt64Array.of(-(2n ** 63n), 2n ** 63n - 1n, 0n, 1n, -1n, 5n)],
    ["int8", Int8Array.of(-128, 127, 0, 1, -1, 5)],
    ["uint16", Uint16Array.of(0, 65535, 32768, 32767, 1, 5)],
    ["uint32", Uint32Array.of(0, 2 ** 32 - 1, 2 ** 31, 2 ** 31 - 1, 1, 5)],
    ["uint64", BigUint64Array.of(0n, 2n ** 64n - 1n, 2n ** 63n, 2n ** 63n - 1n, 1n, 5n)],
    ["float32", Float32Array.of(1.5, -0, Infinity, 1e-40, NaN, 3)],
    ["float64", Float64Array.of(1.5, -0, Infinity, 1e-310, NaN, 3)],
  ];
  for (const [dtype, data] of cases) {
    const file = encodeFits(data, [3, 2], dtype, {
      CTYPE1: "RA---SIN",
      CDELT1: -1e-7,
      OK: true,
      NOTE: "it's",
    });
    assertEquals(file.length % 2880, 0);
    const dataset = await open(file);
    const read = await readBox(dataset, wholeBox(dataset.shape));
    assertEquals([dataset.dtype, dataset.shape, read.data], [dtype, [3, 2], data]);
    assertEquals([dataset.axes[1]?.scale, dataset.metadata["OK"], dataset.metadata["NOTE"]], [
      -1e-7,
      true,
      "it's",
    ]);
  }
  assertThrows(() => encodeFits(new Float32Array(2), [1], "complex64"), TilewiseError, "complex64");
  assertThrows(() => encodeFits(Uint8Array.of(1), [1], "uint8", { NAXIS1: 3 }), TilewiseError, "NAXIS1");
  assertThrows(() => encodeFits(Uint8Array.of(1), [1], "uint8", { lower: 3 }), TilewiseError, "lower");
});

Deno.test("cut at any block, or with a header that makes no sense, it is refused", async () => {
  const file = bytesOf("cube.fits");
  for (let end = 2880; end < file.length; end += 2880) {
    await failure(open(file.slice(0, end)), "truncated");
  }
  const cut = await open(file.slice(0, 2 * 2880 + 3 * 8000), { allowTruncated: true });
  assertEquals(cut.shape, [3, 40, 50]);
  for (
    const [from, to] of [
      ["BITPIX  =                  -32", "BITPIX  =                  -31"],
      [
        "NAXIS1  =                   50",
        "NAXIS1  =                  -50",
      ],
      ["NAXIS2  =                   40", "NAXIS2  =  9007199254740990999"],
      ["NAXIS3  =", "NAXIS7  ="],
    ]
  ) {
    const text = new TextDecoder("latin1").decode(file.slice(0, 2880));
    assertEquals(text.includes(from!), true, from);
    const changed = file.slice();
    changed.set(new TextEncoder().encode(text.replace(from!, to!)));
    await failure(open(changed), "malformed");
  }
  const none = encodeFits(new Uint8Array(), [0], "uint8");
  await failure(open(none), "unsupported");
});

Deno.test("sums of units are compared: flipped bits of samples are refused, those of headers are told", async () => {
  const file = bytesOf("summed.fits");
  const opened = await openAll(file);
  assertEquals(opened.map(({ array, warnings }) => [array, warnings]), [
    ["primary", []],
    ["SHORT", []],
    ["FLOAT", []],
  ]);
  const samples = [[2880, 2880 + 35], [8640, 8640 + 3034], [17280, 17280 + 396]] as const;
  for (const [start, end] of samples) {
    for (let at = start; at < end; at += 7) {
      const damaged = file.slice();
      damaged[at]! ^= 1 << at % 8;
      const error = await failure(openAll(damaged), "malformed");
      assertMatch(error.message, /checksum .* DATASUM/);
      assertEquals(error.details.offset, start);
    }
  }
  const text = new TextDecoder("latin1").decode(file);
  const changed = file.slice();
  changed.set(new TextEncoder().encode("SHIRT"), text.indexOf("SHORT"));
  const [first, second] = await openAll(changed);
  assertEquals(first!.warnings, []);
  assertEquals(second!.array, "SHIRT");
  assertMatch(second!.warnings.join(), /header of unit 1 .* CHECKSUM/);
});

/** A sky of 2 × 3 samples with these cards. */
const sky = (cards: Readonly<Record<string, CardValue>>) =>
  open(encodeFits(new Float32Array(6), [2, 3], "float32", {
    CTYPE1: "RA---TAN",
    CTYPE2: "DEC--TAN",
    CRVAL1: 10,
    CRVAL2: -30,
    CRPIX1: 1,
    CRPIX2: 1,
    ...cards,
  }));

for (
  const [what, cards, steps, isTurned] of [ // the lengths are those of astropy.wcs.utils.proj_plane_pixel_scales
    ["CDELT", { CDELT1: -0.5, CDELT2: 0.25 }, [0.25, -0.5], false],
    ["CD", { CD1_1: -0.5, CD2_2: 0.25 }, [0.25, -0.5], false],
    ["PC, without CDELT", { PC1_1: -0.5, PC2_2: 0.25 }, [0.25, -0.5], false],
    ["PC times CDELT", { CDELT1: 0.1, CDELT2: 0.1, PC1_1: -5, PC2_2: 2.5 }, [0.25, -0.5], false],
    ["CD that is turned", { CD1_1: -0.3, CD1_2: 0.4, CD2_1: 0.4, CD2_2: 0.3 }, [0.5, -0.5], true],
    ["CD that is turned by 90 degrees", { CD1_2: 0.25, CD2_1: 0.5 }, [0.25, 0.5], true],
    [
      "PC that is turned",
      { CDELT1: 10, CDELT2: 5, PC1_1: 0.3, PC1_2: 0.4, PC2_1: 0.8, PC2_2: 0.6 },
      [5, 5],
      true,
    ],
    ["CROTA2", { CDELT1: -0.5, CDELT2: 0.25, CROTA2: 30 }, [0.25, -0.5], true],
    ["rounding", { CD1_1: -0.5, CD1_2: 1e-17, CD2_1: -1e-17, CD2_2: 0.25 }, [0.25, -0.5], false],
  ] as const
) {
  Deno.test(`steps of axes by ${what}`, async () => {
    const { axes, warnings } = await sky(cards);
    const places = isTurned ? [undefined, undefined] : [-30, 10];
    assertEquals(axes.map(({ scale, offset }) => [Number(scale!.toFixed(12)), offset]), [
      [steps[0], places[0]],
      [steps[1], places[1]],
    ]);
    assertEquals(axes.map(({ unit }) => unit), ["deg", "deg"]);
    assertEquals(axes.map(({ name }) => name), isTurned ? ["y", "x"] : ["DEC--TAN", "RA---TAN"]);
    assertEquals(
      warnings.join().includes("RA---TAN, DEC--TAN are turned against their coordinates"),
      isTurned,
    );
  });
}

Deno.test("coordinates that are not even have their places, or none, and never even steps", async () => {
  const spectrum = { CTYPE1: "WAVE-LOG", CRVAL1: 5e-7, CRPIX1: 2, CDELT1: 1e-8, CDELT2: 1 };
  const [, wave] = (await sky(spectrum)).axes;
  // astropy.wcs: WCS(header).all_pix2world([[0, 0], [1, 0], [2, 0]], 0)[:, 0]
  assertEquals(wave!.positions?.map((place) => place.toPrecision(12)), [
    "4.90099336653e-7",
    "5.00000000000e-7",
    "5.10100670013e-7",
  ]);
  for (const CTYPE1 of ["FREQ-F2W", "WAVE-TAB", "AWAV-GRI", "VOPT-F2W", "WAVE-LOG"]) {
    const { axes: [, axis], warnings } = await sky({
      ...spectrum,
      CTYPE1,
      CRVAL1: CTYPE1 === "WAVE-LOG" ? 0 : 1,
    });
    assertEquals([axis!.scale, axis!.offset, axis!.positions], [undefined, undefined, undefined], CTYPE1);
    assertMatch(warnings.join(), new RegExp(`Samples along ${CTYPE1} are not evenly spaced`));
  }
});

Deno.test("a turned image that is written again is not said to lie at 0, 0 of the sky", async () => {
  await withFolder(async (folder) => {
    const cards = { CD1_1: -0.3, CD1_2: 0.4, CD2_1: 0.4, CD2_2: 0.3, CTYPE1: "RA---TAN", CTYPE2: "DEC--TAN" };
    await Deno.writeFile(`${folder}/a.fits`, encodeFits(new Float32Array(6), [2, 3], "float32", cards));
    assertEquals((await cli(["convert", `${folder}/a.fits`, `${folder}/b.fits`])).code, 0);
    const text = new TextDecoder("latin1").decode(await Deno.readFile(`${folder}/b.fits`));
    assertEquals([...text.matchAll(/CTYPE\d *= '([^']*)'/g)].map(([, name]) => name!.trim()), ["x", "y"]);
  });
});

Deno.test("coordinates that name no unit have that of the standard", async () => {
  const units = {
    "GLON-CAR": "deg",
    FREQ: "Hz",
    "WAVE-LOG": "m",
    VRAD: "m/s",
    LINEAR: undefined,
    STOKES: undefined,
  };
  for (const [CTYPE1, unit] of Object.entries(units)) {
    assertEquals((await sky({ CTYPE1, CDELT1: 2, CDELT2: 1 })).axes[1]!.unit, unit, CTYPE1);
  }
  assertEquals((await sky({ CTYPE1: "FREQ", CUNIT1: "GHz", CDELT1: 2, CDELT2: 1 })).axes[1]!.unit, "GHz");
});

Deno.test("what coordinates are measured from is told where axes would mean another sky, rest or time without it", async () => {
  const told = async (cards: Record<string, CardValue>) => (await sky(cards)).warnings;
  assertEquals(
    await told({ RADESYS: "ICRS", SPECSYS: "LSRK" }),
    [],
    "the usual one, and no axis of frequencies",
  );
  assertEquals(await told({ RADESYS: "FK5", EQUINOX: 2000 }), []);
  assertEquals(await told({ RADESYS: "FK4", EQUINOX: 1950 }), [
    "Axes do not keep what coordinates are measured from: RADESYS FK4, EQUINOX 1950",
  ]);
  assertEquals(await told({ CTYPE1: "VRAD", CTYPE2: "TIME", RESTFRQ: 1.42e9, MJDREF: 58849 }), [
    "Axes do not keep what coordinates are measured from: RESTFRQ 1420000000, MJDREF 58849",
  ]);
  assertEquals(await told({ A_ORDER: 2 }), [
    "Places of samples are those without the distortion that the header tells",
  ]);
});

Deno.test("cards of places that hold no number are named and left out, as astropy.wcs does; those of samples are refused", async () => {
  const usual = [0.25, -30, 0.5, 10];
  const cards: Record<string, readonly (number | undefined)[]> = { // by WCS(header) of astropy, which has steps of 1 where none are said
    CDELT1: [0.25, -30, undefined, undefined],
    CRVAL1: [0.25, -30, 0.5, 0],
    CRPIX2: [0.25, -29.75, 0.5, 10],
    CROTA2: usual,
    PC1_1: usual,
    CD1_1: usual,
  };
  for (const [keyword, places] of Object.entries(cards)) {
    for (const value of ["abc", true]) {
      const { axes, warnings, metadata } = await sky({ CDELT1: 0.5, CDELT2: 0.25, [keyword]: value });
      assertEquals(axes.flatMap(({ scale, offset }) => [scale, offset]), places, keyword);
      assertEquals(metadata[keyword], value);
      const said = `Where samples lie is said without the cards that must be numbers: ${keyword} = ${value}`;
      assertEquals(warnings, [said]);
    }
  }
  for (const [keyword, value] of Object.entries({ "BZERO  ": "'abc'", "BSCALE ": "T" })) {
    const file = encodeFits(new Int16Array(6), [2, 3], "int16", { SPARE: 1 });
    const at = new TextDecoder("latin1").decode(file).indexOf("SPARE");
    file.set(new TextEncoder().encode(`${keyword} = ${value}`.padEnd(80)), at);
    assertMatch((await failure(open(file), "malformed")).message, new RegExp(`${keyword.trim()} must be`));
  }
});
