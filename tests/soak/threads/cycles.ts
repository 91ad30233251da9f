/**
 * Small runs one after another, each from opening a file to saving a result; some are cancelled, and in some a call fails. Nothing
 * may grow: not the memory of the process, not its open files, not what lies in the folder.
 *
 * @module
 */

import { isTilewiseError } from "../../../src/errors.ts";
import { open } from "../../../src/formats/open.ts";
import { save } from "../../../src/pictures/save.ts";
import { type Context, createContext } from "../../../src/runner/context.ts";
import { sumFrames } from "../../../src/udf/builtin/sum_frames.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { Random } from "../../compare/data/random.ts";
import { describe, type Outcome, type Part, type SoakOptions, Tally, withFolder } from "../part.ts";
import { BREAKS } from "./breaks.ts";
import { openFiles } from "./cancels.ts";

const CYCLES = 20_000, CYCLES_QUICK = 100;
/** Shares of cycles that are cancelled, and in which a call fails. */
const CANCELLED = 0.1, FAILING = 0.01;
/** Most bytes by which the memory may grow in 1,000 cycles. */
const GROWTH = 2 ** 20;
const FRAMES = 64, PIXELS = 256;

/** The part. */
export const CYCLES_OF_RUNS: Part = {
  name: "cycles",
  help: "20 000 small runs, some cancelled or with a fault: memory, open files and folders do not grow",
  run: manyCycles,
};

interface Place {
  readonly folder: string;
  readonly context: Context;
}

async function manyCycles({ quick, seed }: SoakOptions): Promise<Outcome> {
  const tally = new Tally(), random = new Random(seed), cycles = quick ? CYCLES_QUICK : CYCLES;
  const memory: number[] = [], every = cycles / 100;
  let before = 0;
  await withFolder(async (folder) => {
    await Deno.writeFile(`${folder}/scan.raw`, new Uint8Array(2 * FRAMES * PIXELS).fill(1));
    await using context = createContext({ workers: 2, memory: 2 ** 24 });
    for (let i = 0; i < cycles; i++) {
      await tally.add(`cycle ${i}`, () => wrongIn({ folder, context }, random));
      if (i === cycles / 2) before = openFiles();
      if (i % every === 0) memory.push(Deno.memoryUsage().rss);
    }
    await tally.add("open files", () => Promise.resolve(more("files are open", openFiles(), before)));
  });
  const growth = slope(memory.slice(memory.length / 2)) / every * 1000; // the first half warms up
  if (!quick) await tally.add("memory", () => Promise.resolve(more("bytes per 1000 cycles", growth, GROWTH)));
  const figures = [["memory at the end", "growth per 1000 cycles"], [memory.at(-1)!, growth].map(inKiB)];
  return { cases: tally.cases, findings: tally.findings, figures };
}

const more = (what: string, found: number, most: number) =>
  found > most ? `${Math.round(found)} ${what}, at most ${most} are right` : undefined;

const inKiB = (bytes: number) => `${Math.round(bytes / 1024)} KiB`;

/** What is wrong with one cycle, if anything. */
async function wrongIn({ folder, context }: Place, random: Random): Promise<string | undefined> {
  const stop = new AbortController(), fate = random.next(), target = `${folder}/sum.npy`;
  const timer = fate < CANCELLED ? setTimeout(() => stop.abort(), 8 * random.next()) : undefined;
  const kinds = Object.values(BREAKS), fails = fate > 1 - FAILING;
  const fault = fails
    ? await kinds[Math.floor(kinds.length * random.next())]!(1 + Math.floor(9 * random.next()))
    : undefined;
  try {
    const scan = await open(`${folder}/scan.raw`, {
      format: "raw",
      dtype: "uint16",
      nav: [FRAMES],
      sig: [16, 16],
    });
    const { sum } = await run(await plan(scan, { sum: sumFrames() }, { context }), { signal: stop.signal });
    if (sum!.intensity!.data.some((value) => Number(value) !== FRAMES * 257)) return "the result is wrong";
    await save(sum!.intensity!, target);
  } catch (error) {
    if (!(fails && isTilewiseError(error)) && !isTilewiseError(error, "aborted")) return describe(error);
  } finally {
    clearTimeout(timer);
    fault?.[Symbol.dispose]();
  }
  await context.settled();
  if (context.used > 0) return `${context.used} bytes are still leased`;
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) =>
    !/^(scan\.raw|sum\.npy)$/.test(name)
  );
  return names.length > 0 ? `${names} is left` : undefined;
}

/** By how much a list grows from one number to the next: the line with the least squares. */
function slope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2, mean = values.reduce((a, b) => a + b, 0) / values.length;
  const up = values.reduce((sum, value, i) => sum + (i - middle) * (value - mean), 0);
  return up / values.reduce((sum, _, i) => sum + (i - middle) ** 2, 0);
}
