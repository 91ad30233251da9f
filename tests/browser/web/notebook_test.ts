/** The linked viewer of the notebook: what its cells serve and show, framed in a page of another address, as notebooks are. */

import { assertEquals } from "@std/assert";
import { annularDetector, open, plan, run } from "@tilewise/tilewise";
import type { TwImage, TwScan } from "../../../web/elements.ts";
import { withFolder } from "../../cli/harness.ts";
import { importCells, notebooks } from "../../examples/notebooks.ts";
import { packedPage } from "../../../assembly/pack/page.ts";
import { buildPage } from "../../../web/build.ts";
import { builtPages } from "../setup/full.ts";
import { browserTest, host, until, withPage } from "../setup/mod.ts";

/** What the cells define. */
interface Cells {
  readonly address: string;
  readonly frame: string;
  readonly source: string;
  readonly folder: string;
  readonly server: Deno.HttpServer;
}

browserTest(
  "a notebook shows the linked viewer, which computes what a plain run does",
  () =>
    withFolder(async (place) => {
      const built = builtPages();
      if (built === undefined) await buildPage(place, { compress: false });
      const json = await Deno.readTextFile(`${built === undefined ? place : `${built}/page`}/page.json`);
      await Deno.writeFile(`${place}/page.json.br`, packedPage(json));
      const { code } = notebooks().find(({ name }) => name === "linked_viewer.ipynb")!;
      const cells = code.map((cell) => cell.replace(/(?<=packed = )"\S+"/, `"${place}/page.json.br"`));
      const names = ["address", "frame", "source", "folder", "server"];
      const { address, frame, source, folder, server } = await importCells<Cells>(cells, names);
      try {
        const html = `<!doctype html><html lang="en"><title>Notebook</title>${frame}`;
        const path = host("notebook.html", new TextEncoder().encode(html));
        const allowed = { requests: [address], complaints: [/GPU stall due to ReadPixels/, /404/] };
        await withPage({ path, allowed, isolated: false }, async ({ page }) => {
          const inside = (await (await page.locator("iframe").elementHandle())!.contentFrame())!;
          const toldAfter = async (before: string) => {
            return await until(inside, (before) => {
              const { analysis } = document.querySelector("tw-scan") as TwScan;
              const told = document.querySelector("output")!.textContent;
              return told === analysis && told !== before && /ri=\d/.test(told) ? told : false;
            }, before);
          };
          const first = await toldAfter("");
          await inside.getByRole("slider", { name: "Detector, inner radius" }).press("ArrowRight");
          const word = await toldAfter(first);
          const pairs = word.split(":")[1]!.split(",").map((pair) => pair.split("="));
          const values = Object.fromEntries(pairs.map(([name, value]) => [name, Number(value)]));
          const { plain } = await run(await plan(await open(source), { plain: annularDetector(values) }));
          const shown = await inside.evaluate(() => {
            const { image } = document.querySelector("tw-scan")!.shadowRoot!.querySelector<TwImage>(
              "tw-image",
            )!;
            return "array" in image! ? Array.from(image.array.data as Float64Array) : [];
          });
          assertEquals(shown, Array.from(plain.intensity.data as Float64Array));
        });
      } finally {
        await server.shutdown();
        await Deno.remove(folder, { recursive: true });
      }
    }),
);
