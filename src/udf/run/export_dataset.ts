/**
 * Writes a data set into a file of another format, in one pass and with a fixed amount of memory.
 *
 * @module
 */

import type { Corrections } from "../../dataset/corrections.ts";
import type { Dataset, StoredDataset } from "../../dataset/dataset.ts";
import { sourcesOf } from "../../dataset/layout/layout.ts";
import type { RoiInput } from "../../dataset/roi/roi.ts";
import type { RangeRegion } from "../../dataset/roi/roi_input.ts";
import { TilewiseError } from "../../errors.ts";
import { asFrames } from "../../dataset/single_values.ts";
import { stemOf } from "../../io/file/names.ts";
import { mustBeTarget } from "../../sinks/registry.ts";
import { rowTarget } from "../../sinks/rows/registry.ts";
import { cannotHold, type RowTarget } from "../../sinks/rows/layout.ts";
import { besideRows, filesOfRows } from "../../sinks/rows/stream.ts";
import { lossesOf } from "../../sinks/losses.ts";
import { factsOf } from "../../space/axes.ts";
import { PartFile } from "../../io/write/part_file.ts";
import { checkOptionNames, defined, type OptionNames } from "../../options.ts";
import { callable, signal as signalRule, text } from "../../options/rules.ts";
import { account } from "../../memory/account.ts";
import { mustNotBeRead } from "../../io/file/same_file.ts";
import { finishTogether, type Naming } from "../../io/write/together.ts";
import { PartFiles } from "../../io/write/write.ts";
import type { DType } from "../../space/dtype.ts";
import { cropped, thinned } from "../../space/meaning/axes.ts";
import { parseRanges, resolveRanges } from "../../space/ranges.ts";
import { type Shape, sizeOf } from "../../space/shape.ts";
import { recordFrames, type RecordSpec, recordSpec } from "../builtin/record_frames.ts";
import { type Context, insideOf } from "../../runner/context.ts";
import { type AnyPlan, notCut } from "../../runner/plan.ts";
import { RUN_SETTINGS, type RunSettings } from "../../runner/runner.ts";
import { checkDataset } from "../plan/given.ts";
import { runInOrder, type SeeRows } from "./export_rows.ts";
import { udfPlan } from "./plan.ts";
import type { Progress, UdfPlan } from "../plan/plan_facts.ts";
import { corrections as correctionsRule } from "../plan/corrections.ts";
import { checkRunOptions, context as contextRule } from "../../runner/rules.ts";

/**
 * Options of {@link exportDataset}.
 * @category Results
 */
export interface ExportOptions {
  /** Region of interest: ranges give a smaller scan, others the list of their frames. Default: everything. */
  readonly roi?: RoiInput;
  /** Dark frame, gain map, dead pixels: corrected samples are written. Default: samples as they are stored. */
  readonly corrections?: Corrections;
  /** The context in which to run. */
  readonly context?: Context;
  /** Cancels the export; then no file is written. */
  readonly signal?: AbortSignal;
  /** Called repeatedly with the progress. */
  readonly onProgress?: (progress: Progress) => void;
}

// deno-fmt-ignore: written by `deno task build`
const EXPORT_OPTIONS: OptionNames<ExportOptions> = {
  roi: true, corrections: correctionsRule, context: contextRule, signal: signalRule, onProgress: callable,
};

/**
 * Description of what {@link exportDataset} has written.
 * @category Results
 */
export interface Exported {
  /** Path that was asked for. */
  readonly path: string;
  /** Every file, the one with the frames first. */
  readonly files: readonly string[];
  /** Shape of the array in the file. */
  readonly shape: Shape;
  /** Type of its samples. */
  readonly dtype: DType;
  /** Bytes of the file with the frames. */
  readonly bytes: number;
  /** Frames for which the data set has no image; they are zeros in the file. */
  readonly blank: number;
  /** Flags of the command line that open the file, if the file itself does not describe its content. */
  readonly openWith?: string;
  /** What the file does not hold of the description of the data set, in words. Absent: nothing is lost. */
  readonly losses?: string;
  /** Warnings for the user. */
  readonly warnings: readonly string[];
}

