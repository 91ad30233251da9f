/** Terms before the sum over sources, against golden values and plain formulae. */

import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { beam, type BeamOptions } from "../../../src/rime/terms/beam.ts";
import { feedRotation } from "../../../src/rime/terms/feed.ts";
import { jonesFunction, type JonesSource } from "../../../src/rime/terms/function.ts";
import { jonesKernel } from "../../../src/rime/terms/kernel.ts";
import { prepareTerms, startTerms, termArrays } from "../../../src/rime/terms/terms.ts";
import { instantiateKernels, loadKernels } from "../../../src/kernels/wasm.ts";
import { assertNear, type Golden, golden, goldenTest, numbersOf } from "../golden/golden.ts";
import { jonesOf, type Numbers, type Sizes } from "./rig.ts";

await loadKernels();

/** The sizes and inputs of a golden case with a beam. */
function problemOf({ inputs, params }: Golden): { readonly sizes: Sizes; readonly given: Numbers } {
  const [beam_lw, beam_mh, beam_nud] = inputs["ebeam"]!.shape as [number, number, number];
  const [ntime, na, nchan] = inputs["pointing_errors"]!.shape as [number, number, number];
  const nsrc = inputs["lm"]!.shape[0]!;
  const given = Object.fromEntries(Object.keys(inputs).map((name) => [name, inputs[name]!.data]));
  const feed_angles = given["feed_angles"] ?? new Float64Array(na);
  assert(params);
  return { sizes: { nsrc, ntime, na, nchan, beam_lw, beam_mh, beam_nud }, given: { feed_angles, ...given } };
}

const ALL: BeamOptions = { pointingErrors: true, antennaScaling: true };

goldenTest("08-beam-ejones", "the beam in both precisions, in batches of any size", async (file) => {
  const { sizes, given } = problemOf(file);
  const expected = numbersOf(file.outputs, "ejones");
  for (const batch of [1, 3, 4]) {
    assertNear(await jonesOf([beam(ALL)], sizes, given, "f64", batch), expected, file.tolerance["f64_abs"]!);
    assertNear(
      await jonesOf([beam(ALL)], sizes, given, "mixed", batch),
      expected,
      file.tolerance["f32_abs"]!,
    );
  }
});

for (
  const [name, feed] of [["09-full-rime-linear", "linear"], ["10-full-rime-circular", "circular"]] as const
) {
  goldenTest(name, "feed rotation and beam, each by itself", async (file) => {
    const { sizes, given } = problemOf(file);
    const ejones = numbersOf(file.outputs, "ejones");
    assertNear(await jonesOf([beam(ALL)], sizes, given), ejones, 1e-13);
    const rotation = await jonesOf([feedRotation(feed)], { ...sizes, nsrc: 1, nchan: 1 }, {
      ...given,
      lm: [0, 0],
    });
    assertNear(rotation, numbersOf(file.outputs, "feed_rotation"), 1e-15);
  });
}

/** A beam whose samples are numbers of a formula. */
function cube(sizes: Sizes, value: (i: number, j: number, k: number) => readonly [number, number]): number[] {
  const { beam_lw = 1, beam_mh = 1, beam_nud = 1 } = sizes;
  const all: number[] = [];
  for (let i = 0; i < beam_lw; i++) {
    for (let j = 0; j < beam_mh; j++) {
      for (let k = 0; k < beam_nud; k++) for (let c = 0; c < 4; c++) all.push(...value(i, j, k));
    }
  }
  return all;
}

const ONE: Sizes = { nsrc: 1, ntime: 1, na: 1, nchan: 1, beam_lw: 3, beam_mh: 3, beam_nud: 1 };
const STILL: Numbers = {
  parallactic_angles: [0],
  feed_angles: [0],
  frequency: [1.2e9],
  beam_extents: [-1, -1, 1e9, 1, 1, 2e9],
  beam_freq_map: [1e9],
};

