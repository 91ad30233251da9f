/**
 * The steps of imaging, as tasks for workers.
 *
 * @module
 */

import type { Room } from "./memory.ts";
import type { CheckedRows } from "./rows.ts";
import { arraysOf, type PartArrays } from "./samples.ts";
import type { ImagingShared, ImagingTask, PartRows, Range } from "./task.ts";
import type { Runner } from "../../runner/runner.ts";
import type { TileCount, TileProgress } from "../../runner/progress.ts";

/** Reads rows into the places of parts. */
export class Parts {
  constructor(
    private readonly rows: CheckedRows,
    private readonly shared: ImagingShared,
    private readonly room: Room,
    private readonly memory: WebAssembly.Memory,
    private readonly runner: Runner<TileProgress>,
  ) {}

  /** All rows, in rounds of half of the parts: the others are read meanwhile; `found`: with the values found so far. */
  async *rounds(found?: Float64Array): AsyncGenerator<readonly PartRows[], void> {
    const { nrow } = this.rows, { partRows, parts } = this.room;
    const each = Math.max(1, parts >> 1), step = each * partRows, hasTwo = parts > 1;
    const read = (round: number) => this.#readRound(round * step, hasTwo ? round % 2 * each : 0, each, found);
    let ahead: Promise<readonly PartRows[]> | undefined;
    try {
      for (let round = 0, count = Math.ceil(nrow / step); round < count; round++) {
        const now = await (ahead ?? read(round));
        ahead = hasTwo && round + 1 < count ? read(round + 1) : undefined;
        ahead?.catch(() => {}); // told in the next turn
        yield now;
      }
    } finally {
      await ahead?.catch(() => {}); // it writes into memory that goes back when the run ends
    }
  }

  /** Reads the rows from `first` on into `count` places from `place` on. */
  async #readRound(
    first: number,
    place: number,
    count: number,
    found: Float64Array | undefined,
  ): Promise<readonly PartRows[]> {
    const { nrow } = this.rows, { partRows } = this.room, round: PartRows[] = [];
    for (let start = first; start < Math.min(nrow, first + count * partRows); start += partRows) {
      const part = place + round.length, rows = Math.min(partRows, nrow - start);
      await this.#read(part, start, rows, found);
      round.push({ part, rows, first: start });
    }
    return round;
  }

  async #read(part: number, start: number, rows: number, found: Float64Array | undefined): Promise<void> {
    const { runner, rows: source } = this, stop = start + rows, arrays = this.#arrays(part, rows);
    const { nchan } = source;
    await runner.ask(() => source.uvw(start, stop), (uvw) => arrays.uvw.set(uvw));
    if (found) return arrays.values.set(found.subarray(2 * start * nchan, 2 * stop * nchan));
    if (source.visibilities) {
      await runner.ask(() => source.visibilities!(start, stop), (values) => arrays.values.set(values));
    } else for (let i = 0; i < arrays.values.length; i++) arrays.values[i] = 1 - (i & 1);
    const { weights } = arrays;
    if (weights && source.weights) {
      await runner.ask(() => source.weights!(start, stop), (values) => weights.set(values));
    }
  }

  /** Takes the values of a round. */
  take(round: readonly PartRows[], found: Float64Array): void {
    const { nchan } = this.rows;
    for (const { part, rows, first } of round) found.set(this.#arrays(part, rows).values, 2 * first * nchan);
  }

  #arrays(part: number, rows: number): PartArrays {
    return arraysOf(this.memory, this.shared.parts[part]!, rows, this.shared);
  }
}

/** Bands of rows that are spread, per worker: enough for even shares. */
const BANDS = 8;

/** Rows or columns of a plane that one step transforms. */
const LINES = 64;

/** The steps, as tasks for the workers. Each waits until all of its tasks are done. */
export class Steps {
  readonly #parts: Parts;

  constructor(
    rows: CheckedRows,
    private readonly shared: ImagingShared,
    private readonly room: Room,
    private readonly memory: WebAssembly.Memory,
    runner: Runner<TileProgress>,
    readonly crew: Crew,
    private readonly workers: number,
  ) {
    this.#parts = new Parts(rows, shared, room, memory, runner);
  }

  /** The image. */
  pixels(): Float64Array {
    const { image, layout: { field: { pixels: [nx, ny] } } } = this.shared;
    return new Float64Array(this.memory.buffer, image, nx * ny);
  }

  /** Planes that are in memory together. */
  *batches(): Generator<Range> {
    const { planes } = this.shared.layout;
    for (let first = 0; first < planes; first += this.room.planes) {
      yield [first, Math.min(planes, first + this.room.planes)];
    }
  }

  /** What the weights in each cell are divided by. */
  divisors(): Float64Array {
    const { density, layout: { weighed: [nu, nv] } } = this.shared;
    return new Float64Array(this.memory.buffer, density, nu * nv);
  }

  /** Adds up the weights per cell. */
  async *addDensity(): AsyncGenerator<ImagingTask, void> {
    this.divisors().fill(0);
    for await (const parts of this.#parts.rounds()) {
      yield* this.crew.all([{ do: "density", parts }]);
      this.crew.count.done += parts.length;
    }
  }

  /** Clears planes. */
  clear([first, last]: Range): AsyncGenerator<ImagingTask, void> {
    const tasks = rangesOf(this.shared.layout.kept[1], LINES).map((rows) => ({
      do: "clear" as const,
      planes: last - first,
      rows,
    }));
    return this.crew.all(tasks);
  }

