/** UVFITS on the command line: each verb of observations, and files that are refused by name. */

import { assert, assertAlmostEquals, assertEquals, assertMatch } from "@std/assert";
import { openObservation } from "../../../src/observations/open.ts";
import { unpacked } from "../../observations/packed.ts";
import { failure } from "../../formats/helpers.ts";
import { cli } from "../harness.ts";

const FILES = new URL("../../data/observations/written.tgz", import.meta.url);

Deno.test("info, predict, image and uvplot take UVFITS", async () => {
  await using opened = await unpacked(FILES);
  const { folder } = opened, path = `${folder}/p0.uvfits`;
  await Deno.writeTextFile(`${folder}/sky.txt`, "Name,l,m,I\na,0.001,-0.002,2\n");
  await using observation = await openObservation(path);
  const told = await cli(["info", path]);
  assertEquals(told.code, 0, told.err);
  assertMatch(told.out, /observation +uvfits, 12 rows\n[^]*antenna1 - antenna2/);
  assertEquals((await cli(["uvplot", path, "-o", `${folder}/uv.png`])).code, 0);
  const image = await cli(["image", path, "-o", `${folder}/day.fits`, "--pixels", "32", "--json"]);
  assertEquals([image.code, image.json()[0]!["rows"]], [0, observation.rows]);
  assertEquals((await cli(["predict", `${folder}/sky.txt`, path, "-o", `${folder}/model.npy`])).code, 0);
  const { shape } = observation.visibility!, samples = 2 * shape[0]! * shape[1]! * shape[2]!;
  const bytes = await Deno.readFile(`${folder}/model.npy`);
  const data = new Float64Array(bytes.slice(bytes.length - 8 * samples).buffer);
  const uvw = await observation.uvw(0, observation.rows), n1 = Math.sqrt(1 - 0.001 ** 2 - 0.002 ** 2) - 1;
  for (let row = 0; row < observation.rows; row++) {
    const [u, v, w] = [uvw[3 * row]!, uvw[3 * row + 1]!, uvw[3 * row + 2]!];
    const turns = (0.001 * u - 0.002 * v + w * n1) * observation.frequencies[0]! / 299792458;
    const at = 2 * row * shape[1]! * shape[2]!;
    assertAlmostEquals(data[at]!, 2 * Math.cos(2 * Math.PI * turns), 1e-9);
    assertAlmostEquals(data[at + 1]!, 2 * Math.sin(2 * Math.PI * turns), 1e-9);
  }
});

/** A file with a card that says something else; cards are as long as before. */
async function changed(path: string, from: string, to: string): Promise<void> {
  const bytes = await Deno.readFile(path), text = new TextDecoder("latin1").decode(bytes);
  const at = text.indexOf(from);
  assert(at >= 0, from);
  bytes.set(new TextEncoder().encode(to.padEnd(from.length)), at);
  await Deno.writeFile(path, bytes);
}

Deno.test("what UVFITS says of its numbers is refused by name where it is not read", async () => {
  for (
    const [from, to, code, words] of [
      ["'UU      '", "'UU---NCP'", "unsupported", /projection NCP/],
      ["'ITRF    '", "'MCMF    '", "unsupported", /frame MCMF \(FRAME of AIPS AN\)/],
      ["'UTC     '", "'UT1     '", "unsupported", /times are UT1 \(TIMSYS of AIPS AN\)/],
      ["'STOKES  '", "'BAND    '", "unsupported", /axis "BAND" \(CTYPE3\)/],
      ["'DATE    '", "'TIME    '", "malformed", /no parameter DATE; they have UU, VV, WW, TIME/],
      ["'AIPS AN '", "'AIPS XX '", "malformed", /no table AIPS AN/],
      [
        "GCOUNT  =                   10",
        "GCOUNT  =                99999",
        "truncated",
        /of them are complete/,
      ],
    ] as const
  ) {
    await using opened = await unpacked(FILES);
    const path = `${opened.folder}/p1.uvfits`;
    await changed(path, from, to);
    const error = await failure(openObservation(path), code);
    assertMatch(error.message, words);
  }
  await using opened = await unpacked(FILES);
  const path = `${opened.folder}/a0.uvfits`;
  const error = await failure(openObservation(path, { field: "nobody" }), "not-found");
  assertMatch(error.message, /There is no field "nobody" in .*; it has \d+ "/);
  await failure(openObservation(path, { column: "DATA" }), "invalid");
  await failure(openObservation(path, { spectralWindow: 9 }), "not-found");
});
