/**
 * What may go wrong on a cluster, and how it must end: with the bits of the local run, or with a typed error and nothing lost.
 *
 * @module
 */

import { openEngine } from "../../../src/cluster/open_engine.ts";
import { jobId } from "../../../src/cluster/engine/job.ts";

import { digestOf, kill, type Lab, partsIn } from "./lab.ts";
import { FAIL_OVER } from "./sentinel.ts";
import { STEPS } from "./steps.ts";
import { FILES } from "./files.ts";

/** A fault. */
export interface Case {
  /** What happens. */
  readonly name: string;
  /** Whether every change is tested with it. */
  readonly gate?: true;
  /** Workers that are there when it begins. */
  readonly workers: number;
  /** Says what is wrong; nothing if all is well. */
  run(lab: Lab, workers: readonly Deno.ChildProcess[]): Promise<string | undefined>;
}

const pause = (milliseconds: number) => new Promise<void>((go) => setTimeout(go, milliseconds));
const slow = (lab: Lab, ms: number, more = "") => [`${lab.slow}:ms=${ms}${more}`, "stddev"];

/** What differs from the local run. */
async function mustEqual(
  lab: Lab,
  run: Promise<{ code: number; err: string; digest: string }>,
): Promise<string | undefined> {
  const { code, err, digest } = await run;
  if (code !== 0) return `exit code ${code}: ${err}`;
  return digest === await lab.local(slow(lab, 0)) ? undefined : `other bits:\n${digest}`;
}

/** A run of some parts, in the middle of which something happens. */
async function during(
  lab: Lab,
  ms: number,
  happen: (store: string) => Promise<void>,
): Promise<string | undefined> {
  const store = lab.newStore();
  const run = lab.run({ udfs: slow(lab, ms), store });
  run.catch(() => {}); // awaited below
  await lab.parts(store, 2);
  await happen(store);
  return await mustEqual(lab, run);
}

/** A run that must fail with a text, and leave parts in the store. */
async function mustFail(
  lab: Lab,
  udfs: readonly string[],
  text: RegExp,
  store = lab.newStore(),
): Promise<string | undefined> {
  const { code, err } = await lab.run({ udfs, store });
  if (code !== 1) return `exit code ${code}: ${err}`;
  return text.test(err) ? undefined : `another error: ${err}`;
}

/** The library of Debian's `faketime`, which gives processes other clocks; nothing where it is not installed. */
export function faketime(): string | undefined {
  const args = ["-f", "+0", "sh", "-c", "echo $LD_PRELOAD"];
  try {
    const { success, stdout } = new Deno.Command("faketime", { args, stderr: "null" }).outputSync();
    return success ? new TextDecoder().decode(stdout).trim() : undefined;
  } catch {
    return undefined;
  }
}

const CLOCKS = faketime();

