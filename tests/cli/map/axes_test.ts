/** Channels, times and images of files that say what their axes are, as one types them. */

import { fileSink } from "../../../src/views/sinks/registry.ts";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { open } from "../../../src/formats/open.ts";
import { createContext } from "../../../src/runner/context.ts";
import type { AxisFacts } from "../../../src/space/axes.ts";
import { mapViews } from "../../../src/views/map/map_views.ts";
import { copySamples } from "../../../src/views/operations/copy_samples.ts";
import { cli, withFolder } from "../harness.ts";

const AXES: readonly AxisFacts[] = [
  { name: "t", kind: "time", scale: 2.5, unit: "s" },
  { name: "channel", kind: "channel", names: ["DAPI", "GFP"] },
  { name: "y", kind: "space", scale: 0.5, unit: "µm" },
  { name: "x", kind: "space", scale: 0.25, unit: "µm" },
];

/** Two cells in the first channel, three in the second, at both times. */
async function cells(path: string): Promise<void> {
  const shape = [2, 2, 20, 30];
  const data = Uint8Array.from({ length: 2400 }, (_, i) => {
    const [x, y, c] = [i % 30, Math.floor(i / 30) % 20, Math.floor(i / 600) % 2];
    return y > 5 && y < 12 && (c === 0 ? x % 15 < 6 : x % 10 < 5) ? 200 : 10;
  });
  await using context = createContext({ workers: 0 });
  await mapViews(await open({ data, shape, axes: AXES }), copySamples(), {
    sink: fileSink(path),
    context,
  });
}

Deno.test("channels by name, images one by one, and what is known of axes comes out", async () => {
  await withFolder(async (folder) => {
    const source = `${folder}/cells.ome.tif`;
    await cells(source);
    const all = await open(source);
    assertEquals(all.axes, AXES.map((axis, d) => ({ name: "", ...axis, size: [2, 2, 20, 30][d]! })));
    const dry = await cli(["map", "gaussian:sigma=2", source, "--dry-run"]);
    assertStringIncludes(dry.out, "along y, x: each image of the other dimensions by itself");
    const as = await cli(["map", "gaussian:sigma=2", source, "--dry-run", "--axes", "all"]);
    assertStringIncludes(as.out, "halo of 8 × 8 × 8 × 8");
    const several = await cli(["map", "label:threshold=otsu", source, "-o", `${folder}/l.tif`]);
    assertEquals(several.code, 1);
    assertStringIncludes(several.err, "2 channels (DAPI, GFP)");
    for (const [channel, count] of [["DAPI", 2], ["GFP", 3]] as const) {
      const out = `${folder}/${channel}.ome.zarr`;
      const words = [
        "label:threshold=otsu",
        source,
        "--channel",
        channel,
        "--time",
        "1",
        "-o",
        out,
        "--json",
      ];
      assertEquals((await cli(["map", ...words])).json()[0]!.count, count);
      const { shape, values, axes } = await open(out);
      assertEquals([shape, values.kind, axes.map(({ scale, unit }) => `${scale} ${unit}`)], [
        [20, 30],
        "label",
        ["0.5 µm", "0.25 µm"],
      ]);
    }
    const small = `${folder}/small.ome.tif`;
    assertEquals((await cli(["map", "downsample:factor=2", source, "-o", small, "--quiet"])).code, 0);
    assertEquals((await open(small)).axes.map(({ scale, names }) => names ?? scale), [
      2.5,
      ["DAPI", "GFP"],
      1,
      0.5,
    ]);
    const none = await cli(["stats", source, "--channel", "Cy5"]);
    assertStringIncludes(none.err, 'channel has no "Cy5"; there are 0 "DAPI", 1 "GFP"');
  });
});
