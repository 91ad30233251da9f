/**
 * Unpacking bzip2 beside Python's bz2: chunks of one, four and sixteen frames of 256 × 256 counts, as they are and with
 * their bytes shuffled. GB/s of what comes out.
 *
 * `deno run -A bench/kernels/bzip2_bench.ts [--python PROGRAM]`; any Python will do. Results are compared before they are timed.
 *
 * @module
 */

import { BZIP2_TABLES } from "../../src/kernels/families/filters.ts";
import { instantiateKernels, loadKernels } from "../../src/kernels/wasm.ts";
import { readArguments } from "../arguments.ts";
import { countingDetector, SIDE } from "../counts.ts";
import { type BenchRow, measure, print, summarize, table } from "../timing.ts";

await loadKernels();

const SYMBOLS = 900_000;
const REPEATS = 15;
const [STATUS, TABLES] = [64, 128];

function chunk(frames: number): Uint8Array {
  const samples = new Uint16Array(frames * SIDE * SIDE);
  const frame = countingDetector(64);
  for (let f = 0; f < frames; f++) frame(f, samples.subarray(f * SIDE * SIDE, (f + 1) * SIDE * SIDE));
  return new Uint8Array(samples.buffer);
}

const shuffled = (bytes: Uint8Array) =>
  bytes.map((_, i) => bytes[2 * (i % (bytes.length / 2)) + Math.floor(2 * i / bytes.length)]!);

async function python(program: string, path: string): Promise<number[]> {
  const script = new URL("../peers/bzip2_bench.py", import.meta.url).pathname;
  const command = new Deno.Command(program, { args: [script, path, "9", String(REPEATS)] });
  const { stdout, stderr, success } = await command.output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

async function rowsOf(name: string, plain: Uint8Array, program: string): Promise<BenchRow[]> {
  const path = await Deno.makeTempFile();
  try {
    await Deno.writeFile(path, plain);
    const theirs = summarize(await python(program, path));
    const packed = await Deno.readFile(`${path}.bz2`);
    const src = TABLES + BZIP2_TABLES + 4 * SYMBOLS, dst = src + packed.length;
    const memory = new WebAssembly.Memory({ initial: Math.ceil((dst + plain.length) / 65536) });
    const { exports } = instantiateKernels(memory);
    new Uint8Array(memory.buffer).set(packed, src);
    const work = () => exports.bzip2_u8(STATUS, dst, plain.length, src, packed.length, TABLES, SYMBOLS);
    work();
    const found = new Uint8Array(memory.buffer, dst, plain.length);
    if (!found.every((byte, i) => byte === plain[i])) {
      throw new Error(`${name}: the kernel gives other bytes`);
    }
    const bytes = plain.length;
    return [
      { name, by: "python bz2", bytes, ...theirs },
      { name, by: "kernel", bytes, ...await measure(work, { repeats: REPEATS }) },
    ];
  } finally {
    await Deno.remove(path);
    await Deno.remove(`${path}.bz2`).catch(() => {});
  }
}

/** The rows of all chunks, or why there are none. */
export async function bzip2Rows(program: string = "python3"): Promise<BenchRow[] | string> {
  const rows: BenchRow[] = [];
  try {
    for (const frames of [1, 4, 16]) {
      const plain = chunk(frames);
      const name = `bzip2, ${frames} frame${frames > 1 ? "s" : ""}`;
      rows.push(...await rowsOf(name, plain, program));
      rows.push(...await rowsOf(`${name}, shuffled`, shuffled(plain), program));
    }
    return rows;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return `${program} is not installed`;
    throw error;
  }
}

/** The rows as text, each with its ratio to Python's. */
export function bzip2Table(rows: readonly BenchRow[]): string {
  return table(rows, ({ name }) => rows.find((row) => row.name === name));
}

if (import.meta.main) {
  const found = await bzip2Rows(readArguments(Deno.args, ["python"]).options.python);
  print(typeof found === "string" ? found : bzip2Table(found));
}
