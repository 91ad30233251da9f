/**
 * The flags that say how to open a source, and the options of `open` that they set.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { OpenOptions } from "../../formats/common/options.ts";
import { parseDType } from "../../space/dtype.ts";
import { parseShape } from "../../space/shape.ts";
import type { Arguments } from "../shell/args.ts";
import type { Flag } from "../shell/verb.ts";

/** A flag, the option of `open` that it sets, and how its value is understood. */
interface OpenFlag extends Flag {
  readonly option: keyof OpenOptions;
  readonly read: (args: Arguments, flag: string) => unknown;
}

const text: OpenFlag["read"] = (args, flag) => args.text(flag);
const shape: OpenFlag["read"] = (args, flag) => args.value(flag, parseShape);
const count: OpenFlag["read"] = (args, flag) => args.count(flag);
const axes: OpenFlag["read"] = (args, flag) =>
  args.text(flag)?.split(",").map((name) => /^\d+$/.test(name) ? Number(name) : name);
const selected: OpenFlag["read"] = (args) => {
  const asked = SELECTED.flatMap(({ name }) => {
    const place = args.text(name);
    return place === undefined ? [] : [[name, place] as const];
  });
  return asked.length > 0 ? Object.fromEntries(asked) : undefined;
};
const given: OpenFlag["read"] = (args, flag) => args.has(flag) || undefined;

/** Flags that choose one place of an axis. */
const SELECTED = [
  ["channel", "NAME|N", "only this channel, by name or number"],
  ["time", "N", "only this time"],
  ["z", "N", "only this plane of z"],
].map(([name = "", value = "", help = ""]): OpenFlag => ({
  name,
  option: "select",
  value,
  help,
  read: selected,
}));

const OPEN_FLAGS: readonly OpenFlag[] = [
  {
    name: "format",
    option: "format",
    value: "NAME",
    help: "read it as this format, such as mib, npy, raw",
    read: text,
  },
  {
    name: "array",
    option: "array",
    value: "NAME",
    help: "the array of that name, where a source has several",
    read: text,
  },
  { name: "level", option: "level", value: "N", help: "the resolution level, 0 is full", read: count },
  { name: "nav", option: "nav", value: "AxB", help: "shape of the scan", read: shape },
  { name: "sig", option: "sig", value: "CxD", help: "shape of a frame", read: shape },
  {
    name: "sig-dims",
    option: "sigDims",
    value: "N",
    help: "how many of the last dimensions are the frame; default 2",
    read: count,
  },
  {
    name: "nav-axes",
    option: "navAxes",
    value: "A,B",
    help: "which axes are the scan, by name or number; the others are the frame",
    read: axes,
  },
  {
    name: "sig-axes",
    option: "sigAxes",
    value: "A,B",
    help: "which axes are the frame, by name or number; the others are the scan",
    read: axes,
  },
  ...SELECTED,
  {
    name: "sync-offset",
    option: "syncOffset",
    value: "N",
    help: "frames to skip at the start; negative: blank positions",
    read: (args, flag) => args.count(flag, -Infinity),
  },
  {
    name: "dtype",
    option: "dtype",
    value: "NAME",
    help: "raw: type of the samples, such as uint16",
    read: (args, flag) => args.value(flag, checkedDType),
  },
  {
    name: "byte-order",
    option: "byteOrder",
    value: "ORDER",
    help: "raw: little or big",
    read: (args, flag) => args.value(flag, oneOf("little", "big")),
  },
  {
    name: "header-bytes",
    option: "headerBytes",
    value: "N",
    help: "raw: bytes before the first frame",
    read: count,
  },
  {
    name: "frame-header-bytes",
    option: "frameHeaderBytes",
    value: "N",
    help: "raw: bytes before each frame",
    read: count,
  },
  {
    name: "frame-footer-bytes",
    option: "frameFooterBytes",
    value: "N",
    help: "raw: bytes after each frame",
    read: count,
  },
  {
    name: "bits",
    option: "bits",
    value: "N",
    help: "raw: bits of a packed sample",
    read: (args, flag) => args.count(flag, 1),
  },
  {
    name: "bit-order",
    option: "bitOrder",
    value: "ORDER",
    help: "raw: which bit of a byte comes first, lsb or msb",
    read: (args, flag) => args.value(flag, oneOf("lsb", "msb")),
  },
  {
    name: "allow-truncated",
    option: "allowTruncated",
    help: "read the complete frames of a file that ends inside one",
    read: given,
  },
  {
    name: "allow-missing",
    option: "allowMissing",
    help: "hdf5: samples in files that are missing read as the fill value",
    read: given,
  },
  {
    name: "root",
    option: "root",
    value: "FOLDER",
    help: "files that a source names may lie below it, not only below the source's own folder",
    read: text,
  },
  {
    name: "force-c-order",
    option: "forceCOrder",
    help: "dm: the dimensions in the order of storage, though the scan is stored fastest",
    read: given,
  },
  {
    name: "gain-map",
    option: "gainMap",
    value: "FILE",
    help: "frms6: gain map that runs apply, .mat (GainMap) or .csv (transposed)",
    read: text,
  },
  {
    name: "no-series",
    option: "noSeries",
    help: "read this file alone, not the numbered series it belongs to",
    read: given,
  },
];

/** The flags that say how to open a source, for every verb that opens one. */
export const SOURCE_FLAGS: readonly Flag[] = OPEN_FLAGS;

/** What the flags say, as options of `open`. */
export function openOptions(args: Arguments, signal?: AbortSignal): OpenOptions {
  const options = OPEN_FLAGS.map(({ name, option, read }) => [option, read(args, name)] as const);
  return Object.fromEntries([...options, ["signal", signal]].filter(([, value]) => value !== undefined));
}

/** The name as it was written, as it may say the byte order too (`>u2`). */
function checkedDType(text: string): string {
  parseDType(text);
  return text;
}

function oneOf<T extends string>(...known: readonly T[]): (text: string) => T {
  return (text) => {
    const found = known.find((word) => word === text);
    if (found !== undefined) return found;
    throw new TilewiseError("invalid", `write ${known.join(" or ")}`, { found: text });
  };
}
