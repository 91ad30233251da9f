/**
 * The steps of imaging on a worker: see `run.ts` for their order.
 *
 * @module
 */

import type { JobHandler, WorkerContext } from "../../executor/task.ts";
import { instantiateKernels, type Kernels } from "../../kernels/bind.ts";
import { kernel } from "../../kernels/registry.ts";
import { heightOf } from "./grid.ts";
import { axesOf } from "./layout.ts";
import { addDensity, arraysOf, finishGather, floatsAt, prepareGather, prepareSamples } from "./samples.ts";
import { SourceSteps } from "./source_steps.ts";
import type { ImagingShared, ImagingTask, Range } from "./task.ts";
import { correctionAt } from "./window.ts";

/** Makes the handler of one worker. */
export function imagingJob(shared: ImagingShared, worker: WorkerContext): JobHandler<ImagingTask, number> {
  const steps = new Steps(shared, worker);
  return { run: (task) => steps.run(task) };
}

/** The steps on one worker. */
class Steps {
  readonly #kernels: Kernels;
  readonly #memory: WebAssembly.Memory;
  readonly #scratch: number;
  /** Bytes of a cell, of a row of cells, and of a plane. */
  readonly #cell: number;
  readonly #row: number;
  readonly #plane: number;
  readonly #sources: SourceSteps;

