/**
 * Plants small faults in `src/` and says which of them no test finds: `deno task mutants`, see `--help`.
 *
 * @module
 */

import { fromFileUrl, join } from "@std/path";
import { transform } from "esbuild";
import { inOneLine } from "../../assembly/task.ts";
import { readArguments } from "../../bench/arguments.ts";
import { print } from "../../bench/timing.ts";
import { Random } from "../compare/data/random.ts";
import { ELSEWHERE } from "../suite/main.ts";
import { type Fault, faultsIn, planted } from "./faults.ts";
import { Importers } from "./nearest.ts";
import { Copy } from "./trial.ts";

const HELP = `deno task mutants [options]

Plants small faults (comparisons, signs, borders, swapped axes, missing awaits and others) at random in src/, one at a
time in a copy of the checkout, and runs the tests that are nearest to it. Faults that no test finds are listed.

  --count N      so many faults (default 20)
  --seed S       another series of faults (default 1)
  --first K      begin with fault K of the series (default 0)
  --room R       only in files whose path below src/ begins with R, such as views/sinks; with :LINE behind a file, all
                 faults of that line
  --tests N      most files of tests per fault (default 6)
  --list         say what would be planted, and run nothing
  --help         this text

It ends with 1 if a fault was not found. "too long" are tests that did not end within two minutes: on a busy machine,
try these again. Some change nothing that can be seen, such as the size of a block.`;

const ROOT = fromFileUrl(new URL("../..", import.meta.url)).replace(/[/\\]$/, "");
/** What tests call kernels with. */
const INPUTS = "tests/oracles/rows/";

interface Planted {
  readonly file: string;
  readonly original: string;
  readonly fault: Fault;
}

interface Settings {
  readonly fmt: { readonly exclude: readonly string[] };
  readonly imports: Readonly<Record<string, string>>;
}

async function main(words: readonly string[]): Promise<number> {
  const { options } = readArguments(words, ["count", "seed", "first", "room", "tests"], ["list", "help"]);
  if (options.help) return said(HELP, 0);
  const settings = JSON.parse(await Deno.readTextFile(join(ROOT, "deno.json"))) as Settings;
  const [room = "", line] = (options.room ?? "").split(":");
  const places = await placesBelow(room, settings, line === undefined ? undefined : Number(line));
  if (places.length === 0) return said(`There is nothing to plant in src/${options.room}`, 2);
  const first = Number(options.first ?? 0), count = Number(options.count ?? 20);
  const series = line === undefined
    ? await drawn(places, options.seed ?? "1", first + count)
    : await asyncFilter(places, changesCode);
  const chosen = line === undefined ? series.slice(first) : series;
  if (options.list) return said(chosen.map((one, i) => told(one, first + i)).join("\n"), 0);
  return await tryAll(chosen, first, settings, Number(options.tests ?? 6));
}

async function tryAll(
  chosen: readonly Planted[],
  first: number,
  settings: Settings,
  most: number,
): Promise<number> {
  const entries = Object.fromEntries(
    Object.entries(settings.imports).filter(([, path]) => path.startsWith("./")),
  );
  const importers = await Importers.read(ROOT, entries);
  const isRun = (test: string) => !ELSEWHERE.some((path) => test.startsWith(path));
  await using copy = await Copy.of(ROOT);
  const survivors: string[] = [];
  for (const [i, one] of chosen.entries()) {
    const tests = importers.testsOf(one.file).filter(isRun).slice(0, most);
    const end = await copy.tried({ ...one, text: planted(one.original, one.fault) }, tests);
    print(`${end.padEnd(8)} ${told(one, first + i)}`);
    if (end === "survived") survivors.push(told(one, first + i));
  }
  const share = (100 * (chosen.length - survivors.length) / chosen.length).toFixed(1);
  print(`${chosen.length - survivors.length} of ${chosen.length} faults were found (${share} %)`);
  for (const text of survivors) print(text);
  return survivors.length > 0 ? 1 : 0;
}

/** A series of faults: kinds are equally likely, and places among those of a kind. */
async function drawn(places: readonly Planted[], seed: string, count: number): Promise<Planted[]> {
  const random = new Random("mutants", seed);
  const kinds = Object.values(Object.groupBy(places, ({ fault }) => fault.kind)) as Planted[][];
  const series: Planted[] = [], seen = new Set<Planted>();
  while (series.length < count && seen.size < places.length) {
    const one = random.pick(random.pick(kinds));
    if (seen.has(one)) continue;
    seen.add(one);
    if (await changesCode(one)) series.push(one);
  }
  return series;
}

/** Whether what runs is different: faults in types change nothing, and some are no code at all. */
async function changesCode({ original, fault }: Planted): Promise<boolean> {
  const code = (text: string) =>
    transform(text, { loader: "ts", logLevel: "silent" }).then(({ code }) => code);
  try {
    return await code(planted(original, fault)) !== await code(original);
  } catch {
    return false;
  }
}

async function asyncFilter<T>(list: readonly T[], isIn: (one: T) => Promise<boolean>): Promise<T[]> {
  const kept = await Promise.all(list.map(isIn));
  return list.filter((_, i) => kept[i]);
}

async function placesBelow(room: string, { fmt }: Settings, line: number | undefined): Promise<Planted[]> {
  const generated = fmt.exclude.map((path) => path.replace(/\*.*$/, ""));
  const isLeft = (file: string) => [...generated, INPUTS].some((path) => file.startsWith(path));
  const found: Planted[] = [];
  for await (const file of sources(`src`)) {
    if (!file.startsWith(`src/${room}`) || isLeft(file)) continue;
    const original = await Deno.readTextFile(join(ROOT, file));
    const faults = faultsIn(original).filter((fault) => line === undefined || fault.line === line);
    found.push(...faults.map((fault) => ({ file, original, fault })));
  }
  return found;
}

async function* sources(folder: string): AsyncGenerator<string> {
  const entries = (await Array.fromAsync(Deno.readDir(join(ROOT, folder)))).toSorted((a, b) =>
    a.name < b.name ? -1 : 1
  );
  for (const { name, isDirectory } of entries) {
    if (isDirectory) yield* sources(`${folder}/${name}`);
    else if (name.endsWith(".ts") && !name.endsWith(".d.ts")) yield `${folder}/${name}`;
  }
}

/** What was planted where: the line, and what it became. */
function told({ file, original, fault }: Planted, index: number): string {
  const [start, changed] = [original, planted(original, fault)].map((text) =>
    text.split("\n")[fault.line - 1]!.trim()
  );
  return `${index} ${file}:${fault.line} ${fault.kind}: ${start} → ${changed}`;
}

function said(text: string, code: number): number {
  print(text);
  return code;
}

if (import.meta.main) await inOneLine("mutants", async () => Deno.exit(await main(Deno.args)));
