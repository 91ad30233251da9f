/** Places on the sky: those of astropy, and in words without 60 seconds. */

import { assert, assertEquals } from "@std/assert";
import { type Cards, skyOf, skyText } from "../../../web/panels/pyramid/sky.ts";
import places from "../../data/sky/places.json" with { type: "json" };

Deno.test("pixels are where astropy has them, for each projection and each way to write a matrix", () => {
  for (const { cards, world } of places) {
    const sky = skyOf(cards as unknown as Cards);
    assert(sky, JSON.stringify(cards));
    for (const [y, x, ra, dec] of world as [number, number, number, number][]) {
      const found = sky.at(y, x)!;
      const turn = (found.ra - ra + 540) % 360 - 180;
      assert(
        Math.abs(turn * Math.cos(dec * Math.PI / 180)) < 1e-8 && Math.abs(found.dec - dec) < 1e-8,
        JSON.stringify(cards),
      );
    }
  }
});

Deno.test("what is not understood has no sky, and pixels beyond it have no place", () => {
  const { cards } = places[0]!;
  const others: Cards[] = [
    {},
    { ...cards, CTYPE1: "RA---AIT" },
    { ...cards, CTYPE2: "DEC--TAN" },
    { ...cards, PV2_1: 0.1 },
    { ...cards, CRVAL1: "a" },
    { ...cards, CDELT1: 0 },
    { ...cards, CUNIT1: "arcsec" },
  ];
  assertEquals(others.map((one) => skyOf(one)), others.map(() => undefined));
  assertEquals(skyOf(cards as unknown as Cards)!.at(0, 1000), undefined);
});

Deno.test("places in words are rounded as a whole", () => {
  assertEquals(skyText({ ra: 83.633083, dec: 22.014472 }, 1 / 3600), "05h34m31.9s +22°00′52″");
  assertEquals(skyText({ ra: 359.99999999, dec: -0.99999999 }, 1 / 3600), "00h00m00.0s −01°00′00″");
  assertEquals(skyText({ ra: 0, dec: -5.4384997 }, 0.05 / 3600), "00h00m00.000s −05°26′18.60″");
});
