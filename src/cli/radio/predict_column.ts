/**
 * `tilewise predict SKY SET --column NAME`: the model becomes a column of the Measurement Set.
 *
 * @module
 */

import { ModelColumn } from "../../observations/model/to_column.ts";
import { openObservation } from "../../observations/open.ts";
import { type ColumnPlan, planColumn } from "../../rime/observed/predict_column.ts";
import type { Context } from "../../runner/context.ts";
import { readSky } from "../../skies/read.ts";
import type { Sky } from "../../skies/component.ts";
import { formatBytes } from "../../space/size.ts";
import { showWarnings } from "../inputs/sources.ts";
import { pass } from "../shell/progress.ts";
import { type Arguments, storeFlag, UsageError } from "../shell/args.ts";
import { type CliIo, outJson, outPlan, outTable, printable } from "../shell/io.ts";
import { contextForViews } from "../shell/threads.ts";
import { askedFacts, howAsked, rowsAsked, speed, workOf } from "./predict_words.ts";

/** What was asked for. */
interface AskedColumn {
  readonly skyPath: string;
  readonly source: string;
  readonly column: string;
}

/** Runs the verb; the exit code. */
export async function predictColumn(asked: AskedColumn, args: Arguments, io: CliIo): Promise<number> {
  const { skyPath, source, column } = asked;
  const sky = await readSky(skyPath, { signal: io.signal });
  await using context = await contextFor(sky, source, args, io);
  if (storeFlag(args)) return await inParts(asked, context, args, io);
  const options = { ...rowsAsked(args, io.signal), ...howAsked(args), context };
  await using plan = await planColumn(sky, source, column, options);
  showWarnings({ source, warnings: plan.warnings }, args, io);
  if (args.has("dry-run")) return explain(plan, sky, asked, args, io);
  const started = performance.now();
  await pass("predict", plan.bytes, { args, io }, (run) => plan.run(run));
  tell(plan, sky, asked, (performance.now() - started) / 1000, args, io);
  return 0;
}

/** Memory and workers for the first of the rows. */
async function contextFor(sky: Sky, source: string, args: Arguments, io: CliIo): Promise<Context> {
  await using observation = await openObservation(source, rowsAsked(args, io.signal));
  return contextForViews(args, io, workOf(sky, observation));
}

/** The rows of one field and one data description, as a cube is of one shape. */
async function inParts(
  { skyPath, source, column }: AskedColumn,
  context: Context,
  args: Arguments,
  io: CliIo,
): Promise<number> {
  const rows = rowsAsked(args, io.signal);
  await using model = await ModelColumn.plan(source, column, rows);
  const [part, ...others] = model.parts;
  if (!part || others.length > 0) {
    const text =
      `with --store, --column has the rows of one field and data description, here are ${model.parts.length}`;
    throw new UsageError(`${text}; name them with --field and --data-description, and take a store for each`);
  }
  const open = { field: part.field, dataDescription: part.description };
  const spec = { sky: skyPath, observation: source, open, column, options: howAsked(args) };
  return await (await import("./predict_stored.ts")).storedPrediction(
    { spec, out: source, context },
    args,
    io,
  );
}

function facts(
  plan: ColumnPlan,
  sky: Sky,
  { skyPath, source, column }: AskedColumn,
): Record<string, unknown> {
  const { groups, isReplaced, kept, bytes, files } = plan;
  return {
    ...askedFacts({ skyPath, sky, source }),
    column,
    dtype: "complex64",
    replaced: isReplaced,
    kept,
    files,
    bytes,
    parts: groups.map(({ tiles: _t, memory: _m, ...part }) => part),
    sourceVisibilities: workIn(plan),
  };
}

function workIn({ groups }: ColumnPlan): number {
  return groups.reduce((sum, { sourceVisibilities }) => sum + sourceVisibilities, 0);
}

function explain(plan: ColumnPlan, sky: Sky, asked: AskedColumn, args: Arguments, io: CliIo): number {
  const tiles = plan.groups.reduce((sum, part) => sum + part.tiles, 0);
  const said = { ...facts(plan, sky, asked), tiles, peakBytes: plan.memory.total }, text = plan.explain();
  return outPlan({ args, io }, said, text, `${asked.source}\n${text}`);
}

function tell(
  plan: ColumnPlan,
  sky: Sky,
  asked: AskedColumn,
  seconds: number,
  args: Arguments,
  io: CliIo,
): void {
  if (args.has("json")) return outJson(io, { ...facts(plan, sky, asked), seconds });
  const { groups, isReplaced, kept, bytes } = plan;
  const rows = groups.reduce((sum, { shape }) => sum + shape[0]!, 0);
  const behind = Math.max(0, ...groups.map((part) => part.behind));
  io.out(`${printable(asked.source)}  ${printable(asked.column)}, complex64, ${formatBytes(bytes)}\n`);
  outTable(io, [
    ["column", isReplaced ? "replaced" : "new"],
    ["rows", `${rows}${kept > 0 ? `; ${kept} others ${isReplaced ? "keep their values" : "are 0"}` : ""}`],
    ["sources", `${groups[0]?.sources ?? 0} of ${asked.skyPath}`],
    ["correlations", [...new Set(groups.map(({ correlations }) => correlations.join(", ")))].join("; ")],
    ...(behind > 0
      ? [["behind", `${behind} sources behind a phase centre or below the horizon are left out`] as const]
      : []),
    ["speed", `${speed(workIn(plan), seconds)} source visibilities per second, ${seconds.toFixed(2)} s`],
  ]);
}
