/**
 * The n-th read, write or allocation of a small run or conversion fails, for every n: the result is right or there is a typed
 * error, nothing stays leased, old files stay as they were, and the next run is right.
 *
 * @module
 */

import { isTilewiseError } from "../../../src/errors.ts";
import { open } from "../../../src/formats/open.ts";
import { save } from "../../../src/pictures/save.ts";
import { correlatePattern } from "../../../src/udf/builtin/blobfinder/correlate_pattern.ts";
import { sumPixels } from "../../../src/udf/builtin/sum_pixels.ts";
import { sumFrames } from "../../../src/udf/builtin/sum_frames.ts";
import { RunContext } from "../../../src/runner/context.ts";
import { exportDataset } from "../../../src/udf/run/export_dataset.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { udf } from "../../../src/udf/interface/udf_ref.ts";
import { contents } from "../../io/failing_writes.ts";
import { NONE, type ThreadFault } from "./breaking_udf.ts";
import { type Break, BREAKS } from "./breaks.ts";
import { describe, type Outcome, type Part, type SoakOptions, Tally, withFolder, within } from "../part.ts";

/** No job takes longer. */
const LONGEST = 60_000;

/** Little enough for many small reads and writes. */
const MEMORY = 2 ** 18;

/** The faults of the calling thread while others compute. */
const FEW = ["a look at a file (EACCES)", "a write (ENOSPC)", "a lease", "a memory"];

const MODULE = import.meta.resolve("./breaking_udf.ts");

/** Something that is done. */
export interface Work {
  /** Threads of its context. */
  readonly workers: number;
  /** Bytes of its context. */
  readonly memory: number;
  /** Not where it is to be quick. */
  readonly long?: boolean;
  /** The faults that it is for; all without. */
  readonly kinds?: readonly string[];
  /** Writes `target` from the scan; of the threads that are there, some run code of users where `thread` says which fault. */
  run(scan: string, target: string, context: RunContext, thread: ThreadFault): Promise<void>;
}

const SHAPE = { format: "raw", dtype: "uint16", nav: [2048], sig: [16, 16] } as const;

async function sums(scan: string, target: string, context: RunContext): Promise<void> {
  const dataset = await open(scan, SHAPE);
  const job = await plan(dataset, { sum: sumPixels(), mean: sumFrames() }, { context, partitions: 64 });
  const { sum } = await run(job);
  await save(sum!.intensity!, target);
}

async function convert(scan: string, target: string, context: RunContext): Promise<void> {
  const dataset = await open(scan, SHAPE);
  await exportDataset(dataset, target, { context });
}

/** Makes memories of its own: for what is planned, and for every partition. The fault is one of the thread that computes. */
async function correlations(
  scan: string,
  target: string,
  context: RunContext,
  thread: ThreadFault,
): Promise<void> {
  const dataset = await open(scan, SHAPE);
  const disks = correlatePattern({
    method: "full",
    pattern: { kind: "circular", radius: 3, search: 5 },
    peaks: [[6, 6], [9, 9]],
  });
  const breaking = udf(MODULE, { params: { ...thread } });
  const results = await run(await plan(dataset, { breaking, disks }, { context, partitions: 16 }));
  await save(results.disks!.peak_values!, target);
}

const [SMALL, LARGE] = [MEMORY, 2 ** 24];

/** What is done while something fails, by name. */
export const WORKS: Readonly<Record<string, Work>> = {
  run: { workers: 0, memory: SMALL, run: sums },
  convert: { workers: 0, memory: SMALL, run: convert },
  "run on 2 workers": { workers: 2, memory: LARGE, run: sums, kinds: FEW },
  "convert on 2 workers": { workers: 2, memory: LARGE, run: convert, kinds: FEW, long: true },
  correlate: { workers: 0, memory: LARGE, run: correlations, kinds: ["a memory"] },
};

/** The part. */
export const FAULTS: Part = {
  name: "faults",
  help: "the n-th read, write or allocation of a run and a conversion fails, on this thread and on workers",
  run: everyFault,
};

/** Every n of every kind of fault, in a run and in a conversion; the first two and one late where it is to be quick. */
export async function everyFault({ quick }: SoakOptions): Promise<Outcome> {
  const tally = new Tally();
  const counts: string[][] = [["fault", "work", "places"]];
  for (const [work, body] of Object.entries(WORKS)) {
    if (quick && body.long) continue;
    await withFolder(async (folder) => {
      const place = await Place.make(folder, body);
      for (const [kind, failing] of Object.entries(BREAKS)) {
        if (body.kinds && !body.kinds.includes(kind)) continue;
        let places = 0;
        for (let n = 1; n <= 200; n += quick && n > 1 ? 101 : 1) {
          const wrong = await place.wrongWith(failing, n);
          if (!place.happened) break; // there are no more
          await tally.add(`${work}, ${kind} ${n}`, () => Promise.resolve(wrong));
          places = n;
        }
        counts.push([kind, work, String(places)]);
      }
    });
  }
  await threadFaults(tally, quick);
  return { cases: tally.cases, findings: tally.findings, figures: counts };
}

