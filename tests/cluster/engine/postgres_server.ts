/**
 * A PostgreSQL server for tests: on a free port of this machine, with a password, in a folder of its own.
 *
 * @module
 */

import { join } from "@std/path";

/** The folder of `initdb` and `postgres`: on the path, or where Debian puts the newest ones; nothing if they are not installed. */
function programs(): string | undefined {
  const folders = (Deno.env.get("PATH") ?? "").split(":");
  try {
    const versions = [...Deno.readDirSync("/usr/lib/postgresql")].map(({ name }) => name);
    folders.push(...versions.sort().toReversed().map((version) => `/usr/lib/postgresql/${version}/bin`));
  } catch {
    // no Debian
  }
  const has = (folder: string, name: string) => {
    try {
      return Deno.statSync(join(folder, name)).isFile;
    } catch {
      return false;
    }
  };
  return folders.find((folder) => has(folder, "initdb") && has(folder, "postgres"));
}

/** Whether Debian's `postgresql`, or another one, is installed. */
export function hasPostgres(): boolean {
  return programs() !== undefined && (Deno.uid() !== 0 || userOf() !== undefined);
}

/** PostgreSQL does not run as root; then it is the user that Debian makes for it. */
function userOf(): readonly [uid: number, gid: number] | undefined {
  if (Deno.uid() !== 0) return undefined;
  const line = Deno.readTextFileSync("/etc/passwd").split("\n").find((one) => one.startsWith("postgres:"));
  const [, , uid, gid] = line?.split(":") ?? [];
  return uid === undefined || gid === undefined ? undefined : [Number(uid), Number(gid)];
}

/** A server that can be killed and started again. */
export class PostgresServer implements AsyncDisposable {
  #child: Deno.ChildProcess | undefined;

  private constructor(
    readonly port: number,
    readonly folder: string,
    readonly password: string,
    readonly programs: string,
  ) {}

  /** Starts one. */
  static async start(): Promise<PostgresServer> {
    const folder = await Deno.makeTempDir({ prefix: "tilewise-postgres-" });
    const server = new PostgresServer(freePort(), folder, crypto.randomUUID(), programs() ?? "");
    const user = userOf();
    if (user) await Deno.chown(folder, ...user);
    const file = join(folder, "password");
    await Deno.writeTextFile(file, server.password);
    const words = [
      "-D",
      join(folder, "data"),
      "-U",
      "lab",
      "--auth=scram-sha-256",
      `--pwfile=${file}`,
      "--no-sync",
    ];
    const { success, stderr } = await server.#command("initdb", [...words, "-E", "UTF8"]).output();
    if (!success) throw new Error(new TextDecoder().decode(stderr));
    await server.up();
    return server;
  }

  /** Its address, with password. */
  get url(): string {
    return `postgres://lab:${this.password}@127.0.0.1:${this.port}/postgres`;
  }

  /** Starts it, or starts it again with what its files have. */
  async up(): Promise<void> {
    const words = ["-D", join(this.folder, "data"), "-p", `${this.port}`, "-k", this.folder];
    this.#child = this.#command("postgres", [...words, "-c", "listen_addresses=127.0.0.1"]).spawn();
    void this.#child.output();
    for (let i = 0; i < 500 && !await this.#answers(); i++) await new Promise((go) => setTimeout(go, 20));
  }

  /** Ends it without a word to its clients: SIGQUIT, as SIGKILL leaves processes behind. */
  async kill(): Promise<void> {
    this.#child?.kill("SIGQUIT");
    await this.#child?.status;
    this.#child = undefined;
  }

  /** Empties it. */
  async wipe(): Promise<void> {
    await this.command("DROP SCHEMA IF EXISTS bullmq CASCADE");
  }

  /** Sends a command by `psql`. */
  async command(text: string): Promise<string> {
    const { stdout } = await new Deno.Command("psql", {
      args: ["-h", "127.0.0.1", "-p", `${this.port}`, "-U", "lab", "-d", "postgres", "-qtAc", text],
      env: { PGPASSWORD: this.password },
      stderr: "null",
    }).output();
    return new TextDecoder().decode(stdout).trim();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await Deno.remove(this.folder, { recursive: true });
  }

  #command(name: string, args: string[]): Deno.Command {
    const [uid, gid] = userOf() ?? [];
    const who = uid === undefined || gid === undefined ? {} : { uid, gid };
    const command = join(this.programs, name);
    return new Deno.Command(command, { args, cwd: this.folder, stdout: "null", stderr: "piped", ...who });
  }

  /** Whether it takes logins: a connection alone does not say that. */
  async #answers(): Promise<boolean> {
    return await this.command("SELECT 1") === "1";
  }
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
