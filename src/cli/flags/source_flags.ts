/**
 * The flags that say how to open a source, and the options of `open` that they set.
 *
 * @module
 */

import { FORMATS } from "../../formats/registry.ts";
import { OPEN_OPTIONS, type OpenOptions } from "../../formats/common/options.ts";
import { parseDType } from "../../space/dtype.ts";
import { parseShape } from "../../space/shape.ts";
import type { Arguments } from "../shell/args.ts";
import { type Flag, grouped } from "../shell/verb.ts";
import { numberOrText, optionFlag, ruled } from "./option_flag.ts";

/** A flag, and how the option of `open` that it sets is read. */
interface OpenFlag extends Flag {
  readonly option: keyof OpenOptions;
  readonly read: (args: Arguments, flag: string) => unknown;
}

const axes = (text: string) => text.split(",").map((name) => /^\d+$/.test(name) ? Number(name) : name);
const selected: OpenFlag["read"] = (args) => {
  const asked = SELECTED.flatMap(({ name }) => {
    const place = args.text(name);
    return place === undefined ? [] : [[name, place] as const];
  });
  return asked.length > 0 ? Object.fromEntries(asked) : undefined;
};

/** The flag of an option that has a value, which `read` makes of text. */
function option(
  flag: Flag,
  read: (text: string) => unknown = (text) => text,
): OpenFlag {
  const name = flag.option as keyof OpenOptions;
  return { ...flag, option: name, read: ruled(OPEN_OPTIONS[name], read) };
}

/** The flag of an option that is on or off. */
function onOff(flag: Flag): OpenFlag {
  return {
    ...flag,
    option: flag.option as keyof OpenOptions,
    read: (args, name) => args.has(name) || undefined,
  };
}

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
  ...grouped("Source", [
    option(optionFlag("OpenOptions.format", "NAME", { values: FORMATS.map(({ id }) => id) })),
    option(optionFlag("OpenOptions.array", "NAME")),
    option(optionFlag("OpenOptions.level", "N"), numberOrText),
    option(optionFlag("OpenOptions.nav", "AxB"), parseShape),
    option(optionFlag("OpenOptions.sig", "CxD"), parseShape),
    option(optionFlag("OpenOptions.sigDims", "N"), numberOrText),
    option(optionFlag("OpenOptions.navAxes", "A,B"), axes),
    option(optionFlag("OpenOptions.sigAxes", "A,B"), axes),
    ...SELECTED,
    option(optionFlag("OpenOptions.syncOffset", "N"), numberOrText),
    onOff(optionFlag("OpenOptions.allowTruncated")),
    onOff(optionFlag("OpenOptions.allowMissing")),
    option(optionFlag("OpenOptions.root", "FOLDER")),
    onOff(optionFlag("OpenOptions.noSeries")),
    onOff(optionFlag("OpenOptions.forceCOrder")),
    option(optionFlag("OpenOptions.gainMap", "FILE")),
  ]),
  ...grouped("Raw samples", [
    option(optionFlag("OpenOptions.dtype", "NAME"), checkedDType),
    option(
      optionFlag("OpenOptions.byteOrder", "ORDER", { typed: "little or big", values: ["little", "big"] }),
    ),
    option(optionFlag("OpenOptions.headerBytes", "SIZE"), numberOrText),
    option(optionFlag("OpenOptions.frameHeaderBytes", "SIZE"), numberOrText),
    option(optionFlag("OpenOptions.frameFooterBytes", "SIZE"), numberOrText),
    option(optionFlag("OpenOptions.bits", "N"), numberOrText),
    option(optionFlag("OpenOptions.bitOrder", "ORDER", { typed: "lsb or msb", values: ["lsb", "msb"] })),
  ]),
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
