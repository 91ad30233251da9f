/** Models of the sky: lists of WSClean, CSV and JSON, and what is wrong with broken ones, by line and column. */

import "../fences/mod.ts";
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { readSky } from "../../src/skies/read.ts";
import type { Sky } from "../../src/skies/component.ts";
import { failure } from "../formats/helpers.ts";

const DEGREE = Math.PI / 180;

function read(text: string): Promise<Sky> {
  return readSky(new TextEncoder().encode(text));
}

/** As WSClean writes it. */
const WSCLEAN =
  `Format = Name, Type, Ra, Dec, I, SpectralIndex, LogarithmicSI, ReferenceFrequency='150000000', MajorAxis, MinorAxis, Orientation

s0c0,POINT,08:28:05.152,39.35.08.511,0.000748810650400475,[-0.00695379313004673,-0.0849693907803257],false,125584411.621094,,,
s1c0,GAUSSIAN,-01:31:10.37,-01.47.17.131,0.000723326710524984,[0.00344317919656096],true,,83.6144111272856,82.5,-12.5
`;

Deno.test("a component list of WSClean is read with both spectra, shapes and default values", async () => {
  const { points, gaussians, sersics } = await read(WSCLEAN);
  assertEquals([points.length, gaussians.length, sersics.length], [1, 1, 0]);
  const [point, gaussian] = [points[0]!, gaussians[0]!];
  const { ra, dec } = point.position as { ra: number; dec: number };
  assertAlmostEquals(ra, (8 + 28 / 60 + 5.152 / 3600) * 15 * DEGREE, 1e-14);
  assertAlmostEquals(dec, (39 + 35 / 60 + 8.511 / 3600) * DEGREE, 1e-14);
  assertEquals(point.stokes, [0.000748810650400475, 0, 0, 0]);
  assertEquals(point.spectrum, {
    terms: [-0.00695379313004673, -0.0849693907803257],
    isLogarithmic: false,
    reference: 125584411.621094,
  });
  assertEquals(gaussian.spectrum, { terms: [0.00344317919656096], isLogarithmic: true, reference: 150e6 });
  assertAlmostEquals(gaussian.major, 83.6144111272856 / 3600 * DEGREE, 1e-18);
  assertAlmostEquals(gaussian.angle, -12.5 * DEGREE, 1e-16);
  const centre = gaussian.position as { ra: number; dec: number };
  assertAlmostEquals(centre.dec, -(1 + 47 / 60 + 17.131 / 3600) * DEGREE, 1e-16);
  assertAlmostEquals(centre.ra, -(1 + 31 / 60 + 10.37 / 3600) * 15 * DEGREE, 1e-16);
});

Deno.test("lists with a commented format, patches and Stokes parameters are read", async () => {
  const { points } = await read(
    "# (Name, Type, Patch, Ra, Dec, I, Q, U, V) = format\n# a comment\n, , main, 1:0:0, 10.0.0\n" +
      "a, POINT, main, 1:0:0, +10.0.0, 1, 0.1, -0.2, 3e-2\n",
  );
  assertEquals(points.map(({ name, stokes }) => [name, ...stokes]), [["a", 1, 0.1, -0.2, 0.03]]);
});

Deno.test("CSV and JSON have the same names, and direction cosines as well", async () => {
  const csv = await read(
    'name,type,l,m,I,e1,e2,scale\n"a disk",SERSIC,0.01,-0.02,2,0.1,0,1.5\nb,POINT,0,0,1,,,\n',
  );
  const json = await read(JSON.stringify({
    components: [
      { Name: "a disk", Type: "sersic", l: 0.01, m: -0.02, I: 2, e1: 0.1, e2: 0, scale: 1.5 },
      { name: "b", l: 0, m: 0, I: 1, SpectralIndex: [] },
    ],
  }));
  assertEquals(json, csv);
  assertEquals(csv.sersics[0]!.position, { l: 0.01, m: -0.02 });
  assertAlmostEquals(csv.sersics[0]!.scale, 1.5 / 3600 * DEGREE, 1e-18);
});

Deno.test("angles are read in all usual ways of writing", async () => {
  const rows = ["90", "90deg", `${Math.PI / 2}rad`, "6h0m0s", "06:00:00.000"];
  const { points } = await read(`Name,Ra,Dec,I\n${rows.map((ra) => `a,${ra},-30d30m0s,1`).join("\n")}`);
  for (const { position } of points) {
    const { ra, dec } = position as { ra: number; dec: number };
    assertAlmostEquals(ra, Math.PI / 2, 1e-15);
    assertAlmostEquals(dec, -30.5 * DEGREE, 1e-15);
  }
});

