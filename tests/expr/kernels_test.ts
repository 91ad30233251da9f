/** Compiled expressions give the bits of their plain twins: any type, length, alignment, byte order, value. */

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { ByteOrder } from "../../src/space/dtype.ts";
import type { Precision } from "../../src/expr/program/precision.ts";
import { DTYPES, results, samplesOf } from "./arbitrary.ts";
import { compile, runBoth, runOne, type Stack } from "./run_both.ts";

const ORDERS: readonly ByteOrder[] = ["little", "big"];
const PRECISIONS: readonly Precision[] = ["float32", "float64"];
const INPUTS = { arrays: ["gain", "dark"], params: ["t"] };

/** The maps and parameters that a program uses. */
function inputs(program: { arrays: readonly string[]; params: readonly string[] }, pixels: number) {
  const maps = {
    gain: Float64Array.from({ length: pixels }, (_, i) => 1 + Math.sin(i) / 3),
    dark: Float64Array.from({ length: pixels }, (_, i) => i % 11 === 3 ? NaN : (i % 7) - 2),
  } as Record<string, Float64Array>;
  return { arrays: program.arrays.map((name) => maps[name]!), params: program.params.map(() => 17.25) };
}

Deno.test("every length up to 67, every sample type and byte order", () => {
  const texts = {
    map: "(x - gain) * 2 + col",
    total: "sum(x * gain)",
    plain: "sum(x)",
    many: "count(x > t)",
    low: "min(x)",
    high: "max(x - gain)",
    image: "frames.sum(x + row)",
    peak: "frames.max(x)",
    over: "frames.count(x > 3)",
  };
  const sources = [texts, { plain: "sum(x)" }, { map: texts.map }, {
    image: texts.image,
    peak: "frames.max(x)",
  }];
  for (const dtype of DTYPES) {
    for (const byteOrder of ORDERS) {
      for (const [s, source] of sources.entries()) {
        const precision = PRECISIONS[(s + DTYPES.indexOf(dtype)) % 2]!;
        const compiled = compile(source, { ...INPUTS, dtype, byteOrder, precision });
        for (let width = s % 2; width <= 67; width += 2) {
          const frames = width % 6, rows = 1 + width % 2;
          const samples = samplesOf(dtype, frames * rows * width, width + 1);
          const used = inputs(compiled.program, rows * width);
          const stack: Stack = {
            samples,
            dtype,
            byteOrder,
            frames,
            rows,
            width: Math.max(1, width),
            skew: width % 8,
            ...used,
          };
          if (width === 0) continue;
          const { kernel, twin } = runBoth(compiled, stack);
          assertEquals(kernel, twin, `${Object.keys(source)} ${dtype} ${byteOrder} ${precision} ${width}`);
        }
      }
    }
  }
});

Deno.test("random expressions of random samples", () => {
  const property = fc.property(
    results,
    fc.constantFrom(...DTYPES),
    fc.constantFrom(...ORDERS),
    fc.constantFrom(...PRECISIONS),
    fc.record({
      width: fc.integer({ min: 1, max: 40 }),
      rows: fc.integer({ min: 1, max: 3 }),
      seed: fc.nat(),
    }),
    (source, dtype, byteOrder, precision, { width, rows, seed }) => {
      const compiled = compile(source, { ...INPUTS, dtype, byteOrder, precision });
      const byFrame = compiled.program.graph.values.some(({ name }) => name === "frame");
      const frames = byFrame ? 1 : 1 + seed % 5;
      const samples = samplesOf(dtype, frames * rows * width, seed);
      const used = inputs(compiled.program, rows * width);
      const stack = { samples, dtype, byteOrder, frames, rows, width, skew: seed % 4, frame: 7, ...used };
      const { kernel, twin } = runBoth(compiled, stack);
      assertEquals(kernel, twin);
    },
  );
  fc.assert(property, { seed: 7, numRuns: 600 });
});

Deno.test("frames that come in two parts have the bits of whole ones", () => {
  const source = {
    total: "sum(x * gain)",
    plain: "sum(x)",
    low: "min(x)",
    image: "frames.sum(x * col)",
    map: "x - row",
  };
  for (const dtype of ["uint16", "float32", "float64"] as const) {
    const compiled = compile(source, { ...INPUTS, dtype });
    const [frames, rows, width] = [3, 3, 29];
    const samples = samplesOf(dtype, frames * rows * width, 5);
    const stack = { samples, dtype, frames, rows, width, ...inputs(compiled.program, rows * width) };
    const whole = runOne(compiled, stack, "bind");
    for (let cut = 1; cut < rows * width; cut++) {
      assertEquals(runOne(compiled, { ...stack, cut }, "bind"), whole, `${dtype} cut at ${cut}`);
    }
    assertEquals(runOne(compiled, { ...stack, cut: 40 }, "twin"), whole);
  }
});

Deno.test("a frame beyond the reach of 32-bit counters still counts exactly", () => {
  const width = 65536 * 3 + 5;
  const samples = new Uint16Array(width).fill(65535);
  const compiled = compile({ all: "sum(x)", n: "count(x > 0)", twice: "sum(x * 2)" }, { dtype: "uint16" });
  const [all, n, twice] = runOne(compiled, { samples, dtype: "uint16", frames: 1, rows: 1, width }, "bind");
  assertEquals([all![0], n![0], twice![0]], [width * 65535, width, width * 131070]);
});

Deno.test("many frames in one call: passes change nothing", () => {
  for (
    const text of [
      "frames.sum(x)",
      "frames.sum(x * gain)",
      "frames.count(x > t)",
      "frames.min(x)",
      "x * gain",
    ]
  ) {
    for (const dtype of ["uint8", "uint16", "float32"] as const) {
      const compiled = compile(text, { ...INPUTS, dtype });
      const [frames, rows, width] = [71, 1, 19];
      const samples = samplesOf(dtype, frames * width, 3);
      const { kernel, twin } = runBoth(compiled, {
        samples,
        dtype,
        frames,
        rows,
        width,
        ...inputs(compiled.program, width),
      });
      assertEquals(kernel, twin, `${text} ${dtype}`);
    }
  }
});

Deno.test("modules are small and valid for both kinds of memory", () => {
  const compiled = compile("sum(sqrt(max(x * gain - dark, 0)))", { ...INPUTS, dtype: "uint16" });
  for (const shared of [true, false]) {
    const bytes = compiled.wasm(shared);
    assert(bytes.length < 2000);
    const [entry] = WebAssembly.Module.imports(new WebAssembly.Module(bytes));
    assertEquals([entry!.module, entry!.name, entry!.kind], ["env", "memory", "memory"]);
    const memory = new WebAssembly.Memory(shared ? { initial: 1, maximum: 1, shared } : { initial: 1 });
    compiled.bind(memory);
  }
});
