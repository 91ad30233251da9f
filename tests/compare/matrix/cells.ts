/**
 * One source, written to one target by the command line, and read again.
 *
 * @module
 */

import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { open, type OpenOptions } from "../../../src/formats/open.ts";
import { samplesOf as colours } from "../../../src/sinks/chunks/chunk_options.ts";
import { factsOf } from "../../../src/space/axes.ts";
import { type DType, dtypeInfo } from "../../../src/space/dtype.ts";
import type { NDArray } from "../../../src/space/ndarray.ts";
import { ravel, unravel } from "../../../src/space/shape.ts";
import { sha256 } from "../../formats/read_all.ts";
import { cli } from "../../cli/harness.ts";
import type { Source } from "./sources.ts";
import { savedCell } from "./saved.ts";
import { isOfArraysAlone } from "./targets.ts";
import { arrayOf, bytesOf, differences, type Told, toldBy, toldOf, wrongLosses } from "./told.ts";

/** What became of it. */
export type Cell =
  | { readonly end: "refused"; readonly why: string }
  | { readonly end: "failed"; readonly problems: readonly string[] }
  | Written;

/** A result that is there. */
export interface Written {
  readonly end: "written";
  readonly path: string;
  readonly lost: string;
  /** What the file must hold. */
  readonly asked: Told;
  /** How it is opened. */
  readonly options: OpenOptions;
  readonly problems: readonly string[];
}

/** What is written, as it is read from its source. */
export interface Subject {
  readonly source: Source;
  readonly array: NDArray;
  readonly told: Told;
  /** The same with colours in front of rows and columns, as OME-Zarr has them. */
  readonly channelsFirst: Told;
}

/** Reads a source. */
export async function subjectOf(source: Source): Promise<Subject> {
  const dataset = await open(source.path, source.options) as StoredDataset;
  const array = await arrayOf(dataset), samples = bytesOf(array.data), told = toldOf(dataset, samples);
  return {
    source,
    array,
    told,
    channelsFirst: colours(dataset.shape, dataset.axes) > 1 ? withChannelsFirst(told, samples) : told,
  };
}

function withChannelsFirst(told: Told, samples: Uint8Array): Told {
  const { shape, axes } = told, rank = shape.length;
  const outer = [...axes.keys()].slice(0, rank - 3), isTime = (d: number) => axes[d]!.kind === "time";
  const order = [...outer.filter(isTime), rank - 1, ...outer.filter((d) => !isTime(d)), rank - 3, rank - 2];
  const unit = dtypeInfo(told.dtype as DType).itemSize, moved = new Uint8Array(samples.length);
  const turned = order.map((d) => shape[d]!);
  for (let i = 0; i * unit < samples.length; i++) {
    const at: number[] = [];
    for (const [d, n] of unravel(i, turned).entries()) at[order[d]!] = n;
    const from = ravel(at, shape) * unit;
    moved.set(samples.subarray(from, from + unit), i * unit);
  }
  return { ...told, shape: turned, axes: order.map((d) => axes[d]!), nav: rank - 2, sha256: sha256(moved) };
}

/** Writes `subject` to `path` by the command line, or where that takes no such files as an array, and reads it again. */
export async function cellOf(subject: Subject, path: string, flags: readonly string[] = []): Promise<Cell> {
  return isOfArraysAlone(path) ? await savedCell(subject, path) : await convertCell(subject, path, flags);
}

async function convertCell(
  { source, array, told, channelsFirst }: Subject,
  path: string,
  flags: readonly string[],
): Promise<Cell> {
  const words = ["convert", source.path, path, ...source.flags, ...flags, "--json", "-q", "--workers", "0"];
  const { code, json, out, err } = await cli(words);
  if (code !== 0) {
    const { code: kind, message } = (json().at(-1)?.error ?? {}) as { code?: string; message?: string };
    return kind === "unsupported"
      ? { end: "refused", why: message! }
      : { end: "failed", problems: [`ended with ${code}: ${message ?? err + out}`] };
  }
  const { losses: lost = "", openWith } = json().at(-1) as { losses?: string; openWith?: string };
  const asked = path.includes(".ome.zarr") ? channelsFirst : told;
  const options = openWith === undefined ? {} : optionsFrom(openWith);
  try {
    const shown = await open(path, options) as StoredDataset;
    const isTurned = lost.split("; ").includes("which axes are the scan"); // kinds may say another order than that of the file
    const found = asStored(await toldBy(isTurned ? shown.stored ?? shown : shown), array, path);
    const unequal = differences(asked, asFrames(found, asked, path), lost);
    return {
      end: "written",
      path,
      lost,
      asked,
      options,
      problems: [...unequal, ...wrongLosses(asked, found, lost)],
    };
  } catch (error) {
    return {
      end: "written",
      path,
      lost,
      asked,
      options,
      problems: [`cannot be read again: ${(error as Error).message}`],
    };
  }
}

/** TIFF has floats of 16 bits, which our reader makes floats of 32: the same numbers are the same samples. */
function asStored(found: Told, { data, dtype }: NDArray, path: string): Told {
  const isWidened = dtype === "float16" && found.dtype === "float32" && /\.tiff?$/.test(path);
  if (!isWidened || found.sha256 !== sha256(bytesOf(Float32Array.from(data as Float16Array)))) return found;
  return { ...found, dtype, sha256: sha256(bytesOf(data)) };
}

/** Files that hold nothing but frames have a scan of one frame where the source has none, and no dimensions of one sample. */
function asFrames(found: Told, { shape, nav, axes }: Told, path: string): Told {
  const wide = (all: readonly number[]) => all.filter((n) => n > 1).join();
  const isFrames = /\.(raw|bin|mib|xml)$/.test(path) && wide(found.shape) === wide(shape);
  if (!isFrames) return found;
  const own = found.axes.filter((_, d) => found.shape[d]! > 1).values();
  const kindOf = (d: number) => shape[d]! > 1 ? own.next().value : axes[d];
  return { ...found, shape, nav: nav!, axes: shape.map((_, d) => ({ kind: kindOf(d)?.kind })).map(factsOf) };
}

/** Flags for a file of samples that does not describe itself. */
function optionsFrom(flags: string): OpenOptions {
  const words = flags.split(" "), options: Record<string, unknown> = {};
  for (let i = 0; i < words.length; i += 2) {
    const [name, value] = [words[i]!.slice(2), words[i + 1]!];
    options[name] = name === "nav" || name === "sig" ? value.split("x").map(Number) : value;
  }
  return options;
}
