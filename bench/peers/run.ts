/**
 * Runs the Python peers on the bench data and gives their measurements as rows.
 *
 * ```sh
 * deno run -A bench/peers/run.ts [--dir FOLDER] [--venv FOLDER] [--results FOLDER] [--workloads a,b]
 *   [--executors a,b] [--repeats N] [--frames N] [u16|f32|mib|tiny|disks]...
 * ```
 *
 * @module
 */

import { fromFileUrl } from "@std/path";
import { readArguments } from "../arguments.ts";
import { type BenchData, benchData, type DataKind, KINDS } from "../data.ts";
import type { FormatData } from "../formats/row.ts";
import { benchAux } from "../masks.ts";
import { machineFacts, record } from "../record.ts";
import { align, type BenchRow, gbps, print } from "../timing.ts";
import { ensurePeers, type Peers } from "./setup.ts";

/** A measurement of a peer. */
export interface PeerRow extends BenchRow {
  /** The peer: `libertem` or `numpy`. */
  readonly by: string;
  /** The work, see `libertem_workloads.py`. */
  readonly workload: string;
  /** The file it read. */
  readonly data: string;
  /** The peer's way of running: `inline`, `threads`, `dask` …, and its way to compute where there are several. */
  readonly executor: string;
  /** Cores it may use. */
  readonly workers: number;
  /** Bytes of samples in the file. */
  readonly bytes: number;
  /** The peer's version. */
  readonly version: string;
  /** The BLAS kernels in use. */
  readonly blas: string;
  /** Peak memory of its processes in MiB, mapped files included; then without them. */
  readonly peakMiB?: number;
  /** Peak memory without mapped files, in MiB. */
  readonly anonymousMiB?: number;
}

/** What to run; everything that can be run unless told otherwise. */
export interface PeerOptions {
  /** Folder of the data, see `bench/data.ts`. */
  readonly dir?: string;
  /** Folder of the virtual environment, see `setup.ts`. */
  readonly venv?: string;
  /** Folder for the results: `<results>/<peer>/<data>/<workload>.<name>.npy`. */
  readonly results?: string;
  /** Workloads by name; `startup` only when named. */
  readonly workloads?: readonly string[];
  /** Executors by name. */
  readonly executors?: readonly string[];
  /** Timed runs at least. */
  readonly repeats?: number;
  /** Frames of the data, to try things on less. */
  readonly frames?: number;
  /** Environment variables for the peers, for example `OPENBLAS_CORETYPE`. */
  readonly env?: Readonly<Record<string, string>>;
  /** Told each row as it comes. */
  readonly onRow?: (row: PeerRow) => void;
}

const SCRIPTS = { libertem: "libertem_bench.py", numpy: "numpy_bench.py" } as const;
const EXECUTORS: Readonly<Record<keyof typeof SCRIPTS, readonly string[]>> = {
  libertem: ["inline", "inline-blas", "threads", "dask", "pipelined"],
  numpy: ["one", "threads"],
};

/** Runs the peers on some kinds of data; without an environment the rows are empty and `skipped` says why. */
export async function runPeers(
  kinds: readonly DataKind[],
  options: PeerOptions = {},
): Promise<{ readonly rows: PeerRow[]; readonly skipped: readonly string[] }> {
  const peers = await ensurePeers(options.venv);
  if ("skipped" in peers) return { rows: [], skipped: [peers.skipped] };
  const rows: PeerRow[] = [];
  const skipped: string[] = [];
  for (const kind of kinds) {
    const data = await benchData(
      kind,
      options.dir,
      options.frames === undefined ? {} : { frames: options.frames },
    );
    for (const peer of ["libertem", "numpy"] as const) {
      if (peer === "numpy" && (kind === "tiny" || kind === "disks")) continue; // its masks are made for whole frames
      for await (const row of measurements(peer, peers, data, options)) {
        if (typeof row === "string") skipped.push(row);
        else rows.push(row), options.onRow?.(row);
      }
    }
  }
  return { rows, skipped };
}

/** The fastest row of any peer for a workload on a file with at most `workers` cores. */
export function bestPeer(
  rows: readonly PeerRow[],
  want: {
    readonly data: string;
    readonly workload: string;
    readonly workers: number;
    readonly by?: string;
  },
): PeerRow | undefined {
  return rows
    .filter((row) => row.data === want.data && row.workload === want.workload && row.workers <= want.workers)
    .filter((row) => want.by === undefined || row.by === want.by)
    .reduce<PeerRow | undefined>((best, row) => (best && best.min <= row.min ? best : row), undefined);
}

