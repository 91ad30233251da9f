/**
 * Visibilities of a sky in a column of a Measurement Set.
 *
 * @module
 */

import type { TilePlan } from "../../hypercube/plan/budget.ts";
import { planRun, runCube } from "../../hypercube/run/run_cube.ts";
import { ModelColumn } from "../../observations/model/to_column.ts";
import type { MsPart } from "../../observations/ms_tables.ts";
import {
  type Observation,
  OBSERVATION_OPTIONS,
  type ObservationOptions,
} from "../../observations/observation.ts";
import { openObservation } from "../../observations/open.ts";
import { checkOptionNames, defined, type OptionNames } from "../../options.ts";
import { account, type MemoryAccount, showAccount } from "../../memory/account.ts";
import { insideOf } from "../../runner/context.ts";
import { type AnyPlan, notCut } from "../../runner/plan.ts";
import type { PredictRunSettings } from "../predict/predict.ts";
import type { TileProgress } from "../../runner/progress.ts";
import type { Sky } from "../../skies/component.ts";
import { formatBytes } from "../../space/size.ts";
import {
  observationProblem,
  PREDICT_OBSERVATION_OPTIONS,
  type PredictionFacts,
  type PredictObservationOptions,
} from "./predict_observation.ts";

/**
 * How visibilities are predicted for a column, and for which rows: those of a field, of a spectral window, of a data
 * description. Default: all rows.
 * @category Measurement equation
 */
export interface PredictColumnOptions
  extends
    Omit<PredictObservationOptions, "correlations">,
    Pick<ObservationOptions, "field" | "spectralWindow" | "dataDescription"> {}

const { correlations: _, ...PREDICTION } = PREDICT_OBSERVATION_OPTIONS;
const { field, spectralWindow, dataDescription } = OBSERVATION_OPTIONS;
const OPTIONS: OptionNames<PredictColumnOptions> = { ...PREDICTION, field, spectralWindow, dataDescription };

/**
 * What is predicted of the rows of one field and one data description.
 * @category Measurement equation
 */
export interface ColumnPart extends Omit<PredictionFacts, "missing" | "dtype" | "resultBytes"> {
  /** Number of the field. */
  readonly field: number;
  /** Number of the data description. */
  readonly dataDescription: number;
  /** Number of tiles. */
  readonly tiles: number;
  /** All memory that the run will hold for them. */
  readonly memory: MemoryAccount;
}

/**
 * A column that is ready to be predicted. Dispose of it when it is not run.
 * @category Measurement equation
 */
export interface ColumnPlan extends AnyPlan, AsyncDisposable {
  /** The rows by field and data description. */
  readonly groups: readonly ColumnPart[];
  /** Whether the set has the column already. */
  readonly isReplaced: boolean;
  /** Rows of other fields and data descriptions: they keep their values, or are 0 in a new column. */
  readonly kept: number;
  /** Bytes of the column on the disk. */
  readonly bytes: number;
  /** The files that it will have. */
  readonly files: readonly string[];
  /** What the user should know of the set. */
  readonly warnings: readonly string[];
  /** Predicts, and gives the column to the set. */
  run(settings?: PredictRunSettings): Promise<void>;
}

const CALL = "planColumn()";

/** A part that is opened. */
interface Opened {
  readonly observation: Observation;
  readonly problem: Awaited<ReturnType<typeof observationProblem>>;
  readonly tiles: TilePlan;
  readonly memory: MemoryAccount;
}

/**
 * Plans the column `column` of the Measurement Set `source` (a folder): complex64, in Jy, with the shape of the correlations of
 * each row. `run()` computes it and binds it to the set in one step, with a storage manager of its own; the files of other
 * columns are not changed. If the run fails or is ended, the set is as it was.
 *
 * Errors: `invalid` for columns that a set needs, and those of `predict()`; `unsupported` for sets and columns that cannot be
 * changed; `permission`; `conflict` for a set that another program has open, as far as the system tells; `io` for a disk that is
 * too full; `changed` if another program has changed the set meanwhile.
 *
 * @example
 * ```ts no-run
 * import { readSky } from "@tilewise/tilewise/observations";
 * import { planColumn } from "@tilewise/tilewise/unstable/rime";
 * await using plan = await planColumn(await readSky("sky.txt"), "day.ms", "MODEL_DATA", { field: "3C286" });
 * console.log(plan.explain());
 * await plan.run();
 * ```
 * @category Measurement equation
 */
