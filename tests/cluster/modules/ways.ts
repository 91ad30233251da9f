/**
 * The ways in which code of users is run by somebody else than the one who wrote it.
 *
 * @module
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { storeCube } from "../../../src/cluster/shards/create.ts";
import { computeInto } from "../../../src/cluster/shards/compute.ts";
import { mergeRun } from "../../../src/cluster/shards/merge.ts";
import { readyRun } from "../../../src/cluster/shards/ready.ts";
import { readManifest, type StoredRun } from "../../../src/cluster/manifest/read.ts";
import { workOf } from "../../../src/cluster/manifest/work.ts";
import { openStore } from "../../../src/cluster/store/open.ts";
import type { PartStore } from "../../../src/cluster/store/store.ts";
import type { Context } from "../../../src/runner/context.ts";
import type { NDArray } from "../../../src/space/ndarray.ts";
import { moduleUrl } from "../../../src/cli/shell/module_url.ts";
import { cli } from "../../cli/harness.ts";
import type { Subject } from "./subjects.ts";

/** Computes all parts of a stored run by workers that allow modules below a URL; refused: with their reason. */
export type Workers = (store: PartStore, run: StoredRun, allow: readonly string[]) => Promise<void>;

/** A subject, and where it runs. */
export interface Ground {
  /** The code. */
  readonly subject: Subject;
  /** Its folder. */
  readonly folder: string;
  /** Memory and threads. */
  readonly context: Context;
  /** Workers of an engine. */
  readonly workers: Workers;
}

/** A way to run code: the bytes that come out. */
type Way = (ground: Ground) => Promise<Uint8Array>;

const FLAGS = ["--workers", "0", "--quiet"];

/** Runs a command, which must succeed; scripts say how many workers they want. */
async function must(words: readonly string[]): Promise<void> {
  const { code, err } = await cli(words.includes("--workers") ? words : [...words, ...FLAGS]);
  assertEquals(code, 0, `${words.join(" ")}\n${err}`);
}

/** The command with an output of its own. */
async function written(name: string, { subject, folder }: Ground): Promise<string> {
  await must([...subject.words!, "-o", `${folder}/${name}/a.npy`]);
  return `${folder}/${name}`;
}

async function merged(store: string, { folder, subject: { module } }: Ground): Promise<Uint8Array> {
  const out = `${folder}/merged.npy`;
  await must(["merge", store, "-o", out, `--allow-modules=${module}`]);
  return await Deno.readFile(out);
}

/** Puts a command into a store, and nothing else: its last shard of so many has no parts. */
async function planned(name: string, { subject, folder }: Ground): Promise<string> {
  const store = `${folder}/${name}`;
  await must([...subject.words!, "--store", store, "--shard", "999/999"]);
  return store;
}

/** The ways of commands. The first one is on one machine, by whoever wrote the code. */
const COMMANDS: Readonly<Record<string, Way>> = {
  async "on one machine"(ground) {
    return await Deno.readFile(`${await written("local", ground)}/a.npy`);
  },
  async "replayed"(ground) {
    const folder = await written("again", ground);
    const replay = ["replay", `${folder}/a.run.json`];
    const { code, err } = await cli([...replay, ...FLAGS]);
    assertEquals(code, 1, err);
    assertMatch(err, /permission.*allow-modules/);
    await must([...replay, `--allow-modules=${ground.subject.module}`]);
    return await Deno.readFile(`${folder}/a.npy`);
  },
  async "in shards, merged"(ground) {
    const { subject: { words, listed }, folder } = ground;
    const store = `${folder}/shards`;
    for (const shard of ["2/2", "1/2"]) await must([...words!, "--store", store, "--shard", shard]);
    const { manifest } = await readManifest(await openStore(store));
    assertEquals(manifest.modules.map(({ url }) => url.replace(/^file:.*\//, "")).sort(), listed);
    return await merged(store, ground);
  },
  async "by the script of submit"({ subject: { words }, folder }) {
    const out = `${folder}/submitted.npy`;
    const store = ["--store", `${folder}/submitted`];
    const asked = ["submit", "slurm", ...words!, ...store, "--shards", "2", "-o", out];
    const script = await cli(asked);
    assertEquals(script.code, 0, script.err);
    const lines = [...script.out.matchAll(/^exec tilewise (.*)$/gm)].map(([, line = ""]) => typed(line));
    assertEquals(lines.length, 2);
    const [shard = [], merge = []] = lines;
    for (const one of ["1/2", "2/2"]) await must(shard.map((word) => word === "auto" ? one : word));
    await must(merge);
    return await Deno.readFile(out);
  },
  async "by workers that allow it"(ground) {
    const url = await planned("engine", ground);
    const store = await openStore(url);
    await ground.workers(store, await readManifest(store), [
      new URL(".", moduleUrl(ground.subject.module)).href,
    ]);
    return await merged(url, ground);
  },
};

/** The words of a line for the shell, which has quotes around words at most. */
function typed(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
}

/** The ways of cubes, which programs plan. */
const CUBES: Readonly<Record<string, Way>> = {
  async "on one machine"(ground) {
    const [store, run] = await cube("local", ground);
    return await computed(store, run, ground);
  },
  async "in shards, merged"(ground) {
    const [store, { manifest }] = await cube("shards", ground);
    assertEquals(
      manifest.modules.map(({ url }) => url.replace(/^file:.*\//, "")).sort(),
      ground.subject.listed,
    );
    for (const unit of workOf(manifest).units.toReversed()) {
      await using run = await readyRun(store, { context: ground.context });
      await computeInto(store, run, unit);
    }
    return await mergedCube(store, ground);
  },
  async "by workers that allow it"(ground) {
    const [store, run] = await cube("engine", ground);
    await ground.workers(store, run, [new URL(".", moduleUrl(ground.subject.module)).href]);
    return await mergedCube(store, ground);
  },
};

async function cube(name: string, { subject, folder, context }: Ground): Promise<[PartStore, StoredRun]> {
  const store = await openStore(`${folder}/${name}`);
  return [store, await storeCube(store, moduleUrl(subject.module), { export: "rows", context })];
}

async function computed(store: PartStore, { manifest }: StoredRun, ground: Ground): Promise<Uint8Array> {
  await using run = await readyRun(store, { context: ground.context });
  for (const unit of workOf(manifest).units) await computeInto(store, run, unit);
  return await mergedCube(store, ground);
}

async function mergedCube(store: PartStore, { context }: Ground): Promise<Uint8Array> {
  await using run = await readyRun(store, { context });
  const { rows } = await mergeRun(store, run) as Record<string, NDArray>;
  assert(rows);
  return new Uint8Array(rows.data.buffer);
}

/** Runs a subject on every way: the bytes are the same. */
export async function onEveryWay(ground: Ground): Promise<void> {
  const [[, first], ...others] = Object.entries(ground.subject.words ? COMMANDS : CUBES) as [
    [string, Way],
    ...[string, Way][],
  ];
  const expected = await first(ground);
  assert(expected.length > 0);
  for (const [way, run] of others) assertEquals(await run(ground), expected, way);
}
