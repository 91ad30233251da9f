import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { TilewiseError } from "../../src/errors.ts";
import { type Corrections, correctionsDType, patchPlan } from "../../src/dataset/corrections.ts";
import { adjustForExcluded } from "../../src/dataset/tiling/negotiate.ts";
import { instantiateKernels, loadKernels } from "../../src/kernels/wasm.ts";
import { gridOf, tileBoxes, wholeBox } from "../../src/space/box.ts";
import { ndarray } from "../../src/space/ndarray.ts";
import { ravel, type Shape, sizeOf, unravel } from "../../src/space/shape.ts";

await loadKernels();

const u16 = { dtype: "uint16", sigShape: [2, 3] } as const;
const map = (shape: Shape) => ndarray(new Float32Array(sizeOf(shape)), shape, "float32");

Deno.test("corrected samples are floats that hold the stored ones", () => {
  assertEquals(correctionsDType({ dark: map([2, 3]), gain: map([2, 3]) }, u16), "float32");
  assertEquals(correctionsDType({}, { ...u16, dtype: "uint32" }), "float64");
  assertEquals(correctionsDType({}, { ...u16, dtype: "float16" }), "float32");
});

Deno.test("corrections that do not fit are refused", () => {
  const refused = (corrections: Corrections, words: RegExp) => {
    const error = assertThrows(() => correctionsDType(corrections, u16), TilewiseError);
    assertEquals(error.code, "invalid");
    assert(words.test(error.message), error.message);
  };
  refused({ dark: map([3, 2]) }, /dark frame of 3 × 2 for frames of 2 × 3/);
  refused({ gain: map([6]) }, /gain map of 6/);
  refused({ gain: { ...map([2, 3]), stride: [1, 2] } }, /row-major/);
  refused({ dark: ndarray(new Float32Array(12), [2, 3], "complex64") }, /must be real/);
  refused({ excluded: [[2, 0]] }, /not in a frame of 2 × 3/);
  refused({ excluded: [[0]] }, /not in a frame/);
  const all = Array.from({ length: 6 }, (_, i) => unravel(i, [2, 3]));
  refused({ excluded: all }, /no good neighbour/);
  assertEquals(correctionsDType({ excluded: all, allowEmpty: true }, u16), "float32");
  const complex = { dark: ndarray(new Float32Array(12), [2, 3], "complex64") };
  assertEquals(correctionsDType(complex, { ...u16, dtype: "complex128" }), "complex128");
});

Deno.test("plans list pixels ascending and once, with their good neighbours", () => {
  const corrections = { excluded: [[1, 1], [0, 1], [1, 1]] };
  assertEquals(patchPlan(corrections, [2, 3], wholeBox([2, 3])), {
    plan: Int32Array.from([1, 4, 0, 2, 3, 5, 4, 4, 0, 2, 3, 5]),
    count: 2,
  });
  assertEquals(patchPlan({}, [2, 3], wholeBox([2, 3])).count, 0);
});

Deno.test("a box that cuts a neighbourhood is refused", () => {
  const part = { origin: [0, 0], shape: [4, 2] };
  assertThrows(() => patchPlan({ excluded: [[1, 1]] }, [4, 4], part), TilewiseError, "touches the border");
});

/** The mean of the good neighbours, straight from the definition. */
function patched(frame: number[], sigShape: Shape, excluded: readonly Shape[]): number[] {
  const bad = new Set(excluded.map((at) => ravel(at, sigShape)));
  return frame.map((value, i) => {
    if (!bad.has(i)) return value;
    const at = unravel(i, sigShape);
    const good = frame.filter((_, j) =>
      j !== i && !bad.has(j) && unravel(j, sigShape).every((c, d) => Math.abs(c - at[d]!) <= 1)
    );
    return good.length === 0 ? value : good.reduce((a, b) => a + b) / good.length;
  });
}

Deno.test("the kernel with plans of all tiles patches frames as the definition says", () => {
  const memory = new WebAssembly.Memory({ initial: 4, maximum: 4, shared: true });
  const kernels = instantiateKernels(memory);
  const shapes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(
      shapes,
      fc.array(fc.array(fc.nat(), { minLength: 3, maxLength: 3 }), { maxLength: 4 }),
      (sig, raw) => {
        const excluded = raw.map((at) => sig.map((n, d) => at[d]! % n));
        const corrections = { excluded, allowEmpty: true };
        const tile = adjustForExcluded(sig.map(() => 1), sig, sig.map(() => 1), excluded);
        const frame = Array.from({ length: sizeOf(sig) }, (_, i) => i * i % 31);
        const expected = patched(frame, sig, excluded);
        for (const part of tileBoxes(gridOf(sig, tile))) {
          const { plan, count } = patchPlan(corrections, sig, part);
          const pixels = Array.from(
            { length: sizeOf(part.shape) },
            (_, i) => ravel(unravel(i, part.shape).map((c, d) => c + part.origin[d]!), sig),
          );
          const samples = new Float64Array(memory.buffer, 1024, 2 * pixels.length);
          samples.set([...pixels, ...pixels].map((p) => frame[p]!));
          new Int32Array(memory.buffer, 131072, plan.length).set(plan);
          kernels.exports.patch_f64(1024, 8 * pixels.length, 2, 131072, count);
          assertEquals([...samples], [...pixels, ...pixels].map((p) => expected[p]!));
        }
      },
    ),
    { numRuns: 400, seed: 9 },
  );
});