/** The cases. */
export const CASES: readonly Case[] = [
  { name: "no fault", gate: true, workers: 3, run: (lab) => mustEqual(lab, lab.run({ udfs: slow(lab, 2) })) },
  {
    name: "a filter of an image",
    gate: true,
    workers: 3,
    async run(lab) {
      const [local, engine] = [
        await lab.map(),
        await lab.map("--store", lab.newStore(), "--engine", lab.url),
      ];
      if (local.code + engine.code !== 0) return local.err + engine.err;
      return local.digest === engine.digest ? undefined : `other bits: ${engine.digest}`;
    },
  },
  ...FILES,
  {
    name: "the server is wiped",
    gate: true,
    workers: 3,
    run: (lab) => during(lab, 10, async () => await lab.server.wipe()),
  },
  {
    name: "the server is killed, and comes back with its files",
    gate: true,
    workers: 3,
    run: (lab) =>
      during(lab, 10, async () => {
        await lab.server.kill();
        await pause(1000);
        await lab.server.up();
      }),
  },
  {
    name: "jobs are delivered twice",
    gate: true,
    workers: 3,
    run: (lab) => during(lab, 10, (store) => publishAgain(lab, store)),
  },
  {
    name: "the coordinator is killed and started again",
    gate: true,
    workers: 3,
    async run(lab) {
      const [store, out] = [lab.newStore(), lab.newStore()];
      const first = lab.coordinator({ udfs: slow(lab, 10), store }, `${out}/`);
      await lab.parts(store, 2);
      await kill(first);
      if (await digestOf(out) !== "nothing") return "it had ended";
      return await mustEqual(lab, lab.run({ udfs: slow(lab, 10), store }));
    },
  },
  {
    name: "a run is cancelled, and goes on from its parts",
    gate: true,
    workers: 3,
    async run(lab) {
      const store = lab.newStore();
      const controller = new AbortController();
      const run = lab.run({ udfs: slow(lab, 20), store }, { signal: controller.signal });
      await lab.parts(store, 2);
      controller.abort();
      const { code } = await run;
      if (code !== 130) return `exit code ${code}`;
      return await mustEqual(lab, lab.run({ udfs: slow(lab, 20), store }));
    },
  },
  {
    name: "a module that throws is named, and not tried again",
    gate: true,
    workers: 3,
    run: (lab) => mustFail(lab, slow(lab, 0, ",at=throw"), /not to my liking/),
  },
  ...STEPS.map((step): Case => ({
    name: `a worker is killed: ${step}`,
    ...(step === "linked" ? { gate: true } : {}),
    workers: 0,
    async run(lab) {
      const mortal = lab.mortal(step);
      const run = lab.run({ udfs: slow(lab, 1) });
      run.catch(() => {});
      await mortal.status;
      lab.worker();
      return await mustEqual(lab, run);
    },
  })),
  {
    name: "a part takes longer than the lock",
    workers: 2,
    run: (lab) => mustEqual(lab, lab.run({ udfs: slow(lab, 200) })),
  },
  {
    name: "a worker stands still and comes back",
    workers: 2,
    run: (lab, [first]) =>
      during(lab, 20, async () => {
        first?.kill("SIGSTOP");
        await pause(4000);
        first?.kill("SIGCONT");
      }),
  },
  {
    name: "a worker stands still for ever",
    workers: 2,
    run: (lab, [first]) => during(lab, 20, () => Promise.resolve(first?.kill("SIGSTOP"))),
  },
  {
    name: "a worker is ended by SIGTERM",
    workers: 2,
    run: (lab, [first]) =>
      during(lab, 20, async () => {
        first?.kill("SIGTERM");
        const status = await first?.status;
        if (status && status.code !== 0) throw new Error(`exit code ${status.code}`);
      }),
  },
  {
    name: "a part that ends its workers is named, and the others stay",
    workers: 1,
    async run(lab, [first]) {
      const keeper = new AbortController();
      const keeping = keep(lab, first, keeper.signal);
      const store = lab.newStore();
      const wrong = await mustFail(
        lab,
        slow(lab, 0, ",at=die"),
        /part 0\.3 \(32 frames from number 96 on, of slow.*workers ended while they computed/,
        store,
      );
      keeper.abort();
      await keeping;
      const { run } = JSON.parse(await Deno.readTextFile(`${store}/manifest`));
      const others = run.work.units.length - 1;
      const there = partsIn(store).length;
      return wrong ?? (there === others && others > 3 ? undefined : `${there} parts of ${others} are there`);
    },
  },
  {
    name: "the scan is changed during the run",
    workers: 2,
    async run(lab) {
      const store = lab.newStore();
      const run = lab.run({ udfs: slow(lab, 20), store });
      await lab.parts(store, 2);
      await lab.writeScan(2);
      const { code, err } = await run;
      await lab.writeScan();
      return code === 1 && /\[changed\].*changed after it was opened/.test(err)
        ? undefined
        : `exit code ${code}: ${err}`;
    },
  },
  {
    name: "the module is another one on the workers",
    workers: 0,
    async run(lab) {
      const store = lab.newStore();
      const text = await Deno.readTextFile(lab.slow);
      const run = lab.run({ udfs: slow(lab, 1), store });
      await pause(1500); // until the manifest is there
      await Deno.writeTextFile(lab.slow, `${text}\n// another one`);
      lab.worker();
      const { code, err } = await run;
      await Deno.writeTextFile(lab.slow, text);
      return code === 1 && /is not the one that the run was planned with/.test(err)
        ? undefined
        : `${code}: ${err}`;
    },
  },
  FAIL_OVER,
  {
    name: `the clocks of workers are an hour ahead and an hour behind; one of them stands still${
      CLOCKS ? "" : " (skipped: faketime is not installed)"
    }`,
    workers: 0,
    async run(lab) {
      if (!CLOCKS) return undefined;
      const ahead = lab.worker({ LD_PRELOAD: CLOCKS, FAKETIME: "+1h" });
      lab.worker({ LD_PRELOAD: CLOCKS, FAKETIME: "-1h" });
      const started = performance.now();
      const wrong = await during(lab, 20, () => Promise.resolve(ahead.kill("SIGSTOP")));
      const seconds = (performance.now() - started) / 1000;
      return wrong ?? (seconds < 300 ? undefined : `it took ${seconds} s`);
    },
  },
];

/** Publishes the jobs of the only run again, under other names. */
async function publishAgain(lab: Lab, store: string): Promise<void> {
  await using engine = await openEngine(lab.url);
  const { runs: [run] } = await engine.status();
  const { sha256 } = JSON.parse(await Deno.readTextFile(`${store}/manifest`));
  const name = run?.run ?? "";
  await engine.publish(Array.from({ length: 12 }, (_, start) => {
    const id = jobId(name, start, start + 1, "again");
    return {
      version: 1,
      id,
      run: name,
      store: `dir:${store}`,
      manifest: sha256,
      start,
      end: start + 1,
      priority: 1,
    };
  }));
}

/** Starts a worker whenever the last one has ended. */
async function keep(lab: Lab, first: Deno.ChildProcess | undefined, signal: AbortSignal): Promise<void> {
  for (let worker = first ?? lab.worker(); !signal.aborted; worker = lab.worker()) {
    const ended = await Promise.race([
      worker.status,
      new Promise((go) => signal.addEventListener("abort", go)),
    ]);
    if (signal.aborted) return;
    if (!ended) return;
  }
}
