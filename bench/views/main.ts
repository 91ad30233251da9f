/**
 * Times filters over one tiled TIFF of uint16, from the file to a result that is thrown away and to a file, beside libvips,
 * OpenCV, SciPy and dask-image in the same run. The result of each peer is compared with ours before it is timed.
 *
 * ```sh
 * deno run -A bench/views/main.ts [--side 8192] [--filters gaussian,median,sobel] [--repeats 3] [--python python3]
 * ```
 *
 * The packages of the peers are those that `bench/peers/filters_bench.py` names.
 *
 * @module
 */

import { fromFileUrl } from "@std/path";
import { parseArgs } from "node:util";
import { createContext, open } from "../../mod.ts";
import {
  copySamples,
  gaussian,
  mapViews,
  median,
  npyFile,
  sobel,
  tiffFile,
} from "../../src/entries/views.ts";
import type { ViewOperation } from "../../src/entries/views.ts";

const FILTERS: Readonly<Record<string, ViewOperation>> = {
  gaussian: gaussian({ sigma: 2 }),
  median: median({ radius: 2 }),
  sobel: sobel(),
};

const { values } = parseArgs({
  args: Deno.args,
  options: {
    side: { type: "string", default: "8192" },
    filters: { type: "string", default: Object.keys(FILTERS).join(",") },
    repeats: { type: "string", default: "3" },
    python: { type: "string", default: "python3" },
  },
});

/** Waves with noise, the same in every run. */
function samples(side: number): Uint16Array {
  const data = new Uint16Array(side * side);
  let state = 1;
  for (let i = 0; i < data.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    data[i] = 2000 + 1500 * Math.sin((i % side) / 37) * Math.cos(Math.floor(i / side) / 53) + (state >>> 24);
  }
  return data;
}

function say(by: string, filter: string, seconds: number, bytes: number, more = ""): void {
  const rate = `${(bytes / seconds / 1e9).toFixed(2)} GB/s`;
  console.log(
    `${filter.padEnd(10)}${by.padEnd(24)}${seconds.toFixed(3).padStart(8)} s  ${rate.padStart(10)}  ${more}`,
  );
}

const folder = await Deno.makeTempDir({ prefix: "tilewise-bench-" });
try {
  const side = Number(values.side);
  const path = `${folder}/image.tif`;
  await using context = createContext({ memory: "128MiB", workers: 2 });
  {
    await using room = createContext({ memory: "1GiB" });
    const sink = tiffFile(path, { compression: "none", tile: 256 });
    await mapViews(await open({ data: samples(side), shape: [side, side] }), copySamples(), {
      sink,
      context: room,
    });
  }
  const image = await open(path);
  const names = values.filters.split(",");
  for (const name of names) {
    const options = { border: "symmetric", context };
    const sinks = { "to a function": () => {}, "to .npy": npyFile(`${folder}/${name}.npy`) } as const;
    for (const [where, sink] of Object.entries(sinks)) {
      let best = Infinity;
      for (let i = 0; i <= Number(values.repeats); i++) {
        const start = performance.now();
        await mapViews(image, FILTERS[name]!, { ...options, sink });
        if (i > 0) best = Math.min(best, (performance.now() - start) / 1000); // the first run loads code
      }
      say(`Tilewise, ${where}`, name, best, 2 * side * side, "128 MiB, 2 workers");
    }
  }
  const script = fromFileUrl(new URL("../peers/filters_bench.py", import.meta.url));
  const args = [
    script,
    "--image",
    path,
    "--results",
    folder,
    "--filters",
    names.join(","),
    "--repeats",
    values.repeats,
  ];
  const output = await new Deno.Command(values.python, { args, stderr: "null" }).output().catch(() =>
    undefined
  );
  if (!output) console.log(`peers are left out: there is no ${values.python}`);
  for (const line of new TextDecoder().decode(output?.stdout).split("\n").filter((line) => line)) {
    const { peer, filter = "", seconds, difference, factor, note } = JSON.parse(line);
    if (seconds === undefined) console.log(`${filter.padEnd(10)}${peer.padEnd(24)}${note}`);
    else {say(
        peer,
        filter,
        seconds,
        2 * side * side,
        `differs by ${difference.toExponential(1)}, factor ${factor.toFixed(4)}`,
      );}
  }
} finally {
  await Deno.remove(folder, { recursive: true });
}
