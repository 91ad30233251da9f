/**
 * The files that `tilewise new` writes: working UDFs as a starting point.
 *
 * @module
 */

/** How modules import an entry of Tilewise; `""` is what one needs on the first day. */
export type Library = (entry: "" | "udf" | "testing" | "unstable/udf" | "unstable/testing") => string;

/** The values for a template. */
interface TemplateFacts {
  /** The name of the UDF: letters, digits, `_`. */
  readonly name: string;
  /** How modules in that folder import Tilewise. */
  readonly library: Library;
}

/** A file to write. */
interface TemplateFile {
  /** Its name. */
  readonly file: string;
  /** Its contents. */
  readonly text: string;
}

/** A UDF in TypeScript, and its test. */
export function udfTemplate({ name, library }: TemplateFacts): TemplateFile[] {
  return [
    {
      file: `${name}.ts`,
      text: `/**
 * Per frame the sum of the samples that are at least \`least\`, and per pixel how often it was.
 *
 * Run it:   tilewise run ./${name}.ts:least=10 SCAN -o ${name}.npy
 * Test it:  deno test -A ${name}_test.ts
 */

import { defineUdf } from ${JSON.stringify(library(""))};
import { combineInto } from ${JSON.stringify(library("udf"))};

/** The parameters; the command line gives them as in ./${name}.ts:least=10. */
export interface Params {
  readonly least?: number;
}

export default function ({ least = 1 }: Params = {}) {
  return defineUdf({
    name: ${JSON.stringify(name)},
    // nav: one number per frame, sig: one per pixel, single: one in all; each may be an array by extraShape.
    buffers: {
      bright: { kind: "nav", dtype: "float64" },
      hits: { kind: "sig", dtype: "uint32", merge: "sum" }, // merge: how partial results become one
    },
    // One whole frame at a time. Faster, and more to mind: processTile, with stacks of parts of frames.
    processFrame({ data }, { bright, hits }) {
      bright[0] = data.filter((value) => value >= least).reduce((sum, value) => sum + value, 0);
      combineInto(hits, data, (count, value) => value >= least ? count + 1 : count);
    },
  });
}
`,
    },
    { file: `${name}_test.ts`, text: testText(name, library, false) },
  ];
}

/** A kernel in AssemblyScript, the module that makes it a UDF, and the test of both. */
export function kernelTemplate({ name, library }: TemplateFacts): TemplateFile[] {
  return [
    {
      file: `${name}.as.ts`,
      text: `// deno-lint-ignore-file
// deno-fmt-ignore-file
// AssemblyScript: compiled to WebAssembly with SIMD when a run with it is planned; no build step.
//
// Addresses are usize, counts i32, parameters f64, in the order in which ${name}.ts declares them. There is no heap:
// no new, no arrays but top-level StaticArray; memory comes as buffers, arrays and scratch. No state between frames.

import { Sample } from "tilewise"; // the type of the samples: the kernel is compiled for each that it meets

export function frame(data: usize, rows: i32, cols: i32, bright: usize, hits: usize, least: f64): void {
  const n = rows * cols;
  let sum = 0.0;
  for (let i = 0; i < n; i++) {
    const value = <f64>load<Sample>(data + <usize>i * sizeof<Sample>());
    if (!(value >= least)) continue;
    sum += value;
    const hit = hits + 8 * <usize>i;
    store<f64>(hit, load<f64>(hit) + 1);
  }
  store<f64>(bright, sum);
}
`,
    },
    {
      file: `${name}.ts`,
      text: `/**
 * Per frame the sum of the samples that are at least \`least\`, and per pixel how often it was; by the kernel
 * in ${name}.as.ts.
 *
 * Run it:   tilewise run ./${name}.ts:least=10 SCAN -o ${name}.npy
 * Test it:  deno test -A ${name}_test.ts
 */

import { asNumbers, combineInto } from ${JSON.stringify(library("udf"))};
import { kernelUdf } from ${JSON.stringify(library("unstable/udf"))};

/** The parameters; the command line gives them as in ./${name}.ts:least=10. */
export interface Params {
  readonly least?: number;
}

export default function ({ least = 1 }: Params = {}) {
  return kernelUdf({
    name: ${JSON.stringify(name)},
    file: new URL("./${name}.as.ts", import.meta.url),
    // nav: one number per frame, sig: one per pixel, single: one in all; each may be an array by extraShape.
    buffers: {
      bright: { kind: "nav", dtype: "float64" },
      hits: { kind: "sig", dtype: "float64" },
    },
    merge: "sum", // of sig and single buffers; or min, max, or one by name
    params: { least },
    // The same, obviously right: checkKernel compares. Without it, the kernel is compared with its plain build.
    twin({ data, buffers: { bright, hits }, params: { least } }) {
      const values = asNumbers(data); // integers of 64 bits are bigints
      bright[0] = values.filter((value) => value >= least).reduce((sum, value) => sum + value, 0);
      combineInto(hits, values, (count, value) => value >= least ? count + 1 : count);
    },
  });
}
`,
    },
    { file: `${name}_test.ts`, text: testText(name, library, true) },
  ];
}

function testText(name: string, library: Library, isKernel: boolean): string {
  const more = isKernel
    ? `\nimport { checkKernel } from ${JSON.stringify(library("unstable/testing"))};`
    : "";
  const property = isKernel
    ? `
Deno.test("${name}: the kernel is what its twin is, for frames of any size", async () => {
  await checkKernel(make({ least: 50 }), { dtypes: ["uint8", "int16", "float32"], runs: 100 });
});
`
    : "";
  return `/** The test of ${name}: deno test -A ${name}_test.ts */

import { deepStrictEqual } from "node:assert/strict";
import { udf } from ${JSON.stringify(library(""))};
import { testUdf } from ${JSON.stringify(library("testing"))};${more}
import ${isKernel ? "" : "type "}make from "./${name}.ts";

Deno.test("${name}: the same bits however the scan is cut, and what a plain computation gives", async () => {
  const ref = udf<typeof make>(import.meta.resolve("./${name}.ts"), { params: { least: 50 } });
  // A random scan of 4 × 5 frames of 3 × 6 pixels, computed in many partitions and tiles, and on workers.
  const { data, results } = await testUdf(ref, { nav: [4, 5], sig: [3, 6], dtype: "uint16" });
  const frames = Array.from({ length: 20 }, (_, f) => data.subarray(18 * f, 18 * (f + 1)));
  const bright = frames.map((frame) => frame.reduce((sum, value) => value < 50 ? sum : sum + value, 0));
  const hits = Array.from({ length: 18 }, (_, p) => frames.filter((frame) => (frame[p] ?? 0) >= 50).length);
  deepStrictEqual([...results.bright.data], bright);
  deepStrictEqual([...results.hits.data], hits);
});
${property}`;
}
