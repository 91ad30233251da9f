/**
 * The flags of files that are written in chunks or tiles, and the options of `fileSink` that they set.
 *
 * @module
 */

import { parseShape } from "../../space/shape.ts";
import type { FileSinkOptions } from "../../views/sinks/registry.ts";
import type { Arguments } from "../shell/args.ts";
import { UsageError } from "../shell/args.ts";
import type { Flag } from "../shell/verb.ts";

/** A flag, the option that it sets, and how its value is understood. */
interface SinkFlag extends Flag {
  readonly option: keyof FileSinkOptions;
  readonly read: (args: Arguments, flag: string) => unknown;
}

const text: SinkFlag["read"] = (args, flag) => args.text(flag);
const shape: SinkFlag["read"] = (args, flag) => args.value(flag, parseShape);

const ALL: readonly SinkFlag[] = [
  { name: "chunk", option: "chunk", value: "AxBxC", help: "Zarr: samples per chunk", read: shape },
  {
    name: "shard-size", // --shard I/N is the part of a run that one machine computes
    option: "shard",
    value: "SIZE",
    help: "Zarr: combine chunks in files of that size, AxBxC samples or 256MiB",
    read: (args, flag) => args.value(flag, (given) => /^\d+(x\d+)+$/.test(given) ? parseShape(given) : given),
  },
  {
    name: "codec",
    option: "codec",
    value: "NAME",
    help: "Zarr: none, zstd, blosc, gzip; zstd:9 says a level; default zstd",
    read: text,
  },
  {
    name: "zarr-format",
    option: "format",
    value: "N",
    help: "Zarr: version 3 (OME-Zarr 0.5) or 2 (0.4); default 3",
    read: (args, flag) => args.count(flag, 2, 3),
  },
  {
    name: "tile",
    option: "tile",
    value: "N",
    help: "TIFF: rows and columns of a tile, N or AxB; default 256, or fewer for smaller images",
    read: (args, flag) =>
      args.value(flag, (given) => given.includes("x") ? parseShape(given) : Number(given)),
  },
  {
    name: "compression",
    option: "compression",
    value: "NAME",
    help: "TIFF: none, deflate, zstd, lzw, packbits; deflate:9 says a level; default deflate",
    read: text,
  },
  {
    name: "levels",
    option: "levels",
    value: "N",
    help: "levels of a pyramid, full size included, or auto; default auto for .ome.zarr and .ome.tif, else 1",
    read: (args, flag) => args.value(flag, levelsIn),
  },
  {
    name: "reduce",
    option: "reduce",
    value: "NAME",
    help: "how levels are made: mean, max, nearest; default mean, and nearest for labels",
    read: text,
  },
  {
    name: "values",
    option: "values",
    value: "KIND",
    help: "what the samples are: amount, label, mask; default: what the source or the filters say",
    read: (args, flag) => args.has(flag) ? { kind: args.text(flag) } : undefined,
  },
  {
    name: "resume",
    option: "resume",
    help: "go on where an earlier command with the same source and flags was stopped",
    read: (args, flag) => args.has(flag) || undefined,
  },
];

/** The flags. */
export const SINK_FLAGS: readonly Flag[] = ALL;

/** The options that the flags of a command set. */
export function sinkOptions(args: Arguments): FileSinkOptions {
  const given = ALL.map(({ name, option, read }) => [option, read(args, name)] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

function levelsIn(given: string): number | "auto" {
  if (given === "auto") return given;
  if (/^\d+$/.test(given)) return Number(given);
  throw new UsageError(`--levels takes a number or auto, not "${given}"`);
}
