/**
 * What a description of Ripple says of its axes: `record-by` says whether spectra or images follow each other; programs add
 * steps, units and names.
 *
 * @module
 */

import { type AxisFacts, type AxisKind, factsOf } from "../../space/axes.ts";
import { kindOfUnit } from "../../space/meaning/said_kinds.ts";

/** The axes of the dimensions `keys`, by the record kind `by`. */
export function rippleAxes(
  fields: ReadonlyMap<string, string>,
  keys: readonly string[],
  by: string,
): AxisFacts[] {
  return keys.map((key) => {
    const number = (name: string) => {
      const text = fields.get(name);
      return text ? Number(text) : undefined;
    };
    const perChannel = key === "depth" ? number("ev-per-chan") : undefined;
    const unit = fields.get(`${key}-units`) ?? (perChannel === undefined ? undefined : "eV");
    const scale = number(`${key}-scale`) ?? perChannel;
    return factsOf({
      name: fields.get(`${key}-name`),
      kind: kindOf(key, by, kindOfUnit(unit)),
      scale,
      offset: scale === undefined ? undefined : number(`${key}-origin`),
      unit,
    });
  });
}

/** Spectra (`vector`) are those of a scan along width and height; images (`image`) follow each other along the depth. */
function kindOf(key: string, by: string, unit: ReturnType<typeof kindOfUnit>): AxisKind | undefined {
  const known = unit === "length" ? undefined : unit;
  if (by === "vector") return key === "depth" ? known ?? "energy" : "scan";
  if (by !== "image") return known;
  return known ?? (key === "depth" ? "series" : "space");
}