export async function planColumn(
  sky: Sky,
  source: string,
  column: string,
  options: PredictColumnOptions = {},
): Promise<ColumnPlan> {
  checkOptionNames(CALL, options, OPTIONS);
  const { field, spectralWindow, dataDescription, ...how } = options;
  const which = defined({ field, spectralWindow, dataDescription, signal: options.signal });
  const model = await ModelColumn.plan(source, column, which);
  const opened = (part: MsPart) => openPart(sky, source, part, how);
  const groups: ColumnPart[] = [], warnings = new Set<string>();
  try {
    for (const part of model.parts) {
      const { observation, problem: { facts }, tiles, memory } = await opened(part);
      for (const warning of observation.warnings) warnings.add(warning);
      await observation[Symbol.asyncDispose]();
      const { missing: _m, dtype: _d, resultBytes: _b, ...rest } = facts;
      const own = { field: part.field, dataDescription: part.description };
      groups.push({ ...own, ...rest, tiles: tiles.tiles, memory });
    }
  } catch (error) {
    await model[Symbol.asyncDispose]();
    throw error;
  }
  const { isReplaced, kept, bytes, paths: files } = model;
  const context = how.context ?? insideOf(undefined);
  const [memory = account([])] = groups.map((group) => group.memory).sort((a, b) => b.total - a.total); // one after another
  const facts = {
    groups,
    isReplaced,
    kept,
    bytes,
    files,
    warnings: [...warnings],
    memory,
    context,
    parts: notCut,
  };
  return {
    ...facts,
    explain: () => explain(column, facts),
    run: (settings = {}) => runParts(model, opened, facts, settings),
    [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
  };
}

/** Opens the rows of a part, and plans its tiles. */
async function openPart(
  sky: Sky,
  source: string,
  { field, description }: MsPart,
  how: PredictObservationOptions,
): Promise<Opened> {
  const control = defined({ signal: how.signal });
  const observation = await openObservation(source, { field, dataDescription: description, ...control });
  try {
    const problem = await observationProblem(sky, observation, true, how);
    const { cube, kernel, sources, plan } = problem.problem;
    const asked = { ...plan, context: how.context ?? insideOf(undefined) };
    const planned = await planRun(cube, { kernel, sources, sinks: [], plan: asked });
    return { observation, problem, tiles: planned.plan, memory: planned.memory };
  } catch (error) {
    await observation[Symbol.asyncDispose]();
    throw error;
  }
}

async function runParts(
  model: ModelColumn,
  opened: (part: MsPart) => Promise<Opened>,
  { groups }: Pick<ColumnPlan, "groups">,
  settings: PredictRunSettings,
): Promise<void> {
  await using _ = model;
  await model.create();
  let done = 0;
  const tilesTotal = groups.reduce((sum, { tiles }) => sum + tiles, 0);
  for (const part of model.parts) {
    const { observation, problem: { problem, rows }, tiles } = await opened(part);
    await using _observation = observation;
    const { kernel, sources } = problem;
    const { onProgress } = settings;
    const more = onProgress && {
      onProgress: (progress: TileProgress) =>
        onProgress({ ...progress, tiles: done + progress.tiles, tilesTotal }),
    };
    await runCube(CALL, tiles, { ...settings, ...more, kernel, sources, sinks: [model.sink(part, rows)] });
    done += tiles.tiles;
  }
  await model.finish();
}

function explain(
  column: string,
  { groups, isReplaced, kept, bytes, files, context }: Pick<
    ColumnPlan,
    "groups" | "isReplaced" | "kept" | "bytes" | "files" | "context"
  >,
): string {
  const others = kept === 0 ? "" : `; ${kept} other rows ${isReplaced ? "keep their values" : "are 0"}`;
  return [
    `${column}, ${isReplaced ? "which is replaced" : "which is new"}: complex64, ${formatBytes(bytes)} in ${
      files[0] ?? ""
    }${others}`,
    ...groups.map((
      { field, dataDescription, shape, correlations, sources, sourceVisibilities, tiles, memory },
    ) =>
      `field ${field}, data description ${dataDescription}: ${sources} sources × ${shape[0]} rows × ${
        shape[1]
      } channels = ${sourceVisibilities} source visibilities of ${
        correlations.join(", ")
      }, in ${tiles} tiles and ${showAccount(memory, insideOf(context))}`
    ),
  ].join("\n");
}
