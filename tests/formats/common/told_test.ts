/** What files say that is not read is told, in files that are made here or changed a little. */

import { assert, assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { open } from "../../../src/formats/open.ts";

import { ENTRIES, FOLDER, needSamples } from "../conformance/samples.ts";

Deno.test("MRC: an extended header with facts of each section is told, one with symmetries is not", async () => {
  const warningsOf = async (type: string) => {
    const bytes = new Uint8Array(1024 + 80 + 2 * 4), view = new DataView(bytes.buffer);
    [2, 2, 2, 0].forEach((n, i) => view.setInt32(4 * i, n, true));
    view.setInt32(92, 80, true);
    bytes.set(new TextEncoder().encode(type), 104);
    bytes.set(new TextEncoder().encode("MAP DD"), 208);
    return (await open(bytes)).warnings;
  };
  assertEquals(await warningsOf("FEI1"), [
    "The extended header (FEI1) says more of each section, as its tilt and its place, which is not read",
  ]);
  assertEquals(await warningsOf("CCP4"), []);
});

const isThere = ENTRIES.length > 0;
needSamples("files with facts that are told");

Deno.test({
  name: "TIA: elements whose samples lie at other places than those of the first are told",
  ignore: !isThere,
  fn: async () => {
    const bytes = await Deno.readFile(new URL("ser/64x64x5_TEM_preview_1.ser", FOLDER));
    assertEquals((await open(bytes)).warnings, []);
    const view = new DataView(bytes.buffer), isLong = view.getUint16(4, true) >= 0x220;
    const table = view.getUint32(22, true), second = view.getUint32(table + (isLong ? 8 : 4), true);
    view.setFloat64(second + 8, 1, true); // its step
    assertEquals((await open(bytes)).warnings, [
      "Element 1 has its samples at other places than the first one, whose places are taken for all",
    ]);
  },
});

Deno.test({
  name: "EMPAD: steps of patterns that programs read differently are told",
  ignore: !isThere,
  fn: async () => {
    const { warnings } = await open(fromFileUrl(new URL("empad/map4x4/map4x4.xml", FOLDER)));
    assert(warnings.some((text) => text.startsWith("Steps of the patterns are not used")), warnings.join());
  },
});
