/**
 * Programs and worker processes that are stopped for nine tenths of the time: slow is not hung, the bits are the same, and what never
 * returns is ended.
 *
 * @module
 */

import { fromFileUrl } from "@std/path";
import { sha256 } from "../../../src/io/hash.ts";
import { processExecutor } from "../../../src/executor/process/executor.ts";
import { open } from "../../../src/formats/open.ts";
import { type Context, createContext } from "../../../src/runner/context.ts";
import { arrayDigest } from "../../../src/udf/results/digest.ts";
import { sumFrames } from "../../../src/udf/builtin/sum_frames.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { writeNpy } from "../../cli/harness.ts";
import { pathOf } from "../../observations/expected.ts";
import { mulberry32 } from "../../kernels/call.ts";
import { type Outcome, type Part, type SoakOptions, Tally, withFolder } from "../part.ts";

/** Milliseconds in which a process runs, and in which it is stopped. */
const RUNS = 5, STOPS = 45;
/** Seconds of patience: less than slow tasks take. */
const PATIENCE = 2;
const MAIN = fromFileUrl(new URL("../../../src/cli/main.ts", import.meta.url));
const moduleOf = (path: string) => fromFileUrl(new URL(path, import.meta.url));
const SLOW_UDF = moduleOf("../../cli/shell/slow_udf.ts"),
  STUCK_UDF = moduleOf("../../cli/shell/stuck_udf.ts");

/** The part. */
export const SLOW: Part = {
  name: "slow",
  help: "predictions, images, filters and UDFs in programs and processes that have a tenth of the time",
  run: slowed,
};

/** What runs, and the file it writes. */
const COMMANDS: Readonly<
  Record<string, (folder: string, out: string) => readonly [words: string[], file: string]>
> = {
  predict: (folder, out) => [
    ["predict", `${folder}/sky.csv`, pathOf("small.ms"), "--behind", "skip", "-o", `${out}.npy`],
    `${out}.npy`,
  ],
  image: (_, out) => [["image", pathOf("small.ms"), "--pixels", "256", "-o", `${out}.npy`], `${out}.npy`],
  map: (folder, out) => [["map", "median:radius=4", `${folder}/image.npy`, "-o", `${out}.npy`], `${out}.npy`],
  run: (folder, out) => [["run", "stddev", `${folder}/scan.npy`, "-o", `${out}/`], `${out}/stddev-var.npy`],
  udf: (folder, out) => [["run", SLOW_UDF, `${folder}/scan.npy`, "-o", `${out}/`], `${out}/`],
};

async function slowed({ quick, seed }: SoakOptions): Promise<Outcome> {
  const tally = new Tally();
  await withFolder(async (folder) => {
    await writeInputs(folder, mulberry32(seed), quick ? 400 : 20_000);
    for (const [name, command] of Object.entries(COMMANDS)) {
      const alone = await digestOf(command(folder, `${folder}/alone-${name}`), false);
      for (let round = 0; round < (quick ? 1 : 3); round++) {
        await tally.add(`${name} ${round}`, async () => {
          const found = await digestOf(command(folder, `${folder}/slow-${name}${round}`), true);
          return found === alone ? undefined : `${found}\n${alone}`;
        });
      }
    }
    await tally.add("worker processes", () => processes(`${folder}/scan.npy`));
    await tally.add("never returns", async () => {
      const words = ["run", `${STUCK_UDF}:at=processFrame`, `${folder}/scan.npy`, "-o", `${folder}/never/`];
      const { code, err } = await program(words, true);
      return code === 1 && /\[timeout\]/.test(err) ? undefined : `exit code ${code}: ${err}`;
    });
  });
  return tally;
}

async function writeInputs(folder: string, random: () => number, sources: number): Promise<void> {
  const [scan, image] = [
    Uint16Array.from({ length: 24 * 24 * 1024 }, () => 4096 * random()),
    new Float32Array(1e6),
  ];
  await writeNpy(`${folder}/scan.npy`, "<u2", [24, 24, 32, 32], new Uint8Array(scan.buffer));
  await writeNpy(`${folder}/image.npy`, "<f4", [1000, 1000], new Uint8Array(image.map(random).buffer));
  const rows = Array.from(
    { length: sources },
    (_, i) => `${i},${71 + random()},${-29 + random()},${random()}`,
  );
  await Deno.writeTextFile(`${folder}/sky.csv`, ["Name,Ra,Dec,I", ...rows, ""].join("\n"));
}

/** The command line in a process of its own. */
async function program(words: readonly string[], slow: boolean) {
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--no-check",
      MAIN,
      ...words,
      "--workers",
      "2",
      "--stall-timeout",
      `${PATIENCE}`,
      "--quiet",
    ],
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const over = new AbortController();
  const slowing = slow ? slowDown(() => [child.pid], over.signal) : undefined;
  const { code, stderr } = await child.output();
  over.abort();
  await slowing;
  return { code, err: new TextDecoder().decode(stderr) };
}

async function digestOf([words, file]: readonly [string[], string], slow: boolean): Promise<string> {
  const { code, err } = await program(words, slow);
  if (code !== 0 && slow) return `exit code ${code}: ${err}`;
  if (code !== 0) throw new Error(err);
  const files = file.endsWith("/")
    ? [...Deno.readDirSync(file)].map(({ name }) => file + name).filter((name) => name.endsWith(".npy"))
      .sort()
    : [file];
  return (await Promise.all(files.map(async (one) => await sha256(await Deno.readFile(one))))).join();
}

/** Lets processes run for a tenth of the time. */
async function slowDown(pids: () => readonly number[], over: AbortSignal): Promise<void> {
  const all = (signal: Deno.Signal) => {
    for (const pid of pids()) {
      try {
        Deno.kill(pid, signal);
      } catch {
        // it has ended
      }
    }
  };
  const pause = (milliseconds: number) => new Promise((go) => setTimeout(go, milliseconds));
  while (!over.aborted) {
    all("SIGSTOP");
    await pause(STOPS);
    all("SIGCONT");
    await pause(RUNS);
  }
}

/** A run in worker processes, which are stopped and not this process. */
async function processes(scan: string): Promise<string | undefined> {
  const dataset = await open(scan);
  const digestIn = async (context: Context) => {
    let digest = "";
    const job = await plan(dataset, { sums: sumFrames() }, { context, partitions: 64 });
    for await (const { results } of run(job)) {
      const arrays = Object.values(results["sums"]!);
      digest = (await Promise.all(arrays.map((array) => arrayDigest(array)))).join();
    }
    return digest;
  };
  await using inline = createContext({ workers: 0 });
  const expected = await digestIn(inline);
  await using executor = processExecutor({ workers: 2 });
  await using context = createContext({ executor, stallTimeout: 1000 * PATIENCE });
  const over = new AbortController();
  const slowing = slowDown(children, over.signal);
  try {
    const found = await digestIn(context);
    return found === expected ? undefined : `${found} ${expected}`;
  } finally {
    over.abort();
    await slowing;
  }
}

/** The processes that this one has started. */
function children(): number[] {
  const numbers = (path: string) => Deno.readTextFileSync(path).split(" ").filter(Boolean).map(Number);
  return [...Deno.readDirSync("/proc/self/task")].flatMap(({ name }) => {
    try {
      return numbers(`/proc/self/task/${name}/children`);
    } catch {
      return [];
    }
  });
}
