/**
 * LiberTEM on a Dask cluster of this machine: its times, and what it does when a worker is killed or stopped.
 *
 * @module
 */

import { fromFileUrl } from "@std/path";

/** What the peer said in one line. */
export interface PeerLine {
  readonly libertem?: string;
  readonly dask?: string;
  readonly ready?: number;
  readonly work?: string;
  readonly fault?: string;
  readonly seconds?: number | readonly number[];
  readonly check?: number;
  readonly error?: string;
}

/** How the peer is run. */
export interface PeerOptions {
  readonly python: string;
  readonly path: string;
  readonly shape: readonly number[];
  readonly workers: number;
  readonly repeats: number;
  readonly faults: readonly string[];
  readonly milliseconds: number;
  readonly limit: number;
}

/** The lines of the peer, or why there are none. */
export async function runPeer(options: PeerOptions): Promise<PeerLine[] | string> {
  const { python, path, shape, workers, repeats, faults, milliseconds, limit } = options;
  const script = fromFileUrl(new URL("../peers/dask_cluster.py", import.meta.url));
  const words = [path, shape.join(","), workers, repeats, faults.join(","), milliseconds, limit].map(String);
  try {
    const { stdout, stderr } = await new Deno.Command(python, { args: [script, ...words] }).output();
    const lines = new TextDecoder().decode(stdout).split("\n").filter((line) => line.startsWith("{"));
    if (lines.length > 0) return lines.map((line) => JSON.parse(line) as PeerLine);
    return new TextDecoder().decode(stderr).trim().split("\n").at(-1) ?? "it said nothing";
  } catch (error) {
    return String(error);
  }
}
