/**
 * The picture of docs/explanation.md: which tiles plans choose. What it shows is asked of plans, not drawn by hand.
 *
 * ```sh
 * deno run -A site/pictures/tiles.ts
 * ```
 *
 * @module
 */

import { createContext, mapFrames, open, standardDeviation, sumFrames } from "@tilewise/tilewise";
import { gaussian, planMap } from "@tilewise/tilewise/views";
import { udfPlan } from "../../src/udf/run/plan.ts";

/** Where it is kept. */
export const TILES = new URL("../../docs/images/tiles.svg", import.meta.url);

const STYLE = "text{font:12px system-ui,sans-serif;fill:#333}.head{font-weight:600}" +
  ".a{fill:#0f766e}.b{fill:#99d5cf}.image{fill:#8882}.line{fill:none;stroke:#8888}" +
  ".view{fill:#c2410c33;stroke:#c2410c;stroke-dasharray:4 3}" +
  "@media(prefers-color-scheme:dark){text{fill:#ddd}.a{fill:#2dd4bf}.b{fill:#175e57}.view{stroke:#fb923c}}";

const WIDTH = 700, PANEL = 96;

/** A scan of 32 frames of 256 KiB, in a file. */
const FRAMES = { nav: [4, 8], sig: [256, 256], dtype: "float32" } as const;

/** Runs over that scan: what they compute, in which memory. */
const RUNS = [
  { title: "a sum, in 4 MiB", memory: "4MiB", udfs: { sum: sumFrames() } },
  { title: "a sum, in 16 MiB", memory: "16MiB", udfs: { sum: sumFrames() } },
  {
    title: "a spread and a function of whole frames, in 16 MiB",
    memory: "16MiB",
    udfs: { spread: standardDeviation(), first: mapFrames((frame) => frame[0]!) },
  },
] as const;

/** The picture as SVG. */
export async function tilesPicture(): Promise<string> {
  const path = await Deno.makeTempFile({ suffix: ".raw" });
  try {
    await Deno.truncate(path, 32 * 256 * 256 * 4);
    const scan = await open(path, { format: "raw", ...FRAMES });
    const panels: string[] = [];
    for (const { title, memory, udfs } of RUNS) {
      await using context = createContext({ workers: 1, memory });
      const { scheme } = await udfPlan(scan, udfs, { context });
      panels.push(framesPanel(title, scheme.tileShape[0]!, scheme.why[0]!));
    }
    panels.push(await imagePanel());
    const placed = panels.map((panel, i) => `<g transform="translate(0 ${i * PANEL})">${panel}</g>`);
    const height = (panels.length - 1) * PANEL + 170;
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}">`,
      `<style>${STYLE}</style>`,
      ...placed,
      "</svg>\n",
    ].join("\n");
  } finally {
    await Deno.remove(path);
  }
}

/** Frames in the order of the file, `depth` of them per tile. */
function framesPanel(title: string, depth: number, why: string): string {
  const frames = Array.from({ length: 32 }, (_, f) => {
    const tile = Math.floor(f / depth), left = 1 + f * 20 + tile * 4;
    return `<rect class="${tile % 2 ? "b" : "a"}" x="${left}" y="26" width="18" height="18"/>`;
  });
  return `${head(title, `${32 / depth} tiles of ${depth} frames`)}${
    frames.join("")
  }<text y="64">${why}</text>`;
}

/** An image under a filter: its tiles, and what the second of them reads. */
async function imagePanel(): Promise<string> {
  await using context = createContext({ workers: 1, memory: "128KiB" });
  const image = await open({ data: new Float32Array(96 * 128), shape: [96, 128] });
  const { blocks: { grid }, views } = await planMap(image, gaussian({ sigma: 2 }), { context });
  const [rows, columns] = grid.tile as [number, number], count = grid.counts[0]!;
  const halo = views.halo.front[0]!;
  const lines = Array.from(
    { length: count },
    (_, i) => `<rect class="line" x="20" y="${30 + i * rows}" width="${columns}" height="${rows}"/>`,
  );
  const tile = `<rect class="a" x="20" y="${30 + rows}" width="${columns}" height="${rows}"/>`;
  const view = `<rect class="view" x="${20 - halo}" y="${30 + rows - halo}" width="${columns + 2 * halo}" ` +
    `height="${rows + 2 * halo}"/>`;
  return head("a Gaussian over an image of 96 × 128, in 128 KiB", `${count} tiles of ${rows} × ${columns}`) +
    `<rect class="image" x="20" y="30" width="${columns}" height="${count * rows}"/>${
      lines.join("")
    }${tile}${view}` +
    `<text x="190" y="75">filled: the tile that is computed</text>` +
    `<text x="190" y="95">dashed: what it needs, with a halo of ${halo} samples on each side</text>`;
}

function head(title: string, result: string): string {
  return `<text y="14"><tspan class="head">${title}</tspan>: ${result}</text>`;
}

if (import.meta.main) await Deno.writeTextFile(TILES, await tilesPicture());
