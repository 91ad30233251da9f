/**
 * Colour maps that others have made are theirs to the byte; `colormaps.json` has what matplotlib has, written by
 * `src/pictures/colours/make_colormap_tables.py`.
 *
 * @module
 */

import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  type Colormap,
  COLORMAPS,
  colourTable,
  isDiverging,
  parseColormap,
} from "../../src/pictures/colours/colormap.ts";
import { COLORMAP_TABLES } from "../../src/pictures/colours/colormap_tables.ts";
import { picture } from "../../src/pictures/picture.ts";
import { ndarray } from "../../src/space/ndarray.ts";
import { sha256 } from "../formats/read_all.ts";
import found from "./colormaps.json" with { type: "json" };

interface Expected {
  readonly sha256: string;
  readonly rows: Readonly<Record<string, readonly number[]>>;
}

const { matplotlib, ...maps } = found;
const EXPECTED: Readonly<Record<string, Expected>> = maps;

/** Maps of our own; nobody else has one of that name. */
const OWN = ["signed"];

for (const [name, { sha256: digest, rows }] of Object.entries(EXPECTED)) {
  Deno.test(`${name} has the 256 colours that it has in matplotlib`, () => {
    const table = colourTable(parseColormap(name));
    for (const [i, colour] of Object.entries(rows)) {
      assertEquals([...table.subarray(3 * Number(i), 3 * Number(i) + 3)], [...colour], `colour ${i}`);
    }
    assertEquals([table.length, sha256(table)], [768, digest]);
  });
}

Deno.test("every map is one of matplotlib, in both directions, or our own", () => {
  assert(/^\d+\.\d+/.test(matplotlib));
  const names = COLORMAPS.flatMap((name) => [name, `${name}_r`]);
  const own = OWN.flatMap((name) => [name, `${name}_r`]);
  assertEquals(names.filter((name) => !own.includes(name)).toSorted(), Object.keys(EXPECTED).toSorted());
});

Deno.test("the stored tables are what the script wrote", () => {
  for (const [name, text] of Object.entries(COLORMAP_TABLES)) {
    assertEquals(sha256(Uint8Array.fromBase64(text)), EXPECTED[name]!.sha256, name);
  }
});

Deno.test("codes that the maps are known by", () => {
  const code = (name: Colormap, i: number) => colourTable(name).slice(3 * i, 3 * i + 3).toHex();
  assertEquals([code("viridis", 0), code("viridis", 255)], ["440154", "fde725"]);
  assertEquals([code("magma", 0), code("inferno", 255), code("plasma", 0)], ["000004", "fcffa4", "0d0887"]);
  assertEquals([code("turbo", 0), code("turbo", 1), code("turbo", 255)], ["30123b", "321543", "7a0403"]);
  assertEquals([code("RdBu", 0), code("RdBu_r", 0)], ["67001f", "053061"]);
});

Deno.test("maps from the other end have the same colours backwards; unknown names are refused", () => {
  for (const name of ["viridis", "gray", "signed"] as const) {
    const [table, other] = [colourTable(name), colourTable(`${name}_r`)];
    for (let i = 0; i < 256; i++) {
      assertEquals(other.slice(3 * i, 3 * i + 3), table.slice(3 * (255 - i), 3 * (256 - i)));
    }
  }
  for (const name of ["viridis_r_r", "_r", "Viridis", "balance"]) assertThrows(() => parseColormap(name));
});

Deno.test("maps for values of both signs have zero in the middle, in both directions", () => {
  for (const name of ["signed", "coolwarm_r", "RdBu"] as const) {
    assert(isDiverging(name));
    const { data } = picture(ndarray(Float64Array.of(-1, 0, 4), [3], "float64"), { colormap: name });
    const table = colourTable(name);
    const middle = [3 * 127, 3 * 128].some((at) =>
      table.subarray(at, at + 3).every((v, c) => v === data[4 + c])
    );
    assert(middle, `${name}: ${data}`);
  }
  assert(!isDiverging("viridis") && !isDiverging("twilight_r"));
});
