/**
 * Measures the files of the bench of formats: ours inline, on one and on two workers, and the peers; results are
 * compared before anything is timed.
 *
 * @module
 */

import {
  createContext,
  type Dataset,
  open,
  plan,
  type Results,
  run,
  sumFrames,
  sumPixels,
} from "@tilewise/tilewise";
import { compareWithPeer, show } from "../compare.ts";
import { bestPeer, measurements, type PeerRow } from "../peers/run.ts";
import { ensurePeers } from "../peers/setup.ts";
import { align, type BenchRow, gbps, measure } from "../timing.ts";
import { librariesOf } from "./libraries.ts";
import type { FormatData, FormatRow } from "./row.ts";

/** What is computed: by the names that the peer has for it. */
const WORKLOADS = [
  { name: "sum", udfs: { sum: sumFrames() }, same: ["sum.intensity"] },
  { name: "sumsig", udfs: { sumsig: sumPixels() }, same: ["sumsig.intensity"] },
] as const;

/** No worker is the calling thread. */
const WORKERS = [0, 1, 2] as const;

/** Options of {@link measureFormat}. */
export interface FormatOptions {
  /** Timed runs. */
  readonly repeats: number;
  /** The virtual environment of the peers. */
  readonly venv?: string;
  /** Executors of the peer; all unless told. */
  readonly executors?: readonly string[];
  /** Without peers. */
  readonly alone?: boolean;
  /** A folder for the results of the peer. */
  readonly results: string;
}

/** What was measured of one format. */
export interface FormatResult {
  /** Ours, and those of the peers. */
  readonly rows: readonly BenchRow[];
  /** The lines of the table. */
  readonly lines: readonly string[][];
  /** Where results differ. */
  readonly failures: readonly string[];
  /** What the peers could not do, and why. */
  readonly skipped: readonly string[];
}

/** The head of the table. */
export const FORMAT_HEAD: readonly string[] = [
  ...["format", "work", "inline", "1 worker", "2 workers"],
  ...["LiberTEM 1", "by", "LiberTEM 2", "by", "ratio 1", "ratio 2", "results", "also"],
];

/** Measures one format. */
export async function measureFormat(
  row: FormatRow,
  data: FormatData,
  options: FormatOptions,
): Promise<FormatResult> {
  const failures: string[] = [], skipped: string[] = [], lines: string[][] = [];
  const peers: PeerRow[] = [];
  for await (const one of options.alone ? [] : peerRows(data, options)) {
    if (typeof one === "string") skipped.push(one);
    else peers.push(one);
  }
  const dataset = await open(data.path, row.open ?? {});
  const { ours, agreement, results } = await measureOurs(row, data, dataset, options, failures);
  const libraries = options.alone ? [] : await librariesOf(data, results, options, failures, skipped);
  for (const { name } of WORKLOADS) {
    lines.push(line(data.kind, name, ours, peers, agreement.get(name) ?? "", libraries));
  }
  const compared = ours.map((one) => ({ ...one, results: agreement.get(String(one.workload)) ?? "" }));
  return { rows: [...compared, ...peers, ...libraries], lines, failures, skipped };
}

async function* peerRows(data: FormatData, options: FormatOptions): AsyncGenerator<PeerRow | string> {
  const peers = await ensurePeers(options.venv);
  if ("skipped" in peers) return yield peers.skipped;
  yield* measurements("libertem", peers, data, {
    executors: ["inline", "threads", "dask"],
    ...options,
    workloads: WORKLOADS.map(({ name }) => name),
  });
}

async function measureOurs(
  row: FormatRow,
  data: FormatData,
  dataset: Dataset,
  { repeats, results: folder }: FormatOptions,
  failures: string[],
) {
  const ours: BenchRow[] = [];
  const agreement = new Map<string, string>();
  let results: Results = {};
  for (const workers of WORKERS) {
    await using context = createContext({ memory: 512 * 2 ** 20, workers });
    const chosen = { context, ...(row.uncorrected ? { corrections: "none" as const } : {}) };
    for (const workload of WORKLOADS) {
      const once = async () => await run(await plan(dataset, { ...workload.udfs }, chosen));
      const found = await once();
      if (workers === 0) results = { ...results, ...found };
      const { failures: odd, distance } = compareWithPeer(
        `${folder}/libertem/${data.kind}`,
        { ...workload, sets: [], on: [], make: () => ({ udfs: {} }) },
        found,
      );
      failures.push(...odd.map((text) => `${workload.name} ${data.kind}, ${workers} workers, ${text}`));
      if (distance) agreement.set(workload.name, odd.length > 0 ? "differ" : show(distance));
      ours.push({
        name: `${workload.name} ${data.kind}`,
        workload: workload.name,
        data: data.kind,
        by: "simd",
        workers,
        bytes: data.bytes,
        ...await measure(once, { repeats }),
      });
    }
  }
  return { ours, agreement, results };
}

function line(
  format: string,
  workload: string,
  ours: readonly BenchRow[],
  peers: readonly PeerRow[],
  agreement: string,
  libraries: readonly BenchRow[],
): string[] {
  const mine = WORKERS.map((workers) =>
    ours.find((row) => row.workload === workload && row.workers === workers)!
  );
  const best = [1, 2].map((workers) => bestPeer(peers, { data: format, workload, workers }));
  const speed = (row: BenchRow | undefined) => row ? gbps({ ...row, bytes: mine[0]!.bytes! }).toFixed(2) : "";
  // With one core, the calling thread or a worker: the faster counts, as it does for the peer.
  const one = Math.min(mine[0]!.min, mine[1]!.min);
  const factor = (theirs: PeerRow | undefined, seconds: number) =>
    theirs ? `${(theirs.min / seconds).toFixed(2)}x` : "";
  const also = workload === "sumsig" ? libraries.map((row) => `${row.by} ${speed(row)}`).join(", ") : "";
  return [
    ...[format, workload, ...mine.map(speed)],
    ...best.flatMap((row) => [speed(row), row?.executor ?? ""]),
    ...[factor(best[0], one), factor(best[1], mine[2]!.min), agreement, also],
  ];
}

/** The lines as a table, and below it where we are less than twice as fast. */
export function formatTable(lines: readonly (readonly string[])[]): string {
  const slow = lines.filter((cells) => [9, 10].some((at) => cells[at] && parseFloat(cells[at]) < 2));
  const names = slow.map((cells) => `${cells[0]} ${cells[1]} (${cells[9]}, ${cells[10]})`);
  const verdict = names.length > 0
    ? `less than twice as fast: ${names.join("; ")}`
    : "twice as fast everywhere";
  return `GB/s of samples\n${align([FORMAT_HEAD, ...lines])}\n${verdict}`;
}
