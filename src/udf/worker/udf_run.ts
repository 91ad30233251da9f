/**
 * One UDF on one worker: calls its functions, shows them the buffers, and reports their errors.
 *
 * @module
 */

import { defined } from "../../options.ts";
import type { KernelFiles } from "../../channels/files/kernel_files.ts";
import { isTilewiseError, TilewiseError } from "../../errors.ts";
import { reasonOf } from "../../reason.ts";
import { withoutExits } from "../../executor/exits.ts";
import type { Kernels } from "../../kernels/bind.ts";
import type { Slab } from "../../memory/slab.ts";
import { type Box, box } from "../../space/box.ts";
import { ravel, type Shape } from "../../space/shape.ts";
import { AuxViews } from "../buffers/aux_views.ts";
import type { BufferPlan, ObjectPlan, Window } from "../interface/buffer_plan.ts";
import type { Buffers } from "../interface/buffer_types.ts";
import { viewBuffers } from "../buffers/buffers.ts";
import { settled, unchanged, userRules } from "../interface/guard.ts";
import type { PartitionTask, RunShared, UdfInstance, UdfJob } from "./job_data.ts";
import { LeafTree } from "../buffers/merge_tree.ts";
import { mergePartials, startRuled } from "../buffers/merge_partials.ts";
import { type AllBuffers, emptyObjects, exportObjects, viewObjects } from "../buffers/object_buffers.ts";
import type { JsonValue } from "../interface/objects.ts";
import { framesBefore } from "../buffers/positions.ts";
import { type PixelRun, pixelRuns, toRowMajor, toSliceOrder } from "../buffers/slice_order.ts";
import type { Tile } from "../interface/tile.ts";
import type { TileGuard } from "./tile_guard.ts";
import { type ReadTile, type Seeing, type TileForms, TileView } from "./tile_forms.ts";
import type { Method, Udf, UdfContext } from "../interface/udf.ts";
import { cutScratch, openArrays } from "./form_needs.ts";

/** The functions that process samples. */
const PROCESS = { tile: "processTile", frame: "processFrame", partition: "processPartition" } as const;

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** One UDF on one worker. */
export class UdfRun {
  readonly #job: UdfJob;
  readonly #plans: readonly BufferPlan[];
  readonly #objectPlans: readonly ObjectPlan[];
  readonly #fixed: Writable<
    Pick<UdfContext, "meta" | "kernels" | "constants" | "scratch" | "tiling" | "files" | "device" | "side">
  >;
  #aux: AuxViews;
  readonly #runs: readonly PixelRun[] | undefined;
  readonly #view: TileView;
  readonly #tree: LeafTree | undefined;
  #all: AllBuffers = { buffers: {}, objects: {} };
  #context!: Writable<UdfContext>;
  #first = 0;
  #frames = 0;
  #looked = false;
  /** What a call of this partition has returned. */
  #given: unknown;
  /** The scan position of the frame that is processed, or of the first one of a tile. */
  #position: number | undefined;

