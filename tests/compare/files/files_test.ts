/** The comparison of files says what is wrong, and only that. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { withFolder } from "../../cli/harness.ts";
import { sha256 } from "../../formats/read_all.ts";
import { makeTiff, sampleAt } from "../../formats/tiff/make.ts";
import { reasonFor, REASONS } from "./explained.ts";
import type { Made, Told } from "./maker.ts";
import { differences } from "./samples.ts";
import { Tally } from "./tally.ts";
import { Contexts, filterDifferences, viewDifferences } from "./views.ts";

const MAKING = { height: 5, width: 7 };
const SAMPLES = Uint8Array.from({ length: 35 }, (_, i) => sampleAt(i, MAKING));
const RIGHT: Told = { name: "ifd0", shape: [5, 7], dtype: "uint8", sha256: sha256(SAMPLES) };
const made = (...arrays: Told[]): Made => ({ index: 1, writer: "own", file: "a.tif", arrays, spec: {} });

async function withTiff(work: (path: string) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    await Deno.writeFile(`${folder}/a.tif`, makeTiff([MAKING]));
    await work(`${folder}/a.tif`);
  });
}

Deno.test("files that are as they were told have no differences, others say which", async () => {
  await withTiff(async (path) => {
    assertEquals(await differences(path, made(RIGHT)), []);
    const wrong: readonly (readonly [Partial<Told>, string])[] = [
      [{ sha256: sha256(SAMPLES.slice(1)) }, "other samples"],
      [{ shape: [7, 5] }, "shape 5 × 7, not 7 × 5"],
      [{ dtype: "int8" }, "type uint8, not int8"],
      [{ name: "ifd1" }, "is not among ifd0"],
    ];
    for (const [change, text] of wrong) {
      assertStringIncludes((await differences(path, made({ ...RIGHT, ...change })))[0]!, text);
    }
    assertStringIncludes((await differences(path, made()))[0]!, "has also ifd0");
    assertStringIncludes((await differences(`${path}.not`, made(RIGHT)))[0]!, "cannot be read");
  });
});

Deno.test("views and filters that differ are told", async () => {
  await using contexts = new Contexts();
  await withTiff(async (path) => {
    const view = { index: [0, 0], shape: [5, 7], sha256: RIGHT.sha256 };
    const all = { tile: [5, 7], front: [0, 0], back: [0, 0], modes: ["edge", "wrap"] as const, fill: 0 };
    const one = { ...made(), ...all, views: [view] };
    assertEquals(await viewDifferences(path, one, contexts), []);
    const other = { ...one, views: [{ ...view, sha256: "" }] };
    assertEquals((await viewDifferences(path, other, contexts)).length, 2); // of both readers
    const result = { ...made(), tile: [2, 3], border: "edge", fill: 0, exact: true, expected: path } as const;
    const minimum = { ...result, writer: "localMinimum", params: { radius: [0, 0] } };
    assertEquals(await filterDifferences(path, minimum, contexts), []);
    const wider = await filterDifferences(path, { ...minimum, params: { radius: [1, 1] } }, contexts);
    assertStringIncludes(wider[0]!, "is off by");
  });
});

Deno.test("a reason excuses those whom it names, under its condition", () => {
  const odd = { ...made(RIGHT), spec: { order: "<", images: [{ bits: 10 }] } };
  assertEquals(reasonFor("tifffile", odd, RIGHT, "10 bits, other samples"), undefined);
  assert(reasonFor("geotiff.js", odd, RIGHT, "other samples"));
  const plain = { ...made(RIGHT), spec: { order: "<", images: [{ bits: 16 }] } };
  assertEquals(reasonFor("geotiff.js", plain, RIGHT, "other samples"), undefined);
  assertEquals(new Set(REASONS.map(({ who, text }) => who + text)).size, REASONS.length);
  const tally = new Tally();
  tally.file("tiff", "differs");
  tally.other("geotiff.js", REASONS[0]!);
  assertEquals(tally.unexplained, 1);
  assertStringIncludes(String(tally), "tiff: 1 files");
});
