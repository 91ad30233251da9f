/**
 * The flags of files that are written in chunks or tiles, and the options of `fileSink` that they set.
 *
 * @module
 */

import { VALUE_KINDS } from "../../space/meaning/kinds.ts";
import { parseShape } from "../../space/shape.ts";
import type { FileSinkOptions } from "../../views/sinks/registry.ts";
import type { Arguments } from "../shell/args.ts";
import { UsageError } from "../shell/args.ts";
import { type Flag, grouped } from "../shell/verb.ts";
import { numberOrText, optionFlag, ruled } from "./option_flag.ts";

/** A flag, and how the option that it sets is read. */
interface SinkFlag extends Flag {
  readonly option: keyof FileSinkOptions;
  readonly read: (args: Arguments, flag: string) => unknown;
}

/** The flag of an option whose value `read` makes of text; it is checked when the file is made, as its rule depends on that. */
function option(flag: Flag, read: (text: string) => unknown = (text) => text): SinkFlag {
  return { ...flag, option: flag.option as keyof FileSinkOptions, read: ruled(true, read) };
}

const shapeOr = (other: (text: string) => unknown) => (text: string) =>
  /^\d+(x\d+)+$/.test(text) ? parseShape(text) : other(text);

const ALL: readonly SinkFlag[] = grouped("Zarr, TIFF and pyramids", [
  option(optionFlag("ZarrOptions.chunk", "AxBxC"), parseShape),
  // --shard I/N is the part of a run that one machine computes
  option(optionFlag("ZarrOptions.shard", "SIZE|AxBxC", { name: "shard-size" }), shapeOr((text) => text)),
  option(optionFlag("ZarrOptions.format", "N", { name: "zarr-format" }), numberOrText),
  option(optionFlag("TiffOptions.tile", "N|AxB"), shapeOr(Number)),
  option(optionFlag("ChunkSinkOptions.compression", "NAME", { also: "codec" })),
  option(optionFlag("ChunkSinkOptions.levels", "N"), levelsIn),
  option(optionFlag("ChunkSinkOptions.reduce", "NAME")),
  option(
    optionFlag("ChunkSinkOptions.values", "KIND", { typed: VALUE_KINDS.join(", "), values: VALUE_KINDS }),
    valuesIn,
  ),
  { ...option(optionFlag("ChunkSinkOptions.resume")), read: (args, flag) => args.has(flag) || undefined },
]);

/** The flags. */
export const SINK_FLAGS: readonly Flag[] = ALL;

/** The options that the flags of a command set. */
export function sinkOptions(args: Arguments): FileSinkOptions {
  const given = ALL.map(({ name, option, read }) => [option, read(args, name)] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

/** Refuses flags of chunks for `what`, which has none; all, or all but one that means something else there. */
export function refuseSinkFlags(args: Arguments, what: string, but?: "tile"): void {
  const unused = ALL.find(({ name }) => name !== but && args.has(name));
  if (unused === undefined) return;
  throw new UsageError(
    `--${unused.name} does not apply to ${what}: it is for files with chunks, Zarr and TIFF`,
  );
}

function valuesIn(kind: string): { readonly kind: string } {
  if (VALUE_KINDS.some((known) => known === kind)) return { kind };
  throw new UsageError(`--values takes ${VALUE_KINDS.join(", ")}, not "${kind}"`);
}

function levelsIn(given: string): number | "auto" {
  if (given === "auto") return given;
  if (/^\d+$/.test(given)) return Number(given);
  throw new UsageError(`--levels takes a number or auto, not "${given}"`);
}
