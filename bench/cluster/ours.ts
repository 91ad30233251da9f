/**
 * Tilewise on workers of this machine: an engine on Redis, and shards.
 *
 * @module
 */

import { fromFileUrl, join } from "@std/path";
import { RedisServer } from "../../tests/cluster/engine/redis_server.ts";
import { main } from "../../src/cli/main.ts";
import type { CliIo } from "../../src/cli/shell/io.ts";
import { readNpy } from "../files.ts";

const ROOT = fromFileUrl(new URL("../../", import.meta.url));
const UDF = join(ROOT, "bench/cluster/slow_sum.ts");

/** The work by name: words of the command line, and the file whose sum is compared. */
export const WORKS: Readonly<Record<string, readonly [udf: string, result: string]>> = {
  sum: ["sum", "sum"],
  ring: ["annular:cy=126.5,cx=130,ri=60,ro=100", "annular"],
};

/** What was measured. */
export interface Measured {
  readonly seconds: number;
  /** The sum of the result. */
  readonly check?: number;
  readonly error?: string;
}

/** Where the scan is, and what computes. */
export interface OursOptions {
  readonly path: string;
  readonly shape: readonly number[];
  readonly workers: number;
  readonly folder: string;
}

/** A command of ours in this process, whose code is loaded. */
async function call(words: readonly string[]): Promise<Pick<Deno.CommandOutput, "success" | "stderr">> {
  const said: string[] = [];
  const io: CliIo = {
    out: () => {},
    err: (text) => said.push(text),
    outIsTerminal: false,
    errIsTerminal: false,
    colour: false,
    columns: 80,
    signal: new AbortController().signal,
  };
  const success = await main(words, io) === 0;
  return { success, stderr: new TextEncoder().encode(said.join("")) };
}

/** A command of ours as a process. */
function start(words: readonly string[]): Deno.ChildProcess {
  const cli = [
    "run",
    "-A",
    "--no-check",
    "--quiet",
    "--config",
    join(ROOT, "deno.json"),
    join(ROOT, "src/cli/main.ts"),
  ];
  const command = new Deno.Command(Deno.execPath(), {
    args: [...cli, ...words],
    stdout: "null",
    stderr: "piped",
  });
  return command.spawn();
}

/** Processes with one thread each that compute for whoever asks. */
export class Ours implements AsyncDisposable {
  #runs = 0;
  readonly #workers: Deno.ChildProcess[] = [];

  private constructor(readonly options: OursOptions, readonly server: RedisServer) {}

  /** Starts Redis. */
  static async open(options: OursOptions): Promise<Ours> {
    return new Ours(options, await RedisServer.start());
  }

  /** Starts the workers; ends earlier ones. */
  async restart(): Promise<Deno.ChildProcess[]> {
    await this.#end();
    const words = ["worker", this.server.url, "--workers", "1", "--allow-modules", UDF, "--quiet"];
    for (let i = 0; i < this.options.workers; i++) this.#workers.push(start(words));
    await this.onEngine("sum"); // they are warm after that
    return this.#workers;
  }

  /** A run on the engine, from the call of its coordinator to its files. */
  async onEngine(work: string, milliseconds = 0): Promise<Measured> {
    const { store, out } = await this.#places();
    const words = this.#words(work, milliseconds, ["--engine", this.server.url, "--store", store, "-o", out]);
    return await this.#timed(work, milliseconds, out, () => call(words));
  }

  /** A run on one machine with as many threads as there are workers. */
  async local(work: string): Promise<Measured> {
    const { out } = await this.#places();
    const words = this.#words(work, 0, ["--workers", `${this.options.workers}`, "-o", out]);
    return await this.#timed(work, 0, out, () => call(words));
  }

  /** A shard per worker, started at once, and the merge; a second time with `again`, as after a failure. */
  async inShards(
    work: string,
    milliseconds = 0,
    happen?: (shards: readonly Deno.ChildProcess[]) => void,
  ): Promise<Measured> {
    const { store, out } = await this.#places();
    const { workers } = this.options;
    const started = performance.now();
    for (let round = 0; round < 2; round++) {
      const shards = Array.from({ length: workers }, (_, i) => {
        const more = ["--store", store, "--shard", `${i + 1}/${workers}`, "--workers", "1"];
        return start(this.#words(work, milliseconds, more));
      });
      if (round === 0) happen?.(shards);
      const ends = await Promise.all(shards.map((shard) => shard.output()));
      if (ends.every(({ success }) => success)) break;
    }
    const merge = ["merge", store, "-o", out, `--allow-modules=${UDF}`, "--quiet"];
    return await this.#timed(work, milliseconds, out, () => start(merge).output(), started);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end();
    await this.server[Symbol.asyncDispose]();
  }

  #words(work: string, milliseconds: number, more: readonly string[]): string[] {
    const { path, shape } = this.options;
    const udf = milliseconds > 0 ? `${UDF}:ms=${milliseconds}` : WORKS[work]?.[0] ?? work;
    const source = [path, "--format", "raw", "--dtype", "uint16", "--nav", shape.slice(0, 2).join("x")];
    return ["run", udf, ...source, "--sig", shape.slice(2).join("x"), "--quiet", ...more];
  }

  async #places(): Promise<{ store: string; out: string }> {
    const folder = join(this.options.folder, `run${this.#runs++}`);
    await Deno.mkdir(folder);
    return { store: join(folder, "store"), out: `${join(folder, "out")}/` };
  }

  async #timed(
    name: string,
    milliseconds: number,
    out: string,
    work: () => Promise<Pick<Deno.CommandOutput, "success" | "stderr">>,
    started: number = performance.now(),
  ): Promise<Measured> {
    const { success, stderr } = await work();
    const seconds = (performance.now() - started) / 1000;
    if (!success) return { seconds, error: new TextDecoder().decode(stderr).trim().slice(0, 200) };
    const result = milliseconds > 0 ? "slow_sum" : WORKS[name]?.[1] ?? name;
    const { data } = readNpy(join(out, `${result}.npy`)) ?? { data: [] };
    let check = 0;
    for (const value of data) check += Number(value);
    return { seconds, check };
  }

  async #end(): Promise<void> {
    for (const worker of this.#workers.splice(0)) {
      try {
        worker.kill("SIGCONT");
        worker.kill("SIGKILL");
      } catch {
        // it has ended
      }
      await worker.output();
    }
    await this.server.command("FLUSHALL");
  }
}
