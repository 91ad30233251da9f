/**
 * Sources that change while a run goes on, at random moments: the result is that of the old bytes, or the error is
 * `changed`. There is no third way, and what a run would have replaced is as it was.
 *
 * @module
 */

import { frameBlocks } from "../../../src/cli/inputs/frames.ts";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { isTilewiseError } from "../../../src/errors.ts";
import { type OpenOptions, openStored as open } from "../../../src/formats/open.ts";
import { sumPixels } from "../../../src/udf/builtin/sum_pixels.ts";
import { type Context, createContext } from "../../../src/runner/context.ts";
import { exportDataset } from "../../../src/udf/run/export_dataset.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { mulberry32 } from "../../kernels/call.ts";
import { KINDS, type Made, OLD_SUMS, serveChanging, TAGS } from "./change_sources.ts";
import { type Way, WAYS } from "./change_ways.ts";

/** A run that ended as it must not. */
export interface Finding {
  /** What was done, with the numbers that repeat it. */
  readonly what: string;
  /** What was wrong. */
  readonly problem: string;
}

/** The scan is cut into so many parts, so that there is much to change between. */
const PARTITIONS = 12;
/** Runs whose files are made at one time: they wait together until their files are older than a second. */
const BATCH = 25;

/** What reads the source; gives the sums of all frames. */
type Reading = (dataset: StoredDataset, tools: Tools) => Promise<readonly number[]>;

interface Tools {
  readonly context: Context;
  readonly folder: string;
}

const READINGS: Readonly<Record<string, Reading>> = {
  run: async (dataset, { context }) => {
    const job = await plan(dataset, { sum: sumPixels() }, { context, partitions: PARTITIONS });
    const { sum } = await run(job);
    return Array.from(sum!.intensity!.data, Number);
  },
  export: async (dataset, { context, folder }) => {
    const { path } = await exportDataset(dataset, `${folder}/out.npy`, { context });
    return await blockSums(await open(path));
  },
  stats: blockSums,
};

async function blockSums(dataset: StoredDataset): Promise<number[]> {
  const sums: number[] = [];
  for await (const { data, positions } of frameBlocks(dataset)) {
    const pixels = data.length / positions.length;
    for (let f = 0; f < positions.length; f++) {
      sums.push(Array.from(data.subarray(f * pixels, (f + 1) * pixels), Number).reduce((a, b) => a + b, 0));
    }
  }
  return sums;
}

/** One run, before it has begun. */
interface Case {
  readonly what: string;
  readonly random: () => number;
  readonly folder: string;
  readonly reading: string;
  readonly workers: 0 | 2;
  readonly made: Made;
  /** How the file is changed; nothing where a server has it. */
  readonly way?: Way;
  readonly tag?: typeof TAGS[number];
  /** Whether the file is written right before it is opened, rather than long before. */
  readonly fresh: boolean;
}

/** Changes sources during `runs` runs, as `seed` says; gives those that ended as they must not. `map`: runs over mapped files. */
export async function sourceChanges(seed: number, runs: number, map = false): Promise<Finding[]> {
  const findings: Finding[] = [];
  const memory = map ? 2 ** 27 : 2 ** 24;
  await using inline = createContext({ workers: 0, memory, map });
  await using threads = createContext({ workers: 2, memory, map });
  for (let first = 0; first < runs; first += BATCH) {
    const cases: Case[] = [];
    for (let n = first; n < Math.min(runs, first + BATCH); n++) cases.push(await prepared(seed, n, map));
    if (cases.some(({ fresh, tag }) => !fresh && !tag)) await secondIsOver();
    for (const one of cases) {
      const problem = await attempt(one, one.workers === 0 ? inline : threads);
      if (problem !== undefined) findings.push({ what: one.what, problem });
      await Deno.remove(one.folder, { recursive: true });
    }
  }
  return findings;
}

