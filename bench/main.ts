/**
 * `deno task bench`: the machine's limits, the peers and Tilewise in one run, results compared before they are timed.
 *
 * ```sh
 * deno task bench [--data u16,f32,mib,tiny] [--workloads sum,com] [--repeats N] [--no-peers] [--record] [--kernels]
 *   [--executors inline,threads] [--venv FOLDER]
 * ```
 *
 * @module
 */

import { readArguments } from "./arguments.ts";
import { compareWithPeer } from "./compare.ts";
import { benchAux, benchData, type DataKind } from "./data.ts";
import { kernelBench } from "./kernels_bench.ts";
import { type LimitRow, limits } from "./limits.ts";
import { bestPeer, type PeerRow, runPeers } from "./peers/run.ts";
import { record } from "./record.ts";
import { startUpRows } from "./start_up.ts";
import { type BenchRow, gbps, print, table } from "./timing.ts";
import { benchUdfs } from "./udfs.ts";

const { options } = readArguments(Deno.args, ["data", "workloads", "repeats", "executors", "venv"], [
  "no-peers",
  "record",
  "kernels",
]);
const kinds = (options.data ?? "u16,f32,mib,tiny").split(",") as DataKind[];
const names = options.workloads?.split(",");
const executors = options.executors?.split(",");
const repeats = Number(options.repeats ?? 7);

if (options.kernels) {
  for (const row of kernelBench({ levels: ["L1", "L2", "memory"] })) print(JSON.stringify(row));
}

const folder = await Deno.makeTempDir({ prefix: "tilewise-peers-" });
try {
  const peers = options["no-peers"] ? [] : await measurePeers(folder);
  for (const kind of kinds) await measureKind(kind, peers);
} finally {
  await Deno.remove(folder, { recursive: true });
}

async function measurePeers(results: string): Promise<PeerRow[]> {
  const { rows, skipped } = await runPeers(kinds, {
    results,
    repeats,
    ...(names ? { workloads: names } : {}),
    ...(executors ? { executors } : {}),
    ...(options.venv ? { venv: options.venv } : {}),
  });
  for (const note of skipped) print(`skipped: ${note}`);
  return rows;
}

async function measureKind(kind: DataKind, peers: readonly PeerRow[]): Promise<void> {
  const data = await benchData(kind);
  const limitRows: LimitRow[] = kind === "tiny" ? [] : await limits(data.path, { repeats });
  const check = (workload: string, results: Parameters<typeof compareWithPeer>[2]) => {
    const note = compareWithPeer(`${folder}/libertem/${kind}`, workload, results);
    if (note) print(note);
  };
  const ours = await benchUdfs(data, await benchAux(), names, { repeats, check });
  const startUp = kind === "u16" && !names ? await startUpRows(data) : [];
  const peerOf = (row: BenchRow) =>
    bestPeer(peers, {
      data: kind,
      workload: row.name.split(" ")[0]!,
      workers: row.workers ?? 1,
      by: "libertem",
    });
  print(`\n${kind}: ${data.path}, ${data.bytes} B`);
  print(table(limitRows));
  print(table([...ours, ...startUp], peerOf));
  for (const row of ours) {
    const peer = peerOf(row);
    if (peer) print(`  ${row.name} ${row.workers}: libertem ${peer.executor} ${gbps(peer).toFixed(2)} GB/s`);
  }
  if (options.record) {
    await record(`limits ${kind}`, limitRows);
    await record(`udfs ${kind}`, [...ours, ...startUp, ...peers.filter((row) => row.data === kind)]);
  }
}
