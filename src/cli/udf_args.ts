/**
 * UDFs as words of the command line: `com:cy=64,cx=64,r=20`, or the path of a module.
 *
 * @module
 */

import { pathToFileURL } from "node:url";
import { mapFrames } from "../udf/builtin/map_frames.ts";
import type { ParamValue } from "../udf/udf.ts";
import { builtin, udf, type UdfRef } from "../udf/udf_ref.ts";
import { nearest, UsageError } from "./args.ts";
import { readArray } from "./sources.ts";

/** A UDF that the command line knows by name. */
interface Known {
  /** Its name among the built-in UDFs. */
  readonly builtin: string;
  /** Parameters that must be given. */
  readonly needs: readonly string[];
  /** Parameters that may be given. */
  readonly takes: readonly string[];
  /** What it computes. */
  readonly help: string;
}

const CENTRE = ["cy", "cx"];

/** A disk that is cut out of frames before they are transformed. */
const HOLE = [...CENTRE, "r"];

const known = (
  builtin: string,
  help: string,
  needs: readonly string[] = [],
  takes: readonly string[] = [],
): Known => ({
  builtin,
  help,
  needs,
  takes,
});

/** The names. A centre that is not given is the middle of the frame. */
export const UDFS: Readonly<Record<string, Known>> = {
  sum: known("sum", "sum of all frames"),
  sumsig: known("sumsig", "sum of each frame"),
  stddev: known("stddev", "sum, mean, variance and standard deviation over all frames"),
  disk: known("disk", "disk detector, r pixels around (cy, cx)", [], [...CENTRE, "r"]),
  annular: known("annular", "ring detector from ri to ro around (cy, cx)", [], [...CENTRE, "ri", "ro"]),
  point: known("point", "the pixel (cy, cx)", [], CENTRE),
  rectangle: known("rectangle", "rectangle detector from the corner (y, x)", [], [
    "y",
    "x",
    "height",
    "width",
  ]),
  mask: known("mask", "each frame times the masks in a file (.npy)", ["file"]),
  com: known("com", "centre of mass of each frame, within r of (cy, cx), and its field", [], [
    ...CENTRE,
    "r",
    "ri",
    "scanRotation",
    "flipY",
    "regression",
  ]),
  radialfourier: known(
    "radialfourier",
    "Fourier coefficients along rings from ri to ro around (cy, cx)",
    [],
    [
      ...CENTRE,
      "ri",
      "ro",
      "bins",
      "maxOrder",
      "channels",
    ],
  ),
  pick: known("pick", "the selected frames themselves"),
  logsum: known("logsum", "sum of the logarithms of all frames"),
  crystallinity: known("crystallinity", "Fourier magnitude from ri to ro, the disk (cy, cx, r) cut out", [
    "ri",
    "ro",
  ], HOLE),
  fem: known("fem", "standard deviation of each frame in a ring", [], [...CENTRE, "ri", "ro"]),
  fft: known("fft_of_sum", "Fourier transform of the sum, the disk (cy, cx, r) cut out", [], HOLE),
  fftpick: known("fft_of_frames", "Fourier transform of each selected frame", [], HOLE),
  noop: known("nothing", "reads everything and computes nothing"),
};

/** A UDF as it was typed. */
export interface UdfWord {
  /** What its results are called. */
  readonly key: string;
  /** A known name, or the path of a module. */
  readonly name: string;
  /** The export of the module. */
  readonly export?: string;
  /** Whether it is a function of a frame, not a UDF. */
  readonly map?: true;
  /** Its parameters. */
  readonly params: Readonly<Record<string, ParamValue>>;
}

/** Understands the words; two of the same name get keys of their own. */
export function parseUdfs(words: readonly string[]): UdfWord[] {
  const seen = new Map<string, number>();
  return words.map((word) => {
    const parsed = parseUdf(word);
    const count = (seen.get(parsed.key) ?? 0) + 1;
    seen.set(parsed.key, count);
    return count === 1 ? parsed : { ...parsed, key: `${parsed.key}-${count}` };
  });
}

