/**
 * Labels, histogram and threshold of an image of 8192 × 8192 uint16 in a file, beside SciPy, OpenCV, NumPy and
 * scikit-image, which have it in memory. Results are compared before they are told.
 *
 * ```sh
 * deno run -A bench/views/labels.ts [--repeats N] [--python PYTHON]
 * ```
 *
 * `--python` is an interpreter with the packages that `bench/peers/label_bench.py` names.
 *
 * @module
 */

import { type Context, createContext, type Dataset, open } from "@tilewise/tilewise";
import {
  boxMean,
  chain,
  convert,
  histogramOf,
  labelImage,
  mapViews,
  npyFile,
  otsu,
} from "@tilewise/tilewise/views";
import { readArguments } from "../arguments.ts";
import { type BenchRow, measure, print, summarize, table } from "../timing.ts";

const SIDE = 8192;
const BYTES = 2 * SIDE * SIDE;

/** What the peers print. */
type PeerResults = Readonly<
  Record<string, { readonly seconds: readonly number[]; readonly result: number }>
>;

/** Spots of a few samples: noise, smoothed. */
async function writeSpots(path: string, context: Context): Promise<void> {
  const noise = new Uint16Array(SIDE * SIDE);
  for (let i = 0, state = 1; i < noise.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    noise[i] = state >>> 16;
  }
  const image = await open({ data: noise, shape: [SIDE, SIDE] });
  const smooth = chain([boxMean({ radius: 3 }), boxMean({ radius: 3 }), convert({ dtype: "uint16" })]);
  await mapViews(image, smooth, { sink: npyFile(path), context });
}

async function oursOn(image: Dataset, above: number, workers: number, repeats: number) {
  await using context = createContext({ workers, memory: "256MiB" });
  const rows: BenchRow[] = [];
  const add = async (name: string, work: () => Promise<unknown>) => {
    rows.push({ name, by: "tilewise", workers, bytes: BYTES, ...await measure(work, { repeats }) });
  };
  let count = 0;
  await add("label", async () => {
    count = (await labelImage(image, { threshold: above, sink: () => {}, context })).count;
  });
  await add("histogram", () => histogramOf(image, { context }));
  await add("otsu", () => otsu(image, { context }));
  return { rows, count };
}

async function peersOn(python: string, path: string, above: number, repeats: number): Promise<PeerResults> {
  const script = new URL("../peers/label_bench.py", import.meta.url).pathname;
  const args = [script, path, String(above), String(repeats)];
  const { success, stdout, stderr } = await new Deno.Command(python, { args }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

async function main(repeats: number, python: string | undefined): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "tilewise-labels-" });
  try {
    const path = `${folder}/spots.npy`;
    await using context = createContext({ memory: "1GiB" });
    await writeSpots(path, context);
    const image = await open(path);
    const above = await otsu(image, { context });
    const rows: BenchRow[] = [];
    for (const workers of [0, 2]) {
      const { rows: own, count } = await oursOn(image, above, workers, repeats);
      rows.push(...own);
      if (workers === 0) print(`${count} components above ${above}`);
      if (python === undefined || workers === 0) continue;
      const peers = await peersOn(python, path, above, repeats);
      for (const [name, { seconds, result }] of Object.entries(peers)) {
        const expected = name.startsWith("label") ? count : name.startsWith("otsu") ? above : result;
        if (result !== expected) throw new Error(`${name} finds ${result}, not ${expected}`);
        const [what, by] = name.split(/, (.*)/s) as [string, string];
        rows.push({ name: what, by, bytes: BYTES, ...summarize(seconds) });
      }
    }
    print(table(rows));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

if (import.meta.main) {
  const { options } = readArguments(Deno.args, ["repeats", "python"], []);
  await main(Number(options.repeats ?? 5), options.python);
}
