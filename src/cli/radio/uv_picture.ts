/**
 * The picture of a coverage of (u, v), with axes.
 *
 * @module
 */

import { basename } from "node:path";
import type { Observation } from "../../observations/observation.ts";
import { type Chart, charted } from "../../pictures/axes/chart.ts";
import { labelOf } from "../../pictures/axes/ticks.ts";
import { colourTable } from "../../pictures/colours/colormap.ts";
import type { Raster } from "../../sinks/png/raster.ts";
import type { Coverage, CoverageOptions } from "../../rime/observed/coverage.ts";

/** The unit of the axes. */
type CoverageUnit = CoverageOptions["unit"];

/** With fewer pixels than this that have samples, each sample is drawn as 3 × 3 pixels. */
const FEW = 6000;

/** The picture. */
export function uvPicture(coverage: Coverage, observation: Observation, unit: CoverageUnit): Raster {
  return charted(pictureOf(coverage), chartOf(coverage, observation, unit));
}

/** The counts as colours on white. */
function pictureOf({ counts, pixels }: Coverage): Raster {
  const table = colourTable("viridis");
  const most = counts.reduce((most, count) => Math.max(most, count), 1);
  const used = counts.reduce((sum, count) => sum + (count > 0 ? 1 : 0), 0);
  const reach = used < FEW ? 1 : 0;
  const shown = reach === 0 ? counts : spread(counts, pixels);
  const data = new Uint8Array(3 * shown.length).fill(255);
  shown.forEach((count, i) => {
    if (count === 0) return;
    const colour = 3 * Math.round(255 * (most > 1 ? Math.log(count) / Math.log(most) : 0));
    data.set(table.subarray(colour, colour + 3), 3 * i);
  });
  return { width: pixels, height: pixels, channels: 3, data };
}

/** The largest count of 3 × 3 pixels. */
function spread(counts: Uint32Array, pixels: number): Uint32Array {
  const out = new Uint32Array(counts.length);
  counts.forEach((count, i) => {
    if (count === 0) return;
    const [x, y] = [i % pixels, Math.floor(i / pixels)];
    for (let dy = -1; dy <= 1; dy++) {
      for (let dx = -1; dx <= 1; dx++) {
        const [column, row] = [x + dx, y + dy];
        if (column < 0 || row < 0 || column >= pixels || row >= pixels) continue;
        const at = row * pixels + column;
        out[at] = Math.max(out[at]!, count);
      }
    }
  });
  return out;
}

function chartOf(coverage: Coverage, observation: Observation, unit: CoverageUnit): Chart {
  const { limit, counts, extent, channels } = coverage;
  const [scale, name] = unitOf(limit, unit);
  const range = [-limit / scale, limit / scale] as const;
  const most = counts.reduce((most, count) => Math.max(most, count), 1);
  const powers = Array.from({ length: 1 + Math.floor(Math.log10(most)) }, (_, i) => 10 ** i);
  const ticks = powers.map((value) => ({
    value,
    label: labelOf(value, 1),
    at: Math.log(value) / Math.log(most),
  }));
  const many = unit === "metres" ? "" : `, ${channels} ${channels === 1 ? "channel" : "channels"}`;
  return {
    title: `${basename(observation.source)}: ${extent.rows} rows${many}`,
    x: { label: `u (${name})`, range },
    y: { label: `v (${name})`, range },
    ...(most > 1
      ? { bar: { label: "samples", limits: [1, most] as const, colormap: "viridis" as const, ticks } }
      : {}),
  };
}

/** The unit in which an axis has short numbers. */
function unitOf(limit: number, unit: CoverageUnit): [scale: number, name: string] {
  if (unit === "metres") return limit > 3000 ? [1000, "km"] : [1, "m"];
  return limit > 3e6 ? [1e6, "Mλ"] : limit > 3000 ? [1000, "kλ"] : [1, "λ"];
}
