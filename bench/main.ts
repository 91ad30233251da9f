/**
 * `deno task bench`: the machine's limits, the peers and Tilewise in one run, results compared before they are timed.
 *
 * ```sh
 * deno task bench --quick       # some rows in three minutes
 * deno task bench --report      # writes docs/benchmarks.md from what is recorded
 * deno task bench [--set core|analyses|formats|views|decode|channels] [--data u16,f32,mib,tiny,disks] [--frames N] [--workloads sum,com] [--repeats N]
 *   [--no-peers] [--no-limits] [--record] [--kernels] [--first-use] [--map] [--executors inline,threads] [--venv FOLDER]
 *   [--sections labels] [--side N] [--python PROGRAM]
 * ```
 *
 * `--set analyses` is everything that LiberTEM and LiberTEM-blobfinder compute as well; it takes ten minutes. `--set
 * formats` decodes a file of each format, `--formats k2is,tvips` those; it takes ten minutes and 7 GiB. `--set views` is
 * filters, labels and the views themselves, `--set decode` what decodes tiles and chunks, `--set channels` the calls of
 * kernels, `--sections` some of them; their peers are run by `--python`, which has the packages that the scripts in
 * `bench/peers/` name. `--kernels` (in the caches) and `--first-use` run those benches first; with `--data none` alone.
 * `--record` keeps the rows in `bench/record/`; of `--workloads`, beside those of the others. It ends with 1 where results
 * differ from those of the peer.
 *
 * @module
 */

import type { Results } from "@tilewise/tilewise";
import { inOneLine, mustBeOneOf } from "../assembly/task.ts";
import { type Arguments, readArguments } from "./arguments.ts";
import { bzip2Rows, bzip2Table } from "./kernels/bzip2_bench.ts";
import { compareWithPeer, show } from "./compare.ts";
import { type BenchData, benchData, type DataKind } from "./data.ts";
import { benchFormats } from "./formats/main.ts";
import { firstUseRows, firstUseTable } from "./start_up/first_use.ts";
import { KERNEL_HEAD, kernelBench, kernelBenchRows, kernelLine } from "./kernels/kernels_bench.ts";
import { type LimitRow, limits } from "./limits.ts";
import { benchAux } from "./masks.ts";
import { bestPeer, type PeerRow, runPeers } from "./peers/run.ts";
import { hasPeers } from "./peers/setup.ts";
import { record } from "./record.ts";
import { writeReport } from "./report.ts";
import { benchSections } from "./sections/main.ts";
import type { SectionEntry } from "./sections/table.ts";
import { sideBySide } from "./side_by_side.ts";
import { startUpRows } from "./start_up/start_up.ts";
import { type BenchRow, print, table } from "./timing.ts";
import { benchUdfs, workloadBytes } from "./udfs.ts";
import type { Workload, WorkloadSet } from "./workloads/row.ts";
import { SETS, workloadsFor } from "./workloads/table.ts";

/** What one looks at first: half a GiB. */
const QUICK = { data: "u16,f32", frames: "2048", workloads: "sum,sumsig,stddev,com,masks16", repeats: "3" };

const options = await inOneLine("bench", readOptions);
const KNOWN_SETS = [...Object.keys(SETS), "formats", "views", "decode", "channels"];
await inOneLine("bench", () => mustBeOneOf("set", [options.set ?? "core"], KNOWN_SETS));
const ofFormats = options.set === "formats";
const ofSections = isSectionSet(options.set) ? options.set : undefined;
const set = (ofFormats || ofSections ? "core" : options.set ?? "core") as WorkloadSet;
const names = options.workloads?.split(",");
const kinds = (options.data?.split(",") ?? Object.keys(SETS[set])) as DataKind[];
const repeats = Number(options.repeats ?? (set === "core" ? 7 : 4));
const failures: string[] = [];

if (options.kernels) await measureKernels();
if (options["first-use"]) await measureFirstUse();

const folder = await Deno.makeTempDir({ prefix: "tilewise-peers-" });
try {
  if (ofFormats) failures.push(...await measureFormats());
  else if (ofSections) failures.push(...await measureSections(ofSections));
  else for (const kind of kinds) await measureKind(kind);
} finally {
  await Deno.remove(folder, { recursive: true });
}
for (const failure of failures) print(`differs from the peer: ${failure}`);
if (failures.length > 0) Deno.exit(1);

/** What the command line says; `--help` and `--report` are done here. */
async function readOptions(): Promise<Arguments["options"]> {
  const { options: said } = readArguments(
    Deno.args,
    [
      ...["set", "data", "formats", "frames", "workloads", "repeats", "executors", "venv"],
      ...["sections", "side", "python"],
    ],
    ["no-peers", "no-limits", "record", "kernels", "first-use", "map", "quick", "report", "help"],
  );
  if (said.help) print(await helpText());
  if (said.report) await writeReport();
  if (said.help || said.report) Deno.exit(0);
  if (!said.quick) return said;
  const alone = !await hasPeers(said.venv);
  if (alone) print("Without LiberTEM and NumPy; with them after: deno run -A bench/peers/setup.ts");
  return { ...QUICK, ...(alone ? { "no-peers": "true" } : {}), ...said };
}

