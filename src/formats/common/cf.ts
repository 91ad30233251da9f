/**
 * What the attributes of CF and NetCDF say of samples, in NetCDF-4, HDF5 and Zarr alike, read as xarray reads them: which are missing,
 * which are flags, whether integers have a sign. What cannot be kept is told.
 *
 * Source: CF conventions 1.11, sections 2.5.1, 3.5, 5 and 8.1; the attributes of the NetCDF user's guide.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { fromBase64 } from "../../space/bytes.ts";
import type { DType } from "../../space/dtype.ts";
import { numberIn, type Scaling } from "./kinds.ts";

/** Attributes by name. */
type Attributes = Readonly<Record<string, unknown>>;

/** Attributes that name arrays: further coordinates, flags of quality, sizes of cells, the projection of a map. */
const BESIDE = ["coordinates", "ancillary_variables", "cell_measures", "grid_mapping"];

/** Integers by sign and bits. */
const WHOLE = /^(u?)int(\d+)$/;

/** What attributes say of samples. */
interface CfFacts {
  /** The number of a missing sample. */
  readonly missing?: number;
  /** Flags have no mean; xarray notes truth values. */
  readonly kind?: "label" | "mask";
  /** What of it is not kept. */
  readonly warnings: readonly string[];
}

/** What `attributes` say of samples of `dtype`. */
export function cfFacts(attributes: Attributes, dtype: DType): CfFacts {
  const { _FillValue: fill, missing_value: others, flag_values: flags, flag_masks: bits } = attributes;
  const [missing, ...more] = new Set(
    [...numbersIn(fill), ...numbersIn(others)].filter(Number.isFinite).map((n) =>
      attributes["_Unsigned"] === undefined ? n : withSign(n, dtype)
    ),
  );
  const isFlag = /^u?int/.test(dtype) && (flags ?? bits) !== undefined;
  const valid = validIn(attributes, dtype);
  const beside = BESIDE.flatMap((name) =>
    typeof attributes[name] === "string" ? [`${name} ${attributes[name]}`] : []
  );
  return {
    ...defined({ missing, kind: attributes["dtype"] === "bool" ? "mask" : isFlag ? "label" : undefined }),
    warnings: [
      ...(more.length > 0
        ? [`Samples of ${more.join(", ")} are missing as well: they count as numbers`]
        : []),
      ...(valid === "" ? [] : [`The file says that valid samples are ${valid}: others count as numbers`]),
      ...(beside.length > 0
        ? [`The file says more of the samples in other arrays, which are not used: ${beside.join("; ")}`]
        : []),
    ],
  };
}

/** Which samples are valid, as far as the type has others. */
function validIn(
  { valid_range: range, valid_min: least, valid_max: most }: Attributes,
  dtype: DType,
): string {
  const [from, to] = numbersIn(range), [min = from] = numbersIn(least), [max = to] = numbersIn(most);
  const [, unsigned, bits] = WHOLE.exec(dtype) ?? [], all = bits ? 2 ** Number(bits) : Infinity;
  const first = unsigned ? 0 : -all / 2;
  return [
    min !== undefined && min > first ? `from ${min}` : "",
    max !== undefined && max < first + all - 1 ? `up to ${max}` : "",
  ].join(" ").trim();
}

/** One number or several; xarray writes floats of version 3 of Zarr as the base64 of a float64. */
function numbersIn(value: unknown): number[] {
  if (typeof value === "string" && /^[\w+/]{11}=$/.test(value)) {
    return [new DataView(fromBase64(value).buffer).getFloat64(0, true)];
  }
  const all = Array.isArray(value) || ArrayBuffer.isView(value) ? [...value as number[]] : [value];
  return all.filter((one): one is number => typeof one === "number");
}

/** The type of integers of which the attribute `_Unsigned` says that they have no sign, or that they have one. */
export function signedAs(dtype: DType, { _Unsigned: said }: Attributes): DType {
  const [, , bits] = WHOLE.exec(dtype) ?? [];
  if (bits === undefined || said !== "true" && said !== "false") return dtype;
  return `${said === "true" ? "u" : ""}int${bits}` as DType;
}

/** The same bits in `dtype`: `_FillValue` has the type in which samples are stored. */
function withSign(value: number, dtype: DType): number {
  const [, unsigned, bits] = WHOLE.exec(dtype) ?? [];
  if (bits === undefined) return value;
  const all = 2 ** Number(bits);
  if (unsigned) return value < 0 ? value + all : value;
  return value >= all / 2 ? value - all : value;
}

/** What attributes say that amounts are. In NeXus the offset is added first. */
export function scalingOf(attributes: Attributes): Scaling {
  const { units: unit, scale_factor: scale, add_offset: offset, scaling_factor: factor } = attributes;
  if (factor === undefined) return { unit, scale, offset };
  const first = attributes["offset"] ?? 0, [sum, by] = [numberIn(first), numberIn(factor)];
  return { unit, scale: factor, offset: sum === undefined || by === undefined ? first : sum * by };
}
