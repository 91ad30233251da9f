/**
 * Two Redis servers and a sentinel: the master is killed, and the replica takes over.
 *
 * @module
 */

import { join } from "@std/path";
import { cli } from "../../cli/harness.ts";
import type { Case } from "./cases.ts";
import { digestOf, kill, type Lab } from "./lab.ts";

const pause = (milliseconds: number) => new Promise<void>((go) => setTimeout(go, milliseconds));

/** Servers of a group. */
class Group implements AsyncDisposable {
  readonly #children: Deno.ChildProcess[] = [];
  readonly ports = [freePort(), freePort(), freePort()] as const;

  /** Starts them in folders below `folder`. */
  async start(folder: string): Promise<void> {
    const [master, replica, sentinel] = this.ports;
    await this.#server(join(folder, "master"), ["--port", `${master}`]);
    await this.#server(join(folder, "replica"), [
      "--port",
      `${replica}`,
      "--replicaof",
      `127.0.0.1 ${master}`,
    ]);
    await Deno.writeTextFile(
      join(folder, "sentinel.conf"),
      [
        `port ${sentinel}`,
        "bind 127.0.0.1",
        "requirepass secret",
        `sentinel monitor lab 127.0.0.1 ${master} 1`,
        "sentinel auth-pass lab secret",
        // a busy machine makes a sentinel rest for 30 s; it takes replicas that have lost their master ten times as long as this
        "sentinel down-after-milliseconds lab 4000",
        "sentinel failover-timeout lab 5000",
      ].join("\n"),
    );
    this.#spawn([join(folder, "sentinel.conf"), "--sentinel"]);
    await pause(12_000); // until the replica has a copy, and the sentinel has asked for replicas again
  }

  /** Kills the master. */
  async killMaster(): Promise<void> {
    await kill(this.#children[0]!);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#children) await kill(child);
  }

  async #server(folder: string, more: readonly string[]): Promise<void> {
    await Deno.mkdir(folder);
    const login = ["--requirepass", "secret", "--masterauth", "secret"];
    this.#spawn([
      "--bind",
      "127.0.0.1",
      ...login,
      "--appendonly",
      "yes",
      "--repl-diskless-sync-delay",
      "0",
      "--dir",
      folder,
      ...more,
    ]);
  }

  #spawn(args: string[]): void {
    this.#children.push(new Deno.Command("redis-server", { args, stdout: "null", stderr: "null" }).spawn());
  }
}

/** The case. */
export const FAIL_OVER: Case = {
  name: "Redis fails over to its replica",
  workers: 0,
  async run(lab: Lab) {
    const folder = lab.newStore();
    await Deno.mkdir(folder);
    await using group = new Group();
    await group.start(folder);
    const url = `redis+sentinel://:secret@127.0.0.1:${group.ports[2]}/lab?lock=2&check=0.5`;
    const stop = new AbortController();
    const worker = cli(["worker", url, "--workers", "1", "--allow-modules", lab.udfs], {
      signal: stop.signal,
    });
    const udfs = [`${lab.slow}:ms=20`, "stddev"];
    const store = join(folder, "store");
    const run = cli([...lab.words({ udfs, store }), "--engine", url, "-o", join(folder, "out/")]);
    await lab.parts(store, 2);
    await group.killMaster();
    const { code, err } = await run;
    stop.abort();
    await worker;
    if (code !== 0) return err;
    const local = await lab.local([`${lab.slow}:ms=0`, "stddev"]);
    return await digestOf(join(folder, "out")) === local ? undefined : "other bits";
  },
};

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
