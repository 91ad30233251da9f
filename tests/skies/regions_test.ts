/** Regions of DS9 as models of the sky, and lists of BBS. */

import "../fences/mod.ts";
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { readSky } from "../../src/skies/read.ts";
import { failure } from "../formats/helpers.ts";

const DEGREE = Math.PI / 180, ARCSECOND = DEGREE / 3600;

async function read(text: string) {
  return await readSky(new TextEncoder().encode(text));
}

const REGIONS = `# Region file format: DS9 version 4.1
global color=green dashlist=8 3 width=1 font="helvetica 10 normal roman" select=1 ReferenceFrequency=150e6
fk5
point(08:28:05.15,+39:35:08.5) # point=cross text={A 1} I=1.5 Q=0.1 SpectralIndex=[-0.7,0.1]
# a comment
ellipse(187.7d,12.39d,6",3",120) # color=red text={B} I=0.3
circle 187.5 -12.5 0.01 # I=2; point(10,20) # I=1
`.replace("; point(10,20) # I=1", "\npoint(10,20) # I=1");

Deno.test("points, circles and ellipses of DS9 are components", async () => {
  const { points, gaussians } = await read(REGIONS);
  assertEquals(points.map(({ name, stokes }) => [name, ...stokes]), [["A 1", 1.5, 0.1, 0, 0], [
    "",
    1,
    0,
    0,
    0,
  ]]);
  assertEquals(points[0]!.spectrum, { terms: [-0.7, 0.1], isLogarithmic: true, reference: 150e6 });
  assertEquals(
    (points[0]!.position as { ra: number }).ra.toFixed(12),
    ((8 + 28 / 60 + 5.15 / 3600) * 15 * DEGREE).toFixed(12),
  );
  const [ellipse, circle] = gaussians;
  assertAlmostEquals(ellipse!.major, 12 * ARCSECOND, 1e-15);
  assertAlmostEquals(ellipse!.minor, 6 * ARCSECOND, 1e-15);
  assertAlmostEquals(ellipse!.angle, 30 * DEGREE, 1e-15); // from the north, where DS9 counts from the west
  assertEquals([ellipse!.isAbsolute, ellipse!.name], [true, "B"]);
  assertAlmostEquals(circle!.major, 0.02 * DEGREE, 1e-15);
});

Deno.test("an ellipse whose second radius is the longer one has its angle along that", async () => {
  const { gaussians: [one] } = await read(`icrs\nellipse(10,20,3",6",30) # I=1\n`);
  assertAlmostEquals(one!.angle, 30 * DEGREE, 1e-15);
  assertAlmostEquals(one!.major, 12 * ARCSECOND, 1e-15);
});

Deno.test("regions that are not sources, and other frames, are refused by name and line", async () => {
  for (
    const [text, code, words] of [
      [
        `fk5\nbox(1,2,3",4",0) # I=1\n`,
        "unsupported",
        /line 2, box is not a source; point, circle and ellipse are read/,
      ],
      [`fk5\n-circle(1,2,3") # I=1\n`, "unsupported", /-circle is not a source/],
      [`fk5\n# text(1,2) text={here}\n`, "unsupported", /text is not a source/],
      [`galactic\npoint(1,2) # I=1\n`, "unsupported", /frame galactic; fk5 and icrs are read/],
      [`image\npoint(1,2) # I=1\n`, "unsupported", /frame image/],
      [`fk5\npoint(1,2) # I=1\nicrs\npoint(1,2) # I=1\n`, "unsupported", /several frames: fk5, icrs/],
      [`fk5\npoint(1,2) # text={no flux}\n`, "malformed", /line 2, i is missing/],
      [`fk5\ncircle(1,2,3p) # I=1\n`, "malformed", /the size 3p must be a number/],
      [`fk5\nellipse(1,2,3") # I=1\n`, "malformed", /one ellipse has 5 numbers, this one has 3/],
      [`global color=red\npoint(1,2) # I=1\n`, "malformed", /no frame, such as fk5/],
    ] as const
  ) {
    const error = await failure(read(text), code);
    assert(words.test(error.message), error.message);
  }
});

Deno.test("lists of BBS are read: their format, patches, polarised fractions", async () => {
  const { points, gaussians } = await read(
    `# (Name, Type, Patch, Ra, Dec, I, Q, U, V, ReferenceFrequency='60e6', SpectralIndex='[0.0]', MajorAxis, MinorAxis, Orientation) = format
, , CenA, 13:25:27.6, -43.01.09
sou1, POINT, CenA, 13:25:27.6, -43.01.09, 10, 0, 0, 0, , [-0.8]
sou2, GAUSSIAN, CenA, 13:25:28.6, -43.01.10, 5, , , , 70e6, , 12, 6, 40
`,
  );
  assertEquals([points.length, gaussians.length], [1, 1]);
  assertEquals(points[0]!.spectrum, { terms: [-0.8], isLogarithmic: true, reference: 60e6 });
  assertEquals(gaussians[0]!.spectrum.reference, 70e6);
});