  /** Spreads all samples over planes. */
  async *spread(planes: Range): AsyncGenerator<ImagingTask, void> {
    const { layout: { tiles: [, down], tile, kept: [, height] } } = this.shared;
    const perBand = tile * Math.max(1, Math.ceil(down / (BANDS * Math.max(1, this.workers))));
    const bands = rangesOf(height, perBand);
    for await (const round of this.#parts.rounds()) {
      const prepare = round.map((part) => ({ do: "prepare" as const, ...part }));
      yield* planes[0] === 0 ? this.crew.summed(prepare) : this.crew.all(prepare);
      const parts = round.map(({ part }) => part);
      yield* this.crew.all(bands.map((rows) => ({ do: "spread" as const, parts, rows, planes })));
      this.crew.count.done += round.length;
    }
  }

  /** Adds planes to the image. */
  async *toImage(planes: Range): AsyncGenerator<ImagingTask, void> {
    const { layout: { kept: [, height], field: { pixels: [nx] } } } = this.shared;
    const count = planes[1] - planes[0], widen = false;
    yield* this.crew.all(
      rangesOf(height, LINES).map((rows) => ({ do: "rows" as const, planes: count, rows, widen })),
    );
    yield* this.crew.all(
      rangesOf(nx, LINES).map((columns) => ({ do: "columns" as const, planes, columns, widen })),
    );
    this.crew.count.done += count;
  }

  /** Makes planes of the image, or of the pixels that are there. */
  async *toCells(planes: Range): AsyncGenerator<ImagingTask, void> {
    const { layout: { kept: [, height], field: { pixels: [nx] } } } = this.shared;
    const count = planes[1] - planes[0], widen = true;
    yield* this.crew.all(
      rangesOf(nx, LINES).map((columns) => ({ do: "columns" as const, planes, columns, widen })),
    );
    yield* this.crew.all(
      rangesOf(height, LINES).map((rows) => ({ do: "rows" as const, planes: count, rows, widen })),
    );
    this.crew.count.done += count;
  }

  /** Undoes the window in the image, and scales it. */
  correct(scale: number): AsyncGenerator<ImagingTask, void> {
    const { layout: { field: { pixels: [, ny] } } } = this.shared;
    return this.crew.all(rangesOf(ny, LINES).map((rows) => ({ do: "correct" as const, rows, scale })));
  }

  /** Adds to `found` what samples see in planes; after the last planes these are visibilities. */
  async *gather(planes: Range, found: Float64Array): AsyncGenerator<ImagingTask, void> {
    const last = planes[1] === this.shared.layout.planes, nchan = this.shared.frequency.length;
    for await (const round of this.#parts.rounds(found)) {
      yield* this.crew.all(round.map((part) => ({ do: "prepare" as const, ...part })));
      const gather = round.flatMap(({ part, rows }) => {
        const samples = rangesOf(rows * nchan, Math.max(1024, Math.ceil(rows * nchan / 4)));
        return samples.map((samples) => ({ do: "gather" as const, part, samples, planes }));
      });
      yield* this.crew.all(gather);
      yield* this.crew.all(round.map(({ part, rows }) => ({ do: "finish" as const, part, rows, last })));
      this.#parts.take(round, found);
      this.crew.count.done += round.length;
    }
  }

  /** Places and orders sources. */
  async *sortSources(lmf: Float64Array): AsyncGenerator<ImagingTask, void> {
    new Float64Array(this.memory.buffer, this.shared.sources!.places.lmf, lmf.length).set(lmf);
    yield* this.crew.all([{ do: "sort sources" as const }]);
  }

  /** Spreads sources over the pixels of planes. */
  async *spreadSources([first, last]: Range): AsyncGenerator<ImagingTask, void> {
    const { layout: { field: { pixels: [, ny] }, tile }, sources } = this.shared;
    const shares = rangesOf(
      sources!.count,
      Math.max(1024, Math.ceil(sources!.count / (2 * Math.max(1, this.workers)))),
    );
    const perBand = Math.max(tile, Math.ceil(ny / tile / (BANDS * Math.max(1, this.workers))) * tile);
    for (let plane = first; plane < last; plane++) {
      yield* this.crew.all(shares.map((sources) => ({ do: "sources" as const, sources, plane })));
      const slot = plane - first;
      yield* this.crew.all(
        rangesOf(ny, perBand).map((rows) => ({ do: "spread sources" as const, rows, slot })),
      );
    }
  }
}

/** Ranges of at most `each` of `count`. */
function rangesOf(count: number, each: number): Range[] {
  return Array.from(
    { length: Math.ceil(count / each) },
    (_, i) => [i * each, Math.min(count, (i + 1) * each)],
  );
}

/** The tasks of a run, in groups. */
export class Crew {
  #given = 0;
  #open = 0;
  #idle: () => void = () => {};
  readonly #sums = new Map<number, number>();

  /** No tasks yet. */
  constructor(
    /** The progress. */
    readonly count: TileCount,
  ) {}

  /** Hands out tasks, then waits for all of them. */
  async *all(tasks: readonly ImagingTask[]): AsyncGenerator<ImagingTask, void> {
    for (const task of tasks) {
      this.#given++;
      this.#open++;
      yield task;
    }
    while (this.#open > 0) await new Promise<void>((resolve) => this.#idle = resolve);
  }

  /** The same, for tasks whose results are summed. */
  async *summed(tasks: readonly ImagingTask[]): AsyncGenerator<ImagingTask, void> {
    for (let i = 0; i < tasks.length; i++) this.#sums.set(this.#given + i, 0);
    yield* this.all(tasks);
  }

  /** Notes that a task is done. */
  done(index: number, value: number): void {
    if (this.#sums.has(index)) this.#sums.set(index, value);
    if (--this.#open === 0) this.#idle();
  }

  /** The sum of those results, in the order of the tasks. */
  get sum(): number {
    return [...this.#sums.values()].reduce((all, one) => all + one, 0);
  }
}
