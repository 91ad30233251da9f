/**
 * Keeps what a bench measured, one file a day and kind of processor, so that later runs can be compared.
 *
 * @module
 */

import { cpus } from "node:os";
import type { BenchRow } from "./timing.ts";

/** What a figure depends on besides the code; nothing that names the machine. */
export interface MachineFacts {
  /** The processor's name. */
  readonly cpu: string;
  /** Its cores that this system sees. */
  readonly cores: number;
  /** Family and model, where the system tells. */
  readonly family?: string;
  /** Caches of one core, such as `L1d 32K`. */
  readonly caches: readonly string[];
  /** Memory in GiB. */
  readonly memory: number;
  /** Deno and V8. */
  readonly runtime: string;
}

/** One file of the record. */
export interface BenchRecord {
  /** The day, ISO 8601. */
  readonly date: string;
  /** What it ran on. */
  readonly machine: MachineFacts;
  /** Rows by the name of the bench. */
  readonly benches: Record<string, readonly BenchRow[]>;
}

/** The facts of this machine. */
export function machineFacts(): MachineFacts {
  const list = cpus();
  const family = familyAndModel();
  return {
    cpu: list[0]?.model.trim() ?? "unknown",
    cores: list.length,
    ...(family === undefined ? {} : { family }),
    caches: caches(),
    memory: Math.round(Deno.systemMemoryInfo().total / 2 ** 30),
    runtime: `Deno ${Deno.version.deno}, V8 ${Deno.version.v8}`,
  };
}

/** Options of {@link record}. */
export interface RecordOptions {
  /** Where the files are. Default: `bench/record/`. */
  readonly folder?: URL;
  /** Whether earlier rows of other names stay in the bench. Default false: the rows are all there is. */
  readonly partial?: boolean;
}

/** Puts `rows` under `name` into today's file and gives its path; other benches in it stay. */
export async function record(
  name: string,
  rows: readonly BenchRow[],
  { folder = new URL("./record/", import.meta.url), partial = false }: RecordOptions = {},
): Promise<URL> {
  const machine = machineFacts();
  const date = new Date().toISOString().slice(0, 10);
  const file = new URL(`${date}-${slug(machine.cpu)}.json`, folder);
  await Deno.mkdir(folder, { recursive: true });
  const before = JSON.parse((await readText(file)) ?? "{}") as Partial<BenchRecord>;
  const others = (before.benches?.[name] ?? []).filter((old) => !rows.some((row) => row.name === old.name));
  const benches = { ...before.benches, [name]: [...partial ? others : [], ...rows.map(shorten)] };
  await Deno.writeTextFile(
    file,
    JSON.stringify({ date, machine, benches } satisfies BenchRecord, null, 1) + "\n",
  );
  return file;
}

/** Samples to five significant digits: the clock knows no more, and the files stay readable. */
function shorten(row: BenchRow): BenchRow {
  const short = (seconds: number) => Number(seconds.toPrecision(5));
  return { ...row, min: short(row.min), p75: short(row.p75), samples: row.samples.map(short) };
}

function slug(name: string): string {
  return name.toLowerCase().replace(/\(.*?\)/g, "").replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
}

function familyAndModel(): string | undefined {
  const text = systemText("/proc/cpuinfo");
  const field = (key: string) => text?.match(new RegExp(`^${key}\\s*: (.*)$`, "m"))?.[1];
  const [family, model] = [field("cpu family"), field("model")];
  return family && model ? `family ${family} model ${model}` : undefined;
}

function caches(): string[] {
  const found: string[] = [];
  for (let i = 0; i < 8; i++) {
    const folder = `/sys/devices/system/cpu/cpu0/cache/index${i}`;
    const [level, type, size] = ["level", "type", "size"].map((f) => systemText(`${folder}/${f}`)?.trim());
    if (level && size) {
      found.push(`L${level}${type === "Data" ? "d" : type === "Instruction" ? "i" : ""} ${size}`);
    }
  }
  return found;
}

/** A file of the system, or nothing on systems that have no such file. */
function systemText(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return undefined;
  }
}

async function readText(file: URL): Promise<string | undefined> {
  try {
    return await Deno.readTextFile(file);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
