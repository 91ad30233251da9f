/** What results say of themselves on the command line: in plans, rows of JSON, manifests and files. */

import { fileSink } from "../../../src/views/sinks/registry.ts";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { open } from "../../../src/formats/open.ts";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { createContext } from "../../../src/runner/context.ts";
import type { AxisFacts } from "../../../src/space/axes.ts";
import { mapViews } from "../../../src/views/map/map_views.ts";
import { copySamples } from "../../../src/views/operations/copy_samples.ts";
import { cli, withFolder } from "../harness.ts";

const NM = { kind: "scan", scale: 2, unit: "nm" } as const;
const MRAD = { kind: "detector", scale: 0.5, offset: -2, unit: "mrad" } as const;
const AXES: readonly AxisFacts[] = [
  { name: "y", ...NM },
  { name: "x", ...NM },
  { name: "ky", ...MRAD },
  { name: "kx", ...MRAD },
];
const SHAPE = [3, 4, 8, 8];

async function scanAt(path: string): Promise<void> {
  await using context = createContext({ workers: 0 });
  const data = Uint16Array.from({ length: 3 * 4 * 64 }, (_, i) => i % 97);
  await mapViews(await open({ data, shape: SHAPE, axes: AXES }), copySamples(), {
    sink: fileSink(path),
    context,
  });
  const attributes = (text: string) => text.replace('"tilewise": {', '"units": "e-", "tilewise": {');
  const json = `${path}/zarr.json`;
  await Deno.writeTextFile(json, attributes(await Deno.readTextFile(json)));
}

Deno.test("info, plans, rows and manifests say axes and values; a part and a smaller result have theirs", async () => {
  await withFolder(async (folder) => {
    const scan = `${folder}/scan.zarr`;
    await scanAt(scan);
    assertStringIncludes((await cli(["info", scan])).out, "in e-");
    const dry = await cli(["run", "com", scan, "--dry-run"]);
    assertStringIncludes(dry.out, "com.calibrated: vectors in mrad along y in steps of 2 nm, scan; x");
    const map = await cli(["map", "variance:radius=1", scan, "--dry-run"]);
    assertStringIncludes(map.out, "values: in e-²");
    const run = await cli(["run", "com", scan, "-o", `${folder}/com.npz`, "--json"]);
    const row = run.json().find(({ result }) => result === "calibrated")!;
    assertEquals(row.values, { kind: "vector", unit: "mrad" });
    assertEquals(row.axes, [...AXES.slice(0, 2), { name: "component", names: ["y", "x"] }]);
    const { results } = JSON.parse(await Deno.readTextFile(row.manifest as string));
    assertEquals(
      results.map(({ result, values }: { result: string; values: object }) => [result, values])[1],
      [
        "raw_shifts",
        { kind: "vector", unit: "px" },
      ],
    );
    const out = `${folder}/part.zarr`;
    const words = ["map", "downsample:factor=1x1x2x2", scan, "--box", "1:3,2:4,4:8,0:8", "-o", out, "--json"];
    const [part] = (await cli(words)).json();
    assertEquals(part!.values, { kind: "amount", unit: "e-" });
    const expected = [
      { name: "y", ...NM, offset: 2 },
      { name: "x", ...NM, offset: 4 },
      { name: "ky", ...MRAD, scale: 1, offset: -2 + 4.5 * 0.5 },
      { name: "kx", ...MRAD, scale: 1, offset: -2 + 0.5 * 0.5 },
    ];
    assertEquals(part!.axes, expected);
    const opened = await open(out) as StoredDataset;
    assertEquals(opened.axes.map(({ offset }) => offset), expected.map(({ offset }) => offset));
    const manifest = JSON.parse(await Deno.readTextFile(part!.manifest as string));
    assertEquals([manifest.results[0].axes, manifest.results[0].values], [expected, {
      kind: "amount",
      unit: "e-",
    }]);
  });
});
