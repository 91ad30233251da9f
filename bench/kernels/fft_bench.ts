/**
 * Speed of Fourier transforms in two dimensions: the plain twin, the kernel, NumPy and SciPy on one thread.
 *
 * `deno run -A bench/kernels/fft_bench.ts [--python PATH] [SIZE …]` prints a line a size and type; `--python` names a Python
 * with NumPy and SciPy. GFLOP/s count `2.5 n log2 n` operations for n real samples, whoever transforms them.
 *
 * @module
 */

import { fft2Scratch, type FftDType, rfft2, rfft2Tables } from "../../src/kernels/fft.ts";
import { rfft2 as plainRfft2 } from "../../tests/oracles/twins/fft/fft2.ts";
import { instantiateKernels, loadKernels } from "../../src/kernels/wasm.ts";
import { dtypeInfo } from "../../src/space/dtype.ts";
import { readArguments } from "../arguments.ts";
import { align, gflops, measure, print, type Timing } from "../timing.ts";

await loadKernels();

const PEERS = `
import json, sys, time, numpy, scipy.fft
def best(work):
    seconds, end = [], time.perf_counter() + 0.2
    while time.perf_counter() < end or len(seconds) < 5:
        start = time.perf_counter(); work(); seconds.append(time.perf_counter() - start)
    return min(seconds)
n, dtype = int(sys.argv[1]), sys.argv[2]
a = numpy.sin(numpy.arange(n * n, dtype=float)).astype(dtype).reshape(n, n)
print(json.dumps([best(lambda: numpy.fft.rfft2(a)), best(lambda: scipy.fft.rfft2(a, workers=1))]))
`;

const { options, names } = readArguments(Deno.args, ["python"]);
const sizes = names.length > 0 ? names.map(Number) : [61, 64, 100, 128, 240, 256, 512];
const lines = [["rfft2", "dtype", "plain", "simd µs", "simd", "numpy", "scipy GFLOP/s"]];
for (const dtype of ["float32", "float64"] as const) {
  for (const n of sizes) lines.push(await line(n, dtype));
}
print(align(lines));

async function line(n: number, dtype: FftDType): Promise<string[]> {
  const operations = 2.5 * n * n * Math.log2(n * n);
  const speed = (timing: Timing) => gflops({ name: "", ...timing, operations }).toFixed(2);
  const { plain, simd } = await ours(n, dtype);
  const peers = options.python ? await theirs(options.python, n, dtype) : [];
  const micros = (simd.min * 1e6).toFixed(1);
  const others = [0, 1].map((i) => peers[i] ? speed({ min: peers[i], p75: NaN, samples: [] }) : "–");
  return [`${n} × ${n}`, dtype, speed(plain), micros, speed(simd), ...others];
}

/** Times twin and kernel, after a look whether both give the same bits. */
async function ours(n: number, dtype: FftDType): Promise<{ plain: Timing; simd: Timing }> {
  const { itemSize } = dtypeInfo(dtype);
  const tables = rfft2Tables(n, n, dtype);
  const lengths = [tables.length, fft2Scratch(n, n, dtype), n * n, n * (n + 2), n * (n + 2)];
  const places = [64];
  for (const length of lengths) places.push(Math.ceil((places.at(-1)! + length * itemSize) / 64) * 64);
  const memory = new WebAssembly.Memory({ initial: Math.ceil(places.at(-1)! / 65536) });
  const [at, scratch, src, dst, other] = places as [number, number, number, number, number];
  const view = (from: number, length: number) =>
    new (tables.constructor as Float64ArrayConstructor)(memory.buffer, from, length);
  view(at, tables.length).set(tables);
  view(src, n * n).forEach((_, i, all) => all[i] = Math.sin(i));
  const kernels = instantiateKernels(memory);
  const plan = { height: n, width: n, dtype, tables: at, scratch };
  const twin = plainRfft2(memory, dtype);
  const columns = Math.floor(n / 2) + 1;
  const plain = await measure(() => twin(other, src, n, n, columns, at, scratch), { repeats: 2 });
  const rounds = Math.ceil(50000 / (n * n)); // small ones are timed in groups
  const work = () => {
    for (let i = 0; i < rounds; i++) rfft2(kernels, plan, src, dst);
  };
  const timing = await measure(work, { repeats: 60, warmup: 5 });
  const [found, expected] = [view(dst, 2 * n * columns), view(other, 2 * n * columns)];
  if (!found.every((value, i) => value === expected[i])) {
    throw new Error(`${n} × ${n} ${dtype}: wrong result`);
  }
  return { plain, simd: { ...timing, min: timing.min / rounds, p75: timing.p75 / rounds } };
}

async function theirs(python: string, n: number, dtype: FftDType): Promise<number[]> {
  const { stdout } = await new Deno.Command(python, { args: ["-c", PEERS, String(n), dtype] }).output();
  return JSON.parse(new TextDecoder().decode(stdout));
}
