/** Fourier transforms against their definition, and against each other. */

import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  fft2,
  type Fft2Plan,
  fft2Scratch,
  type FftDType,
  fftLength,
  irfft2,
  rfft2,
  rfft2Scratch,
  rfft2Tables,
} from "../../src/kernels/fft.ts";
import { kernel } from "../../src/kernels/registry.ts";
import { instantiateKernels, loadKernels } from "../../src/kernels/wasm.ts";
import { mulberry32 } from "./call.ts";

await loadKernels();

const memory = new WebAssembly.Memory({ initial: 1100, maximum: 1100 });
const kernels = instantiateKernels(memory);
const DTYPES: readonly FftDType[] = ["float32", "float64"];

function planFor(height: number, width: number, dtype: FftDType): Fft2Plan {
  const tables = rfft2Tables(height, width, dtype);
  new (tables.constructor as Float64ArrayConstructor)(memory.buffer, 1024, tables.length).set(tables);
  const scratch = Math.ceil((1024 + tables.byteLength) / 64) * 64;
  assert(fft2Scratch(height, width, dtype) >= rfft2Scratch(height, width, dtype));
  return { height, width, dtype, tables: 1024, scratch };
}

/** Places for data: behind the largest scratch. */
const [SRC, DST, BACK] = [32 << 20, 44 << 20, 56 << 20];

function at(dtype: FftDType, address: number, length: number): Float32Array | Float64Array {
  return dtype === "float32"
    ? new Float32Array(memory.buffer, address, length)
    : new Float64Array(memory.buffer, address, length);
}

function random(length: number, seed: number, dtype: FftDType): Float64Array {
  const next = mulberry32(seed);
  const value = () => dtype === "float32" ? Math.fround(next() - 0.3) : next() - 0.3;
  return Float64Array.from({ length }, value);
}

/** The definition: `X[k] = Σ_j x[j] exp(−2πi jk/n)` of the pairs in each of `count` columns of `n` rows. */
function definition(pairs: Float64Array, n: number, count: number): Float64Array {
  const turn = (a: number) => 2 * Math.PI * (2 * a > n ? a - n : a) / n;
  const turns = Array.from({ length: n }, (_, a) => [Math.cos(turn(a)), -Math.sin(turn(a))]);
  const out = new Float64Array(pairs.length);
  for (let k = 0; k < n; k++) {
    for (let j = 0; j < n; j++) {
      const [c, s] = turns[j * k % n] as [number, number];
      for (let x = 0; x < count; x++) {
        const [re, im] = [pairs[2 * (j * count + x)]!, pairs[2 * (j * count + x) + 1]!];
        out[2 * (k * count + x)]! += re * c - im * s;
        out[2 * (k * count + x) + 1]! += re * s + im * c;
      }
    }
  }
  return out;
}

function transposed(pairs: Float64Array, height: number, width: number): Float64Array {
  const out = new Float64Array(pairs.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      out.set(pairs.subarray(2 * (y * width + x), 2 * (y * width + x) + 2), 2 * (x * height + y));
    }
  }
  return out;
}

/** The spectrum of pairs, by definition. */
function spectrum(pairs: Float64Array, height: number, width: number): Float64Array {
  const columns = definition(pairs, height, width);
  return transposed(definition(transposed(columns, height, width), width, height), width, height);
}

function assertNear(found: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number, what: string) {
  assertEquals(found.length, expected.length, what);
  let [error, size] = [0, 0];
  for (let i = 0; i < found.length; i++) {
    error += (found[i]! - expected[i]!) ** 2;
    size += expected[i]! ** 2;
  }
  const relative = Math.sqrt(error / size);
  assert(relative <= tolerance, `${what}: relative error ${relative}, allowed ${tolerance}`);
}

function firstColumns(pairs: Float64Array, height: number, width: number, columns: number): Float64Array {
  const rows = Array.from(
    { length: height },
    (_, y) => [...pairs.subarray(2 * y * width, 2 * (y * width + columns))],
  );
  return Float64Array.from(rows.flat());
}

function check(height: number, width: number, dtype: FftDType): void {
  const what = `${height} × ${width} ${dtype}`;
  const plan = planFor(height, width, dtype);
  const size = height * width;
  const tolerance = (dtype === "float32" ? 1e-6 : 2e-15) * Math.log2(size + 2) / 2;
  const complex = random(2 * size, 2 + size, dtype);
  at(dtype, SRC, 2 * size).set(complex);
  fft2(kernels, plan, SRC, DST);
  assertNear(at(dtype, DST, 2 * size), spectrum(complex, height, width), tolerance, `${what} fft2`);
  kernel(kernels, "fft2", dtype)(BACK, DST, height, width, 1, plan.tables, plan.scratch);
  assertNear(at(dtype, BACK, 2 * size), complex, tolerance, `${what} inverse of fft2`);
  const real = random(size, 3 + size, dtype);
  at(dtype, SRC, size).set(real);
  const columns = Math.floor(width / 2) + 1;
  rfft2(kernels, plan, SRC, DST);
  const pairs = new Float64Array(2 * size).map((_, i) => i % 2 ? 0 : real[i / 2]!);
  const expected = spectrum(pairs, height, width);
  assertNear(
    at(dtype, DST, 2 * height * columns),
    firstColumns(expected, height, width, columns),
    tolerance,
    `${what} rfft2`,
  );
  irfft2(kernels, plan, DST, BACK);
  assertNear(at(dtype, BACK, size), real, tolerance, `${what} irfft2`);
  const few = Math.ceil(columns / 3);
  rfft2(kernels, plan, SRC, BACK, few);
  assertNear(
    at(dtype, BACK, 2 * height * few),
    firstColumns(expected, height, width, few),
    2 * tolerance,
    `${what} rfft2, ${few} columns`,
  );
}

for (const dtype of DTYPES) {
  Deno.test(`${dtype}: every length up to 64, as width and as height`, () => {
    for (let n = 1; n <= 64; n++) {
      check(1 + (n * 5) % 9, n, dtype);
      check(n, 1 + (n * 3) % 11, dtype);
    }
  });
  Deno.test(`${dtype}: longer rows and columns`, () => {
    for (const n of [96, 100, 112, 127, 128, 143, 182, 240, 254, 256]) {
      check(3, n, dtype);
      check(n, 5, dtype);
    }
  });
  Deno.test(`${dtype}: frames of detectors`, () => {
    for (const [height, width] of [[96, 112], [61, 61], [128, 128], [33, 256]] as const) {
      check(height, width, dtype);
    }
  });
}

Deno.test("lengths that are fast", () => {
  assertEquals([0, 1, 7, 61, 96, 121, 254, 1025].map(fftLength), [1, 1, 8, 64, 96, 125, 256, 1080]);
});

Deno.test("long lengths with a large prime factor are refused with one that is fast", () => {
  assertThrows(() => rfft2Tables(4, 65537, "float32"), Error, "the next such length is 65610");
  assertEquals(rfft2Tables(4, 2 ** 17, "float32")[0], 2 ** 17);
});
