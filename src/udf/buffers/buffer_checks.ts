/**
 * Checks of buffers that users declare, for code that is written without types; loaded with the first UDF of a user.
 *
 * @module
 */

import type { OptionNames } from "../../options.ts";
import { needed, oneOf, truth } from "../../options/rules.ts";
import { entryAxesRule, meaningRule } from "../../space/meaning/rules.ts";
import { DTYPES } from "../../space/dtype.ts";
import { ruleProblem } from "../interface/buffer_plan.ts";
import type { BufferSpec, Udf } from "../interface/udf.ts";
import { checkSpec, isCount, wrong } from "./declarations.ts";

// deno-fmt-ignore: written by `deno task build`
const BUFFER_NAMES: OptionNames<BufferSpec> = {
  kind: needed(oneOf("nav", "sig", "single")), dtype: true, extraShape: true,
  use: oneOf("private", "result"), compressed: truth, merge: oneOf("sum", "min", "max", "concat"),
  values: meaningRule, axes: entryAxesRule,
};

/** Refuses an invalid buffer, and a buffer that could be neither filled nor merged. */
export function checkBuffer(udf: Udf, name: string, spec: BufferSpec): void {
  const fail = (what: string) => wrong(udf, `buffer "${name}" ${what}`);
  if (!/^[A-Za-z_$][\w$]*$/.test(name)) throw wrong(udf, `buffer name "${name}" is not an identifier`);
  if (typeof spec !== "object" || spec === null) throw fail(`is ${spec}; declare it like { kind: "nav" }`);
  checkSpec(udf, `buffers.${name}`, spec, BUFFER_NAMES);
  const { kind, dtype = "float32", extraShape = [], use } = spec;
  if (dtype !== "object" && !DTYPES.includes(dtype)) {
    throw fail(`has dtype "${dtype}"; known are ${DTYPES.join(", ")} and object`);
  }
  if (!Array.isArray(extraShape) || !extraShape.every(isCount)) {
    throw fail(`has extraShape ${JSON.stringify(extraShape)}; it must be a list of whole numbers`);
  }
  const { axes } = spec;
  if (Array.isArray(axes) && axes.length !== extraShape.length) {
    throw fail(`has ${axes.length} axes; an entry has ${extraShape.length} dimensions`);
  }
  if (use === "result" && !udf.results) throw fail("is for results only, but the UDF has no results()");
  if (spec.merge !== undefined) {
    const problem = ruleProblem(spec.merge, dtype) ?? misplacedRule(udf, spec);
    if (problem) throw fail(problem);
  } else if (kind !== "nav" && use !== "result" && !udf.merge && !udf.mergeAll) {
    const rules = dtype === "object" ? 'merge: "concat"' : 'merge: "sum", "min" or "max"';
    throw fail(
      `is a ${kind} buffer; only nav buffers merge by themselves, so declare ${rules}, or implement merge() ` +
        `or mergeAll()`,
    );
  }
}

/** Why this buffer cannot have a rule. */
function misplacedRule(udf: Udf, { use, merge }: BufferSpec): string | undefined {
  if (use === "result") return `has merge "${merge}", but only results() fills it: there is nothing to merge`;
  if (!udf.mergeAll || udf.merge) return undefined;
  return `has merge "${merge}", but the UDF has mergeAll(), which makes all buffers; leave one of them out`;
}