/** The comment at the head of this file. */
async function helpText(): Promise<string> {
  const [, head] = /^\/\*\*\n([^]*?)\n \*\n \* @module/.exec(
    await Deno.readTextFile(new URL(import.meta.url)),
  )!;
  return head!.replace(/^ \* ?/gm, "").replace(/^```.*\n/gm, "");
}

async function measureFormats(): Promise<string[]> {
  return await benchFormats({
    repeats: Number(options.repeats ?? 5),
    alone: options["no-peers"] !== undefined,
    keep: options.record !== undefined,
    results: folder,
    ...(options.formats ? { names: options.formats.split(",") } : {}),
    ...(options.executors ? { executors: options.executors.split(",") } : {}),
    ...(options.venv ? { venv: options.venv } : {}),
  });
}

function isSectionSet(set: string | undefined): set is SectionEntry["set"] {
  return set === "views" || set === "decode" || set === "channels";
}

async function measureSections(set: SectionEntry["set"]): Promise<string[]> {
  const python = options["no-peers"] === undefined ? options.python ?? "python3" : undefined;
  return await benchSections({
    set,
    repeats: Number(options.repeats ?? 5),
    keep: options.record !== undefined,
    ...(options.sections ? { names: options.sections.split(",") } : {}),
    ...(options.side ? { side: Number(options.side) } : {}),
    ...(python === undefined ? {} : { python }),
  });
}

async function measureKernels(): Promise<void> {
  const rows: BenchRow[] = [];
  print(KERNEL_HEAD);
  for (const result of kernelBench({ levels: ["L1", "L2"] })) {
    print(kernelLine(result));
    rows.push(...kernelBenchRows(result));
  }
  const bzip2 = await bzip2Rows();
  if (typeof bzip2 === "string") print(`bzip2 beside Python's bz2 skipped: ${bzip2}`);
  else {
    print(bzip2Table(bzip2));
    rows.push(...bzip2);
  }
  if (options.record) await record("kernels", rows);
}

async function measureFirstUse(): Promise<void> {
  const rows = await firstUseRows(repeats);
  print(firstUseTable(rows));
  if (options.record) await record("first use", rows);
}

async function measureKind(kind: DataKind): Promise<void> {
  const workloads = workloadsFor(kind, { set, ...(names ? { names } : {}) });
  if (workloads.length === 0) return;
  const frames = Number(options.frames ?? SETS[set][kind] ?? 0);
  const data = await benchData(kind, undefined, frames > 0 ? { frames } : {});
  print(`\n${kind}: ${data.path}, ${data.bytes} B`);
  const peers = options["no-peers"] ? [] : await measurePeers(data, workloads);
  const limitRows: LimitRow[] = kind === "tiny" || options["no-limits"]
    ? []
    : await limits(data.path, { repeats });
  const agreement = new Map<string, string>();
  const ours = await benchUdfs(data, await benchAux(), workloads, {
    repeats,
    map: options.map !== undefined,
    check: (workload, results) => agreement.set(workload.name, check(data, workload, results)),
    onError: ({ name }, error) => failures.push(`${name} ${kind}: ${error}`),
  });
  const startUp = kind === "u16" && set === "core" && !names ? await startUpRows(data) : [];
  if (limitRows.length + startUp.length > 0) print(table([...limitRows, ...startUp]) + "\n");
  print(sideBySide(workloads.map(({ name }) => line(kind, name, ours, peers, agreement.get(name)))));
  if (!options.record) return;
  const compared = ours.map((row) => ({ ...row, results: agreement.get(String(row.workload)) ?? "" }));
  const rows = [...compared, ...startUp, ...peers];
  if (limitRows.length > 0) await record(`limits ${kind}`, limitRows);
  await record(
    `${set === "core" ? "udfs" : set} ${kind}${options.map === undefined ? "" : ", mapped"}`,
    rows,
    { partial: names !== undefined },
  );
}

async function measurePeers(data: BenchData, workloads: readonly Workload[]): Promise<PeerRow[]> {
  const { rows, skipped } = await runPeers([data.kind], {
    results: folder,
    repeats,
    frames: data.nav[0] * data.nav[1],
    workloads: workloads.map(({ name }) => name),
    ...(options.executors ? { executors: options.executors.split(",") } : {}),
    ...(options.venv ? { venv: options.venv } : {}),
  });
  for (const note of skipped) print(`skipped: ${note}`);
  const bytes = new Map(workloads.map((workload) => [workload.name, workloadBytes(workload, data)]));
  return rows.map((row) => ({ ...row, bytes: bytes.get(row.workload) ?? row.bytes }));
}

/** Compares with the peer's files; what it says goes to the table. */
function check({ kind }: BenchData, workload: Workload, results: Results): string {
  const { failures: odd, distance } = compareWithPeer(`${folder}/libertem/${kind}`, workload, results);
  failures.push(...odd.map((text) => `${workload.name} ${kind}, ${text}`));
  return distance ? (odd.length > 0 ? "differ" : show(distance)) : "";
}

function line(
  kind: DataKind,
  workload: string,
  ours: readonly BenchRow[],
  peers: readonly PeerRow[],
  agreement = "",
): Parameters<typeof sideBySide>[0][number] {
  return {
    workload,
    ours: [1, 2].map((workers) => ours.find((row) => row.workload === workload && row.workers === workers)),
    peer: [1, 2].map((workers) => bestPeer(peers, { data: kind, workload, workers, by: "libertem" })),
    agreement,
  };
}
