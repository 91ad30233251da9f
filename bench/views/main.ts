/**
 * Filters over one tiled TIFF of uint16, from the file to a result in memory or on disk, beside libvips, OpenCV, SciPy and
 * dask-image in the same run.
 *
 * ```sh
 * deno run -A bench/views/main.ts [--repeats N] [--side N] [--python PYTHON]
 * ```
 *
 * The packages of the peers are those that `bench/peers/filters_bench.py` names. Everything runs in a process of its own,
 * so that its largest memory can be told; the result of a peer is compared with ours before it is timed. Times include
 * reading. `limit` reads the file and writes, or keeps, as many bytes as the result has, with one thread of plain Deno.
 *
 * @module
 */

import { fromFileUrl } from "@std/path";
import { createContext, open } from "@tilewise/tilewise";
import { copySamples } from "@tilewise/tilewise/unstable/views";
import { fileSink, mapViews } from "@tilewise/tilewise/views";
import { runAlone } from "../sections/alone.ts";
import type { Section, SectionRow } from "../sections/section.ts";
import { measure, summarize } from "../timing.ts";
import type { Destination, FilterTimes, FilterWork } from "./filter_child.ts";

/** The side of the image unless told. */
const SIDE = 8192;
/** Filters, and bytes per sample of their results. */
const FILTERS = {
  "gaussian σ 2 to uint16": 2,
  "gaussian σ 2 to float32": 4,
  "median 5 × 5": 2,
  "sobel magnitude to float32": 4,
} as const satisfies Partial<Record<FilterWork["filter"], number>>;
type Filter = keyof typeof FILTERS;

/** Destinations, and how they are called. */
const DESTINATIONS: Readonly<Record<Destination, string>> = {
  "npy": "to .npy, not synced",
  "npy synced": "to .npy, synced",
  "tiff": "to tiled TIFF, not synced",
  "memory": "in memory",
};
/** How ours runs; the last way takes the least memory. */
const WAYS = [
  { workers: 2, memory: "128MiB", results: "2 workers" },
  { workers: 1, memory: "128MiB", results: "1 worker" },
  { workers: 0, memory: "16MiB", results: "on this thread, in 16 MiB" },
] as const;
const PEERS = ["OpenCV", "libvips", "SciPy", "dask-image"] as const;
/** Peers that take longer for a result in memory are not asked for files. */
const PATIENCE = 5;
const PIECE = 2 ** 20;

/** Waves with noise, the same in every run. */
function samples(side: number): Uint16Array<ArrayBuffer> {
  const data = new Uint16Array(side * side);
  for (let i = 0, state = 1; i < data.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    data[i] = 2000 + 1500 * Math.sin((i % side) / 37) * Math.cos(Math.floor(i / side) / 53) + (state >>> 24);
  }
  return data;
}

async function writeImage(path: string, side: number): Promise<void> {
  await using context = createContext({ memory: "1GiB" });
  const sink = fileSink(path, { compression: "none", tile: 256 });
  const image = await open({ data: samples(side), shape: [side, side] });
  await mapViews(image, copySamples(), { sink, context });
}

/** Reads the image, and writes or keeps as many bytes as a result has. */
function limitOf(path: string, out: string, bytes: number, to: Destination): () => void {
  const piece = new Uint8Array(PIECE);
  const each = (total: number, work: (bytes: Uint8Array, at: number) => void) => {
    for (let at = 0; at < total; at += PIECE) work(piece.subarray(0, Math.min(PIECE, total - at)), at);
  };
  return () => {
    using image = Deno.openSync(path);
    each(image.statSync().size, (part) => void image.readSync(part));
    if (to === "memory") {
      const kept = new Uint8Array(bytes);
      return each(bytes, (part, at) => kept.set(part, at));
    }
    using file = Deno.openSync(out, { write: true, create: true });
    each(bytes, (part) => void file.writeSync(part));
    if (to === "npy synced") file.syncDataSync();
    Deno.removeSync(out);
  };
}

/** Runs a program that prints JSON; the text of its failure otherwise. */
async function answer<T>(program: string, args: readonly string[]): Promise<T | string> {
  try {
    const { success, stdout, stderr } = await new Deno.Command(program, { args: [...args] }).output();
    const lines = (bytes: Uint8Array) => new TextDecoder().decode(bytes).trim().split("\n");
    return success ? JSON.parse(lines(stdout).at(-1)!) : lines(stderr).at(-1)!;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return `${program} is not installed`;
    throw error;
  }
}