Deno.test("a beam of one slice works at every frequency, and one of a single sample everywhere", async () => {
  const ebeam = cube(ONE, (i, j) => [i + 10 * j, 0]);
  for (const frequency of [1e8, 1e9, 5e9]) {
    const jones = await jonesOf([beam()], ONE, { ...STILL, frequency: [frequency], ebeam, lm: [0.5, -0.25] });
    assertNear(jones.subarray(0, 2), [1.5 + 10 * 0.75, 0], 1e-14);
  }
  const single = { ...ONE, beam_lw: 1, beam_mh: 1 };
  const seen = await jonesOf([beam()], single, {
    ...STILL,
    ebeam: cube(single, () => [3, 4]),
    lm: [0.9, 0.1],
  });
  assertEquals([...seen], [3, 4, 3, 4, 3, 4, 3, 4]);
});

Deno.test("outside of its frequencies the beam is clamped, or l and m scale with frequency", async () => {
  const sizes = { ...ONE, beam_nud: 2, nchan: 4 };
  const given = {
    ...STILL,
    frequency: [5e8, 1e9, 2e9, 4e9],
    beam_freq_map: [1e9, 2e9],
    ebeam: cube(sizes, (i) => [i, 0]), // l + 1
    lm: [0.4, 0],
  };
  const real = (jones: Float64Array) => [0, 8, 16, 24].map((at) => jones[at]!);
  assertNear(real(await jonesOf([beam()], sizes, given)), [1.4, 1.4, 1.4, 1.4], 1e-14);
  assertNear(real(await jonesOf([beam({ outside: "scale" })], sizes, given)), [1.2, 1.4, 1.4, 1.8], 1e-14);
});

Deno.test("a phase that changes between samples does not dim the beam, and 0 stays 0", async () => {
  const opposite = cube(ONE, (i) => i === 0 ? [1, 0] : [0, 1]);
  const [re = 0, im = 0] = await jonesOf([beam()], ONE, { ...STILL, ebeam: opposite, lm: [-0.5, 0] });
  assertNear([Math.hypot(re, im), Math.atan2(im, re)], [1, Math.PI / 4], 1e-14);
  const cancelled = cube(ONE, (i) => i === 0 ? [1, 0] : [-1, 0]);
  const zero = await jonesOf([beam()], ONE, { ...STILL, ebeam: cancelled, lm: [-0.5, 0] });
  assertEquals([...zero], Array(8).fill(0));
});

Deno.test("irregular slices are found by their frequencies", async () => {
  const sizes = { ...ONE, beam_nud: 4, nchan: 5 };
  const map = [1e9, 1.1e9, 1.6e9, 2e9];
  const jones = await jonesOf([beam()], sizes, {
    ...STILL,
    frequency: [1e9, 1.05e9, 1.35e9, 1.9e9, 2e9],
    beam_freq_map: map,
    ebeam: cube(sizes, (_i, _j, k) => [k, 0]),
    lm: [0, 0],
  });
  assertNear([0, 8, 16, 24, 32].map((at) => jones[at]!), [0, 0.5, 1.5, 2.75, 3], 1e-12);
});

Deno.test("a beam that cannot be right is refused", async () => {
  const given = { ...STILL, ebeam: cube(ONE, () => [1, 0]), lm: [0, 0] };
  const refused = (change: Numbers, text: string, sizes = ONE) =>
    assertRejects(() => jonesOf([beam()], sizes, { ...given, ...change }), TilewiseError, text);
  await refused({ beam_extents: [1, -1, 0, -1, 1, 0] }, "beam_extents go from 1 to -1 in l");
  await refused({ beam_extents: [-1, NaN, 0, 1, 1, 0] }, "in m");
  const two = { ...ONE, beam_nud: 2 };
  const ebeam = cube(two, () => [1, 0]);
  await refused({ beam_freq_map: [2e9, 1e9], ebeam }, "beam_freq_map[1] is 1000000000 after 2000000000", two);
  await refused({ beam_freq_map: [0] }, "beam_freq_map[0] is 0");
  await refused({ ebeam: [] }, "needs one at least", { ...ONE, beam_lw: 0 });
});

const TURNED: Sizes = { nsrc: 2, ntime: 2, na: 3, nchan: 2 };
const ANGLES: Numbers = {
  parallactic_angles: [0.1, 0.2, 0.3, -0.4, 0.5, 1.6],
  feed_angles: [0, 0.25, -0.5],
  frequency: [1e9, 2e9],
  lm: [0.1, 0.2, -0.3, 0.05],
};