function parseUdf(word: string): UdfWord {
  const [, name, parameters] = /^(.*?)(?::([A-Za-z_]\w*=.*))?$/s.exec(word)!;
  const params = parseParams(word, parameters);
  if (name!.startsWith("map:")) {
    const inner = parseUdf(word.slice(4));
    if (!Object.hasOwn(UDFS, inner.name)) return { ...inner, map: true };
    throw new UsageError(`"${word}" maps no function; write map:./mine.ts or map:./mine.ts#name`);
  }
  const module = /^(.*\.(?:[mc]?[jt]s|[jt]sx))(?:#(\w+))?$/.exec(name!) ??
    /^(\w+:\/\/.*?)(?:#(\w+))?$/.exec(name!);
  if (module) {
    const [, path, chosen] = module;
    const base = path!.replace(/^.*[/\\]/, "").replace(/\.[^.]*$/, "");
    return { key: chosen ?? base, name: path!, ...(chosen ? { export: chosen } : {}), params };
  }
  checkKnown(name!, params);
  return { key: name!, name: name!, params };
}

function parseParams(word: string, text: string | undefined): Record<string, ParamValue> {
  if (text === undefined) return {};
  return Object.fromEntries(
    text.split(",").map((pair) => {
      const [, key, value] = /^\s*([A-Za-z_]\w*)=(.*)$/s.exec(pair) ?? [];
      if (key === undefined) {
        throw new UsageError(`cannot read "${pair}" in "${word}"; write name:key=value,key=value`);
      }
      return [key, parseValue(value!)];
    }),
  );
}

function parseValue(text: string): ParamValue {
  if (text === "true" || text === "false") return text === "true";
  return text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}

function checkKnown(name: string, params: Readonly<Record<string, ParamValue>>): void {
  const udf = Object.hasOwn(UDFS, name) ? UDFS[name] : undefined;
  const names = Object.keys(UDFS);
  if (!udf) {
    const near = nearest(name, names);
    const hint = near
      ? `did you mean ${near}?`
      : `there are ${names.join(", ")}, and paths of modules (.ts, .js)`;
    throw new UsageError(`the UDF "${name}" is unknown; ${hint}`);
  }
  const all = [...udf.needs, ...udf.takes];
  const odd = Object.keys(params).find((key) => !all.includes(key));
  if (odd !== undefined) {
    const takes = all.length > 0 ? `it takes ${all.join(", ")}` : "it takes none";
    throw new UsageError(`the UDF ${name} has no parameter "${odd}"; ${takes}`);
  }
  const missing = udf.needs.filter((key) => !(key in params));
  if (missing.length === 0) return;
  const example = udf.needs.map((key) => `${key}=…`).join(",");
  throw new UsageError(`the UDF ${name} needs ${missing.join(" and ")}; write ${name}:${example}`);
}

/** What the words mean: mask files are read. */
export async function resolveUdfs(words: readonly UdfWord[]): Promise<Record<string, UdfRef>> {
  const entries = words.map(async (word) => [word.key, await resolve(word)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

async function resolve(word: UdfWord): Promise<UdfRef> {
  const found = Object.hasOwn(UDFS, word.name) ? UDFS[word.name] : undefined;
  if (!found) {
    const url = /^\w+:\/\//.test(word.name) ? word.name : pathToFileURL(word.name).href;
    const options = { ...(word.export ? { export: word.export } : {}), params: word.params };
    return word.map ? mapFrames(url, options) : udf(url, options);
  }
  if (found.takes === HOLE) return builtin(found.builtin, withHole(word.params));
  if (word.name !== "mask") return builtin(found.builtin, word.params);
  const { data, shape, dtype } = await readArray(String(word.params.file));
  return builtin("mask", { masks: [{ data, shape, dtype }] }); // one mask, or a stack
}

/** The words cy, cx and r become the disk that transforms know as `real`. */
function withHole({ cy, cx, r, ...rest }: Readonly<Record<string, ParamValue>>): Record<string, ParamValue> {
  return [cy, cx, r].every((value) => value === undefined) ? rest : { ...rest, real: { cy, cx, r } };
}
