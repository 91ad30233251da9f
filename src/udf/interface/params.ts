/**
 * Checks that parameters can travel to workers, before anything is sent.
 *
 * @module
 */

import { mustTravel } from "../../runner/travel.ts";
import { type TypedArray, zeros } from "../../space/dtype.ts";
import { type AuxSpec, isAuxData } from "./aux_data.ts";

/** Refuses parameters that cannot be sent to a worker unchanged; the error names the path of the first one. */
export function checkParams(udf: string, params: Readonly<Record<string, unknown>>): void {
  mustTravel(`UDF "${udf}"`, params, { udf });
}

/**
 * Values that travel to workers as parameters.
 * @category User-defined functions
 */
export type ParamValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | bigint
  | TypedArray
  | AuxSpec
  | readonly ParamValue[]
  | {
    /** A value by its name. */
    readonly [key: string]: ParamValue;
  };

/**
 * The parameters of a UDF.
 * @category User-defined functions
 */
export type Params = Readonly<Record<string, ParamValue>>;

/** Parameters as they travel to workers: without the numbers of {@link auxData}, which lie in shared memory. */
export function travelling(params: Params): Params {
  const light = ([key, value]: [string, ParamValue]): [string, ParamValue] => {
    if (typeof value !== "object" || value === null || !isAuxData(value)) return [key, value];
    return [key, { ...value, data: zeros(value.dtype, 0) }];
  };
  return Object.fromEntries(Object.entries(params).map(light));
}
