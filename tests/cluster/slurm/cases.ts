/**
 * What the script of `tilewise submit slurm` does on a Slurm: started as it is printed, with tasks that are killed, and again.
 *
 * @module
 */

import { join } from "@std/path";
import { cli } from "../../cli/harness.ts";
import { digestOf, partsIn } from "../faults/lab.ts";
import { ROOT, writeScan, writeSlow } from "../faults/scan.ts";
import { type SlurmNode, until } from "./node.ts";

/** Tasks of the array. */
const SHARDS = 4;

/** A user of Slurm: a folder with a scan, a module, and `tilewise` on the path. */
export class SlurmUser implements AsyncDisposable {
  #runs = 0;

  private constructor(readonly node: SlurmNode, readonly folder: string) {}

  /** Starts Slurm, and writes the files. */
  static async at(node: SlurmNode): Promise<SlurmUser> {
    const folder = await Deno.makeTempDir({ prefix: "tilewise-slurm-user-" });
    await writeScan(join(folder, "scan.npy"));
    await writeSlow(folder);
    const words = [
      "run",
      "-A",
      "--no-check",
      "--quiet",
      "--config",
      `${ROOT}deno.json`,
      `${ROOT}src/cli/main.ts`,
    ];
    const script = `#!/bin/sh\nexec ${Deno.execPath()} ${words.join(" ")} "$@"\n`;
    await Deno.writeTextFile(join(folder, "tilewise"), script, { mode: 0o755 });
    return new SlurmUser(node, folder);
  }

  /** A run that does not exist yet. */
  async newRun(milliseconds: number): Promise<SlurmRun> {
    const name = `run${this.#runs++}`;
    await Deno.mkdir(join(this.folder, name));
    return new SlurmRun(this, join(this.folder, name), milliseconds);
  }

  /** The digest of the same run on this machine. */
  async local(): Promise<string> {
    const out = join(this.folder, "local");
    if (await digestOf(out) !== "nothing") return await digestOf(out);
    const scan = join(this.folder, "scan.npy");
    const words = ["run", `${join(this.folder, "slow.ts")}:ms=0`, "stddev", scan, "--partitions", "16"];
    const { code, err } = await cli([...words, "--workers", "0", "--quiet", "-o", `${out}/`]);
    if (code !== 0) throw new Error(err);
    return await digestOf(out);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.folder, { recursive: true });
  }
}

/** A run, submitted once or several times from a folder of its own, with paths as a user writes them. */
export class SlurmRun {
  constructor(readonly user: SlurmUser, readonly folder: string, readonly milliseconds: number) {}

  /** Prints the script, and starts it; the name of the array. */
  async submit(): Promise<string> {
    const run = [`../slow.ts:ms=${this.milliseconds}`, "stddev", "../scan.npy", "--partitions", "16"];
    const more = ["--store", "store", "--shards", `${SHARDS}`, "--workers", "1", "-o", "out/"];
    const { code, out, err } = await cli(["submit", "slurm", ...run, ...more]);
    if (code !== 0) throw new Error(err);
    const { PATH = "" } = Deno.env.toObject();
    const child = new Deno.Command("sh", {
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
      cwd: this.folder,
      env: { ...this.user.node.environment, PATH: `${this.user.folder}:${PATH}` },
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(out));
    await writer.close();
    const { success, stdout, stderr } = await child.output();
    const text = new TextDecoder().decode(stdout);
    if (!success) throw new Error(`sh: ${new TextDecoder().decode(stderr)}${text}`);
    return /shards=(\d+)/.exec(text)?.[1] ?? `${Number(text.trim()) - 1}`;
  }

  /** Waits until a task computes: the first part of the run is there, and the task runs. */
  async working(array: string, task: number): Promise<void> {
    const { node } = this.user;
    await until(60, async () => await node.stateOf(array, task) === "RUNNING" && this.parts() > 0);
  }

  /** Number of parts in the store. */
  parts(): number {
    return partsIn(join(this.folder, "store")).length;
  }

  /** All that tasks and merges have written. */
  async written(): Promise<string> {
    const names = [...Deno.readDirSync(this.folder)].map(({ name }) => name).filter((name) =>
      name.endsWith(".out")
    );
    const texts = names.sort().map(async (name) =>
      `${name}: ${await Deno.readTextFile(join(this.folder, name))}`
    );
    return (await Promise.all(texts)).join("\n");
  }

  /** The digest of the results. */
  digest(): Promise<string> {
    return digestOf(join(this.folder, "out"));
  }
}

/** A case: something happens to a task. */
export interface SlurmCase {
  /** What happens. */
  readonly name: string;
  /** Whether parts are missing after it, until the script is started again. */
  readonly missing: boolean;
  /** Happens while task 2 of the array computes. */
  happen(node: SlurmNode, array: string): Promise<void>;
}

/** The cases. */
export const SLURM_CASES: readonly SlurmCase[] = [
  { name: "nothing happens", missing: false, happen: async () => {} },
  { name: "kill -9 of the process of a task", missing: true, happen: killTask },
  {
    name: "a task is cancelled",
    missing: true,
    happen: async (node, array) => void await node.command("scancel", `${array}_2`),
  },
  {
    name: "a task is put into the queue again, as when its node fails",
    missing: false,
    happen: requeueTask,
  },
];

/** Runs a case; what is wrong, or nothing. */
export async function runCase(user: SlurmUser, { missing, happen }: SlurmCase): Promise<string | undefined> {
  const run = await user.newRun(20);
  const array = await run.submit();
  await run.working(array, 2);
  await happen(user.node, array);
  await user.node.idle();
  if (missing) {
    const written = await run.written();
    if (!/has \d+ of 8 parts; missing: \d/.test(written)) {
      return `the merge did not say what is missing: ${written}`;
    }
    if (await run.digest() !== "nothing") return "there are results without all parts";
    const before = run.parts();
    await run.submit();
    await user.node.idle();
    if (run.parts() <= before) return `nothing was computed again: ${run.parts()} parts after ${before}`;
  }
  const [found, local] = [await run.digest(), await user.local()];
  return found === local ? undefined : `other bits: ${found}, not ${local}\n${await run.written()}`;
}

/** Slurm lets such a task wait for two minutes, which are skipped here. */
async function requeueTask(node: SlurmNode, array: string): Promise<void> {
  await node.command("scontrol", "requeue", `${array}_2`);
  await until(20, async () => await node.stateOf(array, 2) === "PENDING");
  await node.command("scontrol", "update", `JobId=${array}_2`, "StartTime=now");
}

async function killTask(node: SlurmNode, array: string): Promise<void> {
  const job = await node.command("squeue", "--noheader", "--array", "--format=%A %K", "--states=RUNNING");
  const [id] = job.split("\n").map((line) => line.split(" ")).find(([, task]) => task === "2") ?? [];
  const pids = await node.command("scontrol", "listpids", id ?? array);
  for (const line of pids.split("\n").slice(1)) {
    const pid = Number(line.trim().split(/\s+/)[0]);
    if (pid > 1) Deno.kill(pid, "SIGKILL");
  }
}
