/** Places on the sky: those of astropy, and in words without 60 seconds. */

import { assert, assertAlmostEquals, assertEquals, assertRejects } from "@std/assert";
import { beamOf, gridOf } from "../../../web/panels/pyramid/sky/grid.ts";
import { sourcesOn } from "../../../web/panels/pyramid/sky/sources.ts";
import { type Cards, skyOf, skyText } from "../../../web/panels/pyramid/sky/sky.ts";
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

/** The least distance of a pixel from a line in parts. */
function distance(
  [y, x]: readonly number[],
  parts: readonly (readonly (readonly [number, number])[])[],
): number {
  const all = parts.flatMap((part) =>
    part.slice(1).map(([y1, x1], i) => {
      const [y0, x0] = part[i]!;
      const length = (y1 - y0) ** 2 + (x1 - x0) ** 2;
      const t = Math.max(0, Math.min(1, ((y! - y0) * (y1 - y0) + (x! - x0) * (x1 - x0)) / length));
      return Math.hypot(y! - y0 - t * (y1 - y0), x! - x0 - t * (x1 - x0));
    })
  );
  return Math.min(...all);
}

Deno.test("crossings of the grid and the tip of the beam are where astropy has them", () => {
  let crossed = 0;
  for (const { cards, crossings, beam: [major, minor, angle], tip } of places) {
    const sky = skyOf(cards as unknown as Cards)!;
    const about = JSON.stringify(cards);
    for (const [ra, dec, y, x] of crossings as [number, number, number, number][]) {
      const found = sky.pixel({ ra, dec });
      assert(found && Math.hypot(found[0] - y, found[1] - x) < 1e-5, `${about} ${found}`);
    }
    const part = { rows: [0, 48], columns: [0, 48] } as const;
    const lines = gridOf(sky, part);
    const [ras, decs] = ["ra", "dec"].map((of) => lines.filter((line) => line.of === of));
    assert(ras!.length >= 3 && ras!.length <= 40 && decs!.length >= 3 && decs!.length <= 14, about);
    for (const { of, value, parts } of lines) {
      for (const [y, x] of parts.flat()) assertAlmostEquals(sky.at(y, x)![of], value, 1e-8, about);
    }
    for (const a of ras!) {
      for (const b of decs!) {
        const at = sky.pixel({ ra: a.value, dec: b.value });
        if (!at || at.some((n) => n < 1 || n > 46)) continue;
        crossed++;
        assert(distance(at, a.parts) < 0.1 && distance(at, b.parts) < 0.1, `${about} ${a.text} ${b.text}`);
      }
    }
    const beam = beamOf({ BMAJ: major, BMIN: minor, BPA: angle }, sky, [10, 10])!;
    const [y, x] = beam.outline[0]!;
    assert(Math.hypot(y - tip[0]!, x - tip[1]!) < 2e-4 * Math.hypot(...tip), `${about} ${y} ${x} ${tip}`);
    assertEquals(beamOf({ BMAJ: major, BMIN: "3" }, sky, [10, 10]), undefined);
  }
  assert(crossed > 100, `${crossed}`);
});

Deno.test("lines of the grid are named by as few parts as say it", () => {
  const sky = skyOf({ ...places[0]!.cards, CRVAL1: 60, CRVAL2: -0.5, CDELT1: -1 / 3600, CDELT2: 1 / 3600 });
  const texts = gridOf(sky!, { rows: [0, 60], columns: [0, 60] }).map(({ of, text }) => `${of} ${text}`);
  assertEquals(texts.filter((text) => /^ra 4h|^ra 3h59m5\ds$/.test(text)).length > 2, true, `${texts}`);
  assert(texts.includes("dec −0°30′"), `${texts}`);
});

Deno.test("sources of a list are on their pixels, and those beside the image are counted", async () => {
  const [{ cards, crossings }] = places as unknown as [{ cards: Cards; crossings: number[][] }];
  const rows = crossings.map(([ra, dec], i) => `s${i},${ra},${dec},${i / 2}`);
  const list = new Blob([["Name,Ra,Dec,I", ...rows, "far,10,-40,1"].join("\n")]);
  const sky = skyOf(cards)!;
  const { sources, others } = await sourcesOn(sky, list, { height: 20, width: 30 });
  assertEquals([sources.length, others], [crossings.length, 1]);
  sources.forEach(({ at, name, flux }, i) => {
    assertAlmostEquals(at[0], crossings[i]![2]!, 1e-5);
    assertAlmostEquals(at[1], crossings[i]![3]!, 1e-5);
    assertEquals([name, flux], [`s${i}`, `${i / 2}`]);
  });
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

Deno.test("images in another frame than lists say so, and show no sources of lists", async () => {
  const frames: readonly [Cards, string | undefined][] = [
    [{}, undefined],
    [{ RADESYS: "ICRS", EQUINOX: 1950 }, undefined],
    [{ RADESYS: "FK5     ", EQUINOX: 2000 }, undefined],
    [{ EQUINOX: 2000 }, undefined],
    [{ EPOCH: 1950 }, "FK4 of 1950"],
    [{ RADECSYS: "FK4-NO-E", EQUINOX: 1950 }, "FK4-NO-E of 1950"],
    [{ RADESYS: "FK5", EQUINOX: 2025 }, "FK5 of 2025"],
    [{ RADESYS: "GAPPT" }, "GAPPT"],
  ];
  for (const [cards, frame] of frames) {
    const sky = skyOf({ ...places[0]!.cards, ...cards })!;
    assertEquals(sky.frame, frame);
    const shown = sourcesOn(sky, new Blob(["Name,Ra,Dec,I\na,1,2,3"]), { height: 9, width: 9 });
    if (frame) await assertRejects(() => shown, RangeError, `The image is in ${frame}`);
    else assertEquals((await shown).others, 1);
  }
});
