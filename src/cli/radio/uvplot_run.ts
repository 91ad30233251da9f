/**
 * Runs `tilewise uvplot`.
 *
 * @module
 */

import { basename } from "node:path";
import { writeFilesAtomic } from "../../io/write/write.ts";
import type { Observation } from "../../observations/observation.ts";
import { openObservation } from "../../observations/open.ts";
import { type Chart, charted } from "../../pictures/axes/chart.ts";
import { labelOf } from "../../pictures/axes/ticks.ts";
import { colourTable } from "../../pictures/colormap.ts";
import { encodePng } from "../../pictures/png.ts";
import type { Raster } from "../../pictures/raster.ts";
import { type Coverage, coverageOf } from "../../rime/observed/coverage.ts";
import { observationOptions } from "../flags/observation_flags.ts";
import { showWarnings } from "../inputs/sources.ts";
import { prepareOutputs } from "../outputs/outputs.ts";
import { type Arguments, UsageError } from "../shell/args.ts";
import { type CliIo, outJson, outTable, printable } from "../shell/io.ts";
import { ProgressBar } from "../shell/progress.ts";
import { wordOf } from "./words.ts";

/** Pixels along a side. */
const PIXELS = 800;

/** With fewer pixels than this that have samples, each sample is drawn as 3 × 3 pixels. */
const FEW = 6000;

/** Runs the verb; the exit code. */
export async function uvplot(args: Arguments, io: CliIo): Promise<number> {
  const [source] = args.positionals as [string];
  const out = args.text("output") ?? "uv.png";
  if (!/\.png$/i.test(out)) throw new UsageError(`uvplot cannot write ${out}: the name must end with .png`);
  const options = {
    pixels: args.count("pixels", 64, 8192) ?? PIXELS,
    unit: wordOf(args, "unit", ["wavelengths", "metres"]),
    channels: wordOf(args, "channels", ["all", "centre"]),
    signal: io.signal,
  };
  await using observation = await openObservation(source, observationOptions(args, io.signal));
  showWarnings(observation, args, io);
  await prepareOutputs([out], args);
  const bar = new ProgressBar(io, "uvplot", args.has("quiet"));
  const onRows = rowsBar(bar, 2 * observation.rows);
  const coverage = await coverageOf(observation, { ...options, onRows }).finally(() => bar.clear());
  const picture = charted(pictureOf(coverage), chartOf(coverage, observation, options.unit));
  const text = { Software: "Tilewise", Title: `uv coverage of ${source}` };
  await writeFilesAtomic([{ path: out, content: () => encodePng(picture, { text }) }]);
  tell(coverage, { source, out, unit: options.unit }, args, io);
  return 0;
}

/** Shows the rows that have been read. */
function rowsBar(bar: ProgressBar, all: number): (rows: number) => void {
  const started = performance.now();
  return (rows) => {
    const seconds = (performance.now() - started) / 1000;
    const bytes = 24 * rows;
    const etaSeconds = rows > 0 ? seconds * (all - rows) / rows : NaN;
    const bytesPerSecond = bytes / Math.max(seconds, 1e-9);
    bar.update({ frames: rows, framesTotal: all, bytes, seconds, bytesPerSecond, etaSeconds, unit: "rows" });
  };
}

/** What was drawn. */
interface Drawn {
  readonly source: string;
  readonly out: string;
  readonly unit: "wavelengths" | "metres";
}

function tell(coverage: Coverage, { source, out, unit }: Drawn, args: Arguments, io: CliIo): void {
  const { extent: { rows, left, longest }, channels, samples, limit } = coverage;
  if (args.has("json")) {
    const facts = { rows, left, channels, samples, unit, limit, longestBaseline: longest };
    return outJson(io, { source, file: out, ...facts });
  }
  io.out(`${printable(out)}\n`);
  outTable(io, [
    ["rows", `${rows} with a baseline${left > 0 ? `, ${left} others are left out` : ""}`],
    ["channels", String(channels)],
    ["longest", `${Number(longest.toPrecision(6))} m`],
  ]);
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

function chartOf(coverage: Coverage, observation: Observation, unit: Drawn["unit"]): Chart {
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
function unitOf(limit: number, unit: Drawn["unit"]): [scale: number, name: string] {
  if (unit === "metres") return limit > 3000 ? [1000, "km"] : [1, "m"];
  return limit > 3e6 ? [1e6, "Mλ"] : limit > 3000 ? [1000, "kλ"] : [1, "λ"];
}
