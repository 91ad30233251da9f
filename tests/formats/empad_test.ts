/**
 * EMPAD: the XML of its generations, series, and raw files alone.
 *
 * @module
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { StoredDataset } from "../../src/dataset/dataset.ts";
import { type OpenOptions, openStored as open } from "../../src/formats/open.ts";
import { empadTarget } from "../../src/sinks/rows/empad.ts";
import { failure } from "./helpers.ts";

const FRAME = 130 * 128 * 4;

async function opened(
  xml: string,
  frames: number,
  options: OpenOptions = {},
  raw = "scan_x3_y2.raw",
): Promise<StoredDataset> {
  const files = [new File([xml], "scan.xml"), new File([new Uint8Array(frames * FRAME)], raw)];
  return await open(files, options);
}

const parameters = (mode: string, x: number, y: number) =>
  `<scan_parameters mode="${mode}"><scan_resolution_x>${x}</scan_resolution_x>` +
  `<scan_resolution_y>${y}</scan_resolution_y></scan_parameters>`;
const root = (...parts: string[]) => `<?xml version="1.0"?>\n<root name="a">${parts.join("\n")}</root>`;
const RAW = '<raw_file filename="/home/empad/a/scan_x3_y2.raw"/>';

Deno.test("software before 1.0 says the scan by its pixels", async () => {
  const xml = root(
    '<timestamp timestamp="1" isoformat="2019-06-06T13:30:00.164675"/>',
    "<type>scan</type><pix_x>3</pix_x><pix_y>2</pix_y>",
    RAW,
    "<exposure_time>2</exposure_time>",
    parameters("acquire", 128, 128),
    "<optics.get_full_scan_field_of_view>[4e-6, 6e-6]</optics.get_full_scan_field_of_view>",
    "<source.get_voltage>300000.0</source.get_voltage>",
  );
  const { navShape, sigShape, axes, instrument, warnings, detection } = await opened(xml, 6);
  assertEquals([detection.format, navShape, sigShape, warnings], ["empad", [2, 3], [128, 128], []]);
  assertEquals(axes.slice(0, 2).map(({ scale, unit }) => [Math.round(scale!), unit]), [[2000, "nm"], [
    2000,
    "nm",
  ]]);
  assertEquals(instrument, {
    voltage: 300000,
    exposure: 0.002,
    acquired: "2019-06-06T13:30:00.164675",
    detector: "EMPAD",
  });
});

Deno.test("later software has the scan in the name of the raw file, and one field of view", async () => {
  const xml = root(
    "<software_version>1.2.2</software_version>",
    RAW,
    "<iom_measurements><full_scan_field_of_view><x>4.5e-8</x><y>4.5e-8</y><scale_factor>0.75</scale_factor>",
    "</full_scan_field_of_view></iom_measurements>",
  );
  const { navShape, axes } = await opened(xml, 6);
  assertEquals(navShape, [2, 3]);
  assertEquals(axes.slice(0, 2).map(({ scale, unit }) => [Math.round(scale! * 1e6) / 1e6, unit]), [
    [20, "nm"],
    [20, "nm"],
  ]);
});

Deno.test("of the scans that may be meant the one that fits the frames is taken", async () => {
  const raw = '<raw_file filename="frames.raw"/>';
  const acquire = root(raw, parameters("search", 64, 64), parameters("acquire", 3, 2));
  assertEquals((await opened(acquire, 6, {}, "frames.raw")).navShape, [2, 3]);
  const search = root(raw, parameters("search", 2, 3), parameters("acquire", 128, 128));
  assertEquals((await opened(search, 6, {}, "frames.raw")).navShape, [3, 2]);
  const none = await failure(opened(acquire, 5, {}, "frames.raw"), "truncated");
  assertStringIncludes(none.message, "5 of 6 frames");
  assertEquals((await opened(acquire, 5, { allowTruncated: true }, "frames.raw")).images, 5);
  assertEquals((await opened(root(raw), 5, {}, "frames.raw")).navShape, [5]);
});

Deno.test("a series has one dimension", async () => {
  const raw = '<raw_file filename="series_x4.raw"/>';
  for (
    const count of [
      "<count>4</count>",
      '<scan_parameters mode="acquire"><series_count>4</series_count></scan_parameters>',
    ]
  ) {
    assertEquals((await opened(root("<type>series</type>", raw, count), 4, {}, "series_x4.raw")).navShape, [
      4,
    ]);
  }
});

Deno.test("a series that is written has the count where LiberTEM reads it, and where RosettaSciIO does", () => {
  const frames = { nav: [4], sig: [128, 128], dtype: "float32", stem: "made" } as const;
  const text = JSON.stringify(empadTarget.layout(frames).beside);
  assertStringIncludes(text, "<type>series</type><count>4</count>");
  assertStringIncludes(text, "><series_count>4</series_count></scan_parameters>");
});

Deno.test("a raw file alone: its name has the scan, or somebody must say what it is", async () => {
  const bytes = new Uint8Array(6 * FRAME);
  assertEquals((await open(new File([bytes], "scan_x3_y2.raw"))).navShape, [2, 3]);
  const error = await failure(open(new File([bytes], "frames.raw")), "unknown-format");
  assertStringIncludes(error.message, 'format: "empad"');
  assertEquals((await open(new File([bytes], "frames.raw"), { format: "empad", nav: [3, 2] })).navShape, [
    3,
    2,
  ]);
  const cut = new File([bytes.subarray(0, 5 * FRAME + 999)], "frames.raw");
  await failure(open(cut, { format: "empad", nav: [3, 2] }), "truncated");
  assertEquals((await open(cut, { format: "empad", allowTruncated: true })).shape, [5, 128, 128]);
  await failure(opened(root("<raw_file>away.raw</raw_file>", parameters("acquire", 3, 2)), 6), "not-found");
  assert(
    (await failure(opened(root(parameters("acquire", 3, 2)), 6), "malformed")).message.includes("raw file"),
  );
});