/** The product of two matrices as pairs. */
function product(a: ArrayLike<number>, b: ArrayLike<number>): number[] {
  const out = Array(8).fill(0);
  for (let i = 0; i < 2; i++) {
    for (let j = 0; j < 2; j++) {
      for (let k = 0; k < 2; k++) {
        const [p, q, r] = [2 * (2 * i + k), 2 * (2 * k + j), 2 * (2 * i + j)];
        out[r] += a[p]! * b[q]! - a[p + 1]! * b[q + 1]!;
        out[r + 1] += a[p]! * b[q + 1]! + a[p + 1]! * b[q]!;
      }
    }
  }
  return out;
}

/** A term that writes numbers of its own everywhere. */
export function ripple({ l, m, source, frequency, params }: JonesSource, out: Float64Array): void {
  out.forEach((_, i) =>
    out[i] = Math.sin(i + 3 * l - m + source + frequency[0]! / 1e9) * Number(params["size"])
  );
}

const RIPPLE = jonesFunction(import.meta.url, { export: "ripple", params: { size: 2 } });

Deno.test("terms are multiplied in their order, those of users included", async () => {
  const [first, second] = await Promise.all([
    jonesOf([RIPPLE], TURNED, ANGLES),
    jonesOf([feedRotation("linear")], TURNED, ANGLES),
  ]);
  for (const precision of ["f64", "mixed"] as const) {
    const both = await jonesOf([RIPPLE, feedRotation("linear")], TURNED, ANGLES, precision, 1);
    const other = await jonesOf([feedRotation("linear"), RIPPLE], TURNED, ANGLES, precision);
    for (let at = 0; at < both.length; at += 8) {
      const [a, b] = [first.subarray(at, at + 8), second.subarray(at, at + 8)];
      assertNear(both.subarray(at, at + 8), product(a, b), precision === "f64" ? 1e-14 : 1e-6);
      assertNear(other.subarray(at, at + 8), product(b, a), precision === "f64" ? 1e-14 : 1e-6);
    }
  }
});

Deno.test("circular feeds turn by phases of opposite signs", async () => {
  const jones = await jonesOf([feedRotation("circular")], TURNED, ANGLES);
  const angle = 0.5 + 0.25; // time 1, antenna 1
  const at = 8 * 2 * (3 * 1 + 1);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  assertNear(jones.subarray(at, at + 8), [cos, -sin, 0, 0, 0, 0, cos, sin], 1e-15);
});

const RIPPLE_KERNEL = `
  const TABLE: StaticArray<f64> = [1.0, 0.5, 0.25];
  export function source(
    l: f64, m: f64, frequency: usize, out: usize, times: i32, antennas: i32, channels: i32, tilt: usize, size: f64,
  ): void {
    for (let t = 0; t < times; t++) {
      for (let a = 0; a < antennas; a++) {
        for (let c = 0; c < channels; c++, out += 64) {
          store<f64>(out, size * (l + TABLE[a]) * load<f64>(frequency + 8 * c) / 1e9);
          store<f64>(out, m + load<f64>(tilt + 8 * t), 8);
        }
      }
    }
  }`;

Deno.test("a kernel of a user is a term: with arrays, parameters and tables of its own", async () => {
  const tilt = { name: "tilt", shape: ["ntime"], dtype: "float64" } as const;
  const dish = jonesKernel({ name: "dish", source: RIPPLE_KERNEL, arrays: [tilt], params: { size: 3 } });
  const plain = jonesFunction(({ l, m, times, antennas, channels, frequency, arrays, params }, out) => {
    for (let t = 0, at = 0; t < times; t++) {
      for (let a = 0; a < antennas; a++) {
        for (let c = 0; c < channels; c++, at += 8) {
          out[at] = Number(params["size"]) * (l + [1, 0.5, 0.25][a]!) * frequency[c]! / 1e9;
          out[at + 1] = m + Number(arrays["tilt"]!.data[t]);
        }
      }
    }
  }, { name: "plain", arrays: [tilt], params: { size: 3 } });
  const given = { ...ANGLES, tilt: [0.5, -0.25] };
  for (const precision of ["f64", "mixed"] as const) {
    for (const batch of [1, 2]) {
      const found = await jonesOf([feedRotation("linear"), dish], TURNED, given, precision, batch);
      assertEquals(found, await jonesOf([feedRotation("linear"), plain], TURNED, given, precision, batch));
      assert(found.some((value) => Math.abs(value) > 1));
    }
  }
});

