/**
 * The auxiliary data that a UDF declares, checked.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { inWords, type OptionNames } from "../../options.ts";
import { needed, oneOf } from "../../options/rules.ts";
import { unitsOf, zeros } from "../../space/dtype.ts";
import { dtypeName, shapeFrom } from "../../space/rules.ts";
import { showShape, sizeOf } from "../../space/shape.ts";
import type { AuxSpec } from "../interface/aux_data.ts";
import { checkSpec, declaredEntries } from "./declarations.ts";
import { guarded } from "../interface/guard.ts";
import type { DataMeta, Udf, UdfMeta } from "../interface/udf.ts";

// deno-fmt-ignore: written by `deno task build`
const AUX_NAMES: OptionNames<AuxSpec> = {
  kind: needed(oneOf("nav", "sig", "single")), data: true, dtype: needed(dtypeName),
  extraShape: shapeFrom(0, "[2]"),
};

/** The auxiliary data of a UDF, checked against the data set. */
export function declaredAux(udf: Udf, meta: UdfMeta): Record<string, AuxSpec> {
  const declared = guarded(udf.name, "aux()", () => udf.aux?.(meta) ?? {});
  const entries = declaredEntries(udf, "aux()", declared);
  for (const [name, spec] of entries) checkAux(udf, name, spec, meta);
  return Object.fromEntries(entries);
}

function checkAux(udf: Udf, name: string, spec: AuxSpec, meta: DataMeta): void {
  const fail = (text: string, details: Record<string, string | number>): never => {
    throw new TilewiseError("udf", `UDF "${udf.name}": auxiliary data "${name}" ${text}`, {
      udf: udf.name,
      ...details,
    });
  };
  if (ArrayBuffer.isView(spec)) fail("is an array; write auxData(array)", { found: inWords(spec) });
  checkSpec(udf, `aux.${name}`, spec, AUX_NAMES);
  const { kind, data, dtype, extraShape = [] } = spec;
  if (!["nav", "sig", "single"].includes(kind)) {
    fail(`has kind "${kind}"; it can be nav, sig or single`, { found: String(kind) });
  }
  if (!ArrayBuffer.isView(data)) fail("is not a typed array", { found: typeof data });
  const wanted = zeros(dtype, 0).constructor;
  if (data.constructor !== wanted) {
    const found = data.constructor.name;
    fail(`is declared ${dtype}, which lies in a ${wanted.name}; it is a ${found}`, {
      expected: dtype,
      found,
    });
  }
  const whole = { nav: meta.navShape, sig: meta.sigShape, single: [] }[kind];
  const units = sizeOf([...whole, ...extraShape]) * unitsOf(dtype);
  if (data.length === units) return;
  fail(
    `has ${data.length} numbers; as ${kind} data of ${
      showShape([...whole, ...extraShape])
    } ${dtype} it needs ${units}`,
    { expected: units, found: data.length },
  );
}
