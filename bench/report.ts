/**
 * `deno task bench --report`: writes `docs/benchmarks.md` and its plots from `bench/record/`. It measures nothing.
 *
 * Of each machine the newest rows count. A row is a piece of work at a number of cores: ours, and the fastest peer that had at most
 * as many. Rows in which the peer is faster stand first.
 *
 * @module
 */

import type { BenchRecord } from "./record.ts";
import { plot } from "./report_plot.ts";
import type { BenchRow } from "./timing.ts";

const ROOT = new URL("../", import.meta.url);

/** One piece of work at a number of cores. */
export interface Compared {
  /** What was done, such as `sum u16`. */
  readonly name: string;
  /** The cores that could be used. */
  readonly cores: number;
  /** Our fastest run. */
  readonly ours: BenchRow;
  /** The fastest run of any peer. */
  readonly peer: BenchRow;
  /** How many times faster ours is. */
  readonly ratio: number;
}

/** Which benches a table shows. */
interface Table {
  readonly title: string;
  readonly benches: RegExp;
  readonly says: string;
}

const TABLES: readonly Table[] = [
  {
    title: "Analyses of scans",
    benches: /^(udfs|analyses) (u16|f32|mib|disks)$/,
    says:
      "One pass over a scan of 1 GiB in the page cache (`--set core`, `--set analyses`). LiberTEM maps the " +
      "file and computes in place; it is shown with the executor that was fastest. NumPy has all samples in memory.",
  },
  {
    title: "Analyses of scans, mapped",
    benches: /^(udfs|analyses) (u16|f32|mib|disks), mapped$/,
    says: "The same where we map the file too (`--map`).",
  },
  {
    title: "Formats",
    benches: /^formats$/,
    says:
      "The sum of all frames (`sum`) and of each frame (`sumsig`) of one file of each format (`--set formats`).",
  },
  {
    title: "Decoding of tiles and chunks",
    benches: /^decode tiles$/,
    says: "One file of TIFF or Zarr, decoded into memory on one core (`--set decode`).",
  },
  {
    title: "Filters of images",
    benches: /^views filters$/,
    says: "An image of 8192 × 8192 samples (`--set views`).",
  },
  {
    title: "Labels and measurements",
    benches: /^views labels$/,
    says: "An image of 8192 × 8192 samples (`--set views`).",
  },
  {
    title: "The measurement equation",
    benches: /^predict$/,
    says: "Visibilities of point sources, in operations per second (`bench/rime/`).",
  },
];

const OURS = /^(simd|tilewise|tilewise f64, (dense|ragged))$/;
/** What is ours as well but was measured to compare with itself, and what is no program. */
const NEITHER = /^(limit|plain|by hand|tilewise .*|copy of the rows|reference)$/;

/** The rows of a bench that have a peer. */
export function compared(rows: readonly BenchRow[]): Compared[] {
  const works = new Map<string, { name: string; cores: number }>();
  for (const { name, by, workers } of rows) {
    const cores = Math.max(1, workers ?? 1);
    if (OURS.test(by ?? "")) works.set(`${name} ${cores}`, { name, cores });
  }
  return [...works.values()].flatMap(({ name, cores }) => {
    const fits = (row: BenchRow) => row.name === name && Math.max(1, row.workers ?? 1) <= cores;
    const ours = fastest(rows.filter((row) => fits(row) && OURS.test(row.by ?? "")));
    const peer = fastest(
      rows.filter((row) => fits(row) && !OURS.test(row.by ?? "") && !NEITHER.test(row.by ?? "")),
    );
    return ours && peer
      ? [{ name, cores, ours, peer, ratio: secondsPerUnit(peer) / secondsPerUnit(ours) }]
      : [];
  });
}

/** Seconds for one operation or byte; peers may have done less of the same work. */
function secondsPerUnit({ min, operations, bytes }: BenchRow): number {
  return min / (operations ?? bytes ?? 1);
}

function fastest(rows: readonly BenchRow[]): BenchRow | undefined {
  return rows.toSorted((a, b) => secondsPerUnit(a) - secondsPerUnit(b))[0];
}

/** The records, oldest first. */
export function records(folder: URL = new URL("bench/record/", ROOT)): BenchRecord[] {
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) =>
    name.endsWith(".json")
  );
  return names.sort().map((name) => JSON.parse(Deno.readTextFileSync(new URL(name, folder))) as BenchRecord);
}