  constructor(private readonly shared: ImagingShared, { memory, index }: WorkerContext) {
    this.#memory = memory;
    this.#kernels = instantiateKernels(memory, shared.code);
    this.#scratch = shared.scratch[index]!;
    this.#cell = shared.dtype === "float64" ? 16 : 8;
    this.#row = this.#cell * shared.layout.stored[0];
    this.#plane = this.#row * shared.layout.stored[1];
    const strides = { cell: this.#cell, row: this.#row, plane: this.#plane };
    this.#sources = new SourceSteps(shared, this.#kernels, strides, this.#scratch);
  }

  /** Runs a step; the sum of weights where there is one. */
  run(task: ImagingTask): number {
    switch (task.do) {
      case "prepare":
        return this.#prepare(task.part, task.rows, task.first);
      case "density":
        for (const { part, rows } of task.parts) {
          addDensity(this.#arrays(part, rows), this.shared, this.#density()!);
        }
        break;
      case "clear":
        this.#clear(task.planes, task.rows);
        break;
      case "spread":
        for (const part of task.parts) this.#spread(part, task.rows, task.planes);
        break;
      case "rows":
        this.#rows(task.planes, task.rows, task.widen);
        break;
      case "columns":
        this.#columns(task.planes, task.columns, task.widen);
        break;
      case "correct":
        this.#correct(task.rows, task.scale);
        break;
      case "gather":
        this.#gather(task.part, task.samples, task.planes);
        break;
      case "finish":
        finishGather(this.#arrays(task.part, task.rows), this.shared, task.last);
        break;
      default:
        this.#sources.run(task);
    }
    return 0;
  }

  #arrays(part: number, rows: number) {
    return arraysOf(this.#memory, this.shared.parts[part]!, rows, this.shared);
  }

  #density(): Float64Array | undefined {
    const { density, layout: { weighed: [nu, nv] } } = this.shared;
    return density ? new Float64Array(this.#memory.buffer, density, nu * nv) : undefined;
  }

  #prepare(part: number, rows: number, first: number): number {
    const arrays = this.#arrays(part, rows);
    if (!this.shared.gathers) return prepareSamples(arrays, first, this.shared, this.#density());
    prepareGather(arrays, first, this.shared);
    return 0;
  }

  #clear(planes: number, [start, stop]: Range): void {
    for (let plane = 0; plane < planes; plane++) {
      const at = this.shared.grid + plane * this.#plane + start * this.#row;
      new Uint8Array(this.#memory.buffer, at, (stop - start) * this.#row).fill(0);
    }
  }

  /** The samples of all rows of tiles that reach these rows, in the order of tiles. */
  #spread(part: number, [start, stop]: Range, planes: Range): void {
    const { layout: { tile, tiles: [, down], window: { support }, kept: [, height] }, parts } = this.shared;
    const { starts } = arraysOf(this.#memory, parts[part]!, 0, this.shared);
    const top = start - support + 1, end = Math.ceil(stop / tile);
    const ranges: Range[] = [[Math.max(0, Math.floor(top / tile)), end]];
    if (top < 0) ranges.push([Math.max(end, Math.floor((top + height) / tile)), down]); // around the grid
    for (const [a, b] of ranges) this.#spreadSome(part, [starts[a]!, starts[b]!], [start, stop], planes);
  }

  #spreadSome(part: number, [from, to]: Range, [start, stop]: Range, planes: Range): void {
    const { layout: { kept: [width, height] }, grid, parts, dtype } = this.shared;
    const { records, order } = parts[part]!;
    const [first, samples] = [grid + start * this.#row, order + 4 * from];
    kernel(this.#kernels, "grid_spread", dtype)(
      ...[first, records, samples, to - from, width, height, start, stop - start] as const,
      ...this.#windows(planes),
    );
  }

  #gather(part: number, [from, to]: Range, planes: Range): void {
    const { layout: { kept: [width, height] }, grid, parts, dtype } = this.shared;
    const { records, order } = parts[part]!;
    kernel(this.#kernels, "grid_gather", dtype)(
      ...[records, grid, order + 4 * from, to - from, width, height] as const,
      ...this.#windows(planes),
    );
  }

  /** What kernels between samples and cells take at their end: planes, distances of cells, and the window. */
  #windows([first, last]: Range) {
    const { layout: { window: { support }, depth }, tables: [table], degree } = this.shared;
    const [row, plane, scratch] = [this.#row, this.#plane, this.#scratch];
    return [first, last - first, row, plane, table, degree, support, depth, scratch] as const;
  }

  /** Cells along u to pixels along l, or back, for some rows of all planes. */
  #rows(planes: number, [start, stop]: Range, widen: boolean): void {
    const { layout: { cells: [width], kept: [kept], field: { pixels: [nx] } }, grid, tables, dtype } =
      this.shared;
    const transform = kernel(this.#kernels, "grid_transform", dtype);
    for (let plane = 0; plane < planes; plane++) {
      const at = grid + plane * this.#plane + start * this.#row;
      if (!widen) this.#foldColumns(at, stop - start);
      const lines = [at, stop - start, this.#row, this.#cell] as const;
      transform(...lines, width, kept, nx, Number(widen), tables[1], this.#scratch);
      if (widen) this.#repeatColumns(at, stop - start);
    }
  }

  /** Adds the columns behind the grid to its first ones. */
  #foldColumns(at: number, rows: number): void {
    const { layout: { kept: [width], window: { support } }, dtype } = this.shared;
    for (let row = 0; row < rows; row++) {
      const cells = floatsAt(this.#memory, dtype, at + row * this.#row, 2 * (width + support + 1));
      for (let i = 2 * width; i < cells.length; i++) cells[i - 2 * width]! += cells[i]!;
    }
  }

  /** Repeats the first columns of the grid behind it. */
  #repeatColumns(at: number, rows: number): void {
    const { layout: { kept: [width], window: { support } }, dtype } = this.shared;
    for (let row = 0; row < rows; row++) {
      const cells = floatsAt(this.#memory, dtype, at + row * this.#row, 2 * (width + support + 1));
      cells.copyWithin(2 * width, 0, 2 * (support + 1));
    }
  }

  /** Cells along v to pixels along m, with the phases of w: some columns of all planes, which are added to the image, or made. */
  #columns([first, last]: Range, [start, stop]: Range, widen: boolean): void {
    const {
      layout: { cells: [, height], kept: [, kept], field: { pixels: [, ny] } },
      grid,
      tables,
      dtype,
      sources,
    } = this.shared;
    const transform = kernel(this.#kernels, "grid_transform", dtype);
    for (let plane = first; plane < last; plane++) {
      const at = grid + (plane - first) * this.#plane + start * this.#cell;
      if (widen && !sources) this.#screen(at, plane, [start, stop], true);
      const lines = [at, stop - start, this.#cell, this.#row] as const;
      transform(...lines, height, kept, ny, Number(widen), tables[2], this.#scratch);
      if (!widen) this.#screen(at, plane, [start, stop], false);
    }
  }

  #screen(at: number, plane: number, [start, stop]: Range, back: boolean): void {
    const { layout: { field, w: [first, step], middle }, image, dtype } = this.shared;
    const [nx, ny] = field.pixels;
    const { from: [l, m], step: [dl, dm] } = axesOf(field);
    const w = first + plane * step, to = image + 8 * start;
    const screen = kernel(this.#kernels, "grid_screen", dtype);
    screen(to, at, stop - start, ny, 8 * nx, this.#row, start, l, dl, m, dm, middle, w, Number(back));
  }

  /** Undoes the window along l, m and w. */
  #correct([start, stop]: Range, scale: number): void {
    const { layout: { field, depth, w: [, step], middle }, image, corrections: [alongL, alongM, series] } =
      this.shared;
    const [nx] = field.pixels;
    const { from: [l, m], step: [dl, dm] } = axesOf(field);
    for (let j = start; j < stop; j++) {
      const row = new Float64Array(this.#memory.buffer, image + 8 * j * nx, nx);
      const y = m + j * dm, down = alongM[j]! * scale;
      for (let i = 0; i < nx; i++) {
        const across = depth > 1 ? correctionAt(series, step * (heightOf(l + i * dl, y) - middle)) : 1;
        row[i]! *= down * alongL[i]! * across;
      }
    }
  }
}
