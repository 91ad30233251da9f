/**
 * In which file of the package each module lies.
 *
 * A page that opens a file loads `core-files`, one with a run also `core-run`: all that a first result needs, in two files. What else the
 * commands load that are typed most lies with what the same ones of them load. Everything else lies in one file per room, some of them
 * divided, which is loaded when it is needed.
 *
 * @module
 */

import type { Script } from "./emit.ts";

/** What a page starts from to open a file: all that these import lies in `core-files`. */
const FILES = ["src/formats/open.js"];

/** What a page with a run starts from, and what its first run loads: all that these import and `core-files` has not lies in `core-run`. */
const RUN = [
  ...FILES,
  "src/udf/run/plan.js",
  "src/run.js",
  "src/executor/job_host.js",
  "src/udf/worker/job.js",
  "src/formats/raw/reader.js",
  "src/dataset/storage/contiguous/reader.js",
  "src/udf/builtin/detectors.call.js",
  "src/udf/builtin/detectors.js",
  "src/udf/builtin/sum_frames.call.js",
  "src/udf/builtin/sum_frames.js",
  "src/udf/builtin/sum_pixels.call.js",
];

/**
 * What most programs import. The functions that it hands on, and what only they need, lie in `core-calls`, what others need as
 * well in `core-shared`: of a file that nothing else needs, bundlers load no more than what a page calls.
 */
const FIRST = "mod.js";

/** What may import these functions: nothing that a page loads by itself. */
const CALLING = /^(mod\.js$|src\/(entries|analyses|cli)\/)/;

/** What commands load that open a file. */
const OPENING = ["src/formats/npy/reader.js", "src/formats/recognise.js", "src/io/file/file.js"];

/** What every command loads: of this, what is not in the files above lies in `command-start` and `room-start`. */
const START = "src/command.js";

/**
 * What the commands load that are typed most, beside what these import; `convert` counts as `map`. A module lies in a file with those
 * that the same ones of these commands load, so that none loads what only another one needs.
 */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  info: ["src/cli/info.js", ...OPENING],
  run: ["src/cli/run/run.js", ...OPENING, "src/sinks/rows/npy.js"],
  map: [
    "src/cli/map/map.js",
    "src/cli/convert/convert.js",
    "src/cli/convert/chunks.js",
    ...OPENING,
    "src/codecs/encoders/packed.js",
    "src/io/zlib.js",
    "src/sinks/rows/npy.js",
    "src/views/map/job.js",
    "src/views/plain_samples.js",
    "src/views/sinks/chunks/job.js",
  ],
};

/** What recognises formats: of these, all that it imports lies in `room-formats`. */
const RECOGNISED = ["src/formats/registry.js"];

/** Parts that read files: what they share with runs lies in `core-files`, as a page that only opens files loads no more. */
const READING = /^src\/(formats|codecs|dataset|io|kernels)\//;

/** What does something when it is loaded: it lies in `all_kinds`, with what it imports and the same commands load. */
const KINDS = "src/dataset/storage/all_kinds.js";