Deno.test("a term of a user that fails says which term, which source, and where", async () => {
  const fails = (term: ReturnType<typeof jonesFunction>, text: string) =>
    assertRejects(() => jonesOf([term], TURNED, ANGLES), TilewiseError, text);
  const thrown = await fails(
    jonesFunction(({ source }) => {
      if (source === 1) throw new Error("no such source");
    }, { name: "broken" }),
    'Term "broken" failed for source 1: no such source',
  );
  assertEquals([thrown.code, thrown.details["source"]], ["udf", 1]);
  await fails(jonesFunction(() => Promise.resolve() as never, { name: "later" }), "it returned a promise");
  await fails(jonesFunction(import.meta.url, { export: "nothing" }), 'has no export "nothing"');
  const trap =
    "export function source(l: f64, m: f64, f: usize, out: usize, t: i32, a: i32, c: i32): void { unreachable(); }";
  await fails(jonesKernel({ name: "trap", source: trap }), "kernel.ts:1:");
  await fails(
    jonesKernel({ name: "odd", source: "export function source(l: f32): void {}" }),
    "another signature",
  );
  await fails(
    jonesKernel({ name: "none", source: "export function frame(): void {}" }),
    "has no export source",
  );
  await fails(jonesKernel({ name: "bad", source: "export function source(" }), "Cannot compile kernel");
  assertThrows(
    () => jonesKernel({ name: "two", source: "", file: "x.ts" }),
    TilewiseError,
    "one of source and file",
  );
  assertThrows(() => jonesFunction("./term.ts"), TilewiseError, "import.meta.resolve");
  assertThrows(() => jonesFunction(() => {}, { name: "a b" }), TilewiseError, "letters, digits and _");
});

Deno.test("two terms of one name, arrays that contradict each other and unknown kinds are refused", async () => {
  const twice = [feedRotation("linear"), feedRotation("circular")];
  await assertRejects(() => prepareTerms(twice, undefined), TilewiseError, 'two terms "feed_rotation"');
  const odd = jonesFunction(() => {}, {
    name: "odd",
    arrays: [{ name: "feed_angles", shape: [3], dtype: "float32" }],
  });
  assertThrows(
    () => termArrays([feedRotation("linear"), odd], "f64"),
    TilewiseError,
    "needs the array feed_angles",
  );
  const kernels = instantiateKernels(new WebAssembly.Memory({ initial: 1 }));
  const unknown = { ...feedRotation("linear"), term: "zernike" };
  await assertRejects(
    () => startTerms([unknown], { kernels, precision: "f64" }),
    TilewiseError,
    'kind of term "zernike"',
  );
});

Deno.test("arrays that terms share are needed once, complex ones in the precision of the run", () => {
  const terms = [beam(), feedRotation("linear")];
  const names = termArrays(terms, "f64").map(({ name }) => name);
  assertEquals(new Set(names).size, names.length);
  const dtypes = (precision: "f64" | "mixed") =>
    ["ebeam", "feed_rotation", "feed_angles"].map((name) =>
      termArrays(terms, precision).find((one) => one.name === name)!.dtype
    );
  assertEquals(dtypes("f64"), ["complex128", "complex128", "float64"]);
  assertEquals(dtypes("mixed"), ["complex64", "complex64", "float64"]);
});

Deno.test("without terms the matrices are identities", async () => {
  const jones = await jonesOf([], TURNED, ANGLES);
  assertEquals(
    [...jones],
    Array.from({ length: jones.length }, (_, i) => i % 8 === 0 || i % 8 === 6 ? 1 : 0),
  );
  assertEquals(golden("no-such-case"), undefined);
});