/** Faults of the threads that compute. */
const ON_THREADS = [
  "a read that passes (EINTR)",
  "a read (EIO, from then on)",
  "a read that ends early",
  "an opening (EMFILE)",
  "a look at a file (EACCES)",
  "a memory",
];

/** The same on workers: their n-th calls fail, for some n. */
async function threadFaults(tally: Tally, quick: boolean): Promise<void> {
  const nothing: Break = () => ({ happened: true, [Symbol.dispose]: () => {} });
  await withFolder(async (folder) => {
    const place = await Place.make(folder, { workers: 2, memory: LARGE, run: correlations });
    for (const kind of quick ? ON_THREADS.slice(1, 3) : ON_THREADS) {
      for (const n of quick ? [1] : [1, 2, 3, 5, 8]) {
        await tally.add(`${kind} ${n} on workers`, async () => {
          const wrong = await place.wrongWith(nothing, n, { kind, n });
          const missed = n === 1 && kind === "a read (EIO, from then on)" && !place.failed;
          return wrong ?? (missed ? "no worker has failed" : undefined);
        });
      }
    }
  });
}

function contextOf({ workers, memory }: Work): { workers: number; memory: number } {
  return { workers, memory };
}

/** A folder with a scan and an old file, in which a work is done again and again. */
export class Place {
  /** Whether the last fault has happened. */
  happened = false;
  /** Whether the work ended with an error. */
  failed = false;

  private constructor(
    private readonly folder: string,
    private readonly work: Work,
    private readonly right: Readonly<Record<string, string>>,
  ) {}

  /** Makes the scan, and does the work once. */
  static async make(folder: string, work: Work): Promise<Place> {
    const samples = new Uint16Array(2048 * 256);
    for (let i = 0; i < samples.length; i++) samples[i] = (i * 31 + (i >> 4)) % 997;
    await Deno.writeFile(`${folder}/scan.raw`, new Uint8Array(samples.buffer));
    await using context = new RunContext(contextOf(work));
    await work.run(`${folder}/scan.raw`, `${folder}/out.npy`, context, NONE);
    return new Place(folder, work, contents(folder));
  }

  /** What is wrong about the work when call number `n` fails, if anything. */
  async wrongWith(failing: Break, n: number, thread: ThreadFault = NONE): Promise<string | undefined> {
    for (const name of Object.keys(this.right)) {
      if (name !== "scan.raw") await Deno.writeTextFile(`${this.folder}/${name}`, "old");
    }
    const old = contents(this.folder);
    await using context = new RunContext(contextOf(this.work));
    let outcome: unknown;
    {
      using fault = await failing(n);
      const work = this.#once(context, thread).then(() => "right", (error: unknown) => error);
      outcome = await within(LONGEST, work);
      this.happened = fault.happened;
      this.failed = outcome !== "right";
    }
    return this.#wrongOutcome(outcome, old) ?? await this.#wrongAfter(context);
  }

  #once(context: RunContext, thread: ThreadFault = NONE): Promise<void> {
    return this.work.run(`${this.folder}/scan.raw`, `${this.folder}/out.npy`, context, thread);
  }

  #wrongOutcome(outcome: unknown, old: Readonly<Record<string, string>>): string | undefined {
    const now = contents(this.folder);
    if (outcome === "late") return `it has not ended after ${LONGEST / 1000} s`;
    if (outcome === "right") return difference(now, [this.right]);
    if (!isTilewiseError(outcome)) return `no typed error: ${describe(outcome)}`;
    if (outcome.code === "corrupt") return `an internal promise was broken: ${describe(outcome)}`;
    return difference(now, [old, this.right]);
  }

  async #wrongAfter(context: RunContext): Promise<string | undefined> {
    await context.settled();
    const leased = context.arena.leases.map(({ label }) => label);
    if (leased.length > 0) return `still leased: ${leased.join(", ")}`;
    try {
      await this.#once(context);
    } catch (error) {
      return `the next one in the same context fails: ${describe(error)}`;
    }
    return difference(contents(this.folder), [this.right]);
  }
}

/** What lies in a folder that may be as one of `allowed`. */
function difference(
  now: Readonly<Record<string, string>>,
  allowed: readonly Readonly<Record<string, string>>[],
): string | undefined {
  const texts = allowed.map((one) => JSON.stringify(one));
  return texts.includes(JSON.stringify(now))
    ? undefined
    : `the folder has ${JSON.stringify(now)}, expected ${texts.join(" or ")}`;
}
