/**
 * Makes the files of the bench of formats, once, in the folder of the bench data.
 *
 * ```sh
 * deno run -A bench/formats/data.ts [--dir FOLDER] [--venv FOLDER] [NAME]...
 * ```
 *
 * @module
 */

import { fromFileUrl, join } from "@std/path";
import { dtypeInfo } from "../../src/space/dtype.ts";
import { readArguments } from "../arguments.ts";
import { dataFolder, sizeOf, writeAll } from "../files.ts";
import { ensurePeers } from "../peers/setup.ts";
import { print } from "../timing.ts";
import type { FormatData, FormatRow, Scan } from "./row.ts";
import { bytesOf, eachFrame, framesOf } from "./scan.ts";
import { FORMATS } from "./table.ts";

const VERSION = "formats-v1"; // a change of the values is a change of this name
const MARK = ".whole"; // what was written to its end has such a file beside it

/** Where the data are and with which Python HDF5 files are made. */
export interface FormatDataOptions {
  /** The folder. Default: that of all benches. */
  readonly dir?: string;
  /** The virtual environment, see `peers/setup.ts`. */
  readonly venv?: string;
}

/** Describes the data of a row and makes its files unless they are there; a text says why they cannot be made. */
export async function formatData(
  row: FormatRow,
  options: FormatDataOptions = {},
): Promise<FormatData | string> {
  const folder = join(options.dir ?? dataFolder(), VERSION);
  await Deno.mkdir(folder, { recursive: true });
  const stem = join(folder, row.stem ?? row.name);
  if (await sizeOf(stem + MARK) === undefined) {
    const problem = row.write ? writeFiles(row, stem) : await writeHdf5(row, stem, options);
    if (problem) return problem;
    await Deno.writeTextFile(stem + MARK, "");
  }
  const { nav, sig, dtype } = row.scan;
  return {
    kind: row.name,
    path: stem + row.files[0],
    nav,
    sig,
    dtype,
    byteOrder: "little",
    frameHeaderBytes: 0,
    bytes: nav[0] * nav[1] * sig[0] * sig[1] * dtypeInfo(dtype).itemSize,
    load: row.load,
  };
}

function writeFiles({ scan, files, write, most = 4095 }: FormatRow, stem: string): undefined {
  const open = files.map((ending) =>
    Deno.openSync(stem + ending, { write: true, create: true, truncate: true })
  );
  const put = open.map((file) => (bytes: Uint8Array) => writeAll(file, bytes));
  write!(scan, put, framesOf(scan, most));
  for (const file of open) file.close();
}

/** HDF5 is written by h5py, from samples in a raw file that several rows share. */
async function writeHdf5({ name, scan }: FormatRow, stem: string, { venv }: FormatDataOptions) {
  const peers = await ensurePeers(venv);
  if ("skipped" in peers) return `${name}: ${peers.skipped}`;
  const raw = await rawSamples(stem, scan);
  const script = fromFileUrl(new URL("../peers/hdf5_files.py", import.meta.url));
  const shape = [...scan.nav, ...scan.sig].join(",");
  const args = [script, raw, shape, name.replace(/^hdf5-/, ""), `${stem}.h5`];
  const { code, stderr } = await new Deno.Command(peers.python, { args, stderr: "piped" }).output();
  return code === 0 ? undefined : `${name}: ${new TextDecoder().decode(stderr).trim().split("\n").at(-1)}`;
}

async function rawSamples(stem: string, scan: Scan): Promise<string> {
  const path = stem.replace(/[^/\\]*$/, "cube.raw");
  if (await sizeOf(path + MARK) !== undefined) return path;
  using file = await Deno.open(path, { write: true, create: true, truncate: true });
  eachFrame(scan, framesOf(scan, 4095), (frame) => writeAll(file, bytesOf(frame)));
  await Deno.writeTextFile(path + MARK, "");
  return path;
}

if (import.meta.main) {
  const { options, names } = readArguments(Deno.args, ["dir", "venv"]);
  for (const row of FORMATS.filter(({ name }) => names.length === 0 || names.includes(name))) {
    const data = await formatData(row, options);
    print(typeof data === "string" ? `skipped: ${data}` : JSON.stringify(data));
  }
}
