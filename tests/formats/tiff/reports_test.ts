/**
 * TIFF files of the reports give the right values, which GDAL, tifffile, OpenSlide or the standard say.
 *
 * @module
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import { openStored as open } from "../../../src/formats/open.ts";
import { wholeBox } from "../../../src/space/box.ts";
import { cli, withFolder } from "../../cli/harness.ts";
import { type ReportCase, reportCases, reportPath, reportTest } from "../conformance/reports.ts";
import { sha256 } from "../read_all.ts";

/** Cases that read TIFF files, and write none of another kind. */
const CASES = reportCases("bio").filter(({ files, command }) =>
  /\.tiff?$/.test(files[0]!) &&
  (/^(pick|stats|info) /.test(command) || /^convert .* OUT\.ome\.tif$/.test(command))
);

/** What the command of a case says about the array that it is about. */
async function answered({ command, expected }: ReportCase): Promise<Record<string, unknown>> {
  const words = command.split(" ").map((word) => word.startsWith("in/") ? reportPath(`bio/${word}`) : word);
  const { code, err, json } = await cli([...words, "-q"]);
  assertEquals(code, 0, err);
  const lines = json();
  return lines.find(({ array }) => array === expected["array"]) ?? lines[0]!;
}

const CHECKS: Readonly<Record<string, (case_: ReportCase) => Promise<void>>> = {
  pick: async (one) => assertEquals((await answered(one))["values"], one.expected["values"]),
  stats: async (one) => {
    const { shape, dtype, sha256: digest } = await answered(one);
    const { expected } = one;
    assertEquals([shape, dtype, digest], [expected["shape"], expected["dtype"], expected["sha256"]]);
  },
  ome_xml: async ({ command, expected }) => {
    await withFolder(async (folder) => {
      const [verb, source] = command.split(" ");
      const { code, err } = await cli([verb!, reportPath(`bio/${source}`), `${folder}/out.ome.tif`, "-q"]);
      assertEquals(code, 0, err);
      const text = new TextDecoder("latin1").decode(await Deno.readFile(`${folder}/out.ome.tif`));
      for (const part of expected["contains"] as string[]) assertStringIncludes(text, part);
    });
  },
  levels: async (one) => {
    const levels = (await answered(one))["levels"] as { shape: number[] }[];
    assertEquals(levels.map(({ shape }) => shape), one.expected["shapes"] as number[][]);
  },
};

for (const one of CASES) {
  const check = CHECKS[one.expected.check];
  Deno.test(`report: ${one.id}`, async () => {
    assert(check, `nothing checks "${one.expected.check}"`);
    await check(one);
  });
}

/** Files without a case: shape, and digest of what GDAL reads. */
const FILES: readonly (readonly [file: string, shape: number[], sha256: string])[] = [
  ["crossings/lerc_be.tif", [32, 48], "ff59e8b21ff21848c2091e68d0c357f649f9dc85b933f7ec1bc0e9efc2e24219"],
  ["crossings/lerc_nan.tif", [7, 3, 2], "1ac62446ad9ba771b748cbfe4d9570f9759eb370c2e781de2687cd1191e15ec7"],
  ["crossings/gdal24.tif", [5, 31], "96761669e95c437f538eac7e5dc522e20e178f4deface83078a8ffaf2def428e"],
  [
    "crossings/ycbcr_uncompressed.tif",
    [29, 23, 3],
    "3b80c7161864b41cd97507049ec6493bb497925f6a04a2c3611126348c4fbc9a",
  ],
  ...["None", "deflate", "lzw", "packbits"].map((kind): [string, number[], string] => [
    `suites/sbc_${kind}.tif`,
    [8, 8],
    "fdeab9acf3710362bd2658cdc9a29e8f9c757fcf9811603a8c447cd1d9151108",
  ]),
];

for (const [file, shape, digest] of FILES) {
  reportTest(`report: ${file}`, file, async (path) => {
    const dataset = await open(path);
    const { data } = await readBox(dataset, wholeBox(dataset.shape));
    assertEquals(dataset.shape, shape);
    assertEquals(sha256(new Uint8Array(data.buffer, data.byteOffset, data.byteLength)), digest);
  });
}
