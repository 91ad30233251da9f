/**
 * The verbs that need a server beside them, as the package has them: `worker`, `status` and `cancel` with a Redis server, and `view`.
 *
 * @module
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { withoutToken } from "../../web/served/served.ts";
import { hasRedis, RedisServer } from "../cluster/engine/redis_server.ts";

/** The verbs. */
export const WITH_SERVERS = ["worker", "status", "cancel", "view"];

/**
 * Throws unless they do what they should, in the folder of a user, who has a frame there as `frame.npy`, and in `out/` what the
 * words of `analyses` have computed.
 */
export async function served(
  command: readonly string[],
  analyses: readonly string[],
  folder: string,
): Promise<void> {
  const user = new User(command, folder);
  await viewed(user);
  if (!hasRedis()) return;
  await using server = await RedisServer.start();
  await onEngine(user, analyses, server.url);
}

/** What came of a command: its exit status, the objects that it printed, and what it said beside them. */
interface Ended {
  readonly code: number;
  readonly lines: readonly Record<string, unknown>[];
  readonly err: string;
}

/** Somebody who types commands in a folder. */
class User {
  constructor(readonly command: readonly string[], readonly folder: string) {}

  /** Starts a command, which a signal ends as a terminal does. */
  start(words: readonly string[], signal?: AbortSignal): Deno.ChildProcess {
    const [path, ...args] = [...this.command, ...words, "--json"];
    const options = { args, cwd: this.folder, stdout: "piped", stderr: "piped" } as const;
    const child = new Deno.Command(path!, options).spawn();
    const end = () => child.kill("SIGTERM");
    signal?.addEventListener("abort", end);
    child.status.then(() => signal?.removeEventListener("abort", end));
    return child;
  }

  /** The objects that a command prints, and its exit status. */
  async ended(child: Deno.ChildProcess): Promise<Ended> {
    const { code, stdout, stderr } = await child.output();
    const out = new TextDecoder().decode(stdout).trim();
    const lines = out === "" ? [] : out.split("\n").map((line) => JSON.parse(line));
    return { code, lines, err: new TextDecoder().decode(stderr) };
  }

  run(...words: string[]): Promise<Ended> {
    return this.ended(this.start(words));
  }
}

/** Computes a run with a UDF and a kernel of the user by a worker, and cancels another that nobody computes. */
async function onEngine(user: User, analyses: readonly string[], url: string): Promise<void> {
  const words = ["run", ...analyses, "--engine", url];
  const ending = new AbortController();
  const worker = user.ended(
    user.start(["worker", url, "--allow-modules", ".", "--workers", "2"], ending.signal),
  );
  const run = await user.run(...words, "--store", "dir:parts-by-worker", "-o", "by-worker/");
  ending.abort();
  const { code, lines, err } = await worker;
  assertEquals([run.code, code], [0, 0], `${JSON.stringify(run.lines)}\n${JSON.stringify(lines)}\n${err}`);
  for (const name of ["sum", "stddev-std", "own_kernel", "own_udf"]) {
    const [one, other] = await Promise.all(
      ["by-worker", "out"].map((place) => Deno.readFile(`${user.folder}/${place}/${name}.npy`)),
    );
    assertEquals(one, other, name);
  }
  await cancelled(user, words, url);
}

/** What a run that is cancelled says, and what `status` says of it before. */
async function cancelled(user: User, words: readonly string[], url: string): Promise<void> {
  const waiting = user.start([...words, "--store", "dir:parts-cancelled", "-o", "cancelled/"]);
  const seen = await listed(user, url);
  assertEquals(seen["state"], "running");
  assert(String(seen["title"]).startsWith(words.slice(1, 6).join(" ")), String(seen["title"]));
  const cancel = await user.run("cancel", url, String(seen["run"]));
  const { code } = await user.ended(waiting);
  assertEquals([cancel.code, code], [0, 1]);
}

/** The run that waits on an engine, once it is there. */
async function listed(user: User, url: string): Promise<Record<string, unknown>> {
  for (let i = 0; i < 100; i++) { // each of them is a process, so that nothing is waited for by the clock
    const { lines } = await user.run("status", url);
    const run = lines.find((line) => line["done"] === 0);
    if (run) return run;
  }
  throw new Error("the run is not on the engine");
}

/** What the page gets of a source, until Ctrl-C. */
async function viewed(user: User): Promise<void> {
  const viewing = user.start(["view", "frame.npy"]);
  const reader = viewing.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let out = "";
  while (!out.includes("\n")) {
    const { value, done } = await reader.read();
    if (done) throw new Error(new TextDecoder().decode(await new Response(viewing.stderr).bytes()));
    out += value;
  }
  const { origin, hash } = new URL(JSON.parse(out)["url"]);
  const headers = { authorization: `Bearer ${withoutToken(hash).token}` };
  const page = await (await fetch(origin)).text();
  assertMatch(page, /name="tilewise-served"/);
  const { sources } = await (await fetch(`${origin}/data/sources.json`, { headers })).json();
  const bytes = await (await fetch(`${origin}/data/0/frame.npy`, { headers })).bytes();
  assertEquals(bytes, await Deno.readFile(`${user.folder}/frame.npy`));
  viewing.kill("SIGINT");
  await Promise.all([reader.cancel(), viewing.stderr.cancel()]);
  assertEquals([sources.length, (await viewing.status).code], [1, 0]);
}
