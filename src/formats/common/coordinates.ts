/**
 * Coordinates: an array with the position of each sample along a dimension, as NeXus, EMD, NetCDF and xarray keep it.
 *
 * @module
 */

import type { AxisFacts } from "../../space/axes.ts";
import type { SaidAxis } from "../../dataset/said_axes.ts";
import type { ByteOrder, DType } from "../../space/dtype.ts";
import { asNumbers } from "../../space/numbers.ts";
import { cfFacts, scalingOf, signedAs } from "./cf.ts";
import { numbersOf } from "./first_samples.ts";
import { unit } from "./hyperspy.ts";
import { notOneNumber, numberIn } from "./kinds.ts";

/** Steps may differ by this part of them: axes are kept in float32 too. */
const EVEN = 1e-3;

/** Stored positions with the sign that their attributes say; NaN where they are missing. */
export function positionsOf(
  bytes: Uint8Array,
  stored: DType,
  byteOrder: ByteOrder,
  attributes: Readonly<Record<string, unknown>>,
): number[] {
  const dtype = signedAs(stored, attributes), { missing } = cfFacts(attributes, dtype);
  return Array.from(
    asNumbers(numbersOf(bytes, dtype, byteOrder)),
    (place) => place === missing ? NaN : place,
  );
}

/** What an array of positions and its attributes say of an axis. */
export function coordinatesOf(
  stored: readonly number[] | undefined,
  attributes: Readonly<Record<string, unknown>>,
): Omit<SaidAxis, "name"> {
  const { scale, offset } = scalingOf(attributes), { units, calendar, bounds } = attributes;
  const [factor, sum] = [numberIn(scale) ?? 1, numberIn(offset) ?? 0];
  const values = factor === 1 && sum === 0 ? stored : stored?.map((value) => value * factor + sum);
  const isOther = typeof calendar === "string" && !/^(standard|(proleptic_)?gregorian)$/i.test(calendar);
  const told = [
    isOther ? `times in the calendar ${calendar}, which is not kept` : notOneNumber({ scale, offset }),
    typeof bounds === "string" ? `bounds of its samples (${bounds}), which are not used` : undefined,
  ].filter((one) => one !== undefined);
  return { ...spaced(values, units), ...(told.length > 0 ? { told: told.join("; ") } : {}) };
}

/** What positions and their unit say of an axis: a scale where steps are even; nothing where they only count samples. */
function spaced(
  values: readonly number[] | undefined,
  units: unknown,
): Pick<AxisFacts, "scale" | "offset" | "positions" | "unit"> {
  if (!values || values.length === 0) return {};
  const [first] = values as [number];
  if (values.length === 1) return { ...(first === 0 ? {} : { offset: first }), ...unit(units) };
  const step = stepOf(values);
  if (step === undefined) return { positions: values, ...unit(units) };
  const isPlain = step === 1 && first === 0 && unit(units).unit === undefined;
  return isPlain ? {} : { scale: step, offset: first, ...unit(units) };
}

/** Distance of neighbours, where it is the same for all of them. */
function stepOf(values: readonly number[]): number | undefined {
  const step = (values.at(-1)! - values[0]!) / (values.length - 1);
  const isEven = values.every((value, i) => Math.abs(value - values[0]! - i * step) <= EVEN * Math.abs(step));
  return isEven && step !== 0 ? step : undefined;
}
