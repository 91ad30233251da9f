/**
 * Runs of imaging: which steps, in which order.
 *
 * As many planes of w as fit in memory are made at a time; for each such batch the rows are read again, part by part. Each cell
 * adds its samples in one order, that of parts, tiles and rows, and each pixel its planes in theirs. Who computes which rows and
 * columns of a plane, and how many planes and parts there are at a time, makes no difference to that: the bits of a result
 * depend on the problem alone.
 *
 * @module
 */

import type { MemoryAccount } from "../../memory/account.ts";
import { isTilewiseError } from "../../errors.ts";
import { registerJobs } from "../../executor/handler.ts";
import type { Executor, Job } from "../../executor/task.ts";
import { kernelCode } from "../../kernels/wasm.ts";
import { loadRime, RIME_PACKS } from "../geometry/packs.ts";
import { type Context, insideOf, workersFor } from "../../runner/context.ts";
import { Runner, type RunSettings } from "../../runner/runner.ts";
import { TileCount, type TileProgress } from "../../runner/progress.ts";
import type { PhaseConvention } from "../geometry/constants.ts";
import { Crew, Steps } from "./steps.ts";
import type { Layout } from "./layout.ts";
import { type Needs, placeImaging, type Room, roomFor } from "./memory.ts";
import type { CheckedRows } from "./rows.ts";
import { type ImageWeighting, soften } from "./weighting.ts";
import type { ImagingShared, ImagingTask } from "./task.ts";
import { correctionSeries, correctionsOf, tableOf } from "./window.ts";

const JOB = { name: "tilewise:image", module: import.meta.resolve("./job.ts"), export: "imagingJob" };
registerJobs({ [JOB.name]: () => import("./job.ts") });

/** What is computed. */
export interface ImagingWork {
  /** The call, for messages. */
  readonly call: string;
  /** The rows. */
  readonly rows: CheckedRows;
  /** The grid. */
  readonly layout: Layout;
  /** Type of its numbers. */
  readonly dtype: "float32" | "float64";
  /** The sign of the phase. */
  readonly convention: PhaseConvention;
  /** Where it runs. */
  readonly context: Context | undefined;
  /** How it runs. */
  readonly settings: RunSettings<TileProgress>;
  /** Bytes of the result. */
  readonly result: number;
}

/** Samples times cells, and cells of planes, below which a run without a chosen number of workers stays on its thread. */
const SMALL = 4e6;

/** What the image of visibilities needs memory for. */
function spreadKind(weighting: ImageWeighting): Kind {
  return { image: true, byCells: weighting !== "natural", sources: 0, gathers: false };
}

/** What visibilities of an image, or of so many sources, need memory for. */
function gatherKind(sources: number): Kind {
  return { image: sources === 0, byCells: false, sources, gathers: true };
}

/** What a run holds, and how often it reads the rows. */
interface RunNeeds {
  /** All that it holds. */
  readonly memory: MemoryAccount;
  /** How often all rows are read. */
  readonly passes: number;
}

/** What the run of an image of visibilities needs. Errors: `over-budget` if it does not fit. */
export function spreadNeeds(work: ImagingWork, weighting: ImageWeighting): RunNeeds {
  return new ImagingRun(work, spreadKind(weighting));
}

/** What the run of visibilities of an image, or of so many sources, needs. Errors: `over-budget` if it does not fit. */
export function gatherNeeds(work: ImagingWork, sources: number): RunNeeds {
  return new ImagingRun(work, gatherKind(sources));
}

/** Whether it fits in memory. */
export function spreadFits(work: ImagingWork, weighting: ImageWeighting): boolean {
  try {
    return spreadNeeds(work, weighting).passes > 0;
  } catch (error) {
    if (isTilewiseError(error, "over-budget")) return false;
    throw error;
  }
}

/** The image of visibilities, which `take` copies, with as many factors of `scale` as its pixels need, once the weights are known. */
export async function runSpread(
  work: ImagingWork,
  weighting: ImageWeighting,
  scaleFor: (sumOfWeights: number) => number,
  take: (image: Float64Array) => void,
): Promise<{ readonly sumOfWeights: number; readonly passes: number }> {
  const kind = spreadKind(weighting), { byCells } = kind;
  const run = new ImagingRun(work, kind);
  const result = { sumOfWeights: 0, passes: run.passes };
  await run.perform(async function* (steps) {
    const image = steps.pixels();
    image.fill(0);
    if (byCells) yield* steps.addDensity();
    if (typeof weighting === "object") soften(steps.divisors(), weighting.briggs);
    for (const planes of steps.batches()) {
      yield* steps.clear(planes);
      yield* steps.spread(planes);
      yield* steps.toImage(planes);
    }
    result.sumOfWeights = steps.crew.sum;
    yield* steps.correct(scaleFor(result.sumOfWeights));
    take(image);
  });
  return result;
}