/** Rows of one peer on one file as they come; a text is a workload that failed, and why. */
export async function* measurements(
  peer: keyof typeof SCRIPTS,
  peers: Extract<Peers, { python: string }>,
  data: BenchData | FormatData,
  options: PeerOptions,
): AsyncGenerator<PeerRow | string> {
  const executors = EXECUTORS[peer].filter((name) => options.executors?.includes(name) ?? true);
  if (executors.length === 0) return;
  const results = options.results === undefined
    ? []
    : ["--results", `${options.results}/${peer}/${data.kind}`];
  const process = new Deno.Command(peers.python, {
    args: [
      fromFileUrl(new URL(SCRIPTS[peer], import.meta.url)),
      ...["--data", JSON.stringify(data)],
      ...["--aux", JSON.stringify(await benchAux(options.dir))],
      ...["--executors", executors.join(",")],
      ...["--workloads", (options.workloads ?? []).join(",")],
      ...["--repeats", String(options.repeats ?? 5)],
      ...results,
    ],
    env: { PYTHONDONTWRITEBYTECODE: "1", PYTHONWARNINGS: "ignore", ...options.env },
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  for await (const line of lines(process.stdout)) {
    if (line.startsWith("{")) yield toRow(JSON.parse(line));
  }
  const { code } = await process.status;
  if (code !== 0) yield `${peer} ${data.kind}: ended with ${code}`;
}

function toRow(line: Record<string, unknown>): PeerRow | string {
  const { peer, seconds, workload, data, executor, error, ...rest } = line;
  const [base, variant] = String(workload).split("@");
  const [name, way] = [`${base} ${data}`, variant ? `${executor} ${variant}` : executor];
  if (error !== undefined) return `${peer} ${way} ${name}: ${error}`;
  return {
    ...rest,
    name,
    by: peer,
    workload: base,
    data,
    executor: way,
    samples: seconds,
  } as unknown as PeerRow;
}

async function* lines(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + chunk).split("\n");
    rest = parts.pop()!;
    yield* parts;
  }
  if (rest) yield rest;
}

/** The rows as a table: best of each peer at one core and at two, with the executor that won. */
export function peerTable(rows: readonly PeerRow[]): string {
  const cell = (row: PeerRow | undefined): string[] =>
    row ? [(row.min * 1e3).toFixed(1), gbps(row).toFixed(2), row.executor] : ["", "", ""];
  const works = [...new Map(rows.map((row) => [`${row.by} ${row.name}`, row])).values()];
  const body = works.map(({ by, name, data, workload }) => [
    name,
    by,
    ...cell(bestPeer(rows, { by, data, workload, workers: 1 })),
    ...cell(bestPeer(rows, { by, data, workload, workers: 2 })),
  ]);
  return align([["what", "peer", "1: ms", "GB/s", "by", "2: ms", "GB/s", "by"], ...body]);
}

if (import.meta.main) {
  const { options, names } = readArguments(Deno.args, [
    ...["dir", "venv", "results", "workloads", "executors", "repeats", "frames"],
  ]);
  const { rows, skipped } = await runPeers(
    KINDS.filter((kind) => names.length === 0 || names.includes(kind)),
    {
      ...(options.dir === undefined ? {} : { dir: options.dir }),
      ...(options.venv === undefined ? {} : { venv: options.venv }),
      ...(options.results === undefined ? {} : { results: options.results }),
      ...(options.workloads === undefined ? {} : { workloads: options.workloads.split(",") }),
      ...(options.executors === undefined ? {} : { executors: options.executors.split(",") }),
      ...(options.repeats === undefined ? {} : { repeats: Number(options.repeats) }),
      ...(options.frames === undefined ? {} : { frames: Number(options.frames) }),
    },
  );
  print(JSON.stringify(machineFacts()));
  print(`BLAS: ${[...new Set(rows.map((row) => `${row.by} ${row.version}, ${row.blas}`))].join("; ")}`);
  print(peerTable(rows));
  for (const reason of skipped) print(`skipped: ${reason}`);
  const whole = [options.workloads, options.executors, options.frames].every((option) =>
    option === undefined
  );
  for (const kind of whole ? new Set(rows.map((row) => row.data)) : []) {
    await record(`peers ${kind}`, rows.filter((row) => row.data === kind));
  }
}
