/**
 * A Redis server for tests: on a free port of this machine, with a password, in a folder of its own.
 *
 * @module
 */

import { join } from "@std/path";
import { succeeds } from "../../installed.ts";

/** Whether Debian's `redis-server`, or another one, is installed. */
export function hasRedis(): boolean {
  return succeeds("redis-server", "--version");
}

/** A server that can be killed and started again. */
export class RedisServer implements AsyncDisposable {
  #child: Deno.ChildProcess | undefined;

  private constructor(readonly port: number, readonly folder: string, readonly password: string) {}

  /** Starts one. */
  static async start(): Promise<RedisServer> {
    const server = new RedisServer(freePort(), await Deno.makeTempDir(), crypto.randomUUID());
    await server.up();
    return server;
  }

  /** Its address, with password. */
  get url(): string {
    return `redis://:${this.password}@127.0.0.1:${this.port}`;
  }

  /** Starts it again, with what its append-only file has. */
  async up(): Promise<void> {
    const args = ["--port", `${this.port}`, "--bind", "127.0.0.1", "--requirepass", this.password];
    const files = ["--dir", this.folder, "--appendonly", "yes", "--appendfsync", "always", "--save", ""];
    const log = ["--logfile", join(this.folder, "log")];
    this.#child = new Deno.Command("redis-server", {
      args: [...args, ...files, ...log, "--maxmemory-policy", "noeviction"],
      stdout: "null",
      stderr: "null",
    }).spawn();
    for (let i = 0; i < 500 && !await answers(this.port); i++) await new Promise((go) => setTimeout(go, 20));
  }

  /** Ends it as a loss of power does. */
  async kill(): Promise<void> {
    this.#child?.kill("SIGKILL");
    await this.#child?.status;
    this.#child = undefined;
  }

  /** Empties it. */
  async wipe(): Promise<void> {
    await this.command("FLUSHALL");
  }

  /** Sends a command by `redis-cli`. */
  async command(...args: string[]): Promise<string> {
    const { stdout } = await new Deno.Command("redis-cli", {
      args: ["-p", `${this.port}`, ...args],
      env: { REDISCLI_AUTH: this.password },
    }).output();
    return new TextDecoder().decode(stdout).trim();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await Deno.remove(this.folder, { recursive: true });
  }
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

async function answers(port: number): Promise<boolean> {
  try {
    using _connection = await Deno.connect({ hostname: "127.0.0.1", port });
    return true;
  } catch {
    return false;
  }
}
