/** How two images are linked: where pixels of the first are in the second, and what is said of it. */

import { assert, assertAlmostEquals, assertEquals, assertMatch } from "@std/assert";
import type { ImageAxis } from "../../../web/draw/image.ts";
import { lookIn } from "../../../web/draw/look.ts";
import { type Linked, linkOf } from "../../../web/panels/pyramid/second/link.ts";
import { type Cards, skyOf } from "../../../web/panels/pyramid/sky/sky.ts";

const PX = { step: 1, unit: "px" } as const;

/** An image of `height × width` samples whose axes are of this kind. */
function image(size: readonly [number, number], axis: Partial<ImageAxis> = {}, cards: Cards = {}): Linked {
  const [height, width] = size;
  const along = (name: string): ImageAxis => ({ name, ...PX, ...axis });
  const { upwards: _, ...x } = along("x");
  return {
    facts: { title: "", axes: [along("y"), x] },
    sky: skyOf(cards),
    source: { levels: [{ height, width } as Linked["source"]["levels"][number]] },
  };
}

/** What is linked, where sample (10, 20) of the first is in the second, and what is said. */
const LINKS:
  readonly (readonly [what: string, Linked, Linked, at: readonly [number, number], said: RegExp])[] = [
    [
      "sizes of pixels",
      image([40, 50], { step: 0.5, unit: "µm" }),
      image([80, 100], { step: 250, unit: "nm" }),
      [
        20.5,
        40.5,
      ],
      /^Linked by size in µm: pixels of 0\.5 µm and 0\.25 µm\.$/,
    ],
    ["Å and nm", image([40, 50], { step: 2, unit: "A" }), image([40, 50], { step: 0.4, unit: "nm" }), [
      4.75,
      9.75,
    ], /in Å: pixels of 2 Å and 4 Å/],
    [
      "places",
      image([40, 50], { step: 1, unit: "µm", offset: 100 }),
      image([40, 50], { step: 2, unit: "µm", offset: 104 }),
      [3, 8],
      /^Linked by their places in µm/,
    ],
    [
      "places that do not meet",
      image([40, 50], { step: 1, unit: "µm", offset: 100 }),
      image([40, 50], { step: 1, unit: "µm", offset: 900 }),
      [10, 20],
      /both from their first pixel/,
    ],
    ["unknown sizes", image([40, 50]), image([80, 90]), [10, 20], /pixel by pixel: neither knows/],
    [
      "one size",
      image([40, 50]),
      image([8, 9], { step: 1, unit: "nm" }),
      [10, 20],
      /only one of them knows the size/,
    ],
    [
      "places and frequencies",
      image([40, 50], { step: 1, unit: "nm" }),
      image([8, 9], { step: 1, unit: "1/nm" }),
      [10, 20],
      /one counts nm, the other nm⁻¹/,
    ],
    [
      "rows that grow upwards in the second",
      image([40, 50]),
      image([60, 50], { upwards: true }),
      [49, 20],
      /pixel/,
    ],
    [
      "rows that grow upwards in the first",
      image([40, 50], { upwards: true }),
      image([60, 50]),
      [29, 20],
      /pixel/,
    ],
    [
      "rows that grow upwards in both",
      image([40, 50], { upwards: true }),
      image([60, 50], { upwards: true }),
      [
        10,
        20,
      ],
      /pixel/,
    ],
  ];

Deno.test("images are linked by lengths where both know them, else pixel by pixel, and it is said why", () => {
  for (const [what, first, second, [y, x], said] of LINKS) {
    const { places, text } = linkOf(first, second, false);
    const look = lookIn({ y: 10, x: 20, zoom: 4 }, places);
    assertAlmostEquals(look.y, y, 1e-9, what);
    assertAlmostEquals(look.x, x, 1e-9, what);
    assertAlmostEquals(look.zoom, 4 / places.step[1], 1e-9, what);
    assertMatch(text, said, what);
  }
});

Deno.test("pixels of different shapes are not linked by lengths", () => {
  const slanted = image([40, 50], { step: 1, unit: "nm" });
  const [y, x] = slanted.facts.axes as [ImageAxis, ImageAxis];
  const second = { ...slanted, facts: { title: "", axes: [{ ...y, step: 2 }, x] as const } };
  assertMatch(linkOf(slanted, second, false).text, /pixel by pixel: their pixels have different shapes/);
});

Deno.test("images of one source that know no sizes show the same field, if their sides have the same ratio", () => {
  const { places, text } = linkOf(image([40, 50]), image([20, 25]), true);
  assertEquals([places, text], [
    { start: [-0.25, -0.25], step: [0.5, 0.5] },
    "Linked: both show the same field.",
  ]);
  assertMatch(linkOf(image([40, 50]), image([20, 30]), true).text, /pixel by pixel/);
});

const SKY = { CTYPE1: "RA---TAN", CTYPE2: "DEC--TAN", CRVAL1: 30, CRVAL2: 10, CRPIX1: 21, CRPIX2: 21 };

/** An image of the sky with pixels of `step` degrees. */
function sky(step: number, change: Cards = {}): Linked {
  return image([40, 40], { upwards: true }, { ...SKY, CDELT1: -step, CDELT2: step, ...change });
}

Deno.test("places on the sky are the same in both images, whichever pixel is the reference", () => {
  const [first, second] = [sky(0.001), sky(0.0005, { CRPIX1: 11.5, CRPIX2: 7 })];
  const { places, text } = linkOf(first, second, false);
  assertEquals(text, "Linked by their places on the sky.");
  for (const [y, x] of [[0, 0], [39, 39], [12.5, 30]] as const) {
    const there = lookIn({ y, x, zoom: 1 }, places);
    const [one, other] = [first.sky!.at(y, x)!, second.sky!.at(there.y, there.x)!];
    assert(Math.hypot(one.ra - other.ra, one.dec - other.dec) < 1e-9, `${y} ${x}`);
  }
  assertMatch(
    linkOf(sky(0.001), sky(0.001, { CTYPE1: "RA---SIN", CTYPE2: "DEC--SIN" }), false).text,
    /on the sky\.$/,
  );
});

Deno.test("other projections, parts and frames of the sky are linked pixel by pixel, and it is said", () => {
  const cases: readonly (readonly [Linked, RegExp])[] = [
    [sky(1, { CTYPE1: "RA---SIN", CTYPE2: "DEC--SIN" }), /their projections or directions on the sky differ/],
    [sky(1, { CROTA2: 30 }), /their projections or directions on the sky differ/],
    [sky(1, { CRPIX1: 2000 }), /they show different parts of the sky/],
    [sky(1, { RADESYS: "FK4", EQUINOX: 1950 }), /in different ways/],
    [image([40, 40]), /only one of them knows its place on the sky/],
  ];
  for (const [second, said] of cases) {
    const { places, text } = linkOf(sky(1), second, false);
    assertMatch(text, said);
    assertEquals(Math.abs(places.step[0]), 1);
  }
});
