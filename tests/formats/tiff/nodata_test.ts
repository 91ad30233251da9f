/**
 * Tiles that were never written have GDAL's no-data value, or the nearest that their type has; judged by GDAL.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import { openAllStored as openAll } from "../../../src/formats/open.ts";
import { box } from "../../../src/space/box.ts";
import gdal from "../../data/tiff/nodata.json" with { type: "json" };
import { makeTiff } from "./make.ts";

/** Kinds of samples, as the format numbers them. */
const KINDS = { uint: 1, int: 2, float: 3, complex: 6 } as const;

/** Where ours is another value: GDAL takes the digits at the start for integers of 64 bits, and wraps negative ones. */
const WHOLE_64: Readonly<Record<string, (isSigned: boolean) => bigint>> = {
  "1.5": () => 2n,
  "2.5": () => 3n,
  "-1.5": (isSigned) => isSigned ? -2n : 0n,
  "1e5": () => 100000n,
  "-9999": (isSigned) => isSigned ? -9999n : 0n,
  "-1": (isSigned) => isSigned ? -1n : 0n,
  "1,5": () => 2n,
  "1e40": least(false),
  "inf": least(false),
  "-inf": least(true),
  "-9223372036854775808": least(true),
  "-3.40282347e+38": least(true),
  "-1.7976931348623157e+308": least(true),
  "1.#QNAN": () => 0n,
};

function least(isLeast: boolean): (isSigned: boolean) => bigint {
  return (isSigned) => isSigned ? (isLeast ? -(2n ** 63n) : 2n ** 63n - 1n) : isLeast ? 0n : 2n ** 64n - 1n;
}

function expected(dtype: string, text: string, found: string): number | bigint {
  const other = dtype.endsWith("int64") ? WHOLE_64[text] : undefined;
  if (other) return other(dtype === "int64");
  if (dtype === "complex64" && text === "-3.40282347e+38") return Math.fround(-3.40282347e+38); // GDAL: that of float32 only
  if (dtype.includes("int")) return dtype.endsWith("64") ? BigInt(found) : Number(found);
  return Number(found.replace("inf", "Infinity"));
}

for (const [dtype, values] of Object.entries(gdal.values)) {
  Deno.test(`tiles of ${dtype} that were never written have the value of GDAL's text`, async () => {
    const [, kind, bits] = /^([a-z]+)(\d+)$/.exec(dtype)!;
    const format = KINDS[kind as keyof typeof KINDS];
    for (const [i, [text, found]] of Object.entries(values).entries()) {
      const making = {
        height: 4,
        width: 4,
        tile: [2, 2],
        bits: Number(bits),
        format,
        sparse: [0, 1, 2, 3],
      } as const;
      const bytes = makeTiff([{ ...making, entries: [[42113, 2, text]] }], { isBigEndian: i % 2 === 1 });
      const [dataset] = await openAll(bytes);
      assertEquals<string>(dataset!.dtype, dtype);
      const { data } = await readBox(dataset!, box([0, 0], [1, 1]));
      assertEquals(data[0], expected(dtype, text, found), `${dtype}, "${text}"`);
    }
  });
}