/**
 * Writes the frames of `dataset` to `path` as they are stored (or corrected), with shape (…scan, …frame), or with a
 * region of interest (frames selected, …frame) in the order of the scan. The extension of `path` decides the format:
 *
 * - `.npy`: any samples, little endian.
 * - `.raw`, `.bin`: plain samples, and a Ripple description `.rpl` if that format can describe them; `openWith` has the
 *   flags.
 * - `.mib`: uint8, uint16, uint32 images with the headers of Merlin, and the `.hdr`.
 * - `.xml`: EMPAD, frames of 128 × 128 float32 in the `.raw` beside it.
 * - `.tif`: pages of images of any type; BigTIFF if the file is larger than 4 GiB.
 * - `.fits`: integers and floats, with names, steps and units of linear axes.
 *
 * Workers write what they read directly from their memory, so the data may be larger than memory. The file appears when
 * it is complete; an older file of that name is replaced.
 *
 * Errors: `unsupported` for other extensions and for frames that such a file cannot hold, `invalid` if the target is
 * the file being read, and the errors of planning, running and writing.
 *
 * @example
 * ```ts
 * import { open } from "@tilewise/tilewise";
 * import { exportDataset } from "@tilewise/tilewise/unstable/results";
 * import { assertEquals } from "@std/assert";
 * const folder = await Deno.makeTempDir();
 * const raw = { format: "raw", dtype: "uint16", byteOrder: "big", nav: [2], sig: [1, 2] } as const;
 * const scan = await open(Uint8Array.of(0, 1, 0, 2, 0, 3, 0, 4), raw);
 * const { shape, dtype, bytes } = await exportDataset(scan, `${folder}/scan.npy`);
 * assertEquals([shape, dtype, bytes], [[2, 1, 2], "uint16", 136]);
 * await Deno.remove(folder, { recursive: true });
 * ```
 * @category Results
 */
export async function exportDataset(
  dataset: Dataset,
  path: string,
  options: ExportOptions = {},
): Promise<Exported> {
  return await (await checkedPlan("exportDataset()", dataset, path, options)).run();
}

/**
 * An export that is planned: what will be written is known, and the memory that this needs.
 * @category Results
 */
export interface ExportPlan extends AnyPlan {
  /** Every file that will be written, the one with the frames first. */
  readonly files: readonly string[];
  /** Writes the files. */
  run(options?: RunSettings<Progress>): Promise<Exported>;
}

/**
 * Plans {@link exportDataset}: the memory that it needs, and how frames are read. Nothing is written before `run()`.
 *
 * Errors: those of {@link exportDataset}.
 *
 * @example
 * ```ts
 * import { open } from "@tilewise/tilewise";
 * import { planExport } from "@tilewise/tilewise/unstable/results";
 * import { assertEquals } from "@std/assert";
 * const folder = await Deno.makeTempDir();
 * const scan = await open(Uint8Array.of(1, 2, 3, 4), { format: "raw", dtype: "uint8", nav: [2], sig: [1, 2] });
 * const plan = await planExport(scan, `${folder}/scan.npy`);
 * assertEquals([plan.files, (await plan.run()).bytes], [[`${folder}/scan.npy`], 132]);
 * await Deno.remove(folder, { recursive: true });
 * ```
 * @category Results
 */
export async function planExport(
  dataset: Dataset,
  path: string,
  options: ExportOptions = {},
): Promise<ExportPlan> {
  return await checkedPlan("planExport()", dataset, path, options);
}

async function checkedPlan(
  call: string,
  dataset: Dataset,
  path: string,
  options: ExportOptions,
): Promise<ExportPlan> {
  checkDataset(call, dataset);
  checkOptionNames(call, options, EXPORT_OPTIONS);
  text(call, "path", path);
  return await exportPlan(dataset, path, options);
}

/** What callers of our own want of an export. */
interface OwnExportOptions extends ExportOptions {
  /** Type of the samples in the file, the nearest ones. Absent: that of the data set, or of corrected samples. */
  readonly dtype?: DType | undefined;
  /** Is called when the file is complete, before it gets its name: makes what lies beside it, and says what gets its name with it. */
  readonly beside?: (made: Exported) => Promise<readonly Naming[]>;
  /** Sees all samples of the file, in their order. */
  readonly see?: SeeRows | undefined;
}

/** The plan, with something beside the file. */
export async function exportPlan(
  dataset: StoredDataset,
  path: string,
  options: OwnExportOptions,
): Promise<ExportPlan> {
  const { roi, corrections, context, signal, onProgress, dtype, see } = options;
  const { beside = () => Promise.resolve([]) } = options;
  const writer = await rowTarget(mustBeTarget(path, "frames").id);
  const stem = stemOf(path).replace(/^.*[/\\]/, "");
  const kind = {
    as: writer.id,
    stem,
    sig: dataset.sigShape,
    ...describedFrames(dataset, options),
    ...defined({ dtype }),
  };
  const targets = filesOfRows(writer, path), [target] = targets as [string];
  await mustNotBeRead(targets, [dataset.source, ...sourcesOf(dataset.layout), ...dataset.filesRead]);
  const file = await PartFile.at(target);
  const hidesMissing = corrections && dataset.values.missing !== undefined;
  const lost = hidesMissing ? ["which samples are missing, as they are corrected, too"] : [];
  const settings = defined({ signal, onProgress });
  const to: ExportTarget = { writer, path, targets, file, beside, settings, lost };
  if (sizeOf(dataset.shape) === 0 && roi === undefined) {
    const nothing = { memory: account([]), context: insideOf(context), explain: () => "no samples" };
    return planTo(to, nothing, () => writeNothing(to, dataset, dtype ?? dataset.dtype));
  }
  const planned = await udfPlan(asFrames(dataset), {
    record: recordFrames({ part: file.part, path: target, ...kind }),
  }, { corrections: corrections ?? "none", ...defined({ roi, context, signal }) });
  const spec = recordSpec(writer, planned.udfs[0]!.meta, kind);
  return planTo(to, planned, async (settings) => {
    await file.create(spec.layout.head, spec.total);
    await runInOrder(planned, spec, { part: file.part, path: target, see }, settings);
    return await finishFrames(to, planned, spec);
  });
}

