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

const BUFFER_NAMES: OptionNames<KernelBuffer> = {
  kind: needed(oneOf("nav", "sig", "single")),
  dtype: true,
  extraShape: shapeFrom(0, "[2]"),
  use: oneOf("private"),
  compressed: truth,
  merge: true,
  values: meaningRule,
  axes: entryAxesRule,
};

const SCRATCH_NAMES: OptionNames<KernelScratch> = {
  dtype: needed(dtypeName),
  length: number,
  perPixel: number,
};

/** The names of the options of a kernel in AssemblyScript. */
export const SOURCE_OPTIONS: OptionNames<SourceKernel> = {
  name: text,
  source: text,
  file: true,
  export: oneOf("frame", "tile"),
  input: text,
  buffers: needed(each("an object of buffers by name", inner(BUFFER_NAMES))),
  arrays: each("an object of typed arrays by name", list),
  scratch: each("an object of scratch arrays by name", inner(SCRATCH_NAMES)),
  params: true,
  merge: true,
  twin: either("a function, or the name of an export", callable, text),
};

/** The names of the options of a kernel that comes with Tilewise. */
export const BUILTIN_OPTIONS: OptionNames<BuiltinKernel> = {
  kernel: needed(text),
  name: text,
};
