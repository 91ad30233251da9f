/**
 * Every readable format × every target, with the packages that people use as judges:
 * `deno run -A tests/compare/matrix/main.ts --python PYTHON --count 500 --seed 1`; without `--count` every cell once, with the usual
 * flags, and with it so many random ones, with flags of the target. `--from own,samples,reports` says which sources,
 * `--only hdf5,dm` which formats. `--select` gives commands flags that select and change samples instead.
 *
 * Each source is read by ours and by a package of others, where one reads it, so that no comparison rests on our readers alone.
 * It is written by `convert`, or saved where that takes no such files, and opened again, by ours and by the package of the target.
 * Samples are the same to the last bit, and so are names, steps, units and the split into scan and frame, or the command has named
 * what the file does not hold.
 *
 * @module
 */

import { Random } from "../data/random.ts";
import { type Cell, cellOf, type Subject, subjectOf } from "./cells.ts";
import { Judge, type SourceVerdict } from "./peers.ts";
import { CANNOT_SPLIT, changedBy } from "./selections.ts";
import { type File, OWN_FILES, reportFiles, SAMPLE_FILES, type Source, sourcesIn } from "./sources.ts";
import { TARGETS } from "./targets.ts";

/** Arrays of a file, and bytes of an array, at most. */
const LIMITS = { most: 2, bytes: 2 ** 21 };

function flag(name: string, otherwise: string): string {
  const at = Deno.args.indexOf(`--${name}`);
  return at < 0 ? otherwise : Deno.args[at + 1] ?? otherwise;
}

/** Whether commands select and change samples, instead of saying how files are written. */
const SELECTS = Deno.args.includes("--select");

/** Sources that the caller wants. */
async function wantedSources(): Promise<Source[]> {
  const from: Readonly<Record<string, readonly File[]>> = {
    own: OWN_FILES,
    samples: SAMPLE_FILES,
    reports: reportFiles(),
  };
  const files = flag("from", Object.keys(from).join()).split(",").flatMap((name) => from[name] ?? []);
  const only = flag("only", "").split(",").filter((name) => name !== "");
  const found: Source[] = [];
  for (const file of files) found.push(...await sourcesIn(file, LIMITS));
  return found.filter(({ format }) => only.length === 0 || only.includes(format));
}

/** What is written: a source, an ending, flags. */
type Task = readonly [source: Source, ending: string, flags: readonly string[]];

function tasksOf(sources: readonly Source[]): Task[] {
  const count = Number(flag("count", "0")), random = new Random("matrix", flag("seed", "1"));
  if (count === 0) return sources.flatMap((source) => TARGETS.map((ending): Task => [source, ending, []]));
  const tasks = Array.from({ length: count }, (): Task => {
    const ending = random.pick(TARGETS);
    return [random.pick(sources), ending, SELECTS ? [] : flagsFor(ending, random)];
  });
  return tasks.sort(([a], [b]) => sources.indexOf(a) - sources.indexOf(b)); // each is read once
}

function flagsFor(ending: string, random: Random): string[] {
  if (/\.zarr/.test(ending)) {
    const shard = ending.endsWith(".zip") || random.chance(0.6) ? [] : ["--shard-size", "64KiB"];
    const format = shard.length > 0 ? "3" : random.pick(["2", "3"]);
    return [
      "--compression",
      random.pick(["none", "zstd", "blosc", "gzip"]),
      "--zarr-format",
      format,
      ...shard,
    ];
  }
  if (ending === ".zspy") return ["--compression", random.pick(["none", "zstd", "blosc"])];
  if (!/tiff?$/.test(ending)) return [];
  const compression = random.pick(["none", "deflate", "zstd", "lzw", "packbits"]);
  return ["--compression", compression, "--tile", random.pick(["16", "32x64", "256"])];
}

/** What became of the cells of a target. */
class Counts {
  equal = 0;
  named = 0;
  refused = 0;
  wrong = 0;
}

/** Sources as others read them: where these are the same, no cell depends on a reader of ours. */
class Outside {
  same = 0;
  other = 0;
  readonly unread: string[] = [];

  add({ format, name }: Source, verdict: SourceVerdict): void {
    if ("error" in verdict) {
      this.unread.push(format);
      console.error(`${format}: ${name} is not judged: ${verdict.error}`);
    } else if (verdict.is_same) this.same++;
    else {
      this.other++;
      console.error(`${format}: ${name}: the package reads other samples: ${verdict.seen?.join(", ")}`);
    }
  }

  told(): string {
    const formats = [...new Set(this.unread)].join(", ");
    return `sources: ${this.same} read the same by other packages, ${this.other} differently, ` +
      `${this.unread.length} not at all (${formats})`;
  }
}

const judge = new Judge(flag("python", "python3"));
const folder = await Deno.makeTempDir();
try {
  Deno.exitCode = await main();
} finally {
  await judge[Symbol.asyncDispose]();
  await Deno.remove(folder, { recursive: true });
}

async function main(): Promise<number> {
  const sources = await wantedSources(), tasks = tasksOf(sources);
  const counts = new Map(TARGETS.map((ending) => [ending, new Counts()]));
  const outside = new Outside();
  let subject: Subject | undefined;
  for (const [n, [source, ending, flags]] of tasks.entries()) {
    if (subject?.source !== source) {
      subject = await subjectOf(source);
      outside.add(source, await judge.ofSource(subject));
    }
    const own = `${folder}/${n}`, path = `${own}/made${ending}`;
    await Deno.mkdir(own);
    const selection = SELECTS
      ? await changedBy(subject, path, new Random("select", flag("seed", "1"), n), own)
      : { subject, flags: [] };
    const cell = await cellOf(selection.subject, path, [...flags, ...selection.flags]);
    const problems = await problemsOf(cell, ending);
    for (const text of problems) {
      console.error(
        `${source.format}: ${source.name} → ${ending} ${[...flags, ...selection.flags].join(" ")}: ${text}`,
      );
    }
    const row = counts.get(ending)!;
    if (problems.length > 0) row.wrong++;
    else if (cell.end !== "written") row.refused++;
    else if (cell.lost !== "") row.named++;
    else row.equal++;
    await Deno.remove(own, { recursive: true });
  }
  console.log(outside.told());
  return told(sources, counts) || Number(outside.other > 0);
}

async function problemsOf(cell: Cell, ending: string): Promise<string[]> {
  if (cell.end === "refused") return [];
  if (cell.end === "failed") return cell.problems.filter((text) => !CANNOT_SPLIT.test(text));
  const others = await judge.problems(cell, ending);
  return [...cell.problems, ...others.map((text) => `the package: ${text}`)];
}

function told(sources: readonly Source[], counts: ReadonlyMap<string, Counts>): number {
  const formats = [...new Set(sources.map(({ format }) => format))], all = new Counts();
  for (const [ending, { equal, named, refused, wrong }] of counts) {
    console.log(
      `${ending.padEnd(14)} ${equal} equal, ${named} with a loss named, ${refused} refused, ${wrong} wrong`,
    );
    all.equal += equal;
    all.named += named;
    all.refused += refused;
    all.wrong += wrong;
  }
  const cells = all.equal + all.named + all.refused + all.wrong;
  console.log(
    `${sources.length} arrays of ${formats.length} formats (${
      formats.join(", ")
    }) × ${counts.size} targets: ${cells} cells, ` +
      `${all.equal} equal, ${all.named} with a loss named, ${all.refused} refused, ${all.wrong} wrong`,
  );
  return all.wrong > 0 ? 1 : 0;
}
