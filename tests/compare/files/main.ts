/**
 * Compares what Tilewise reads from random files with what others wrote into them: `deno task compare files`, see `--help`.
 *
 * @module
 */

import { join } from "@std/path";
import { readArguments } from "../../../bench/arguments.ts";
import { ensurePeers } from "../../../bench/peers/setup.ts";
import { print } from "../../../bench/timing.ts";
import { reasonFor } from "./explained.ts";
import { type Kind, KINDS, type Made, made, type Told } from "./maker.ts";
import { differences } from "./samples.ts";
import { Second } from "./second/second.ts";
import { Tally } from "./tally.ts";
import { Contexts, filterDifferences, type MadeResult, type MadeViews, viewDifferences } from "./views.ts";

const HELP = `deno task compare files [options]

Random TIFF files and Zarr stores by writers of others (tifffile, imagecodecs, GDAL, libtiff, zarr-python) are read and compared
with what was written, and with geotiff.js and zarrita.js; views of them with numpy.pad, and filters with scipy.ndimage.

  --seed S                another series of files (default 1)
  --runs N                so many files of each kind (default 200)
  --run K                 only file K of the series
  --only KIND[,KIND]      ${KINDS.join(", ")} (default: all)
  --alone                 without geotiff.js and zarrita.js
  --keep FOLDER           keeps files with unexplained differences there
  --venv FOLDER           where the peers are, or will be
  --allow-missing-peers   where they cannot be installed, end with 0
  --help                  this text

It ends with 1 if a difference is unexplained, or the peers are missing. Known differences of others are in explained.ts.`;

interface Options {
  readonly kinds: readonly Kind[];
  readonly seed: number;
  readonly first: number;
  readonly stop: number;
  readonly isAlone: boolean;
  readonly keep: string | undefined;
}

/** Runs the comparison; the exit code. */
export async function main(words: readonly string[]): Promise<number> {
  const { options, names } = readArguments(
    words,
    ["seed", "runs", "run", "only", "keep", "venv"],
    ["alone", "allow-missing-peers", "help"],
  );
  if (options.help) return said(HELP, 0);
  const kinds = options.only?.split(",") ?? KINDS;
  const unknown = [...names, ...kinds.filter((kind) => !KINDS.some((one) => one === kind))][0];
  if (unknown !== undefined) return said(`There is no kind "${unknown}"; there are ${KINDS.join(", ")}`, 2);
  const peers = await ensurePeers(options.venv);
  if ("skipped" in peers) {
    return said(`The peers cannot be installed: ${peers.skipped}`, options["allow-missing-peers"] ? 0 : 1);
  }
  const first = Number(options.run ?? 0);
  return await compareAll(peers.python, {
    kinds: kinds as readonly Kind[],
    seed: Number(options.seed ?? 1),
    first,
    stop: options.run === undefined ? Number(options.runs ?? 200) : first + 1,
    isAlone: options.alone !== undefined,
    keep: options.keep,
  });
}

async function compareAll(python: string, options: Options): Promise<number> {
  const tally = new Tally();
  await using contexts = new Contexts();
  await using second = new Second();
  for (const kind of options.kinds) {
    const started = performance.now();
    const folder = await Deno.makeTempDir({ prefix: `tilewise-${kind}-` });
    try {
      for await (const one of made(python, kind, { ...options, folder })) {
        if (one.skipped !== undefined) tally.file(kind, "skipped");
        else await compareOne({ kind, folder, one, tally, contexts, second, options });
      }
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
    tally.time(kind, (performance.now() - started) / 1000);
  }
  return said(String(tally), tally.unexplained > 0 ? 1 : 0);
}

interface Comparison {
  readonly kind: Kind;
  readonly folder: string;
  readonly one: Made;
  readonly tally: Tally;
  readonly contexts: Contexts;
  readonly second: Second;
  readonly options: Options;
}

async function compareOne(comparison: Comparison): Promise<void> {
  const { kind, folder, one, tally, options } = comparison;
  const path = join(folder, one.file);
  const wrong = await ours(comparison, path);
  tally.file(kind, wrong.length > 0 ? "differs" : "equal");
  const others = kind === "tiff" || kind === "zarr" ? await ofOthers(comparison, path) : [];
  tally.unexplained += others.length;
  if (wrong.length + others.length === 0) return;
  const command = `deno task compare files --only ${kind} --seed ${options.seed} --run ${one.index}`;
  print(`${command}\n  ${one.writer} ${JSON.stringify(one.spec)}`);
  for (const text of [...wrong.slice(0, 5), ...others]) print(`  ${text.replaceAll(folder, "")}`);
  if (options.keep === undefined) return;
  await Deno.mkdir(options.keep, { recursive: true });
  for (const file of one.files ?? [one.file]) await copy(join(folder, file), join(options.keep, file));
}

function ours({ kind, one, contexts }: Comparison, path: string): Promise<string[]> {
  if (kind === "views") return viewDifferences(path, one as MadeViews, contexts);
  return kind === "filters" ? filterDifferences(path, one as MadeResult, contexts) : differences(path, one);
}

/** Differences of others without a known reason. */
async function ofOthers(comparison: Comparison, path: string): Promise<string[]> {
  const { kind, one, tally, second, options } = comparison;
  const unexplained: string[] = [];
  const judge = (who: Parameters<typeof reasonFor>[0], told: Told, found: string | undefined) => {
    if (found === undefined) return tally.other(who, "equal");
    if (found.includes("refuses")) return tally.other(who, "refused");
    const reason = reasonFor(who, one, told, found);
    if (reason) tally.other(who, reason);
    else unexplained.push(`${who}: ${told.name} ${found}`);
  };
  const writer = kind === "tiff" ? "tifffile" : "zarr-python";
  for (const told of one.arrays) judge(writer, told, one.peers?.[told.name]);
  const isAsked = !one.opened && !one.spec["archive"] && !one.arrays.some(({ near }) => near);
  if (options.isAlone || !isAsked) return unexplained;
  const answer = await second.ask({ kind: kind as "tiff" | "zarr", path, arrays: one.arrays });
  for (const told of one.arrays) {
    const found = answer ? answer[told.name] ?? answer[""] : "ended";
    const text = found === told.sha256
      ? undefined
      : /^[\da-f]{64}$/.test(`${found}`)
      ? "other samples"
      : found;
    judge(kind === "tiff" ? "geotiff.js" : "zarrita.js", told, text);
  }
  return unexplained;
}

async function copy(from: string, to: string): Promise<void> {
  if ((await Deno.stat(from)).isFile) return await Deno.copyFile(from, to);
  await Deno.mkdir(to, { recursive: true });
  for await (const { name } of Deno.readDir(from)) await copy(join(from, name), join(to, name));
}

function said(text: string, code: number): number {
  print(text);
  return code;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