/** Where an export goes, and what its options say of the run. */
interface ExportTarget {
  readonly writer: RowTarget;
  readonly path: string;
  readonly targets: readonly string[];
  readonly file: PartFile;
  readonly beside: NonNullable<OwnExportOptions["beside"]>;
  readonly settings: RunSettings<Progress>;
  /** What is lost before anything is written. */
  readonly lost: readonly string[];
}

/** The plan of an export, with the memory of `plan`; `write` writes the files. */
function planTo(
  { targets: files, file, settings: usual }: ExportTarget,
  { memory, context, explain }: Pick<AnyPlan, "memory" | "context" | "explain">,
  write: (settings: RunSettings<Progress>) => Promise<Exported>,
): ExportPlan {
  const facts = { memory, context, files };
  let isWriting = false;
  return {
    ...facts,
    parts: notCut,
    explain: () => `${files.join(", ")}\n${explain()}`,
    async run(settings = {}) {
      checkRunOptions("run()", facts, settings, RUN_SETTINGS);
      if (isWriting) throw twice(files);
      isWriting = true;
      try {
        await using _file = file;
        return await write({ ...usual, ...settings });
      } finally {
        isWriting = false;
      }
    },
  };
}

function twice([file = ""]: readonly string[]): TilewiseError {
  const text = `Cannot write ${file} twice at the same time: await the run of this plan before the next`;
  return new TilewiseError("invalid", text, { file });
}

/** Gives the complete file its name, with what lies beside it. */
async function finishFrames(
  { writer, path, targets: [target], file, beside, lost }: ExportTarget,
  { udfs: [first] }: UdfPlan,
  { frames, layout, total: bytes }: RecordSpec,
): Promise<Exported> {
  const { meta } = first!;
  const sides = besideRows(layout, path);
  await using parts = new PartFiles();
  await parts.fill(sides);
  const shape = [...frames.nav, ...frames.sig], means = defined({ axes: frames.axes, values: frames.values });
  const facts = { shape, dtype: frames.dtype, nav: frames.nav.length, ...means };
  const losses = [lossesOf(writer.keeps, facts), ...lost].filter((text) => text !== "").join("; ");
  const made: Exported = {
    path,
    files: [target!, ...sides.map(({ path }) => path)],
    shape,
    dtype: frames.dtype,
    bytes,
    blank: meta.roi.count - meta.selected,
    ...(layout.openWith ? { openWith: layout.openWith } : {}),
    ...(losses === "" ? {} : { losses }),
    warnings: layout.warnings,
  };
  await finishTogether([file, ...parts.all, ...await beside(made)]);
  return made;
}

/** What axes and samples of the frames mean; ranges are a smaller scan. */
function describedFrames(
  { axes, navShape, values: said }: StoredDataset,
  { roi, corrections }: Pick<OwnExportOptions, "roi" | "corrections">,
) {
  const all = axes.map(factsOf), { missing: _, ...others } = said;
  const values = corrections ? others : said; // they change the number of those that are missing as well
  if (roi === undefined || !isRange(roi)) return { axes: all, values };
  const ranges = resolveRanges(parseRanges(roi.range), navShape, "the scan");
  const nav = ranges.map(({ start, stop, step }) => Math.ceil((stop - start) / step));
  const kept = ranges.map(({ start, stop, step }, d) =>
    thinned(cropped(all[d]!, start, stop - start), step, "first")
  );
  return { nav, axes: [...kept, ...all.slice(navShape.length)], values };
}

function isRange(roi: RoiInput): roi is RangeRegion {
  return typeof roi === "object" && "range" in roi;
}

/** Writes an array without samples: its description alone, which only `.npy` has. */
async function writeNothing(
  { writer, path, file, beside }: ExportTarget,
  { navShape, sigShape, shape }: StoredDataset,
  dtype: DType,
): Promise<Exported> {
  const frames = { nav: navShape, sig: sigShape, dtype, stem: "" };
  if (!writer.takesNothing) throw cannotHold(frames, writer.title, "frames of one sample or more");
  const { head } = writer.layout(frames);
  await file.fill(head);
  const made = { path, files: [path], shape, dtype, bytes: head.length, blank: 0, warnings: [] };
  await finishTogether([file, ...await beside(made)]);
  return made;
}
