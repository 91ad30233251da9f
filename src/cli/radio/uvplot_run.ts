/**
 * Runs `tilewise uvplot`.
 *
 * @module
 */

import { isKind } from "../../sinks/registry.ts";
import { writeFilesAtomic } from "../../io/write/write.ts";
import { openObservation } from "../../observations/open.ts";
import { encodePng } from "../../sinks/png/png.ts";
import { type Coverage, coverageOf } from "../../rime/observed/coverage.ts";
import { observationOptions } from "../flags/observation_flags.ts";
import { showWarnings } from "../inputs/sources.ts";
import { prepareOutputs } from "../outputs/outputs.ts";
import { type Arguments, UsageError } from "../shell/args.ts";
import { type CliIo, outJson, outTable, printable } from "../shell/io.ts";
import { advances, withBar } from "../shell/progress.ts";
import { uvPicture } from "./uv_picture.ts";
import { wordOf } from "./predict_words.ts";

/** Pixels along a side. */
const PIXELS = 800;

/** Runs the verb; the exit code. */
export async function uvplot(args: Arguments, io: CliIo): Promise<number> {
  const [source] = args.positionals as [string];
  const out = args.text("output") ?? "uv.png";
  if (!isKind(out, "png")) throw new UsageError(`uvplot cannot write ${out}: the name must end with .png`);
  const options = {
    pixels: args.count("pixels", 64, 8192) ?? PIXELS,
    unit: wordOf(args, "unit", ["wavelengths", "metres"]),
    channels: wordOf(args, "channels", ["all", "centre"]),
    signal: io.signal,
  };
  await using observation = await openObservation(source, observationOptions(args, io.signal));
  showWarnings(observation, args, io);
  await prepareOutputs([out], args);
  const advance = advances(2 * observation.rows, 24, "rows");
  const coverage = await withBar(
    "uvplot",
    { args, io },
    (bar) => coverageOf(observation, { ...options, onRows: (rows) => bar.update(advance(rows)) }),
  );
  const picture = uvPicture(coverage, observation, options.unit);
  const text = { Software: "Tilewise", Title: `uv coverage of ${source}` };
  await writeFilesAtomic([{ path: out, content: () => encodePng(picture, { text }) }]);
  tell(coverage, { source, out, unit: options.unit }, args, io);
  return 0;
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
