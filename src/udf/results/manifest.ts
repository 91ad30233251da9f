/**
 * The manifest of a run: its inputs, how it was computed, and the digests of its results.
 *
 * @module
 */

import { arrayFromAsync } from "../../portable.ts";
import type { Corrections } from "../../dataset/corrections.ts";
import { sha256 } from "../../io/hash.ts";
import { kernelsDigest } from "../../kernels/digest.ts";
import { checkOptionNames, defined, type OptionNames } from "../../options.ts";
import { each, inner, list, needed, text, whole } from "../../options/rules.ts";
import { bytesOf } from "../../space/bytes.ts";
import type { AxisFacts, ValueFacts } from "../../space/axes.ts";
import { toldOf } from "../../space/meaning/values.ts";
import type { NDArray } from "../../space/ndarray.ts";
import type { Shape } from "../../space/shape.ts";
import type { ObjectArray, Results } from "../interface/buffer_types.ts";
import { arrayDigest, type Glance, glance, manifestHead, objectDigest } from "./digest.ts";
import { checkPlan } from "../plan/given.ts";
import { objectsOf } from "../buffers/object_results.ts";
import type { Plan, UdfPlan } from "../plan/plan_facts.ts";
import type { PreparedUdf } from "../plan/plan_udf.ts";
import { BUILTIN, type UdfRef } from "../interface/udf_ref.ts";

/** A value in a manifest; a value that JSON cannot express becomes its kind, size and digest. */
type Said = string | number | boolean | null | readonly Said[] | { readonly [key: string]: Said };

/**
 * One UDF of a run.
 * @category Results
 */
export interface ManifestUdf {
  /** Key of its results. */
  readonly key: string;
  /** The name that it declares. */
  readonly name: string;
  /** URL of its module; absent for a closure. */
  readonly module?: string;
  /** Its export. */
  readonly export?: string;
  /** SHA-256 of the module, if it can be read. */
  readonly sha256?: string;
  /** Its parameters; arrays with type, length and digest. */
  readonly params: unknown;
  /**
   * Set if code of the caller (`derive`) makes further results from its results: the module of that code, with its
   * digest. Empty for a closure; these results cannot be repeated then.
   */
  readonly derived?: {
    /** URL of the module. */
    readonly module?: string;
    /** Its export. */
    readonly export?: string;
    /** Digest of the module. */
    readonly sha256?: string;
  };
}

/**
 * One result of a run.
 * @category Results
 */
export interface ManifestResult {
  /** Key of its UDF. */
  readonly udf: string;
  /** Name of the buffer. */
  readonly result: string;
  /** Its shape. */
  readonly shape: Shape;
  /** Its type; `object` for JSON values. */
  readonly dtype: string;
  /** What its dimensions are, if something is known of them. */
  readonly axes?: readonly AxisFacts[];
  /** What its numbers mean; absent of JSON values. */
  readonly values?: ValueFacts;
  /** SHA-256 of its samples and mask; of JSON values, of their text and mask. */
  readonly sha256: string;
  /** The files to which it was saved. */
  readonly files?: readonly string[];
  /** Each pixel of a saved picture is the mean of this number of samples in both directions; absent: of one sample. */
  readonly reduced?: number;
  /** What those files do not hold of what is known of the result, in words. Absent: nothing is lost. */
  readonly losses?: string;
}

/**
 * Everything needed to decide whether a run can be repeated, and whether a repeated run gave the same results.
 * @category Results
 */