  constructor(
    private udf: Udf,
    readonly number: number,
    private readonly shared: RunShared,
    kernels: Kernels,
    slab: Slab,
    forms: TileForms,
    files: KernelFiles,
    private readonly seeing: Seeing = { own: false },
  ) {
    const { set, layout, depth, slices } = shared;
    const job = this.#job = shared.udfs[number]!;
    this.#plans = set.udfs[number]!;
    this.#objectPlans = set.objects[number]!;
    this.#fixed = {
      meta: job.meta,
      kernels,
      constants: openArrays(job.constants, kernels.memory),
      scratch: cutScratch(udf.scratch?.(job.meta) ?? {}, slab),
      tiling: { depth, slices },
      files,
      device: "cpu",
      side: "worker",
    };
    this.#aux = new AuxViews(job.aux, kernels.memory);
    this.#runs = shared.boxes ? undefined : pixelRuns(slices, layout.sigShape);
    this.#view = new TileView(udf, number, job.meta, forms, kernels.memory, seeing);
    if (job.tree) this.#tree = this.#leafTree(slab);
  }

  /** From now on computes partitions with another instance of the same UDF. */
  use(udf: Udf, { constants, aux }: UdfInstance): void {
    const { memory } = this.#fixed.kernels;
    this.udf = udf;
    this.#fixed.constants = openArrays(constants, memory);
    this.#aux = new AuxViews(aux, memory);
  }

  begin(
    { partition: index, start, stop }: PartitionTask,
    buffers: Buffers,
    row: number,
    frames: number,
  ): void {
    const { sigShape } = this.#job.meta;
    this.#first = framesBefore(this.shared.selection, start);
    this.#frames = frames;
    this.#looked = false;
    this.#given = undefined;
    this.#position = undefined;
    this.#all = { buffers, objects: emptyObjects(this.#objectPlans, frames, this.shared.set.pixels) };
    const slice = box([row, ...sigShape.map(() => 0)], [frames, ...sigShape]);
    const partition = { index, start, stop, slice };
    this.#context = { ...this.#fixed, partition, aux: {}, objects: {}, taskData: undefined };
    this.#guard(() => {
      this.#showAll(this.#all);
      this.#context.taskData = settled(this.udf.name, "taskData()", this.udf.taskData?.(this.#context));
      if (this.#tree) this.#tree.begin(this.#all);
      else this.#prepare(this.#all);
    });
  }

  /**
   * Processes a tile, or its frames from `first` on, until other work should run.
   *
   * @returns the number of the next frame, or the number of frames if all are done
   */
  process(
    init: ReadTile,
    window: Window,
    { first, isDue }: { readonly first: number; isDue(): boolean },
  ): number {
    let next = init.positions.length;
    const { udf } = this;
    if (this.shared.boxes) window = { ...window, ...spanOf(init.box, this.#job.meta.sigShape) };
    if (this.seeing.guard) this.#remember(this.seeing.guard, window);
    this.#position = init.positions[0]!;
    const tile = this.#view.of(init);
    const { method } = this.#job;
    this.#guard(() => {
      const all = this.#tree?.at(Math.floor(init.positions[0]! / this.shared.leaf)) ?? this.#all;
      if (method === "frame") {
        for (let f = first, look = first + 1; f < tile.frames; f++) {
          if (f === look) { // the clock is read less and less often, as frames are alike
            look += f - first;
            if (isDue()) {
              next = f;
              return this.seeing.guard?.check();
            }
          }
          this.#position = init.positions[f]!;
          const views = this.#show(all, { ...window, frame: window.frame + f, frames: 1 });
          const frame = tile.frame(f);
          const given = this.#looked
            ? udf.processFrame!(frame, views, this.#context)
            : this.#look("processFrame", frame, views);
          if (given) this.#given = settled(udf.name, "processFrame()", given);
        }
      } else {
        const [process, views] = [PROCESS[method], this.#show(all, window)];
        const given = this.#looked
          ? udf[process]!(tile, views, this.#context)
          : this.#look(process, tile, views);
        if (given) this.#given = settled(udf.name, `${process}()`, given);
      }
      this.seeing.guard?.check();
    });
    return next;
  }

  /** Guards the data besides samples that the UDF must not change, if that is to be checked. */
  #remember(guard: TileGuard, window: Window): void {
    const { constants } = this.#fixed;
    for (const [name, array] of Object.entries(constants)) guard.see(`the constant "${name}"`, array);
    const aux = this.#aux.at(this.#first, window);
    for (const [name, array] of Object.entries(aux)) guard.see(`the auxiliary data "${name}"`, array);
  }

  /** Makes the first call of a partition, which shows whether the UDF keeps its buffers. */
  #look(process: (typeof PROCESS)[Method], tile: Tile, views: Buffers): unknown {
    const { udf } = this;
    this.#looked = true;
    return unchanged(udf.name, `${process}()`, views, () => udf[process]!(tile, views, this.#context));
  }

  /** Ends the partition. The values of its object buffers have to travel with the result. */
  end(): Record<string, JsonValue[]> | undefined {
    this.#guard(() => {
      if (this.#tree) this.#tree.end();
      else this.#reorder(this.#all, toRowMajor);
      const { udf } = this;
      const buffers = this.#showAll(this.#all);
      const where = `${PROCESS[this.#job.method]}()`;
      if (this.#given) userRules()?.mustWrite(udf, where, this.#given, buffers, this.#job.ref);
      const work = () => udf.postprocess?.(buffers, this.#context);
      settled(udf.name, "postprocess()", unchanged(udf.name, "postprocess()", buffers, work));
      settled(udf.name, "cleanup()", udf.cleanup?.(this.#context));
    });
    if (this.#objectPlans.length === 0) return undefined;
    return exportObjects(this.udf.name, this.#all.objects);
  }

  #leafTree(slab: Slab): LeafTree {
    const { set, leafSets } = this.shared;
    const { meta, kernels } = this.#fixed;
    const validNav = () => unknownHere(this.udf);
    return new LeafTree({
      plans: this.#plans,
      objects: this.#objectPlans,
      pixels: set.pixels,
      count: leafSets,
      slab,
      prepare: (fresh) => this.#prepare(fresh),
      close: (leaf) => this.#reorder(leaf, toRowMajor),
      merge: (into, from) => {
        const plans = { plans: this.#plans, objects: this.#objectPlans };
        mergePartials(this.udf, plans, into, from, { meta, kernels, validNav });
      },
    });
  }

  /** Sets start values; user code sees pixels in row-major order. */
  #prepare(fresh: AllBuffers): void {
    startRuled(this.#plans, fresh.buffers);
    if (!this.udf.preprocess) return;
    const { udf } = this;
    const work = () => udf.preprocess!(this.#showAll(fresh), this.#context);
    settled(udf.name, "preprocess()", unchanged(udf.name, "preprocess()", fresh.buffers, work));
    this.#reorder(fresh, toSliceOrder);
  }

  #reorder({ buffers, objects }: AllBuffers, reorder: typeof toRowMajor): void {
    if (!this.#runs) return;
    for (const { name, kind } of this.#plans) {
      const buffer = buffers[name];
      if (kind === "sig" && buffer) reorder(this.#runs, buffer, buffer.length / this.#job.meta.pixels);
    }
    for (const { name, kind, entry } of this.#objectPlans) {
      if (kind === "sig" && objects[name]) reorder(this.#runs, objects[name].values, entry);
    }
  }

  /** Shows a part of the partition to a call. */
  #show({ buffers, objects }: AllBuffers, window: Window): Buffers {
    if (!this.#aux.none) this.#context.aux = this.#aux.at(this.#first, window);
    if (this.#objectPlans.length > 0) this.#context.objects = viewObjects(this.#objectPlans, objects, window);
    return viewBuffers(this.#plans, buffers, window);
  }

  /** Shows the whole partition to a call. */
  #showAll({ buffers, objects }: AllBuffers): Buffers {
    if (!this.#aux.none) this.#context.aux = this.#aux.partition(this.#first, this.#frames);
    this.#context.objects = objects;
    return buffers;
  }

  #guard(work: () => void): void {
    try {
      withoutExits(work);
    } catch (error) {
      const { index } = this.#context.partition;
      if (isTilewiseError(error)) {
        throw inFrame(named(error, this.udf.name), this.udf.name, index, this.#position);
      }
      const facts = { plans: this.#plans, objects: this.#objectPlans, inputDType: this.#job.meta.inputDType };
      const text = `UDF "${this.udf.name}" failed in partition ${index}: ${reasonOf(error)}${
        userRules()?.hintFor(error, facts) ?? ""
      }`;
      throw new TilewiseError("udf", text, { partition: index, udf: this.udf.name }, { cause: error });
    }
  }
}

/** The range from the first pixel of a box to its last, as they lie in a frame. */
function spanOf({ origin, shape }: Box, sigShape: Shape): Pick<Window, "pixel" | "pixels"> {
  const pixel = ravel(origin, sigShape);
  return { pixel, pixels: ravel(origin.map((o, d) => o + shape[d]! - 1), sigShape) + 1 - pixel };
}

/** Adds the name of the UDF to errors of kernels, which do not know it. */
function named(error: TilewiseError, udf: string): TilewiseError {
  if (error.code !== "unsupported" || error.details.udf !== undefined) return error;
  return new TilewiseError("unsupported", `UDF "${udf}": ${error.message}`, { ...error.details, udf }, {
    cause: error,
  });
}

/** Adds the frame to errors of calls to a host, which do not know it. */
function inFrame(
  error: TilewiseError,
  udf: string,
  partition: number,
  frame: number | undefined,
): TilewiseError {
  const { code, details, message } = error;
  if (typeof details["status"] !== "string" || details["frame"] !== undefined) return error;
  const at = frame === undefined ? "" : ` at frame ${frame}`;
  const text = `UDF "${udf}" failed in partition ${partition}${at}: ${message}`;
  const place = { udf, partition, ...defined({ frame }) };
  return new TilewiseError(code, text, { ...details, ...place }, { cause: error });
}

function unknownHere({ name }: Udf): never {
  const text =
    `UDF "${name}": which frames have been merged is not known on a worker, where parts of a partition ` +
    `are merged in a tree; with order "any", merge() runs on the side that collects results`;
  throw new TilewiseError("udf", text, { udf: name });
}