/** A machine as its record names it. */
function machineName({ machine: { cpu, family } }: BenchRecord): string {
  return family === undefined ? cpu : `${cpu}, ${family}`;
}

/** What one machine measured for one table. */
interface Section {
  readonly record: BenchRecord;
  readonly rows: readonly Compared[];
}

/** The newest rows of every machine. */
function sections({ benches }: Table, all: readonly BenchRecord[]): Section[] {
  const found = new Map<string, Section>();
  for (const record of all) {
    const names = Object.keys(record.benches).filter((name) => benches.test(name));
    const rows = names.flatMap((name) => compared(record.benches[name]!));
    if (rows.length > 0) {
      found.set(machineName(record), {
        record,
        rows: rows.toSorted((a, b) => a.ratio - b.ratio),
      });
    }
  }
  return [...found.values()];
}

/** The page, and its plots by path. */
export function report(
  all: readonly BenchRecord[],
): { readonly page: string; readonly plots: Map<string, string> } {
  const plots = new Map<string, string>();
  const texts = TABLES.flatMap((table) => {
    const parts = sections(table, all).map(({ record, rows }, s) => {
      const path = `images/bench-${slug(table.title)}-${s + 1}.svg`;
      plots.set(path, plot(rows));
      return sectionText({ record, rows }, path);
    });
    return parts.length === 0 ? [] : [`## ${table.title}\n\n${table.says}\n\n${parts.join("\n")}`];
  });
  return { page: [HEAD, ...texts].join("\n"), plots };
}

function slug(title: string): string {
  return title.toLowerCase().replace(/\W+/g, "-");
}

const HEAD = `# Benchmarks

<!-- Written by \`deno task bench --report\` from bench/record/. -->

Every table is one run in which the results were compared before anything was timed: the fastest of several runs of
us and of the fastest peer at as many cores, in the page cache unless it says otherwise. **Rows in which we lose stand
first.** A ratio is the peer's time by ours; below 1 the peer is faster. Read a difference of less than 15 % as none:
these are machines that others use as well. The limits of the machine (copies of memory, reads of the page cache) are
measured in the same run and stand in the record.

\`deno task bench --quick\` measures a few rows on your machine in three minutes; [CONTRIBUTING](../CONTRIBUTING.md)
has the others.
`;

function sectionText({ record, rows }: Section, path: string): string {
  const { machine, date } = record;
  const [lost, twice] = [rows.filter(({ ratio }) => ratio < 1), rows.filter(({ ratio }) => ratio >= 2)];
  const head = `### ${machineName(record)}\n\n${machine.cores} cores, ${machine.caches.join(", ")}, ` +
    `${machine.memory} GiB; ${machine.runtime}; ${date}. Of ${rows.length} rows we are faster in ` +
    `${rows.length - lost.length}, at least twice as fast in ${twice.length}.`;
  const table = rows.map(({ name, cores, ours, peer, ratio }) =>
    `| ${[name, cores, speed(ours), speed(peer), peerName(peer), ratio.toFixed(2)].join(" | ")} |`
  );
  const titles =
    "| work | cores | Tilewise | peer | which | ratio |\n| --- | ---: | ---: | ---: | --- | ---: |";
  const picture = `![How many times faster each row is than the fastest peer](${path})`;
  return `${head}\n\n${picture}\n\n<details><summary>All rows</summary>\n\n${titles}\n${
    table.join("\n")
  }\n\n</details>\n`;
}

function speed({ min, bytes, operations }: BenchRow): string {
  if (operations !== undefined) return `${(operations / min / 1e9).toFixed(2)} GFLOP/s`;
  if (bytes !== undefined && bytes > 2 ** 22) return `${(bytes / min / 1e9).toFixed(2)} GB/s`;
  return `${(min * 1e3).toPrecision(3)} ms`;
}

function peerName({ by, executor, version }: BenchRow): string {
  return [by, version, executor].filter((word) => typeof word === "string").join(" ");
}

/** Writes the page and its plots. */
export async function writeReport(): Promise<void> {
  const { page, plots } = report(records());
  for (const [path, svg] of plots) await Deno.writeTextFile(new URL(`docs/${path}`, ROOT), svg);
  await Deno.writeTextFile(new URL("docs/benchmarks.md", ROOT), page);
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: ["fmt", "--quiet", "docs/benchmarks.md"],
    cwd: ROOT,
  }).output();
  if (!success) throw new Error("Cannot format docs/benchmarks.md");
}