/** The other files, by the modules in them: the first row that fits. Those of one row must not import others that import them. */
const REST: readonly (readonly [modules: RegExp, file: string])[] = [
  [/^src\/kernels\/packs\/(core|conversions|masks|rime)\.js$/, "pack-$1"],
  [/^src\/kernels\/packs\/(unpack|readout|zstd|jpeg|sparse)\.js$/, "packs-reading"],
  [/^src\/kernels\/packs\/(products|centres|statistics|corrections)\.js$/, "packs-frames"],
  [/^src\/kernels\/packs\//, "packs-images"],
  [/^src\/io\/source\//, "room-base"],
  [/^src\/io\/http\//, "room-http"],
  [/^src\/io\//, "room-io"],
  [/^src\/(kernels|executor|runner|codecs\/filters\/common)\//, "room-engine"],
  [/^src\/codecs\/filters\/(jpeg\/(?!sizes)|webp|lzma|dysco|ccitt|lerc)/, "room-codecs-more"],
  [/^src\/codecs\//, "room-codecs"],
  [/^src\/formats\/common\//, "room-dataset"],
  [/^src\/formats\/(frms6|hdf5)\//, "room-format-hdf5"],
  [/^src\/formats\/(tiff|zarr|casacore)\//, "room-format-$1"],
  [/^src\/formats\/[^/]+\//, "room-formats-more"],
  [/^src\/udf\/testing\//, "room-testing"],
  [/^src\/(expr|user_kernels)\//, "room-expr"],
  [/^src\/(sinks|pictures)\//, "room-sinks"],
  [/^src\/(observations|skies)\//, "room-observations"],
  [/^src\/(channels|channel_images)\//, "room-channels"],
  [/^src\/(space|options|memory|masks|samples)\//, "room-base"],
  [/^src\/([a-z_]+)\//, "room-$1"],
  [/^src\/[a-z_]+\.js$/, "room-base"],
];

/** The files by module; `entries`: modules that are files by themselves, with the names of these. */
export function placesOf(
  scripts: ReadonlyMap<string, Script>,
  entries: ReadonlyMap<string, string>,
): Map<string, string> {
  const run = reached(RUN, scripts);
  const parts = [...scripts.values()].flatMap(({ parts }) => parts);
  const read = reached([...FILES, START, ...parts.filter((path) => READING.test(path))], scripts);
  const shared = reached([FIRST], scripts);
  const calls = callsOf(shared.difference(run), scripts);
  for (const path of reached(scripts.get(FIRST)!.imports.filter((path) => !calls.has(path)), scripts)) {
    run.add(path);
  }
  const commands = commandsOf(scripts);
  const recognised = reached(RECOGNISED, scripts);
  const places = [...scripts.keys()].map((path): [string, string] => {
    const own = entries.get(path);
    if (own !== undefined) return [path, own];
    if (run.has(path)) return [path, read.has(path) ? "core-files" : "core-run"];
    if (shared.has(path)) return [path, calls.has(path) ? "core-calls" : "core-shared"];
    const command = commands.get(path);
    if (command !== undefined) return [path, command];
    if (recognised.has(path) && /^src\/formats\/(?!common\/)/.test(path)) return [path, "room-formats"];
    const row = REST.find(([modules]) => modules.test(path));
    if (!row) throw new Error(`${path} has no place in the package: see places.ts`);
    const [match] = row[0].exec(path)!;
    return [path, match.replace(row[0], row[1])];
  });
  return new Map(places);
}

/** The file of each module that these commands load. */
function commandsOf(scripts: ReadonlyMap<string, Script>): Map<string, string> {
  const all = Object.entries(COMMANDS).map(([name, starts]) => [name, reached(starts, scripts)] as const);
  const files = new Map<string, string>();
  for (const path of all.flatMap(([, paths]) => [...paths])) {
    const names = all.filter(([, paths]) => paths.has(path)).map(([name]) => name);
    const by = names.length === all.length ? "all" : names.join("-");
    files.set(path, `${partOf(path)}-${by}`);
  }
  for (const path of reached([START], scripts)) files.set(path, `${partOf(path)}-start`);
  const own = files.get(KINDS);
  for (const path of reached([KINDS], scripts)) if (files.get(path) === own) files.set(path, "all_kinds");
  return files;
}

/** The command lies apart from what pages may load: bundlers would follow the thread that it starts. Analyses import calls. */
function partOf(path: string): string {
  if (path.startsWith("src/cli/")) return "command";
  return CALLING.test(path) ? "analyses" : "room";
}

/** Those of `paths` that nothing imports but other ones of them and programs. */
function callsOf(paths: ReadonlySet<string>, scripts: ReadonlyMap<string, Script>): Set<string> {
  const calls = new Set(paths);
  for (let before = 0; before !== calls.size;) {
    before = calls.size;
    for (const [path, { imports, parts }] of scripts) {
      if (!calls.has(path) && !CALLING.test(path)) {
        for (const one of [...imports, ...parts]) calls.delete(one);
      }
    }
  }
  calls.delete(FIRST);
  return calls;
}

/** Modules that `starts` import, and they in turn. */
export function reached(starts: Iterable<string>, scripts: ReadonlyMap<string, Script>): Set<string> {
  const found = new Set<string>();
  const add = (path: string) => {
    if (found.has(path)) return;
    const script = scripts.get(path);
    if (!script) throw new Error(`There is no module ${path}`);
    found.add(path);
    script.imports.forEach(add);
  };
  for (const start of starts) add(start);
  return found;
}
