/**
 * The names of the options of kernels, with the rules for their values.
 *
 * @module
 */

import type { OptionNames } from "../../options.ts";
import {
  callable,
  each,
  either,
  inner,
  list,
  needed,
  number,
  oneOf,
  text,
  truth,
} from "../../options/rules.ts";
import { entryAxesRule, meaningRule } from "../../space/meaning/rules.ts";
import { dtypeName, shapeFrom } from "../../space/rules.ts";
import type { BuiltinKernel, KernelBuffer, KernelScratch, SourceKernel } from "./options.ts";

// deno-fmt-ignore: written by `deno task build`
const BUFFER_NAMES: OptionNames<KernelBuffer> = {
  kind: needed(oneOf("nav", "sig", "single")), extraShape: shapeFrom(0, "[2]"), compressed: truth,
  values: meaningRule, axes: entryAxesRule, dtype: true, use: oneOf("private"), merge: true,
};

// deno-fmt-ignore: written by `deno task build`
const SCRATCH_NAMES: OptionNames<KernelScratch> = {
  dtype: needed(dtypeName), length: number, perPixel: number,
};

/** The names of the options of a kernel in AssemblyScript. */
// deno-fmt-ignore: written by `deno task build`
export const SOURCE_OPTIONS: OptionNames<SourceKernel> = {
  name: text, source: text, file: true, export: oneOf("frame", "tile"), input: text,
  buffers: needed(each("an object of buffers by name", inner(BUFFER_NAMES))),
  arrays: each("an object of typed arrays by name", list),
  scratch: each("an object of scratch arrays by name", inner(SCRATCH_NAMES)), params: true, merge: true,
  twin: either("a function, or the name of an export", callable, text),
};

/** The names of the options of a kernel that comes with Tilewise. */
// deno-fmt-ignore: written by `deno task build`
export const BUILTIN_OPTIONS: OptionNames<BuiltinKernel> = {
  kernel: needed(oneOf("sum_pixels", "sum_frames", "min_max")), name: text,
};
