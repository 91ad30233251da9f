/** The examples for pages run in Chromium, with the libraries that they are for. */

import { assert, assertEquals } from "@std/assert";
import { annularDetector, open, plan, run } from "@tilewise/tilewise";
import { pixelsOf } from "@tilewise/tilewise/unstable/web";
import { neuroglancerLink, serveFolder } from "../../../examples/web/neuroglancer.ts";
import { cli, withFolder, writeNpy } from "../../cli/harness.ts";
import { browserTest, host, until, withPage } from "../setup/mod.ts";
import { hostExample } from "./bundle.ts";
import { isNear, middleOf, rampTiff } from "./ramp.ts";

browserTest("twenty lines compute a virtual image from a URL, bit for bit", async () => {
  await withFolder(async (folder) => {
    const scan = Uint16Array.from({ length: 12 * 10 * 64 * 64 }, (_, i) => (i * 7919) % 4093);
    await writeNpy(`${folder}/scan.npy`, "<u2", [12, 10, 64, 64], new Uint8Array(scan.buffer));
    const { ring } = await run(
      await plan(await open(`${folder}/scan.npy`), { ring: annularDetector({ ri: 10, ro: 30 }) }),
    );
    const expected = pixelsOf(ring.intensity, { colormap: "viridis" });
    const url = host("scan.npy", await Deno.readFile(`${folder}/scan.npy`));
    const path = await hostExample("virtual_image", []);
    for (const isolated of [true, false]) {
      await withPage({ path: `${path}?url=${url}`, isolated }, async ({ page }) => {
        await until(page, () => document.title === "done");
        const found = await page.evaluate(() => {
          const canvas = document.querySelector("canvas")!;
          const { data, width } = canvas.getContext("2d", { willReadFrequently: true })!.getImageData(
            0,
            0,
            canvas.width,
            canvas.height,
          );
          return [width, ...data];
        });
        assertEquals(found, [expected.width, ...expected.data]);
      });
    }
  });
});

browserTest("OpenSeadragon shows a pyramid of 16 bits in colours, also filtered", async () => {
  await withFolder(async (folder) => {
    const url = host("ramp.ome.tif", await rampTiff(folder));
    const path = await hostExample("open_seadragon", ["npm:openseadragon@6.1.1"]);
    for (const more of ["", "&sigma=2"]) {
      await withPage({ path: `${path}?url=${url}${more}` }, async ({ page }) => {
        await until(page, () => document.title !== "OpenSeadragon");
        assertEquals(await page.title(), "done");
        const at = [0.3, 0.4, 0.5, 0.6, 0.7];
        const found = await middleOf(page, "#viewer")(at);
        // 1280 × 800: the image is as high as the window, so it is 800 × 1500 / 1100 wide.
        const wide = 800 * 1500 / 1100 / 1280;
        const shares = at.map((f) => (f - 0.5) / wide + 0.5);
        const ramp = {
          data: Float64Array.from(shares),
          shape: [1, 5],
          stride: [5, 1],
          dtype: "float64",
        } as const;
        const { data } = pixelsOf(ramp, { colormap: "viridis", range: [0.005, 0.995] });
        at.forEach((f, i) =>
          assert(isNear(found[i]!, [...data.slice(4 * i, 4 * i + 3)], 6), `${f}: ${found[i]}`)
        );
      });
    }
  });
});

browserTest("a page of another origin reads the OME-Zarr that neuroglancer is given", async () => {
  await withFolder(async (folder) => {
    await writeNpy(`${folder}/a.npy`, "<u2", [40, 50], new Uint8Array(4000).map((_, i) => i % 13));
    assertEquals((await cli(["convert", `${folder}/a.npy`, `${folder}/a.ome.zarr`, "--quiet"])).code, 0);
    const server = serveFolder(`${folder}/a.ome.zarr`);
    const origin = `http://127.0.0.1:${server.addr.port}`;
    try {
      const link = new URL(neuroglancerLink(`${origin}/a.ome.zarr`));
      const { layers } = JSON.parse(decodeURIComponent(link.hash.slice(2)));
      assertEquals(layers.map(({ source }: { source: string }) => source), [`zarr://${origin}/a.ome.zarr`]);
      await withPage({ allowed: { requests: [origin] } }, async ({ page }) => {
        const found = await page.evaluate(async (url) => {
          const reply = await fetch(`${url}/zarr.json`).then((one) => one.ok ? one : fetch(`${url}/.zattrs`));
          const part = await fetch(reply.url, { headers: { range: "bytes=0-0" } });
          return { text: await reply.text(), part: [part.status, await part.text()] };
        }, `${origin}/a.ome.zarr`);
        const { attributes, ...rest } = JSON.parse(found.text);
        const { multiscales } = attributes?.ome ?? attributes ?? rest;
        assertEquals(multiscales[0].axes.map(({ name }: { name: string }) => name).slice(-2), ["y", "x"]);
        assertEquals(found.part, [206, "{"]);
      });
      for (const path of ["%2e%2e%2fa.npy", "c", "nothing"]) {
        const reply = await fetch(`${origin}/a.ome.zarr/${path}`);
        await reply.body?.cancel();
        assertEquals(reply.status, 404);
      }
    } finally {
      await server.shutdown();
    }
  });
});