export interface RunManifest {
  /** Kind and version of this record. */
  readonly manifest: "tilewise-run-1";
  /** The version of Tilewise. */
  readonly version: string;
  /** SHA-256 of the kernels that the run needs: the modules of their packs, one after another. */
  readonly kernels: string;
  /** When it was made, as ISO 8601. */
  readonly created: string;
  /** The files that were read. */
  readonly inputs: readonly Glance[];
  /** The data set, as it was opened. */
  readonly dataset: {
    /** The source that was opened. */
    readonly source: string;
    /** Format id. */
    readonly format: string;
    /** Shape of the scan. */
    readonly navShape: Shape;
    /** Shape of a frame. */
    readonly sigShape: Shape;
    /** Type of the samples. */
    readonly dtype: string;
    /** Images skipped, or blank positions. */
    readonly syncOffset: number;
  };
  /** What was computed. */
  readonly udfs: readonly ManifestUdf[];
  /** The region of interest: number of positions, and digest of their indices; absent: all positions. */
  readonly roi?: {
    /** Number of positions. */
    readonly selected: number;
    /** Digest of their indices. */
    readonly sha256: string;
  };
  /** Digests of dark frame and gain map, and the excluded pixels. */
  readonly corrections?: unknown;
  /** How it was computed; results do not depend on it. */
  readonly plan: {
    /** Shape of a tile. */
    readonly tileShape: Shape;
    /** Number of partitions of the scan. */
    readonly partitions: number;
    /** Number of worker threads. */
    readonly workers: number;
    /** Bytes read from the source. */
    readonly bytesToRead: number;
    /** Largest number of bytes held. */
    readonly peakBytes: number;
  };
  /** The results. */
  readonly results: readonly ManifestResult[];
  /** The command that made it. */
  readonly command?: ManifestCommand;
  /** Set if the run was interrupted: what its results cover; absent: everything. */
  readonly partial?: PartialRun;
}

/**
 * A command.
 * @category Results
 */
export interface ManifestCommand {
  /** Its arguments as typed, without the verb. */
  readonly arguments: readonly string[];
  /** The folder in which it was typed. */
  readonly folder: string;
  /** SHA-256 of the modules that it names, by their names as typed. */
  readonly modules?: Readonly<Record<string, string>>;
}

/**
 * What the results of an interrupted run cover.
 * @category Results
 */
export interface PartialRun {
  /** Frames that were merged into the results. */
  readonly frames: number;
  /** Frames of the whole run. */
  readonly framesTotal: number;
  /** The damage: ranges of flat scan positions that were merged, half-open and ascending. */
  readonly damage: readonly (readonly [start: number, stop: number])[];
}

/**
 * What the caller adds to a manifest.
 * @category Results
 */
export interface ManifestOptions {
  /** The command, if there was one. */
  readonly command?: ManifestCommand;
  /** The files to which each result was saved, by `udf.result`. */
  readonly files?: Readonly<Record<string, readonly string[]>>;
  /**
   * Number of samples in both directions of which a pixel of a saved picture is the mean, by `udf.result`, if it is
   * more than one.
   */
  readonly reduced?: Readonly<Record<string, number>>;
  /** What the files of a result do not hold of what is known of it, by `udf.result`. */
  readonly losses?: Readonly<Record<string, string>>;
}

// deno-fmt-ignore: written by `deno task build`
const COMMAND_NAMES: OptionNames<ManifestCommand> = {
  arguments: needed(list), folder: needed(text),
  modules: each("an object of texts by the names of modules", text),
};

// deno-fmt-ignore: written by `deno task build`
const MANIFEST_OPTIONS: OptionNames<ManifestOptions> = {
  command: inner(COMMAND_NAMES), files: each("an object of lists of files by udf.result", list),
  reduced: each("an object of numbers of samples by udf.result", whole(1)),
  losses: each("an object of texts by udf.result", text),
};

/**
 * The manifest of a run that has ended; it is plain JSON.
 *
 * @param plan what was run
 * @param results what the run gave
 * @param options what else to say
 * @returns the manifest
 *
 * @example
 * ```ts
 * import { open, plan, run, sumFrames } from "@tilewise/tilewise";
 * import { runManifest } from "@tilewise/tilewise/results";
 * import { assertEquals } from "@std/assert";
 * const scan = await open(Uint8Array.of(1, 2, 3, 4), { format: "raw", dtype: "uint8", nav: [2], sig: [1, 2] });
 * const planned = await plan(scan, { dp: sumFrames() });
 * const { results, inputs } = await runManifest(planned, await run(planned));
 * assertEquals(results.map(({ udf, result }) => `${udf}.${result}`), ["dp.intensity"]);
 * assertEquals(inputs.map(({ bytes }) => bytes), [4]);
 * ```
 * @category Results
 */
