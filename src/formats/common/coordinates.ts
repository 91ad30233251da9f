/**
 * Coordinates: an array with the position of each sample along a dimension, as NeXus, EMD, NetCDF and xarray keep it.
 *
 * @module
 */

import type { AxisFacts } from "../../space/axes.ts";
import { unit } from "./hyperspy.ts";

/** Steps may differ by this part of them: axes are kept in float32 too. */
const EVEN = 1e-3;

/** What positions and their unit say of an axis: a scale where steps are even; nothing where they only count samples. */
export function spaced(
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
