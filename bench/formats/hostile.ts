/**
 * How long damaged and hostile files take, and how much memory is leased for them: opens every array of every file, and adds
 * up its samples. Nothing is asserted, as times are those of the machine.
 *
 * ```sh
 * deno run -A bench/formats/hostile.ts FOLDER
 * ```
 *
 * @module
 */

import { createContext, open, plan, run, sumPixels } from "../../mod.ts";
import { Dataset } from "../../src/dataset/dataset.ts";
import { isTilewiseError } from "../../src/errors.ts";
import { insideOf } from "../../src/runner/face.ts";
import { sizeOf } from "../../src/space/shape.ts";
import { formatBytes } from "../../src/space/size.ts";
import { print } from "../timing.ts";

/** What one file took. */
interface Found {
  readonly milliseconds: number;
  /** Bytes of a chunk; 0 for arrays without chunks. */
  readonly chunk: number;
  /** The most bytes in leases. */
  readonly peak: number;
  /** The code of the error, or `read`. */
  readonly end: string;
}

async function take(path: string): Promise<Found> {
  await using context = createContext({ memory: "2GiB", workers: 0 });
  const started = performance.now();
  let [chunk, end] = [0, "read"];
  try {
    const dataset = await open(path);
    if (dataset instanceof Dataset && dataset.layout.storage.kind === "chunks") {
      const { chunks } = dataset.layout.storage;
      chunk = sizeOf(chunks.chunk) * chunks.itemSize;
    }
    await run(await plan(dataset, { sum: sumPixels() }, { context }));
  } catch (error) {
    if (!isTilewiseError(error)) throw error;
    end = error.code;
  }
  return { milliseconds: performance.now() - started, chunk, peak: insideOf(context).arena.peak, end };
}

/** Runs it for all files of a folder, the slowest last. */
export async function benchHostile(folder: string): Promise<void> {
  const paths = [...Deno.readDirSync(folder)].map(({ name }) => `${folder}/${name}`);
  const found: [string, Found][] = [];
  for (const path of [paths[0]!, ...paths]) found.push([path, await take(path)]); // the first loads code
  for (const [path, { milliseconds, chunk, peak, end }] of found.slice(1).sort(byTime)) {
    const memory = `${formatBytes(peak)} for chunks of ${formatBytes(chunk)}`;
    print(`${milliseconds.toFixed(0).padStart(6)} ms  ${end.padEnd(12)} ${memory.padEnd(40)} ${path}`);
  }
}

function byTime([, a]: [string, Found], [, b]: [string, Found]): number {
  return a.milliseconds - b.milliseconds;
}

if (import.meta.main) {
  const [folder] = Deno.args;
  if (folder) await benchHostile(folder);
  else print("deno run -A bench/formats/hostile.ts FOLDER");
}
