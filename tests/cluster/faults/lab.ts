/**
 * A laboratory for faults: a server of an engine, worker processes, a scan, and the digest of its local run.
 *
 * @module
 */

import { join } from "@std/path";
import { sha256 } from "../../../src/io/hash.ts";
import { cli, type Outcome, type Terminal, writeNpy } from "../../cli/harness.ts";
import { RedisServer } from "../engine/redis_server.ts";
import { ROOT, writeScan, writeSlow } from "./scan.ts";
import type { Step } from "./steps.ts";

/** What a run is made of. */
export interface Asked {
  /** The UDFs. */
  readonly udfs: readonly string[];
  /** More flags. */
  readonly flags?: readonly string[];
  /** The store; default: a new one. */
  readonly store?: string;
}

/** A server under an engine. */
export interface EngineServer extends AsyncDisposable {
  /** Its address, with password. */
  readonly url: string;
  /** Ends it without a word to its clients. */
  kill(): Promise<void>;
  /** Starts it again, with what it has kept. */
  up(): Promise<void>;
  /** Empties it. */
  wipe(): Promise<void>;
}

/** A laboratory. */
export class Lab implements AsyncDisposable {
  readonly #workers = new Set<Deno.ChildProcess>();
  #runs = 0;

  private constructor(readonly server: EngineServer, readonly folder: string) {}

  /** Sets one up; workers that are silent for a second lose their jobs. */
  static async open(start: () => Promise<EngineServer> = () => RedisServer.start()): Promise<Lab> {
    const lab = new Lab(await start(), await Deno.makeTempDir({ prefix: "tilewise-faults-" }));
    await lab.writeScan();
    await writeSlow(lab.udfs);
    return lab;
  }

  /** The address of the engine. */
  get url(): string {
    return `${this.server.url}?lock=2&check=0.5`;
  }

  /** The scan. */
  get scan(): string {
    return join(this.folder, "scan.npy");
  }

  /** The folder of modules that workers allow. */
  get udfs(): string {
    return join(this.folder, "udfs");
  }

  /** The module of users. */
  get slow(): string {
    return join(this.udfs, "slow.ts");
  }

  /** Writes the scan; another `seed` gives others of the same size, `marked` is the frame at which modules may fail. */
  async writeScan(seed = 1, marked?: number): Promise<void> {
    await writeScan(this.scan, seed, marked);
  }

  /** Starts a worker, with these variables, from this checkout or another one. */
  worker(env: Readonly<Record<string, string>> = {}, root = ROOT): Deno.ChildProcess {
    const cli = join(root, "src/cli/main.ts");
    const words = [cli, "worker", this.url, "--workers", "1", "--allow-modules", this.udfs, "--quiet"];
    return this.#spawn(words, env, root);
  }

  /** Starts a worker that is killed at a step of its first commit. */
  mortal(step: Step): Deno.ChildProcess {
    return this.#spawn([join(ROOT, "tests/cluster/faults/mortal_worker.ts"), step, this.url, this.udfs]);
  }

  /** Starts the coordinator of a run as a process of its own. */
  coordinator(asked: Asked, out: string): Deno.ChildProcess {
    return this.#spawn([
      join(ROOT, "src/cli/main.ts"),
      ...this.words(asked),
      "--engine",
      this.url,
      "-o",
      out,
    ]);
  }

  /** A store that nothing is in. */
  newStore(): string {
    return join(this.folder, `store${this.#runs++}`);
  }

  /** The words of a run. */
  words({ udfs, flags = [], store }: Asked): string[] {
    const where = ["--store", store ?? this.newStore()];
    return ["run", ...udfs, this.scan, "--partitions", "16", "--quiet", ...flags, ...where];
  }

  /** Runs on the engine, with the coordinator in this process. */
  async run(asked: Asked, terminal: Terminal = {}): Promise<Outcome & { digest: string }> {
    const out = join(this.folder, `out${this.#runs++}`);
    const outcome = await cli([...this.words(asked), "--engine", this.url, "-o", `${out}/`], terminal);
    return { ...outcome, digest: await digestOf(out) };
  }

  /** Filters an image. */
  async map(...flags: string[]): Promise<Outcome & { digest: string }> {
    const [image, out] = [join(this.folder, "image.npy"), join(this.folder, `out${this.#runs++}`)];
    await Deno.mkdir(out);
    const samples = Float32Array.from({ length: 600 * 70 }, (_, i) => (i * 7919) % 1013);
    await writeNpy(image, "<f4", [600, 70], new Uint8Array(samples.buffer));
    const words = ["map", "gaussian:sigma=1.5", image, "-o", join(out, "image.npy"), "--quiet", ...flags];
    return { ...await cli(words), digest: await digestOf(out) };
  }

  /** The digest of the same run without an engine and without a store. */
  async local(udfs: readonly string[]): Promise<string> {
    const out = join(this.folder, `out${this.#runs++}`);
    const words = ["run", ...udfs, this.scan, "--partitions", "16", "--workers", "0", "--quiet"];
    const { code, err } = await cli([...words, "-o", `${out}/`]);
    if (code !== 0) throw new Error(err);
    return await digestOf(out);
  }

  /** Waits until `count` parts are in a store. */
  async parts(store: string, count: number): Promise<void> {
    for (let i = 0; i < 3000; i++) {
      if (partsIn(store).length >= count) return;
      await new Promise((go) => setTimeout(go, 20));
    }
    throw new Error(`${store} has ${partsIn(store).length} parts after a minute, not ${count}`);
  }

  /** Ends the workers that a case has started, and empties the engine. */
  async idle(): Promise<void> {
    for (const child of this.#workers) await kill(child);
    await this.server.wipe();
  }

  /** Ends all workers. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#workers) await kill(child);
    await this.server[Symbol.asyncDispose]();
    await Deno.remove(this.folder, { recursive: true });
  }

  #spawn(
    words: readonly string[],
    env: Readonly<Record<string, string>> = {},
    root = ROOT,
  ): Deno.ChildProcess {
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", "--quiet", "--config", join(root, "deno.json"), ...words],
      env,
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    this.#workers.add(child);
    child.status.then(() => this.#workers.delete(child));
    return child;
  }
}

/** The names of the parts in a store. */
export function partsIn(store: string): string[] {
  try {
    return [...Deno.readDirSync(join(store, "parts"))].map(({ name }) => name).filter((name) =>
      !name.startsWith(".")
    );
  } catch {
    return [];
  }
}

/** Kills a process as a machine that loses power. */
export async function kill(child: Deno.ChildProcess): Promise<void> {
  try {
    child.kill("SIGCONT");
    child.kill("SIGKILL");
  } catch {
    // it has ended
  }
  await child.status;
}

/** SHA-256 of all arrays in a folder. */
export async function digestOf(folder: string): Promise<string> {
  try {
    const names = [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) =>
      name.endsWith(".npy")
    ).sort();
    const texts = await Promise.all(
      names.map(async (name) => `${name} ${await sha256(await Deno.readFile(join(folder, name)))}`),
    );
    return texts.join("\n") || "nothing";
  } catch {
    return "nothing";
  }
}