/** The visibilities of an image. */
export async function runGather(
  work: ImagingWork,
  pixels: ArrayLike<number>,
): Promise<Float64Array<ArrayBuffer>> {
  const run = new ImagingRun(work, gatherKind(0));
  const { rows: { nrow, nchan } } = work;
  const found = new Float64Array(2 * nrow * nchan);
  await run.perform(async function* (steps) {
    steps.pixels().set(pixels);
    yield* steps.correct(1);
    for (const planes of steps.batches()) {
      yield* steps.toCells(planes);
      yield* steps.gather(planes, found);
    }
  });
  return found;
}

/** The visibilities of sources, `l, m, flux` each. */
export async function runPrediction(
  work: ImagingWork,
  lmf: Float64Array,
): Promise<Float64Array<ArrayBuffer>> {
  const run = new ImagingRun(work, gatherKind(lmf.length / 3));
  const { rows: { nrow, nchan } } = work;
  const found = new Float64Array(2 * nrow * nchan);
  await run.perform(async function* (steps) {
    yield* steps.sortSources(lmf);
    for (const planes of steps.batches()) {
      yield* steps.spreadSources(planes);
      yield* steps.toCells(planes);
      yield* steps.gather(planes, found);
    }
  });
  return found;
}

/** What a run needs memory for. */
type Kind = Pick<Needs, "image" | "byCells" | "sources"> & Pick<ImagingShared, "gathers">;

/** One run. */
class ImagingRun implements RunNeeds {
  readonly #room: Room;
  readonly #needs: Needs;
  readonly #executor: Executor;

  constructor(private readonly work: ImagingWork, private readonly kind: Kind) {
    const { layout, dtype, rows: { nrow, nchan, weights } } = work;
    const inside = insideOf(work.context);
    const size = nrow * nchan * layout.window.support ** 2 * layout.depth +
      layout.planes * layout.stored[0] * layout.stored[1];
    const isSmall = size < SMALL && !inside.explicit;
    const workers = isSmall || inside.ownMemory ? 0 : workersFor(inside, Infinity);
    this.#executor = workers === 0 ? inside.inline : inside.executorOf(workers);
    const needs = {
      layout,
      dtype,
      nrow,
      nchan,
      weights: weights !== undefined && !kind.gathers,
      workers,
      result: work.result,
      reading: work.rows.memory,
      ...kind,
    };
    this.#needs = needs;
    this.#room = roomFor(work.call, needs, inside);
  }

  /** All that it holds. */
  get memory(): MemoryAccount {
    return this.#room.memory;
  }

  /** How often all rows are read. */
  get passes(): number {
    return Math.ceil(this.work.layout.planes / this.#room.planes);
  }

  /** Runs the steps that `body` gives. */
  async perform(body: (steps: Steps) => AsyncGenerator<ImagingTask, void>): Promise<void> {
    const { work, kind } = this, { context, settings } = work;
    const parts = Math.ceil(work.rows.nrow / this.#room.partRows);
    const count = new TileCount(this.passes * parts + work.layout.planes + (kind.byCells ? parts : 0));
    await loadRime();
    const runner: Runner<TileProgress> = new Runner(insideOf(context), settings, () => count.progress());
    const [needs, room, executor] = [this.#needs, this.#room, this.#executor];
    for await (
      const _ of runner.parts<number>(async function* () {
        const placed = await runner.enter((leases) => ({
          ...placeImaging(needs, room, leases),
          memory: leases.arena.memory,
        }));
        const { memory, ...places } = placed;
        const shared = sharedOf(work, kind, places, memory);
        const crew = new Crew(count);
        const steps = new Steps(work.rows, shared, room, memory, runner, crew, executor.workers);
        const job: Job<ImagingShared> = { ...JOB, shared, needsShared: "all workers add to one grid" };
        const results = runner.results<ImagingShared, ImagingTask, number>(executor, job, body(steps));
        for await (const { index, value } of results) {
          crew.done(index, value);
          yield index;
        }
        runner.finish();
      })
    );
  }
}

function sharedOf(
  { layout, dtype, convention, rows: { frequency } }: ImagingWork,
  { gathers }: Kind,
  places: ReturnType<typeof placeImaging>,
  memory: WebAssembly.Memory,
): ImagingShared {
  const { window, field: { pixels: [nx, ny] }, cells: [width, height] } = layout;
  return {
    code: kernelCode(memory, false, RIME_PACKS),
    layout,
    dtype,
    convention,
    frequency,
    gathers,
    degree: tableOf(window).degree,
    corrections: [
      correctionsOf(window, nx, width),
      correctionsOf(window, ny, height),
      correctionSeries(window),
    ],
    ...places,
  };
}
