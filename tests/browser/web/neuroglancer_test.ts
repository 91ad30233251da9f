/** neuroglancer shows what `tilewise convert` writes, from the server of the example. */

import { assert, assertEquals } from "@std/assert";
import { neuroglancerLink, serveFolder } from "../../../examples/web/neuroglancer.ts";
import { cli, withFolder, writeNpy } from "../../cli/harness.ts";
import { until, withPage } from "../setup/mod.ts";
import { hostNeuroglancer } from "./neuroglancer.ts";
import { isNear, middleOf } from "./ramp.ts";
import { viewerTest } from "./viewers.ts";

/** What `convert` is told: both versions, three codecs, with shards and without. */
const WAYS = [
  ["--compression", "zstd"],
  ["--shard-size", "1024x512", "--compression", "gzip"],
  ["--zarr-format", "2", "--compression", "blosc"],
];

/** A ramp over 600 rows. */
async function writeRamp(path: string): Promise<void> {
  const ramp = Uint16Array.from({ length: 600 * 512 }, (_, i) => 100 * Math.floor(i / 512));
  await writeNpy(path, "<u2", [600, 512], new Uint8Array(ramp.buffer));
}

await viewerTest("neuroglancer", "neuroglancer shows OME-Zarr of all versions", async (modules) => {
  const path = await hostNeuroglancer(modules);
  await withFolder(async (folder) => {
    await writeRamp(`${folder}/ramp.npy`);
    for (const [n, way] of WAYS.entries()) {
      const name = `ramp-${n}.ome.zarr`;
      const words = [
        "convert",
        `${folder}/ramp.npy`,
        `${folder}/${name}`,
        "--quiet",
        "--levels",
        "2",
        ...way,
      ];
      assertEquals((await cli(words)).code, 0, way.join(" "));
      await assertShown(path, `${folder}/${name}`, name);
    }
  });
});

/** The page at `path` shows the ramp. */
async function assertShown(path: string, folder: string, name: string): Promise<void> {
  const server = serveFolder(folder);
  const origin = `http://127.0.0.1:${server.addr.port}`;
  try {
    const { hash } = new URL(neuroglancerLink(`${origin}/${name}`));
    const allowed = { requests: [origin], complaints: [/404|GPU|WebGL/] };
    await withPage({ path: `${path}${hash}`, allowed }, async ({ page }) => {
      await until(
        page,
        () => (globalThis as unknown as { viewer?: { isReady(): boolean } }).viewer?.isReady(),
      );
      const rows = [100, 200, 400, 500];
      const found = await middleOf(page, "#neuroglancer-container")(
        rows.map((y) => (y - 300) / 1280 + 0.5),
      );
      rows.forEach((y, i) => {
        const gray = 100 * y / 65535 * 255; // rows go to the right, a pixel each, their middle in that of the window
        assert(isNear(found[i]!, [gray, gray, gray], 3), `${name}: ${found[i]} at ${y}, not ${gray}`);
      });
    });
  } finally {
    await server.shutdown();
  }
}
