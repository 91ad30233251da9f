/** Beams in FITS, by the template of their names: against what astropy reads, and what is wrong with them. */

import "../../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { openObservation } from "../../../src/observations/open.ts";
import { readBeam } from "../../../src/observations/beam.ts";
import { predict } from "@tilewise/tilewise/rime";
import { beam } from "@tilewise/tilewise/unstable/rime";
import { createContext } from "../../../src/runner/context.ts";
import { failure } from "../../formats/helpers.ts";
import { assertNear } from "../../rime/golden/golden.ts";

const FOLDER = fromFileUrl(new URL("../../data/beam/", import.meta.url));
const EXPECTED: Readonly<Record<string, Record<"shape" | "values" | "l" | "m" | "frequency", number[]>>> =
  JSON
    .parse(Deno.readTextFileSync(`${FOLDER}expected.json`));
const EVEN = `${FOLDER}even_$(corr)_$(reim).fits`;
const LISTED = `${FOLDER}LISTED_$(REIM)_$(CORR).fits`;

const CASES = [
  ["even", "axes that run either way, in degrees", EVEN, {}, 2],
  ["turned", "axes with a minus sign", EVEN, { axes: { l: "-l", m: "-M" } }, 2],
  ["listed", "axes in another order, with listed frequencies, in radians", LISTED, {
    feed: "circular",
    axes: { l: "X", m: "Y" },
  }, 7],
] as const;

for (const [name, what, template, options, missing] of CASES) {
  Deno.test(`a beam with ${what} is read as astropy reads it`, async () => {
    const { shape, values, l, m, frequency } = EXPECTED[name]!;
    const { termInputs, termDimensions, warnings } = await readBeam(template, options);
    assertEquals(Object.values(termDimensions), shape!.slice(0, 3));
    assertEquals([...termInputs.ebeam], values);
    assertNear(termInputs.beam_freq_map, frequency!, 0);
    const ends = [l, m, frequency].map((places) => [places![0]!, places!.at(-1)!]);
    assertNear(
      termInputs.beam_extents,
      [...ends.map(([low]) => low!), ...ends.map(([, high]) => high!)],
      1e-15,
    );
    assertEquals(warnings[0]!.split(",").length, missing);
  });
}

Deno.test("a beam from files dims the sources of an observation", async () => {
  await using observation = await openObservation({
    antennas: [{ name: "a", position: [5e6, 0, 3e6] }, { name: "b", position: [5e6, 100, 3e6] }],
    frequencies: [1.2e9],
    correlations: ["XX", "XY", "YX", "YY"],
    phaseCentre: [0, 0.3],
    time: [5e9],
    antenna1: [0],
    antenna2: [1],
    uvw: [0, 0, 0],
  });
  await using context = createContext({ memory: "16MiB", workers: 0 });
  const { termInputs, termDimensions } = await readBeam(EVEN);
  const { values, l, m } = EXPECTED["even"]!; // a source where a sample of the cube is
  const [at, row] = [1, 2];
  const matrix = values!.slice(8 * 2 * (4 * at + row), 8 * 2 * (4 * at + row) + 8);
  const sky = { lm: Float64Array.of(l![at]!, m![row]!), stokes: Float64Array.of(1, 0, 0, 0) };
  const terms = { terms: [beam({ rotate: false })], termInputs, termDimensions };
  const found = await predict(sky, observation, { context, ...terms });
  const [a, b, c, d, , , g, h] = matrix as [number, number, number, number, number, number, number, number];
  assertNear([...found.data].map(Number), [
    a * a + b * b + c * c + d * d,
    0,
    c * g + d * h, // yx is 0: E E^H has xy · conj(yy) beside the diagonal
    d * g - c * h,
    c * g + d * h,
    c * h - d * g,
    g * g + h * h,
    0,
  ], 1e-12);
  const mixed = await predict(sky, observation, { context, ...terms, precision: "mixed" });
  assertNear(mixed.data, found.data as Float64Array, 1e-6);
});

Deno.test("templates without their words, missing files and other axes are refused", async () => {
  const words = await failure(readBeam(`${FOLDER}even_xx_re.fits`), "invalid");
  assert(/must have \$\(corr\) and \$\(reim\)/.test(words.message), words.message);
  const none = await failure(readBeam(`${FOLDER}none_$(corr)_$(reim).fits`), "not-found");
  assert(none.message.includes("none_yx_im.fits"), none.message);
  const axes = await failure(readBeam(LISTED, { feed: "circular" }), "malformed");
  assert(/no axis L; its axes are STOKES, X, Y, FREQ/.test(axes.message), axes.message);
  const same = await failure(readBeam(EVEN, { axes: { m: "L" } }), "malformed");
  assert(/axis M has 4 samples|three different axes/.test(same.message), same.message);
});

/** Copies of the files with other bytes. */
async function changed(change: (bytes: Uint8Array, name: string) => Uint8Array | void) {
  const folder = await Deno.makeTempDir();
  for (const { name } of Deno.readDirSync(FOLDER)) {
    if (!name.startsWith("even")) continue;
    const bytes = Deno.readFileSync(FOLDER + name);
    Deno.writeFileSync(`${folder}/${name}`, change(bytes, name) ?? bytes);
  }
  return {
    template: `${folder}/even_$(corr)_$(reim).fits`,
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

/** Replaces text in a header. */
function card(bytes: Uint8Array, from: string, to: string): void {
  const text = new TextDecoder("latin1").decode(bytes.subarray(0, 2880));
  const at = text.indexOf(from);
  assert(at >= 0 && from.length === to.length, from);
  bytes.set(new TextEncoder().encode(to), at);
}

Deno.test("files that do not belong together, and samples that are not finite, are refused by name", async () => {
  await using other = await changed((bytes, name) => {
    if (name === "even_yy_im.fits") {
      card(bytes, "CDELT2  =                  0.4", "CDELT2  =                  0.5");
    }
  });
  const error = await failure(readBeam(other.template), "malformed");
  assert(
    /even_yy_im.fits as a beam: its l, m or frequencies are other ones than those of .*xx_re/.test(
      error.message,
    ),
    error.message,
  );
  await using nan = await changed((bytes, name) => {
    if (name === "even_xy_re.fits") bytes.fill(0xff, 2880, 2884);
  });
  const text = await failure(readBeam(nan.template), "malformed");
  assert(/even_xy_re.fits .*not finite/.test(text.message), text.message);
  await using unit = await changed((bytes) => card(bytes, "CUNIT2  = 'deg     '", "CUNIT2  = 'parsec  '"));
  assert(/axis M is in parsec; deg/.test((await failure(readBeam(unit.template), "malformed")).message));
  await using cut = await changed((bytes, name) =>
    name === "even_xx_im.fits" ? bytes.slice(0, 2900) : undefined
  );
  await failure(readBeam(cut.template), "truncated");
});