async function ours(work: FilterWork): Promise<FilterTimes> {
  const child = fromFileUrl(new URL("filter_child.ts", import.meta.url));
  const found = await answer<FilterTimes>(Deno.execPath(), ["run", "-A", "-q", child, JSON.stringify(work)]);
  if (typeof found === "string") throw new Error(`${work.filter}, ${work.to}: ${found}`);
  return found;
}

/** What `filters_bench.py` prints. */
interface PeerTimes extends FilterTimes {
  readonly version: string;
  readonly results: string;
  readonly isRight: boolean;
}

/** All that a filter is measured with. */
interface Bench {
  readonly image: string;
  readonly folder: string;
  readonly bytes: number;
  readonly repeats: number;
  readonly python?: string;
  readonly rows: SectionRow[];
  readonly skipped: string[];
  readonly failures: string[];
}

/** One filter to one destination: limit, ours, peers that are not too slow. */
async function measureOne(bench: Bench, filter: Filter, to: Destination, slow: Set<string>): Promise<void> {
  const { image, folder, bytes, repeats, rows } = bench;
  const name = `${filter}, ${DESTINATIONS[to]}`;
  const out = bytes / 2 * FILTERS[filter];
  const limit = await measure(limitOf(image, `${folder}/limit.bin`, out, to), { repeats });
  rows.push({ name, by: "limit", bytes, ...limit });
  for (const { workers, memory, results } of WAYS) {
    if (to === "memory" && workers === 0) continue; // the result alone takes more
    const budget = to === "memory" ? "1GiB" : memory;
    const work: FilterWork = {
      ...{ filter, to, image, result: `${folder}/ours`, repeats, memory: budget, workers },
    };
    const { seconds, peakMiB } = await ours(work);
    rows.push({ name, by: "tilewise", workers, bytes, peakMiB, results, ...summarize(seconds) });
  }
  for (const peer of PEERS) if (!slow.has(peer)) await measurePeer(bench, filter, to, peer, slow);
}

async function measurePeer(
  { image, folder, bytes, repeats, python, rows, skipped, failures }: Bench,
  filter: Filter,
  to: Destination,
  peer: string,
  slow: Set<string>,
): Promise<void> {
  if (python === undefined) return;
  const name = `${filter}, ${DESTINATIONS[to]}`;
  const script = fromFileUrl(new URL("../peers/filters_bench.py", import.meta.url));
  const work = {
    peer,
    filter,
    to,
    image,
    result: `${folder}/theirs`,
    expected: `${folder}/ours.npy`,
    repeats,
  };
  const found = await answer<PeerTimes>(python, [script, JSON.stringify({ ...work, patience: PATIENCE })]);
  if (typeof found === "string") {
    skipped.push(`${name} by ${peer}: ${found}`);
    slow.add(peer);
    return;
  }
  const { seconds, peakMiB, version, results, isRight } = found;
  if (!isRight) failures.push(`${name} by ${peer}: ${results}`);
  rows.push({ name, by: peer, version, bytes, peakMiB, results, ...summarize(seconds) });
  if (Math.min(...seconds) <= PATIENCE) return;
  slow.add(peer);
  skipped.push(`${filter} by ${peer} elsewhere than in memory: it takes longer than ${PATIENCE} s`);
}

/** Filters from a file to memory and to files. */
export const filterSection: Section = async ({ folder, repeats, python, side = SIDE }) => {
  const image = `${folder}/image.tif`;
  await writeImage(image, side);
  const bytes = 2 * side * side;
  const bench: Bench = {
    ...{ image, folder, bytes, repeats, rows: [], skipped: [], failures: [] },
    ...(python === undefined ? {} : { python }),
  };
  for (const filter of Object.keys(FILTERS) as Filter[]) {
    const slow = new Set<string>();
    // Peers are compared with the .npy of ours; those that are slow are found in memory, before files are asked for.
    const first = { filter, to: "npy", image, result: `${folder}/ours`, repeats: 0 } as const;
    await ours({ ...first, memory: "128MiB", workers: 2 });
    for (const to of ["memory", "npy", "npy synced", "tiff"] as const) {
      await measureOne(bench, filter, to, slow);
    }
  }
  const { rows, skipped, failures } = bench;
  return { rows, skipped, failures };
};

if (import.meta.main) await runAlone(filterSection);
