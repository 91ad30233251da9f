/** `tilewise uvplot`: a picture with axes, and what is said of it. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { pathOf } from "../../observations/expected.ts";
import { findText } from "../../pictures/axes/find_text.ts";
import { readPng } from "../../pictures/read_png.ts";
import { cli, withFolder } from "../harness.ts";

Deno.test("uvplot draws both signs of all samples, with axes in wavelengths", async () => {
  await withFolder(async (folder) => {
    const out = `${folder}/uv.png`;
    const told = await cli(["uvplot", pathOf("small.uvh5"), "-o", out, "--json", "--pixels", "640"]);
    assertEquals([told.code, told.err], [0, ""]);
    const { limit, longestBaseline, ...facts } = told.json()[0]!;
    const expected = { rows: 12, left: 0, channels: 5, samples: 120, unit: "wavelengths" };
    assertEquals(facts, { source: pathOf("small.uvh5"), file: out, ...expected });
    assert(Number(limit) > 1 && Math.abs(Number(longestBaseline) - 327.9) < 0.1);
    const { width, height, colourType, samples } = readPng(await Deno.readFile(out));
    const picture = { width, height, channels: 3, data: Uint8Array.from(samples) } as const;
    assertEquals(colourType, 2);
    assertEquals([findText(picture, "u (λ)", 2).length, findText(picture, "v (λ)", 2, true).length], [1, 1]);
    assertEquals(findText(picture, "small.uvh5: 12 rows, 5 channels", 2).length, 1);
  });
});

Deno.test("uvplot says what was drawn, and refuses other files and words", async () => {
  await withFolder(async (folder) => {
    const words = ["uvplot", pathOf("small.ms"), "--unit", "metres"];
    const told = await cli([...words, "-o", `${folder}/uv.png`, "-q"]);
    assertMatch(told.out, /rows {6}6 with a baseline\n {2}channels {2}1\n {2}longest {3}/);
    for (
      const [command, text] of [
        [[...words, "-o", `${folder}/uv.jpg`], /must end with \.png/],
        [[words[0]!, words[1]!, "--unit", "feet"], /--unit feet: write wavelengths or metres/],
      ] as const
    ) {
      const refused = await cli(command);
      assertEquals(refused.code, 2);
      assertMatch(refused.err, text);
    }
  });
});
