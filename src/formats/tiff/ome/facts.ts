/**
 * Facts of OME-XML in the common form: axes, instrument, channels, positions.
 *
 * @module
 */

import { known } from "../../../dataset/facts.ts";
import type { SaidAxis } from "../../../dataset/said_axes.ts";
import { DIMENSIONS, type MemberFacts } from "../series/members.ts";
import { type Ome, type OmeImage, wholeOf } from "./model.ts";

/** The facts of `image`, whose dimensions are `dims`. */
export function omeFacts(ome: Ome, image: OmeImage, dims: string, warnings: readonly string[]): MemberFacts {
  const objective = ome.objectives.get(image.objective) ?? [...ome.objectives.values()][0];
  const exposure = image.planes.map(({ facts }) => secondsOf(facts.ExposureTime, facts.ExposureTimeUnit))
    .find((one) => one !== undefined);
  const magnification = Number(objective?.get("NominalMagnification") ?? NaN);
  return {
    axes: [...dims].map((dim) => axisOf(image, dim)),
    instrument: known({
      magnification,
      exposure,
      acquired: image.acquired,
      detector: ome.detector,
    }),
    metadata: {
      metadata: "OME-XML",
      ...(image.name ? { name: image.name } : {}),
      ...channelFacts(image),
      ...positions(image),
    },
    warnings,
  };
}

function axisOf({ pixels, channels }: OmeImage, dim: string): SaidAxis {
  const axis = DIMENSIONS[dim]!;
  if (dim === "C") return { ...axis, names: channels.map(({ name = "" }) => name) };
  const [key, usual] = dim === "T" ? ["TimeIncrement", "s"] : [`PhysicalSize${dim}`, "µm"];
  const scale = pixels.get(key);
  const step = scale === undefined ? {} : { scale: Number(scale), unit: pixels.get(`${key}Unit`) ?? usual };
  const size = wholeOf(pixels.get(`Size${dim}`), 0);
  return { ...axis, ...step, ...((dim === "Y" || dim === "X") && size > 0 ? { size } : {}) };
}

/** Units of time in seconds. */
const SECONDS: Readonly<Record<string, number>> = {
  s: 1,
  ms: 1e-3,
  µs: 1e-6,
  us: 1e-6,
  ns: 1e-9,
  min: 60,
  h: 3600,
};

function secondsOf(value: string | undefined, unit: string = "s"): number | undefined {
  const seconds = value === undefined ? NaN : Number(value) * (SECONDS[unit] ?? NaN);
  return Number.isFinite(seconds) ? seconds : undefined;
}

function channelFacts({ channels }: OmeImage): Record<string, unknown> {
  if (channels.every(({ name, facts }) => name === undefined && Object.keys(facts).length === 0)) return {};
  return { channels: channels.map(({ name, facts }) => ({ ...(name ? { name } : {}), ...facts })) };
}

/** The position of the stage for the first plane, and for the others where they differ. */
function positions({ planes }: OmeImage): Record<string, unknown> {
  const found = planes.filter(({ facts }) => facts.PositionX !== undefined || facts.PositionZ !== undefined)
    .map(({ z, c, t, facts }) => ({
      z,
      c,
      t,
      ...Object.fromEntries(Object.entries(facts).filter(([name]) => name.startsWith("Position"))),
    }));
  return found.length === 0 ? {} : { positions: found };
}
