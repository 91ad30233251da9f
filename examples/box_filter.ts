/**
 * A box filter over a large image: tiles with a halo, on one worker and on two, in a few MiB.
 *
 * The image and its result are larger than the budget: tiles are read from the file to where the kernel needs them,
 * and the result comes in bands from the first row to the last. Run it with
 *
 * ```sh
 * deno run -A examples/box_filter.ts [IMAGE.npy] [--size 4096] [--radius 7] [--border edge] [--budget 16MiB]
 * ```
 *
 * Without an image it makes one, of `size × size` samples of 16 bits. Both runs must give the same bits.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import { createContext, open, run, save } from "@tilewise/tilewise";
import { ndarray } from "@tilewise/tilewise/arrays";
import { formatBytes, parseBytes } from "@tilewise/tilewise/unstable/arrays";
import { workerPool } from "@tilewise/tilewise/unstable/run";
import { arrayOf, type ArraySpec } from "@tilewise/tilewise/unstable/views";
import { boxMean, planMap } from "@tilewise/tilewise/views";

/** How to filter. */
interface Options {
  readonly radius: number;
  readonly border: string;
  readonly budget: number;
}

/** Filters with one worker and with two, and compares; the digest of the result. */
export async function main(args: readonly string[]): Promise<string> {
  const { values, positionals: [path] } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      size: { type: "string", default: "4096" },
      radius: { type: "string", default: "7" },
      border: { type: "string", default: "edge" },
      budget: { type: "string", default: "16MiB" },
    },
  });
  const options = { radius: Number(values.radius), border: values.border, budget: parseBytes(values.budget) };
  if (path !== undefined) return await compare(path, options);
  const folder = await Deno.makeTempDir();
  try {
    await writeImage(`${folder}/image.npy`, Number(values.size));
    return await compare(`${folder}/image.npy`, options);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function compare(path: string, options: Options): Promise<string> {
  const image = await open(path);
  console.log(`${image.source}: ${image.shape.join(" × ")} ${image.dtype}, ${formatBytes(image.byteLength)}`);
  const one = await filter(arrayOf(image), image.byteLength, 1, options);
  const two = await filter(arrayOf(image), image.byteLength, 2, options);
  if (one !== two) throw new Error(`1 worker gives ${one}, 2 workers give ${two}`);
  console.log(`the same bits: sha256 ${one}`);
  return one;
}

/** Filters on `workers` threads in a context of `budget` bytes, which cannot grow. */
async function filter(
  image: ArraySpec,
  bytes: number,
  workers: number,
  { budget, ...options }: Options,
): Promise<string> {
  await using executor = workerPool({ workers });
  await using context = createContext({ memory: budget, executor });
  const plan = await planMap(image, boxMean(), { ...options, context });
  const { memory, views } = plan;
  await executor.start();
  const digest = createHash("sha256");
  let waited = 0; // what the digest takes is not the filter's
  const start = performance.now();
  for await (const { data } of run(plan)) {
    const before = performance.now();
    digest.update(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
    waited += performance.now() - before;
  }
  const seconds = (performance.now() - start) / 1000;
  await context.settled();
  const { peak, used } = context;
  if (peak > memory.total || used > 0) {
    throw new Error("the run held more memory than it was planned to");
  }
  const megabytes = bytes / 1e6;
  console.log(
    `${memory.workers} of ${workers} workers, tiles of ${views.grid.tile.join(" × ")}, ` +
      `${formatBytes(peak)} of ${formatBytes(budget)}: ${seconds.toFixed(3)} s, ` +
      `${(megabytes / seconds).toFixed(0)} MB/s (${(waited / 1000).toFixed(3)} s of it for the digest)`,
  );
  return digest.digest("hex");
}

/** A square image of noise, the same in every run. */
async function writeImage(path: string, size: number): Promise<void> {
  let state = 1;
  const samples = Uint16Array.from({ length: size * size }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 16;
  });
  await save(ndarray(samples, [size, size], "uint16"), path);
}

if (import.meta.main) await main(Deno.args);
