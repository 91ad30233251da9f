/**
 * A Slurm of one node for tests: `munged`, `slurmctld` and `slurmd` of Debian's packages `munge`, `slurmctld` and `slurmd`, with
 * keys, sockets, ports and files of their own in a folder, beside a Slurm that may be there.
 *
 * It needs the rights of root, as `slurmd` starts tasks for users; it needs neither cgroups nor a data base.
 *
 * @module
 */

import { join } from "@std/path";
import { succeeds } from "../../installed.ts";

const DAEMONS = ["munged", "slurmctld", "slurmd"] as const;
/** What is asked of the daemons, to see whether they are installed. */
const VERSION = { munged: "--version", slurmctld: "-V", slurmd: "-V" } as const;

/** Whether Slurm is installed, and may be started. */
export function hasSlurm(): boolean {
  return Deno.build.os === "linux" && Deno.uid() === 0 && DAEMONS.every(isInstalled);
}

function isInstalled(name: typeof DAEMONS[number]): boolean {
  return succeeds(name, VERSION[name]);
}

/** A running Slurm. */
export class SlurmNode implements AsyncDisposable {
  readonly #daemons: Deno.ChildProcess[] = [];

  private constructor(readonly folder: string) {}

  /** Starts one whose tasks get `cores` cores in all, whatever the machine has. */
  static async start(cores = 3): Promise<SlurmNode> {
    const node = new SlurmNode(await Deno.makeTempDir({ prefix: "tilewise-slurm-" }));
    try {
      await node.#up(cores);
    } catch (error) {
      await node[Symbol.asyncDispose]();
      throw error;
    }
    return node;
  }

  /** What commands of Slurm need in their environment to find it. */
  get environment(): Record<string, string> {
    return { SLURM_CONF: join(this.folder, "slurm.conf") };
  }

  /** Runs a command of Slurm; what it writes. An error if it fails. */
  async command(name: string, ...args: string[]): Promise<string> {
    const { success, stdout, stderr } = await new Deno.Command(name, { args, env: this.environment })
      .output();
    const text = new TextDecoder().decode(stdout).trim();
    if (!success) throw new Error(`${name} ${args.join(" ")}: ${new TextDecoder().decode(stderr)}${text}`);
    return text;
  }

  /** Waits until no job is queued or runs. */
  async idle(seconds = 120): Promise<void> {
    await until(
      seconds,
      async () => await this.command("squeue", "--noheader") === "",
      () => this.#trouble(),
    );
  }

  /** The state of a task of an array, as `RUNNING`; `undefined` if it is not in the queue. */
  async stateOf(array: string, task: number): Promise<string | undefined> {
    const lines = await this.command("squeue", "--noheader", "--array", "--format=%F %K %T");
    const line = lines.split("\n").map((one) => one.split(" ")).find(([of, index]) =>
      of === array && index === `${task}`
    );
    return line?.[2];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#daemons.length === DAEMONS.length) {
      await this.command("scancel", "--full", "--signal=KILL", "--me").catch(() => {});
      await this.command("scancel", "--me").catch(() => {});
      await this.idle(20).catch(() => {});
    }
    for (const daemon of this.#daemons.toReversed()) {
      try {
        daemon.kill("SIGKILL");
      } catch {
        // it has ended
      }
      await daemon.status;
    }
    await Deno.remove(this.folder, { recursive: true });
  }

  async #up(cores: number): Promise<void> {
    for (const name of ["state", "spool"]) await Deno.mkdir(join(this.folder, name));
    await Deno.chmod(this.folder, 0o755);
    const at = (name: string) => join(this.folder, name);
    await Deno.writeFile(at("key"), crypto.getRandomValues(new Uint8Array(1024)), { mode: 0o600 });
    await Deno.writeTextFile(at("slurm.conf"), configuration(this.folder, cores));
    const files = ["socket", "pid-file", "log-file", "seed-file"].map((name) =>
      `--${name}=${at(`munged.${name}`)}`
    );
    this.#spawn("munged", ["--foreground", `--key-file=${at("key")}`, ...files]);
    await until(10, () => exists(at("munged.socket")), () => this.#trouble());
    this.#spawn("slurmctld", ["-D"]);
    await until(20, () => this.command("sinfo").then(() => true, () => false), () => this.#trouble());
    this.#spawn("slurmd", ["-D"]);
    const isIdle = async () => await this.command("sinfo", "--noheader", "--format=%T") === "idle";
    await until(20, isIdle, () => this.#trouble());
  }

  #spawn(name: string, args: string[]): void {
    const command = new Deno.Command(name, {
      args,
      env: this.environment,
      stdin: "null",
      stdout: "null",
      stderr: "null",
    });
    this.#daemons.push(command.spawn());
  }

  /** The last lines of the logs. */
  async #trouble(): Promise<string> {
    const logs = await Promise.all(DAEMONS.map(async (name) => {
      const text = await Deno.readTextFile(join(this.folder, `${name}.log-file`)).catch(() => "no log");
      return `${name}: ${text.split("\n").slice(-8).join("\n")}`;
    }));
    return logs.join("\n");
  }
}

/** The smallest configuration: one node, one partition, nothing accounted, processes found by their parents. */
function configuration(folder: string, cores: number): string {
  const host = Deno.hostname().split(".", 1)[0];
  const [controller, daemon] = [freePort(), freePort()];
  return `ClusterName=tilewise
SlurmctldHost=${host}(127.0.0.1)
SlurmctldPort=${controller}
SlurmdPort=${daemon}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=${folder}/munged.socket
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
ReturnToService=2
KillWait=2
SlurmdParameters=config_overrides
StateSaveLocation=${folder}/state
SlurmdSpoolDir=${folder}/spool
SlurmctldPidFile=${folder}/slurmctld.pid
SlurmdPidFile=${folder}/slurmd.pid
SlurmctldLogFile=${folder}/slurmctld.log-file
SlurmdLogFile=${folder}/slurmd.log-file
NodeName=${host} NodeAddr=127.0.0.1 CPUs=${cores} RealMemory=100000 State=UNKNOWN
PartitionName=all Nodes=${host} Default=YES MaxTime=INFINITE State=UP
`;
}

/** Waits for something, with a look every tenth of a second. */
export async function until(
  seconds: number,
  isTrue: () => Promise<boolean>,
  trouble: () => Promise<string> = () => Promise.resolve(""),
): Promise<void> {
  const end = performance.now() + 1000 * seconds;
  while (!await isTrue()) {
    if (performance.now() > end) throw new Error(`it has not come after ${seconds} s\n${await trouble()}`);
    await new Promise((go) => setTimeout(go, 100));
  }
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
