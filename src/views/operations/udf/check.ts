/**
 * Refuses values that are not UDFs over views.
 *
 * @module
 */

import { TilewiseError } from "../../../errors.ts";
import { checkOptionNames, inWords, type OptionNames } from "../../../options.ts";
import { callable, each, inner, needed, oneOf, text } from "../../../options/rules.ts";
import { dtypeInfo } from "../../../space/dtype.ts";
import { NUMBER_RULES } from "../../../space/number_rules.ts";
import { dtypeName, shapeFrom } from "../../../space/rules.ts";
import { inputsRule, radiusRule } from "../rules.ts";
import type { AnyViewUdf, ViewBuffer } from "./types.ts";

// deno-fmt-ignore: written by `deno task build`
const BUFFER_NAMES: OptionNames<ViewBuffer> = {
  kind: needed(oneOf("tile", "single")), dtype: dtypeName, extraShape: shapeFrom(0, "[2]"),
  merge: oneOf(...NUMBER_RULES),
};

// deno-fmt-ignore: written by `deno task build`
const UDF_NAMES: OptionNames<AnyViewUdf> = {
  name: text, buffers: needed(each("an object of buffers by name", inner(BUFFER_NAMES))), input: dtypeName,
  radius: radiusRule, inputs: inputsRule, processView: needed(callable), merge: callable,
};

/** Refuses `value`, called `name` in messages, if it is not a UDF over views, or declares what cannot be. */
export function checkViewUdf(name: string, value: unknown): asserts value is AnyViewUdf {
  if (typeof value !== "object" || value === null) {
    const words = `Cannot use ${name} over views: it is not a UDF, but ${inWords(value)}`;
    throw new TilewiseError("udf", words, { found: inWords(value) });
  }
  checkOptionNames("viewUdf()", value, UDF_NAMES);
  const { buffers, merge } = value as AnyViewUdf;
  const all = Object.entries(buffers);
  const fail = (words: string) => {
    throw new TilewiseError("udf", `Cannot use ${name} over views: ${words}`, { option: "buffers" });
  };
  if (all.length === 0) fail("it has no buffers; declare at least one");
  for (const [buffer, { kind, dtype = "float32", merge: rule }] of all) {
    if (kind === "tile" && rule) fail(`its buffer "${buffer}" has an entry per tile, which are not merged`);
    if (rule && rule !== "sum" && dtypeInfo(dtype).kind === "c") {
      fail(`its buffer "${buffer}" has merge "${rule}", but complex numbers have no order`);
    }
    if (kind === "single" && !rule && !merge) {
      fail(`its buffer "${buffer}" needs merge: "sum", "min" or "max", or the UDF a function merge`);
    }
  }
}