Deno.test("lists of OSKAR and DP3 have names of their own: degrees, absolute angles, polarised fractions", async () => {
  const { gaussians } = await read(
    "Format = RaD,DecD,I,Q,U,V,ReferenceFrequency,SpectralIndex,SpectralCurvature,RotationMeasure,MajorAxis,MinorAxis," +
      "PositionAngle,Type\n0.5,28.6,2,0,0,0,1.4e9,-0.7,0,0,20,10,30.0,GAUSSIAN\n",
  );
  assertEquals(gaussians[0]!.position, { ra: 0.5 * DEGREE, dec: 28.6 * DEGREE });
  assertEquals([gaussians[0]!.angle, gaussians[0]!.isAbsolute], [30 * DEGREE, true]);
  const { gaussians: [own] } = await read(
    "Type,Ra,Dec,I,MajorAxis,MinorAxis,Orientation,OrientationIsAbsolute\nGAUSSIAN,1,1,1,2,1,3,False\n",
  );
  assertEquals(own!.isAbsolute, undefined);
  const { points } = await read("Ra,Dec,I,PolarizedFraction,PolarizationAngle\n1,1,2,0.5,30\n");
  const [i, q, u, v] = points[0]!.stokes;
  assertEquals([i, v], [2, 0]);
  assertAlmostEquals(q, Math.cos(60 * DEGREE), 1e-15);
  assertAlmostEquals(u, Math.sin(60 * DEGREE), 1e-15);
});

Deno.test("seconds of 60.000 are those of the next minute; tabs part values; comments end lines", async () => {
  const list = "Name\tRa\tDec\tI\n\t00:07:60.000\t28.39.60.000\t1 # weak\nb\t0\t0\t2\t# no more\n";
  const { points } = await read(list);
  assertEquals(points.map(({ name, stokes: [i] }) => [name, i]), [["", 1], ["b", 2]]);
  const { ra, dec } = points[0]!.position as { ra: number; dec: number };
  assertAlmostEquals(ra, 2 * DEGREE, 1e-15);
  assertAlmostEquals(dec, (28 + 40 / 60) * DEGREE, 1e-15);
});

/** A list of one row, its message, and line and column of the error. */
const BROKEN: readonly [
  text: string,
  message: RegExp,
  line: number | undefined,
  column: string | undefined,
][] = [
  ["Name,Typ,I\n", /no column "Typ"; did you mean type/, 1, "Typ"],
  ["Name,Ra,Dec,Flux_Jy\n", /no column "Flux_Jy"; did you mean i, the flux in Jy\?/, 1, "Flux_Jy"],
  ["Name,I,I\n", /two columns i/, 1, "i"],
  ["Name,Ra,Dec,I\na,1,2,3,4\n", /line 2 has 5 values, the heading 4/, 2, undefined],
  ["Name,Ra,Dec,I\n\na,1,2,x\n", /line 3, i is "x"; it must be a finite number/, 3, "i"],
  ["Name,Ra,Dec,I\na,1,,3\n", /line 2, dec is missing/, 2, "dec"],
  ["Name,Ra,Dec,I\na,1,91,3\n", /line 2, dec is "91"/, 2, "dec"],
  ["Name,Ra,Dec,I\na,12:61:00,1,3\n", /line 2, ra is "12:61:00"/, 2, "ra"],
  ["Name,Type,Ra,Dec,I\na,BLOB,1,1,3\n", /type is "BLOB"; it must be POINT, GAUSSIAN or SERSIC/, 2, "type"],
  ["Name,Type,Ra,Dec,I\na,GAUSSIAN,1,1,3\n", /majoraxis is missing/, 2, "majoraxis"],
  ["Ra,Dec,I,RotationMeasure\n1,1,1,20\n", /rotationmeasure is "20"; it must be 0/, 2, "rotationmeasure"],
  ["Ra,Dec,I,Q,PolarizedFraction\n1,1,1,1,0.1\n", /q is "1"; it must be 0 where/, 2, "q"],
  ["Ra,Dec,I\n1,28.39.60.001,1\n", /dec is "28.39.60.001"/, 2, "dec"],
  ["l,m,I\n0.9,0.9,1\n", /l² \+ m² ≤ 1/, 2, "l"],
  ["l,m,I,SpectralIndex\n0,0,1,[1]\n", /referencefrequency is missing/, 2, "referencefrequency"],
  ["l,m,I,SpectralIndex\n0,0,1,[x]\n", /finite numbers/, 2, "spectralindex"],
  ["l,m,I\n0,0,inf\n", /i is "inf"/, 2, "i"],
  ["", /it has no line/, undefined, undefined],
  ["{}", /list components/, undefined, undefined],
  ["[1", /Cannot read/, undefined, undefined],
  ['[{"l":0,"m":0,"I":1},{"q":0,"xyz":1}]', /component 2, there is no value "xyz"/, 2, "xyz"],
  ["[3]", /component 1 is not an object/, 1, undefined],
];

for (const [text, message, line, column] of BROKEN) {
  Deno.test(`a broken list is refused: ${message}`, async () => {
    const error = await failure(read(text), "malformed");
    assert(message.test(error.message), error.message);
    assertEquals([error.details["line"], error.details["column"]], [line, column]);
  });
}

Deno.test("images and other binary files are not skies, and say so", async () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  for (
    const [text, found] of [
      [`SIMPLE  =${"T".padStart(21)}`, "a FITS file"],
      ["\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a binary file"],
    ] as const
  ) {
    const error = await failure(readSky(bytes(text)), "unknown-format");
    assertEquals([error.code, error.details.found], ["unknown-format", found]);
    assert(error.message.includes(`it is ${found}`), error.message);
  }
});