export async function runManifest(
  plan: Plan,
  results: Results,
  options: ManifestOptions = {},
): Promise<RunManifest> {
  checkPlan("runManifest()", plan);
  checkOptionNames("runManifest()", options, MANIFEST_OPTIONS);
  const { command, files = {}, reduced = {}, losses = {} } = options;
  const { dataset, scheme, partitions, memory, bytesToRead, corrections } = plan;
  const { source, navShape, sigShape, dtype, syncOffset, detection } = dataset;
  const named = Object.entries(results).flatMap(([udf, result]) =>
    [...Object.entries(result), ...Object.entries(objectsOf(result))].map((entry) => [udf, ...entry] as const)
  );
  const inputs = await arrayFromAsync(dataset.layout.files, ({ source }) => glance(source)); // one file open at a time
  return {
    ...manifestHead("tilewise-run-1", await kernelsDigest(plan.packs), inputs),
    dataset: { source, format: detection.format, navShape, sigShape, dtype, syncOffset },
    udfs: await Promise.all(plan.udfs.map(udfOf)),
    ...await roiOf(plan),
    ...(corrections ? { corrections: await correctionsOf(corrections) } : {}),
    plan: {
      tileShape: scheme.tileShape,
      partitions: partitions.length,
      workers: memory.workers,
      bytesToRead,
      peakBytes: memory.total,
    },
    results: await arrayFromAsync(
      named,
      async ([udf, result, values]) => {
        const key = `${udf}.${result}`;
        const [saved, mean, lost] = [files[key], reduced[key], losses[key]];
        return {
          udf,
          result,
          ...await factsOf(values),
          ...defined({ files: saved }),
          ...(mean ? { reduced: mean } : {}),
          ...(lost ? { losses: lost } : {}),
        };
      },
    ),
    ...defined({ command }),
  };
}

async function factsOf(
  values: NDArray | ObjectArray,
): Promise<Omit<ManifestResult, "udf" | "result" | "files" | "reduced" | "losses">> {
  const { shape } = values;
  return "dtype" in values
    ? { shape, dtype: values.dtype, ...toldOf(values), sha256: await arrayDigest(values) }
    : { shape, dtype: "object", sha256: await objectDigest(values) };
}

async function udfOf({ key, ref, udf, given, derivations }: PreparedUdf): Promise<ManifestUdf> {
  const params = await plainValue(ref.params);
  const isOfModule = !given.derived && given.module !== ref.module; // a module that exports a derived reference
  const derived = derivations.length === 0 ? {} : { derived: isOfModule ? await originOf(given) : {} };
  if (ref.inline) return { key, name: udf.name, params, ...derived };
  return { key, name: udf.name, ...await originOf(ref), params, ...derived };
}

async function originOf({ module, export: name }: UdfRef): Promise<{ module: string; export: string }> {
  const digest = module === BUILTIN ? undefined : await moduleDigest(module);
  return { module, export: name, ...(digest ? { sha256: digest } : {}) };
}

/** SHA-256 of a module, if this process may read it. */
async function moduleDigest(url: string): Promise<string | undefined> {
  try {
    return await sha256(new Uint8Array(await (await fetch(url)).arrayBuffer()));
  } catch {
    return undefined; // a module that can be imported need not be readable as a file
  }
}

async function roiOf({ selection }: UdfPlan): Promise<Pick<RunManifest, "roi">> {
  const { indices } = selection;
  if (!indices) return {};
  const bytes = bytesOf(indices);
  return { roi: { selected: indices.length, sha256: await sha256(bytes) } };
}

async function correctionsOf({ dark, gain, excluded }: Corrections): Promise<unknown> {
  return {
    ...(dark ? { dark: await plainValue(dark) } : {}),
    ...(gain ? { gain: await plainValue(gain) } : {}),
    ...(excluded ? { excluded: await plainValue(excluded) } : {}),
  };
}

/** A parameter as JSON: arrays of numbers become a type, a length and a digest. */
export async function plainValue(value: unknown): Promise<Said> {
  if (value === undefined || value === null) return null;
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (ArrayBuffer.isView(value)) {
    const bytes = bytesOf(value);
    return { type: value.constructor.name, bytes: bytes.length, sha256: await sha256(bytes) };
  }
  if (Array.isArray(value)) return await Promise.all(value.map(plainValue));
  if (typeof value !== "object") return value as Said;
  const entries = Object.entries(value).map(async ([key, item]) => [key, await plainValue(item)] as const);
  return Object.fromEntries(await Promise.all(entries));
}
