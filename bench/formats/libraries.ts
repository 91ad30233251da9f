/**
 * What the HDF5 libraries take to read the arrays of the bench of formats: h5py, and h5wasm where it has the filters.
 *
 * @module
 */

import { fromFileUrl } from "@std/path";
import type { Results } from "@tilewise/tilewise";
import h5wasm, { type Dataset } from "h5wasm";
import { ensurePeers } from "../peers/setup.ts";
import { type BenchRow, summarize } from "../timing.ts";
import type { FormatData } from "./row.ts";

/** Rows of the libraries, of HDF5 files only; adding up is not timed, but must give the sum that we have. */
export async function librariesOf(
  data: FormatData,
  results: Results,
  { repeats, venv }: { readonly repeats: number; readonly venv?: string },
  failures: string[],
  skipped: string[],
): Promise<BenchRow[]> {
  if (data.load.type !== "hdf5") return [];
  const expected = total(results.sumsig!.intensity!.data as ArrayLike<number>);
  const rows: BenchRow[] = [];
  const readers = {
    h5py: () => withH5py(data.path, repeats, venv),
    h5wasm: () => withH5wasm(data.path, repeats),
  };
  for (const [by, reader] of Object.entries(readers)) {
    try {
      const { sum, seconds } = await reader();
      if (sum !== expected) {
        failures.push(`${by} ${data.kind}: its samples add up to ${sum}, ours to ${expected}`);
      }
      const about = { name: `read ${data.kind}`, workload: "read", data: data.kind, by, workers: 1 };
      rows.push({ ...about, bytes: data.bytes, ...summarize(seconds) });
    } catch (error) {
      skipped.push(`${by} ${data.kind}: ${String(error).slice(0, 120)}`);
    }
  }
  return rows;
}

interface Read {
  readonly sum: number;
  readonly seconds: readonly number[];
}

async function withH5py(path: string, repeats: number, venv?: string): Promise<Read> {
  const peers = await ensurePeers(venv);
  if ("skipped" in peers) throw new Error(peers.skipped);
  const script = fromFileUrl(new URL("../peers/hdf5_files.py", import.meta.url));
  const { stdout } = await new Deno.Command(peers.python, { args: [script, path, String(repeats)] }).output();
  return JSON.parse(new TextDecoder().decode(stdout)) as Read;
}

async function withH5wasm(path: string, repeats: number): Promise<Read> {
  const module = await h5wasm.ready;
  module.activate_throwing_error_handler();
  module.FS!.writeFile("/bench.h5", await Deno.readFile(path));
  const file = new h5wasm.File("/bench.h5", "r");
  const seconds: number[] = [];
  let sum = NaN;
  try {
    for (let i = 0; i < repeats; i++) {
      const start = performance.now();
      const { value } = file.get("data") as Dataset;
      seconds.push((performance.now() - start) / 1e3);
      sum = total(value as Uint16Array);
    }
  } finally {
    file.close();
    module.FS!.unlink("/bench.h5");
  }
  return { sum, seconds };
}

function total(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  return sum;
}
