/**
 * A session over an open source.
 *
 * @module
 */

import {
  type Context,
  createContext,
  type Dataset,
  type NDArray,
  plan,
  run,
  sumFrames,
  type TilewiseError,
} from "@tilewise/tilewise";
import { read } from "@tilewise/tilewise/arrays";
import { untilAborted } from "../../src/turns.ts";
import { brightDisk, type Disk } from "../draw/bright_disk.ts";
import type { ShownImage } from "../draw/image.ts";
import type { AnalysisChoice, Position } from "../state/state.ts";
import { checkQuestion, type Desk, questionMade } from "./answering.ts";
import { Asked, asTilewise } from "./asked.ts";
import { type Budget, budgetOf, noteWorkers, workersOf } from "./budget.ts";
import { FirstPasses } from "./first_passes.ts";
import { Latest } from "./latest.ts";
import { imageAxes, planeOf, planesOf } from "./planes.ts";
import { unitOf } from "./results.ts";
import { Samples } from "./samples.ts";
import type { Answer, MadeQuestion, NamedResult, Question, Session } from "./session.ts";
import { Sketches } from "./sketches.ts";

/** Settings of a session, beside what is open. */
export interface SessionSettings {
  /** Bytes for samples and for runs. Default: by the machine. */
  readonly budget?: Budget;
  /** Worker threads; 0: everything on the thread of the page. Default: one per processor. */
  readonly workers?: number;
}

/** Most bytes of a partition of samples in memory: few, as each one costs a message, but enough to show what arrives. */
const PART = 16 * 2 ** 20;

/** Milliseconds in which the first question comes after a session is open. */
const QUESTION = 40;

/** The session of {@link openSession}. */
export class Opened implements Session {
  readonly files = new Map<string, Blob>();
  readonly keeping: Samples;
  readonly #context: Context;
  readonly #frames: Context;
  readonly #latest = new Latest();
  readonly #passes = new FirstPasses();
  readonly #closed = new AbortController();
  readonly #lasted = new Map<string, number>();
  #sketches: Sketches | undefined;
  sum: ShownImage | undefined;
  disk: Disk | undefined;
  #sum: Promise<ShownImage> | undefined;
  /** Resolves with {@link sum}, whichever run brings it. */
  readonly #summed = Promise.withResolvers<ShownImage>();

  /** Computes on `dataset`, one of `datasets`. */
  constructor(
    readonly dataset: Dataset,
    readonly datasets: readonly Dataset[],
    settings: SessionSettings = {},
  ) {
    const { budget = budgetOf(), workers = workersOf() } = settings;
    this.#context = createContext({ memory: budget.runs, workers });
    this.#frames = createContext({ memory: budget.runs, workers: 0 });
    this.keeping = new Samples(dataset, this.#context, budget.samples);
  }

  /** Bytes that runs hold now; 0 when nothing runs. */
  get held(): number {
    return this.#context.used + this.#frames.used;
  }

  /** Resolves when no run that has ended holds memory any more. */
  async settled(): Promise<void> {
    await this.#latest.idle;
    await Promise.all([this.#context.settled(), this.#frames.settled()]);
  }

  async frame(position: Position | undefined, signal?: AbortSignal): Promise<ShownImage> {
    if (position) return await this.#frameAt(position, signal);
    const sum = this.#sum ??= this.#sumOfFrames();
    sum.catch((error) => {
      noteWorkers(error);
      this.#sum = undefined; // a later call may succeed
    });
    return await untilAborted(sum, signal);
  }

  ask(question: Question, heard: (answer: Answer) => void): void {
    this.keeping.yieldFor();
    const noted = (answer: Answer) => {
      noteWorkers(answer.error);
      heard(answer);
    };
    this.#latest.ask(
      new Asked(question, noted, {
        desk: () => this.#desk(),
        expected: () => this.#lasted.get(kindOf(question)) ?? Infinity,
        took: (milliseconds) => {
          if (this.keeping.state === "yes") this.#lasted.set(kindOf(question), milliseconds);
        },
      }),
    );
    void this.keeping.during(this.#latest.idle);
  }

  async check(analysis: AnalysisChoice): Promise<TilewiseError | undefined> {
    try {
      await checkQuestion({ analysis }, this.#desk());
      return undefined;
    } catch (error) {
      return asTilewise(error);
    }
  }

  async sketch(analysis: AnalysisChoice, signal: AbortSignal): Promise<readonly NamedResult[]> {
    const context = workersOf() === 0 ? this.#frames : this.#context;
    this.#sketches ??= new Sketches(this.keeping, context, this.files);
    return await this.#sketches.of(analysis, this.#signal(signal));
  }

  async made(question: Question): Promise<MadeQuestion> {
    return await questionMade(question, this.#desk(), this.#closed.signal);
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await Promise.all([this.#latest.close(), this.keeping.close(), this.#sum?.catch(() => {})]);
    await Promise.all([this.#context[Symbol.asyncDispose](), this.#frames[Symbol.asyncDispose]()]);
    await Promise.all([this.#context.settled(), this.#frames.settled()]);
  }

  #desk(): Desk {
    const { state, total, dataset } = this.keeping;
    const context = workersOf() === 0 ? this.#frames : this.#context;
    const each = Math.max(2 * this.#context.workers, Math.ceil(total / PART));
    return {
      dataset,
      context,
      ...(state === "yes" ? { partitions: Math.max(1, each) } : {}),
      files: this.files,
      passes: this.#passes,
      ...(this.sum ? {} : { summed: (sum) => this.#setSum(sum) }),
    };
  }

  async #frameAt(position: Position, signal: AbortSignal | undefined): Promise<ShownImage> {
    const { navShape } = this.dataset;
    const at = navShape.map((_, d) => navShape.length - d > 2 ? 0 : position[d + 2 - navShape.length]!);
    const options = { context: this.#frames, signal: this.#signal(signal) };
    const array = await read(this.keeping.dataset, at, options);
    return this.#shown(array, `Frame at ${at.join(", ")}`);
  }

  /** The sum over all frames, of which there is one for as long as the session lasts: of the first run, or of a run of its own. */
  async #sumOfFrames(): Promise<ShownImage> {
    await new Promise((resolve) => setTimeout(resolve, QUESTION)); // a question that comes now brings it along
    await Promise.race([this.#summed.promise, this.#latest.idle]);
    if (this.sum) return this.sum;
    const { context, dataset } = this.#desk();
    const summing = plan(dataset, { sum: sumFrames() }, { context })
      .then((planned) => run(planned, { signal: this.#closed.signal }));
    const { sum } = await this.keeping.during(summing);
    return this.#setSum(sum.intensity);
  }

  #setSum(sum: NDArray): ShownImage {
    this.sum = this.#shown(sum, "Sum of all frames");
    this.#passes.took(sumFrames(), { intensity: sum });
    this.disk = this.dataset.sigShape.length === 2 ? brightDisk(this.sum.array) : undefined;
    this.#summed.resolve(this.sum);
    return this.sum;
  }

  #shown(array: ShownImage["array"], title: string): ShownImage {
    const { sigShape } = this.dataset;
    const plane = planeOf(array, planesOf(array, sigShape), 0, 0);
    return { array: plane, title, axes: imageAxes(this.dataset, "frame"), ...unitOf(this.dataset) };
  }

  #signal(signal: AbortSignal | undefined): AbortSignal {
    return signal ? AbortSignal.any([signal, this.#closed.signal]) : this.#closed.signal;
  }
}

/** Questions of one kind take about as long as each other. */
function kindOf({ analysis: { name }, roi }: Question): string {
  return `${name} ${roi ? "part" : "all"}`;
}
