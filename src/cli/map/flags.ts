/**
 * The flags of `map`, and the options of views that they set.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { BORDERS } from "../../space/border.ts";
import { parseShape, type Shape } from "../../space/shape.ts";
import { TRAVERSALS } from "../../space/traversal.ts";
import { fileSink } from "../../views/sinks/registry.ts";
import { endingsFor, isChunkPath, isKind, targetAt } from "../../sinks/registry.ts";
import type { AnySink } from "../../views/map/map_plan.ts";
import type { MapViewsOptions } from "../../views/map/map_views.ts";
import { numbersIn, type WordDefaults } from "../../analyses/filters/filter.ts";
import { optionFlag } from "../flags/option_flag.ts";
import { NO_MANIFEST, WORK_FLAGS } from "../flags/run_flags.ts";
import { outDtype } from "../flags/out_dtype.ts";
import { refuseSinkFlags, sinkOptions } from "../flags/sink_flags.ts";
import { type Arguments, UsageError } from "../shell/args.ts";
import { type Flag, grouped } from "../shell/verb.ts";

/** An option that is one of the names of `table`. */
function named(table: object): { readonly typed: string; readonly values: readonly string[] } {
  const values = Object.keys(table);
  return { typed: values.join(", "), values };
}

/** The flags, without those of sources, sinks and pictures. */
export const MAP_FLAGS: readonly Flag[] = [
  {
    name: "output",
    short: "o",
    value: "OUT",
    help: `the result: ${endingsFor("results").join(", ")}, or a picture, .png; a manifest lies beside it`,
  },
  NO_MANIFEST,
  { name: "no-picture", help: "no picture beside the result" },
  { name: "dry-run", help: "print the plan and do nothing" },
  ...grouped("Filters", [
    {
      name: "with",
      value: "NAME=FILE",
      multiple: true,
      help:
        "an array beside the source, which is x, for an expression, a function or a kernel as the first filter",
    },
    {
      name: "box",
      value: "START:STOP,…",
      help: "only this part of the array, which must fit into memory; filters see the samples around it",
    },
    optionFlag("MapPlanOptions.axes", "NAME,…", { typed: "such as y,x or 1,2 or space, or all" }),
    {
      name: "measure",
      value: "CHANNEL,…",
      help: "with label: a table of the labels in these channels of the source, in a .csv beside the result",
    },
    {
      name: "radius",
      value: "N",
      help: "samples on both sides for filters that take a radius and were given none; N or AxBxC",
    },
    optionFlag("MapPlanOptions.border", "NAME", named(BORDERS)),
    optionFlag("MapPlanOptions.fill", "NUMBER"),
    optionFlag("MapPlanOptions.traversal", "NAME", named(TRAVERSALS)),
  ]),
  ...WORK_FLAGS,
];

/** Whether the samples of the result are stored row by row in one file. */
export function isRows(out: string): boolean {
  return targetAt(out, "results") !== undefined && !isChunkPath(out);
}

/** Whether the result is a picture alone. */
export function isPng(out: string): boolean {
  return isKind(out, "png");
}

/** The sink that the flags say. */
export function sinkOf(out: string, args: Arguments): AnySink {
  return fileSink(out, isRows(out) ? {} : sinkOptions(args));
}

/** Refuses flags that would have no effect on a result in `out`. */
export function checkFlags(
  args: Arguments,
  out: string | undefined,
  reduction?: { readonly name: string },
): void {
  if (outDtype(args) !== undefined && reduction) {
    throw new UsageError(
      `--out-dtype is for filtered images; leave it out: the result of ${reduction.name} has a type of its own`,
    );
  }
  const table = channelsAsked(args).length > 0;
  if (table && (reduction?.name !== "label" || args.has("box"))) {
    throw new UsageError(
      "--measure is for label, without --box: a table of its labels in other channels; the word measure makes one of the same channel",
    );
  }
  const borders = args.text("border")?.split(",") ?? [];
  if (args.has("fill") && !borders.includes("constant")) {
    throw new UsageError("--fill is the constant of --border constant; give both");
  }
  if (args.has("box") && args.has("dry-run")) {
    throw new UsageError(
      "--box computes its part at once, so that there is no plan to show; leave out --dry-run",
    );
  }
  if (out !== undefined && (isRows(out) || isPng(out) || isTable(out))) refuseSinkFlags(args, out, "tile");
}

/** The channels in which labels are to be measured, each once. */
export function channelsAsked(args: Arguments): string[] {
  const names = args.text("measure")?.split(",").map((name) => name.trim()) ?? [];
  if (!names.includes("")) return [...new Set(names)];
  throw new UsageError("--measure takes names or numbers of channels, such as GFP,Cy5");
}

/** Whether the result is a table. */
export function isTable(out: string): boolean {
  return isKind(out, "csv") || /\.json$/i.test(out);
}

/** The options of the views. `--tile` is that of a TIFF, if one is written. */
export function viewOptions(
  args: Arguments,
  shape: Shape,
  out: string | undefined,
): Pick<MapViewsOptions, "border" | "fill" | "traversal" | "tile" | "axes"> {
  const border = args.text("border")?.split(",");
  const fill = args.value("fill", numberIn);
  const traversal = args.text("traversal");
  const axes = args.text("axes");
  const isOwn = out === undefined || isRows(out) || isPng(out);
  const tile = isOwn ? args.value("tile", (text) => tileIn(text, shape)) : undefined;
  return {
    ...(border === undefined ? {} : { border: border.length === 1 ? border[0]! : border }),
    ...defined({ fill, traversal, tile }),
    ...(axes === undefined ? {} : { axes: axes === "all" ? axes : axes.split(",").map(axisIn) }),
  };
}

/** The files of `--with`, by the names of their arrays. */
export function filesWith(args: Arguments): Readonly<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const given of args.texts("with")) {
    const [, name, file] = /^([A-Za-z_]\w*)=(.+)$/s.exec(given) ?? [];
    if (name === undefined || file === undefined) {
      throw new UsageError(`--with takes NAME=FILE, such as dark=dark.tif, not "${given}"`);
    }
    if (name === "x") throw new UsageError("--with x=…: x is the source; choose another name");
    if (Object.hasOwn(files, name)) throw new UsageError(`--with ${name}=… is given twice`);
    files[name] = file;
  }
  return files;
}

/** What filters get that say nothing of it: `--radius`, `--with`. */
export function wordDefaults(args: Arguments): WordDefaults {
  const radius = radiusOf(args);
  const others = Object.keys(filesWith(args));
  return {
    ...defined({ radius }),
    ...(others.length > 0 ? { inputs: ["x", ...others] } : {}),
  };
}

/** The radius of filters that were given none. */
function radiusOf(args: Arguments): number | number[] | undefined {
  return args.value("radius", (text) => {
    const found = numbersIn(text);
    if (found !== undefined) return found;
    throw new UsageError(`--radius takes a number, or one per dimension as in 0x2x2, not "${text}"`);
  });
}

/** A tile of the last dimensions, with one sample in the others. */
function tileIn(text: string, shape: Shape): Shape {
  const given = text.includes("x") ? parseShape(text) : shape.slice(-2).map(() => Number(text));
  return [...shape.slice(0, Math.max(0, shape.length - given.length)).map(() => 1), ...given];
}

/** A number of an axis, or its name. */
function axisIn(text: string): string | number {
  return /^\d+$/.test(text) ? Number(text) : text;
}

function numberIn(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value)) return value;
  throw new UsageError(`--fill takes a number, not "${text}"`);
}
