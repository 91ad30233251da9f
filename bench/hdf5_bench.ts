/**
 * Whole HDF5 files: seconds from the start of a sum over all frames to its result, on no, one and two workers, and what
 * h5wasm takes to read the same array.
 *
 * `python bench/peers/hdf5_bench.py FOLDER` makes the files and measures h5py; then
 * `deno run -A bench/hdf5_bench.ts FOLDER/*.h5`. Results are compared before they are timed. h5wasm needs its plug-ins
 * for filters such as bitshuffle: `--plugins FOLDER` says where the npm package h5wasm-plugins has them.
 *
 * @module
 */

import { createContext, type Dataset, open, plan, run, sumPixels } from "@tilewise/tilewise";
import h5wasm, { type Dataset as LibraryDataset } from "h5wasm";

/** Repetitions of each measurement; the best counts. */
const TIMES = 5;

/** Sum of all samples, and milliseconds. */
interface Measured {
  readonly sum: number;
  readonly best: number;
}

async function ours(dataset: Dataset, workers: number): Promise<Measured> {
  await using context = createContext({ workers });
  let best = Infinity, sum = NaN;
  for (let i = 0; i < TIMES; i++) {
    const started = performance.now();
    const results = await run(await plan(dataset, { sums: sumPixels() }, { context }));
    best = Math.min(best, performance.now() - started);
    sum = total(results.sums!.intensity!.data as ArrayLike<number>);
  }
  return { sum, best };
}

function total(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  return sum;
}

/** h5wasm reads the array into memory; adding it up is not timed. */
async function library(file: string, array: string, plugins: string | undefined): Promise<Measured> {
  const module = await h5wasm.ready;
  module.activate_throwing_error_handler();
  if (plugins !== undefined) {
    const path = module.get_plugin_search_paths()[0]!;
    module.FS!.mkdirTree(path);
    for (const { name } of Deno.readDirSync(plugins)) {
      if (name.endsWith(".so")) {
        module.FS!.writeFile(`${path}/${name}`, Deno.readFileSync(`${plugins}/${name}`));
      }
    }
  }
  module.FS!.writeFile("/bench.h5", Deno.readFileSync(file));
  let best = Infinity, sum = NaN;
  for (let i = 0; i < 3; i++) {
    const opened = new h5wasm.File("/bench.h5", "r");
    const started = performance.now();
    const { value } = opened.get(array) as LibraryDataset;
    best = Math.min(best, performance.now() - started);
    sum = total(value as Uint16Array);
    opened.close();
  }
  return { sum, best };
}

async function main(args: readonly string[]): Promise<void> {
  const at = args.indexOf("--plugins");
  const plugins = at < 0 ? undefined : args[at + 1];
  const files = args.filter((_, i) => at < 0 || (i !== at && i !== at + 1));
  print("GB/s of samples".padEnd(24) + "inline  1 worker  2 workers  h5wasm   2 workers : h5wasm");
  for (const file of files) {
    const dataset = await open(file);
    const speed = ({ best }: Measured) => dataset.byteLength / best / 1e6;
    const mine = [await ours(dataset, 0), await ours(dataset, 1), await ours(dataset, 2)];
    const other = await library(file, dataset.array, plugins).catch((error) => String(error));
    const cells = mine.map((one) => speed(one).toFixed(2).padStart(9)).join(" ");
    const name = file.replace(/^.*\//, "").padEnd(18);
    if (typeof other === "string") {
      print(`${name}${cells}   h5wasm cannot: ${other.slice(0, 60)}`);
      continue;
    }
    if (mine.some(({ sum }) => sum !== other.sum)) throw new Error(`${file}: sums differ`);
    const ratio = (speed(mine[2]!) / speed(other)).toFixed(1);
    print(`${name}${cells} ${speed(other).toFixed(2).padStart(9)} ${ratio.padStart(9)}`);
  }
}

/** Output for people is this program's business. */
function print(text: string): void {
  // deno-lint-ignore no-console -- a program of the command line
  console.log(text);
}

if (import.meta.main) await main(Deno.args);
