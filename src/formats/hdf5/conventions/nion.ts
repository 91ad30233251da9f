/**
 * Axes of Nion Swift: the attribute `properties` of an array is a text in JSON, which counts its dimensions: first a sequence,
 * then those of a collection (a scan), then those of a datum (a pattern, a spectrum, an image).
 *
 * @module
 */

import { unitOfSame } from "../../common/values.ts";
import { type AxisFacts, factsOf } from "../../../space/axes.ts";
import { kindsBySignal } from "../../../space/meaning/said_kinds.ts";
import { withTexts } from "../../zarr/json.ts";
import type { Hdf5Array } from "../arrays/arrays.ts";
import { readAttributes } from "../metadata/attributes.ts";
import { unit } from "./units.ts";

/** What of the text is used here; which of these objects has it depends on the version. */
interface NionText {
  readonly data_source?: NionText;
  readonly data_sources?: readonly NionText[];
  readonly is_sequence?: boolean;
  readonly collection_dimension_count?: number;
  readonly datum_dimension_count?: number;
  readonly dimensional_calibrations?: readonly { offset?: number; scale?: number; units?: string }[];
  readonly intensity_calibration?: { offset?: number; scale?: number; units?: string };
}

/** The axes of an array; `undefined` if Nion Swift has not written it. */
export async function nionAxes({ dataset }: Hdf5Array): Promise<AxisFacts[] | undefined> {
  const { properties } = await readAttributes(dataset.file, dataset.messages);
  const text = typeof properties === "string" ? parse(properties) : undefined;
  if (!text) return undefined;
  const {
    dimensional_calibrations: steps,
    is_sequence: isSequence,
    datum_dimension_count: datum,
    collection_dimension_count: collection,
  } = { ...text, ...text.data_sources?.[0], ...text.data_source };
  const rank = dataset.space.shape.length;
  if (!Array.isArray(steps)) return undefined;
  const axes = steps.map(({ offset, scale, units }, d): AxisFacts => {
    const own = unit(units);
    const isKnown = scale !== undefined && !(scale === 1 && own.unit === undefined);
    return factsOf({
      kind: isSequence && d === 0 ? "series" : undefined,
      ...(isKnown ? { scale: Number(scale), offset: Number(offset ?? 0) } : {}),
      ...own,
    });
  });
  const last = dataset.space.shape.at(-1);
  if (rank === steps.length + 1 && (last === 3 || last === 4)) return [...axes, { kind: "colour" }];
  const counts = (isSequence ? 1 : 0) + (collection ?? 0) + (datum ?? NaN);
  return counts === rank ? kindsBySignal(axes, axes.map((_, d) => d >= rank - datum!)) : axes;
}

/** The unit of samples, from the properties of an array. */
export function nionUnit(properties: unknown): unknown {
  const text = typeof properties === "string" ? parse(properties) : undefined;
  const { intensity_calibration: found } = { ...text, ...text?.data_sources?.[0], ...text?.data_source };
  return unitOfSame(found?.units, found?.scale, found?.offset);
}

function parse(text: string): NionText | undefined {
  try {
    const value: unknown = JSON.parse(withTexts(text));
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined; // cut off, or something else: it is only a description
  }
}