/** Some systems tell the time at which a file was touched in whole seconds. */
async function secondIsOver(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 1030 - Date.now() % 1000));
}

const BACK = /time/;

/** Sources whose files can be mapped. */
const MAPPED = ["npy", "raw", "mib series", "mib series, last file"];

async function prepared(seed: number, n: number, map: boolean): Promise<Case> {
  const random = mulberry32(seed * 1_000_003 + n);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const kinds = map ? MAPPED : [...Object.keys(KINDS), "http"];
  const kind = pick(kinds);
  const [reading, workers] = [pick(map ? ["run"] : Object.keys(READINGS)), pick([0, 2] as const)];
  const folder = await Deno.makeTempDir();
  const common = { random, folder, reading, workers };
  const who = `${reading}, ${workers} workers (seed ${seed}, run ${n})`;
  if (kind === "http") {
    const [tag, made] = [pick(TAGS), await KINDS.npy!()];
    return { ...common, made, tag, fresh: false, what: `http with ${tag} tags: ${who}` };
  }
  const [way, made] = [pick(Object.keys(WAYS)), await KINDS[kind]!()];
  const fresh = !BACK.test(way) && random() < 0.5;
  if (!fresh) await write(folder, made);
  return { ...common, made, way: WAYS[way]!, fresh, what: `${kind} ${way}${fresh ? ", fresh" : ""}: ${who}` };
}

async function write(folder: string, { files }: Made): Promise<void> {
  for (const { name, old } of files) await Deno.writeFile(`${folder}/${name}`, old);
}

/** What was wrong; nothing if all was well. */
async function attempt(one: Case, context: Context): Promise<string | undefined> {
  const { made, folder, fresh, tag, way } = one;
  if (fresh) await write(folder, made);
  const target = made.files[made.changes]!;
  if (tag) {
    await using server = serveChanging(target, tag);
    return await during(one, server.url, () => Promise.resolve(server.change()), { context, folder });
  }
  const change = () => way!(`${folder}/${target.name}`, target, one.random);
  return await during(one, `${folder}/${made.files[0]!.name}`, change, { context, folder });
}

async function during(
  { random, reading, made }: Case,
  source: string,
  change: () => Promise<void>,
  tools: Tools,
): Promise<string | undefined> {
  const options: OpenOptions = made.options;
  const dataset = await open(source, options);
  await Deno.writeTextFile(`${tools.folder}/out.npy`, "old");
  const moment = random() * 25;
  const changing = new Promise((resolve) => setTimeout(resolve, moment)).then(change);
  const first = await outcome(READINGS[reading]!(dataset, tools));
  const left = await leftover(tools.folder, first);
  await changing;
  const again = await outcome(READINGS[reading]!(dataset, tools));
  if (again !== "changed") return `read once more after the change: ${again}`;
  if (first !== "old" && first !== "changed") return `changed after ${moment.toFixed(1)} ms: ${first}`;
  return left;
}

/** `old` for the sums of the old samples, else what came out in a few words. */
async function outcome(sums: Promise<readonly number[]>): Promise<string> {
  try {
    const found = await sums;
    const wrong = OLD_SUMS.filter((sum, f) => found[f] !== sum).length;
    return wrong === 0 && found.length === OLD_SUMS.length ? "old" : `${wrong} frames are not the old ones`;
  } catch (error) {
    return isTilewiseError(error, "changed") ? "changed" : `${(error as { code?: string }).code}: ${error}`;
  }
}

/** After an error the file that would have been replaced is as it was, and nothing lies beside it. */
async function leftover(folder: string, first: string): Promise<string | undefined> {
  const names = Array.from(Deno.readDirSync(folder), ({ name }) => name);
  const part = names.find((name) => name.endsWith(".part"));
  if (part !== undefined) return `${part} was left`;
  const isOld = (await Deno.readFile(`${folder}/out.npy`)).length === 3;
  return first === "changed" && !isOld ? "the old output was replaced" : undefined;
}
