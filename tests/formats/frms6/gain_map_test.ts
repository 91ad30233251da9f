/** Gain maps of FRMS6 from MATLAB files and tables: runs multiply by them, what does not fit is refused. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type OpenOptions, openStored as open } from "../../../src/formats/open.ts";
import { sumFrames } from "../../../src/udf/builtin/sum_frames.ts";
import { createContext } from "../../../src/runner/context.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { cli } from "../../cli/harness.ts";
import { frms6Dark, frms6Files, frms6Frame, type Frms6Init, frms6List } from "./frms6_data.ts";
import { ascii, failure, join } from "../helpers.ts";

const MAPS = new URL("../../data/gain_map/", import.meta.url);
const INIT: Frms6Init = { files: [3, 4], scan: "2x2" };
/** As the script that made the files says. */
const gain = (pixel: number) => 1 + pixel / 64;

/** The corrected sum of all frames. */
async function sumWith(options: OpenOptions): Promise<number[]> {
  await using context = createContext({ workers: 0 });
  const dataset = await open(frms6List(frms6Files(INIT)), options);
  const { sum } = await run(await plan(dataset, { sum: sumFrames() }, { context }));
  return [...sum.intensity.data];
}

for (const file of ["plain.mat", "packed.mat", "version73.mat", "table.csv"]) {
  Deno.test(`${file} corrects every frame`, async () => {
    const dark = frms6Dark(INIT);
    const expected = dark.map((offset, p) =>
      [0, 1, 2, 3].reduce((sum, image) => sum + (frms6Frame(image, INIT)[p]! - offset) * gain(p), 0)
    );
    const found = await sumWith({ gainMap: new URL(file, MAPS) });
    found.forEach((value, p) =>
      assert(Math.abs(value - expected[p]!) <= 1e-5 * Math.abs(expected[p]!), `${p}`)
    );
  });
}

Deno.test("tables may end lines with a semicolon, have a byte order mark and decimal commas", async () => {
  const lines = Array.from(
    { length: 5 },
    (_, x) => Array.from({ length: 8 }, (_, y) => String(gain(5 * y + x)).replace(".", ",") + ";").join(""),
  );
  const table = ascii(`\uFEFF${lines.join("\r\n")}\r\n\r\n`);
  assertEquals(
    await sumWith({ gainMap: join(table) }),
    await sumWith({ gainMap: new URL("plain.mat", MAPS) }),
  );
});

Deno.test("without dark frames the gain map is the correction alone", async () => {
  const dataset = await open(frms6List(frms6Files({ ...INIT, files: [0, 4] })), {
    gainMap: new URL("table.csv", MAPS),
  });
  assertEquals(Object.keys(dataset.corrections!), ["gain", "why"]);
});

Deno.test("maps that are none are refused", async () => {
  const list = frms6List(frms6Files(INIT));
  const refused = async (gainMap: URL | Uint8Array, code: Parameters<typeof failure>[1]) =>
    (await failure(open(list, { gainMap }), code)).message;
  const table = (text: string) => join(ascii(text));
  assertStringIncludes(await refused(new URL("complex.mat", MAPS), "unsupported"), "complex");
  assertStringIncludes(await refused(new URL("version4.mat", MAPS), "unsupported"), "version 5 or 7.3");
  assertStringIncludes(await refused(table("1;2\n3;4"), "invalid"), "it is 2 × 2, frames are 8 × 5");
  assertStringIncludes(await refused(table("1;2\n3"), "malformed"), "line 2 has 1 numbers");
  assertStringIncludes(await refused(table("1;x"), "malformed"), 'line 1 has "x"');
  await refused(table(""), "malformed");
  const turned = Array(8).fill("1;1;1;1;1").join("\n");
  assertStringIncludes(await refused(table(turned), "invalid"), "the other way round");
  const whole = Deno.readFileSync(new URL("plain.mat", MAPS));
  for (const end of [128, 140, 200, 260, 300, whole.length - 9]) {
    const error = await open(list, { gainMap: whole.slice(0, end) }).then(
      () => undefined,
      ({ code }) => code,
    );
    assert(["truncated", "not-found", "malformed"].includes(error), `${end}: ${error}`);
  }
});

Deno.test("formats without a gain map refuse the option, and the command line has it", async () => {
  const bytes = join(new Uint8Array(64));
  const gainMap = new URL("table.csv", MAPS);
  const error = await failure(open(bytes, { dtype: "uint8", sig: [8, 8], gainMap }), "invalid");
  assertStringIncludes(error.message, "takes no gainMap");
  const folder = await Deno.makeTempDir();
  for (const [name, content] of frms6Files(INIT)) await Deno.writeFile(`${folder}/${name}`, content);
  const { code, out } = await cli(["info", `${folder}/run.hdr`, "--gain-map", gainMap.pathname]);
  assertEquals(code, 0);
  assertStringIncludes(out, "gain map: ");
  await Deno.remove(folder, { recursive: true });
});
