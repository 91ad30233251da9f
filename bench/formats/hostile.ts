/**
 * How long the processor works on damaged and hostile files, and how much memory is leased for them: opens every file and adds
 * up its samples, twice, as the first time loads code. Nothing is asserted, as times are those of the machine.
 *
 * ```sh
 * deno run -A bench/formats/hostile.ts FOLDER
 * ```
 *
 * @module
 */

import { createContext, open, plan, run, sumPixels } from "../../mod.ts";
import { StoredDataset } from "../../src/dataset/dataset.ts";
import { isTilewiseError } from "../../src/errors.ts";
import { insideOf } from "../../src/runner/context.ts";
import { sizeOf } from "../../src/space/shape.ts";
import { formatBytes } from "../../src/space/size.ts";
import { measured } from "../../tests/fuzz/clock.ts";
import { print } from "../timing.ts";

/** What one file took. */
interface Found {
  /** Milliseconds of the processor, all threads together; those on the clock where they are fewer. */
  readonly milliseconds: number;
  /** The same when code was loaded as well. */
  readonly first?: number;
  /** Bytes of a chunk; 0 for arrays without chunks. */
  readonly chunk: number;
  /** The most bytes in leases. */
  readonly peak: number;
  /** The code of the error, or `read`. */
  readonly end: string;
}

async function take(path: string): Promise<Found> {
  await using context = createContext({ memory: "2GiB", workers: 0 });
  const spent = measured();
  let [chunk, end] = [0, "read"];
  try {
    const dataset = await open(path);
    if (dataset instanceof StoredDataset && dataset.layout.storage.kind === "chunks") {
      const { chunks } = dataset.layout.storage;
      chunk = sizeOf(chunks.chunk) * chunks.itemSize;
    }
    await run(await plan(dataset, { sum: sumPixels() }, { context }));
  } catch (error) {
    if (!isTilewiseError(error)) throw error;
    end = error.code;
  }
  return { milliseconds: spent().milliseconds, chunk, peak: insideOf(context).arena.peak, end };
}

/** Runs it for all files of a folder, the slowest last. */
export async function benchHostile(folder: string): Promise<void> {
  const paths = [...Deno.readDirSync(folder)].map(({ name }) => `${folder}/${name}`);
  const found: [string, Found][] = [];
  for (const path of paths) {
    const { milliseconds: first } = await take(path);
    found.push([path, { ...await take(path), first }]);
  }
  for (const [path, { milliseconds, first = 0, chunk, peak, end }] of found.sort(byTime)) {
    const memory = `${formatBytes(peak)} for chunks of ${formatBytes(chunk)}`;
    const times = `${milliseconds.toFixed(0).padStart(6)} ms (${first.toFixed(0)} at first)`.padEnd(26);
    print(`${times}  ${end.padEnd(12)} ${memory.padEnd(40)} ${path}`);
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
