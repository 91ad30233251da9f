/** Imports point downwards: which room of the house may know which. */

import { assertEquals } from "@std/assert";
import { dirname, fromFileUrl, join, relative, toFileUrl } from "@std/path";

/** The floors, from the ground up; rooms on one floor do not know each other. */
const FLOORS: readonly (readonly string[])[] = [
  ["reason", "portable", "place"],
  ["errors", "version", "import_package", "sharing", "threads"],
  ["options", "activity", "turns", "clock"],
  ["space", "packages"],
  ["memory", "io", "masks", "samples"],
  ["kernels", "executor"],
  ["codecs", "expr", "runner", "user_kernels"],
  ["dataset", "channels"],
  ["sinks"],
  ["formats", "views", "pictures"],
  ["udf", "hypercube"],
  ["observations", "skies"],
  ["rime", "run", "notebook", "offline", "channel_images", "analyses", "web_tiles"],
  ["cluster"],
  ["cli", "web", "worker"],
  ["entries"],
];

/**
 * The rooms inside of a room, from the ground up; `.` are the files that lie in no room of it, `*` the rooms that are not named.
 */
const INNER: Readonly<Record<string, readonly (readonly string[])[]>> = {
  space: [["functions"], ["."], ["meaning"]],
  io: [["source"], ["file", "http", "write", "map"], ["store"], ["."]],
  kernels: [
    ["families"],
    ["packs"],
    ["."],
  ],
  executor: [["."], ["pool"], ["process"]],
  codecs: [["filters/common"], [
    "filters/jpeg",
    "filters/lzma",
    "filters/webp",
    "filters/dysco",
  ], [
    "filters",
    "encoders",
    ".",
  ]],
  expr: [["language"], ["program"], ["assembly"], ["."]],
  dataset: [
    ["roi", "layout"],
    ["tiling"],
    ["storage/common"],
    ["storage/contiguous"],
    ["storage/*"],
    ["storage/virtual"],
    ["storage"],
    ["."],
  ],
  views: [
    ["regions", "chunks"],
    ["operations"],
    ["operations/filters", "operations/kernels", "operations/udf"],
    ["."],
    ["chain"],
    ["tiles/loaders"],
    ["tiles"],
    ["map"],
    ["measure", "sinks/chunks"],
    ["sinks"],
  ],
  sinks: [["."], ["chunks", "npy", "hdf5", "fits", "png"], ["zarr", "tiff"], ["rows", "tiles"], [
    "arrays",
    "stored",
  ]],
  channel_images: [["common"], ["png"], ["."]],
  channels: [
    ["protocol", "backends"],
    ["files", "remote"],
    ["host"],
    ["launch", "wasi/common"],
    [
      "wasi/files",
      "wasi/calls",
    ],
    ["wasi"],
    ["."],
  ],
  formats: [
    ["common"],
    ["npy", "raw", "mib", "mrc", "dm", "ser", "tvips", "hdf5/metadata", "tiff/container"],
    ["*", "hdf5/arrays", "tiff/image"],
    ["tiff/pixels"],
    ["frms6", "hdf5/conventions", "tiff/series", "casacore/write"],
    ["hdf5", "tiff/ome"],
    ["tiff"],
    ["."],
  ],
  udf: [
    ["interface"],
    [
      "buffers",
      "builtin/blobfinder/options",
      "builtin/expression",
      "builtin/radial",
      "builtin/com",
      "builtin/masks",
    ],
    ["builtin/map"],
    ["builtin"],
    ["builtin/blobfinder", "kernel_udf"],
    ["worker"],
    ["plan"],
    ["results"],
    ["run"],
    ["testing", "cluster"],
    ["testing/kernels"],
  ],
  entries: [["unstable"], ["."]],
  hypercube: [["cube"], ["plan", "providers"], ["providers/sinks"], ["run"], ["run/kernels"], ["parts"], [
    ".",
  ]],
  pictures: [["colours"], ["."], ["axes"]],
  observations: [["meaning"], ["rows"], ["uvfits"], ["."], ["model"]],
  rime: [
    ["geometry"],
    ["terms"],
    ["predict"],
    ["equation", "terms/gradient"],
    ["image", "fit"],
    ["observed"],
    ["."],
  ],
  analyses: [["."], ["filters"]],
  cluster: [["store"], ["manifest"], ["kinds"], ["shards"], ["model"], ["submit", "engine"], [
    "engine/bullmq",
  ], ["."]],
  cli: [
    ["shell"],
    ["flags", "stores"],
    ["inputs", "outputs"],
    ["manifests"],
    ["radio"],
    ["analyses", "filters", "demo"],
    ["reductions"],
    ["convert", "map", "view", "doctor", "completions"],
    ["run", "cluster"],
    ["."],
  ],
};

/** More files in a folder are too many to find one's way. */
/** What is kept at the top. */
const TOP = new Set(
  ".ci .github .gitignore CHANGELOG.md CITATION.cff CONTRIBUTING.md LICENSE README.md assembly bench deno.json deno.lock docs examples mod.ts site src tests web"
    .split(" "),
);

const MOST_FILES = 22;

/** The only files that talk to the runtime; everything else runs in a browser. */
const RUNTIME = [
  /^portable\.ts$/,
  /^io\/(file|map|write)\//,
  /^io\/(hash|unpack|zlib)\.ts$/,
  /^channels\/backends\/platform\.ts$/,
  /^executor\//,
  /^cluster\/(store\/dir|manifest\/(here|imports|modules|own))\.ts$/,
  /^cli\//,
  /^notebook\//,
  /^std\//,
];

const ROOT = fromFileUrl(new URL("../", import.meta.url));
const SRC = join(ROOT, "src/");

/** The folders with code. */
const CODE = ["src", "web", "assembly", "tests", "bench", "examples"];

function* sources(folder: string): Generator<string> {
  for (const entry of Deno.readDirSync(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory) yield* sources(path);
    else if (path.endsWith(".ts")) yield path;
  }
}

function room(path: string): string {
  return relative(SRC, path).split("/")[0]!.replace(/\.ts$/, "");
}

function floor(name: string): number {
  return FLOORS.findIndex((rooms) => rooms.includes(name));
}

/** Code without comments and without the text of documentation. */
function code(path: string): string {
  return Deno.readTextFileSync(path).replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
}

function importsOf(path: string): string[] {
  const found = code(path).matchAll(/(?:from|import)\s*\(?\s*["'](\.[^"'$]+\.ts)["']/g); // ${…}: text of a template
  return [...found].map(([, target]) => fromFileUrl(new URL(target!, toFileUrl(path))));
}

Deno.test("every room stands on a floor", () => {
  const rooms = [...Deno.readDirSync(SRC)].map(({ name }) => name.replace(/\.ts$/, ""));
  assertEquals(rooms.filter((name) => floor(name) < 0), []);
});

Deno.test("the plan in the documentation has the same floors", () => {
  const page = Deno.readTextFileSync(join(SRC, "../docs/architecture.md"));
  const plan: string[][] = [];
  for (const [, floor, rooms] of page.matchAll(/^([ 1]\d| {2}) ((?: [a-z_]+)+) {3,}\S/gm)) {
    if (floor!.trim() !== "") plan.unshift([]);
    plan[0]?.push(...rooms!.trim().split(" "));
  }
  assertEquals(plan, FLOORS.map((rooms) => [...rooms]));
});

Deno.test("imports point downwards", () => {
  const uphill: string[] = [];
  for (const path of sources(SRC)) {
    for (const target of importsOf(path)) {
      const [from, to] = [room(path), room(target)];
      if (from !== to && floor(to) >= floor(from)) {
        uphill.push(`${relative(SRC, path)} → ${relative(SRC, target)}`);
      }
    }
  }
  assertEquals(uphill, []);
});

/** Whether a file is the entry of a room: it exports what the room has for users, from all rooms inside. */
function isEntry(path: string): boolean {
  return relative(SRC, path) === `${room(path)}/mod.ts`;
}

/** The room inside of a top room that a file lies in. */
function innerRoom(path: string): string {
  return relative(SRC, path).split("/").slice(1, -1).join("/") || ".";
}

/** The floor of a room inside of a top room; -1 for none. */
function innerFloor(top: string, name: string): number {
  const floors = INNER[top] ?? [["."]];
  const floorOf = (room: string) => floors.findIndex((rooms) => rooms.includes(room));
  const named = floorOf(name);
  return named >= 0 || name === "." ? named : floorOf(name.replace(/[^/]+$/, "*"));
}

Deno.test("rooms inside of rooms stand on floors, and imports point downwards there as well", () => {
  const odd: string[] = [];
  for (const path of sources(SRC)) {
    const [top, inner] = [room(path), innerRoom(path)];
    const floorOf = (name: string) => innerFloor(top, name);
    if (floorOf(inner) < 0) odd.push(`${relative(SRC, path)} stands on no floor`);
    for (const target of importsOf(path)) {
      if (room(target) !== top) continue;
      if (isEntry(target)) odd.push(`${relative(SRC, path)} → ${relative(SRC, target)}`);
      if (isEntry(path) || innerRoom(target) === inner) continue;
      if (floorOf(innerRoom(target)) >= floorOf(inner)) {
        odd.push(`${relative(SRC, path)} → ${relative(SRC, target)}`);
      }
    }
  }
  assertEquals(odd, []);
});

Deno.test("the table of targets alone says which kind of file a path is", () => {
  const matches =
    /\\\.\(?(npy|npz|png|csv|tiff?|fits|zspy|hspy|emd|nxs|mib)\b[^/\n]*\$\/i?\.(test|exec)|replace\(\/\\\.(npy|png|tiff?)/;
  const found = [...sources(SRC)].filter((path) => matches.test(code(path))).map((path) =>
    relative(SRC, path)
  );
  assertEquals(found.filter((path) => !/^(sinks|formats)\//.test(path)), []);
});

Deno.test("results become the bytes of files among the sinks alone; parts of clusters are their own", () => {
  const found = [...sources(SRC)].filter((path) => /\bfunction encode[A-Z]/.test(code(path)));
  const others = found.map((path) => relative(SRC, path)).filter((path) => !path.startsWith("sinks/"));
  assertEquals(others, ["cluster/store/part.ts"]);
});

/** What only tests call: faults that they make, and what they look at. */
const FOR_TESTS = new Set([
  "endThread",
  "forgetKernels",
  "poolOfRunners",
  "replaceNodeFs",
  "replaceWriteCalls",
  "rewriteKernels",
  "setCacheFolder",
  "stampDisks",
  "useFencing",
]);

/** The names that a file declares and exports. */
const DECLARED =
  /^export (?:abstract |async |declare )*(?:function\*?|class|interface|type|const|let|enum) (\w+)/gm;

Deno.test("what a file exports is used: in it, by others of the library or of the page, or by users", () => {
  const { exports } = JSON.parse(Deno.readTextFileSync(join(ROOT, "deno.json"))) as { exports: object };
  const public_ = new Set(Object.values(exports).map((path: string) => join(ROOT, path)));
  const all = [...sources(SRC), ...sources(PAGE), join(ROOT, "mod.ts")];
  const texts = new Map(all.map((path) => [path, code(path)]));
  const namedBy = new Map<string, Set<string>>(); // words of all files that import a file, or say where it is
  for (const [path, text] of texts) {
    const words = new Set(text.match(/\b[A-Za-z_]\w*\b/g));
    for (const [, target] of text.matchAll(/["'](\.\.?\/[^"']+\.ts)["']/g)) {
      const file = fromFileUrl(new URL(target!, toFileUrl(path)));
      namedBy.set(file, (namedBy.get(file) ?? new Set()).union(words));
    }
  }
  for (const [path, text] of texts) {
    for (const [, target] of text.matchAll(/^export \* from "(\.[^"]+)"/gm)) {
      const file = fromFileUrl(new URL(target!, toFileUrl(path)));
      if (public_.has(path)) public_.add(file);
      namedBy.set(file, namedBy.get(file)!.union(namedBy.get(path) ?? new Set()));
    }
  }
  const unused: string[] = [];
  for (const path of sources(SRC)) {
    if (public_.has(path)) continue;
    const text = texts.get(path)!;
    for (const [, name] of text.replace(/`[^`]*`/g, "``").matchAll(DECLARED)) {
      const isOwn = text.match(new RegExp(`\\b${name}\\b`, "g"))!.length > 1;
      if (!isOwn && !FOR_TESTS.has(name!) && !namedBy.get(path)?.has(name!)) {
        unused.push(`${relative(SRC, path)}: ${name}`);
      }
    }
  }
  const byTable = /^formats\/(\w+\/)?\w+\.ts: open(Some)?$/; // all readers of the table have them
  assertEquals(unused.filter((name) => !byTable.test(name)), []);
});

Deno.test("what only its own file and no example uses is not exported", () => {
  const { exports } = JSON.parse(Deno.readTextFileSync(join(ROOT, "deno.json"))) as { exports: object };
  const public_ = new Set(Object.values(exports).map((path: string) => join(ROOT, path)));
  const words = (text: string) => new Set(text.match(/\b[A-Za-z_]\w*\b/g));
  const files = CODE.flatMap((folder) => [...sources(join(ROOT, folder))]);
  const namedBy = new Map<string, number>();
  for (const path of files) {
    for (const word of words(Deno.readTextFileSync(path))) namedBy.set(word, (namedBy.get(word) ?? 0) + 1);
  }
  const own: string[] = [];
  for (const path of sources(SRC)) {
    if (public_.has(path)) continue;
    const text = Deno.readTextFileSync(path);
    const inComments = words([...text.matchAll(/^ \* .*$/gm)].join("\n"));
    for (const [, name] of code(path).replace(/`[^`]*`/g, "``").matchAll(DECLARED)) {
      if (new RegExp(`@category .*\\n \\*/\\nexport [^\\n]*\\b${name}\\b`).test(text)) continue; // documented
      const isJob = text.includes(`"${name}"`) || text.includes(`{ ${name} }`); // found by its name
      if (namedBy.get(name!) === 1 && !isJob && !inComments.has(name!)) {
        own.push(`${relative(SRC, path)}: ${name}`);
      }
    }
  }
  assertEquals(own, []);
});

Deno.test("no file imports itself by way of others", () => {
  const all = new Set(CODE.filter((top) => top !== "tests").flatMap((top) => [...sources(join(ROOT, top))]));
  const below = new Map<string, "open" | "done">();
  const circles: string[] = [];
  const visit = (path: string, way: readonly string[]) => {
    if (below.get(path) === "done") return;
    if (below.get(path) === "open") {
      circles.push([...way.slice(way.indexOf(path)), path].map((file) => relative(ROOT, file)).join(" → "));
      return;
    }
    below.set(path, "open");
    for (const target of importsOf(path)) if (all.has(target)) visit(target, [...way, path]);
    below.set(path, "done");
  };
  for (const path of all) visit(path, []);
  assertEquals(circles, []);
});

/** The folder at the top in which a file lies, of those with code. */
function topOf(path: string): string | undefined {
  return CODE.find((top) => path.startsWith(join(ROOT, top, "/")));
}

/** What the folders at the top may import from; the library knows none of them. */
const TOPS: Readonly<Record<string, readonly string[]>> = {
  src: [],
  web: ["src"],
  assembly: ["src", "web"],
  bench: ["src", "assembly", "web", "tests"],
};

Deno.test("the library imports from no other folder at the top, and tests are imported by benches alone", () => {
  const found: string[] = [];
  for (const [top, others] of Object.entries(TOPS)) {
    for (const path of sources(join(ROOT, top))) {
      const up = importsOf(path).filter((target) => {
        const other = topOf(target);
        return other !== undefined && other !== top && !others.includes(other);
      });
      found.push(...up.map((target) => `${relative(ROOT, path)} → ${relative(ROOT, target)}`));
    }
  }
  assertEquals(found, []);
});

Deno.test("no folder has more files than one can look through", () => {
  const counts = new Map<string, number>();
  for (const top of CODE) {
    for (const path of sources(join(ROOT, top))) {
      const folder = dirname(relative(ROOT, path));
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
  }
  assertEquals([...counts].filter(([, count]) => count > MOST_FILES), []);
});

Deno.test("no leftovers of tools are kept at the top", async () => {
  const git = new Deno.Command("git", { args: ["ls-files"], cwd: ROOT });
  const files = new TextDecoder().decode((await git.output()).stdout).split("\n").filter((name) =>
    name !== ""
  );
  assertEquals(files.map((name) => name.split("/", 1)[0]!).filter((name) => !TOP.has(name)), []);
});

Deno.test("code in data: addresses is JavaScript, because only a run with types would find errors of types in it", () => {
  const checkedElsewhere = ["tests/documentation/examples.ts", "tests/examples/notebooks.ts"]; // the same text lies in files
  const found = CODE.flatMap((top) => [...sources(join(ROOT, top))]).filter((path) =>
    /data:(?:application|text)\/typescript[;,]/.test(code(path))
  );
  assertEquals(found.map((path) => relative(ROOT, path)).toSorted(), checkedElsewhere);
});

Deno.test("no test says how long something may take by the clock: others use the machine as well", () => {
  const CLOCKED = /\b(?:performance|Date)\.now\(\) - [\w.]+\)?(?: \/ 1000\)?)? *<=? *\d/;
  const tests = [...sources(join(ROOT, "tests"))].filter((path) => path.endsWith("_test.ts"));
  const found = tests.filter((path) =>
    !/tests\/(browser|soak|places)\//.test(path) && CLOCKED.test(code(path))
  );
  assertEquals(found.map((path) => relative(ROOT, path)), []);
});

Deno.test("tests wait for pages by until: Playwright takes promises for true, and what throws for the end", () => {
  const found = [...sources(join(ROOT, "tests"))].filter((path) => /\.waitForFunction\(/.test(code(path)));
  assertEquals(found.map((path) => relative(ROOT, path)), []);
});

Deno.test("no test draws numbers that nobody can draw again: a failure must come back", () => {
  const RANDOM = /\bMath\.random\b|\bgetRandomValues\b|"(?:npm:)?fast-check(?:\/|@)/;
  const random = [...sources(join(ROOT, "tests")), ...sources(join(ROOT, "bench"))].filter((path) =>
    RANDOM.test(code(path))
  );
  assertEquals(random.map((path) => relative(ROOT, path)).toSorted(), [
    "tests/cluster/slurm/node.ts", // the key of a cluster
    "tests/fast_check.ts", // gives it a seed
    "tests/fences/fences.ts", // other numbers in every run: results that depend on them differ
    "tests/udf/kernel_udf/errors_test.ts", // the text of a kernel, which is refused
  ]);
});

Deno.test("no test changes what the tests of all threads share: the environment, the folder of the process", () => {
  const SHARED = /\bDeno\.(?:env\.(?:set|delete)|chdir)\((?!\$)|\bprocess\.(?:chdir\(|env[.[]\S+ = )/;
  const found = [...sources(join(ROOT, "tests"))].filter((path) => SHARED.test(code(path)));
  assertEquals(found.map((path) => relative(ROOT, path)), []);
});

Deno.test("only a few files need more than a browser", () => {
  const needy: string[] = [];
  for (const path of sources(SRC)) {
    const name = relative(SRC, path);
    if (RUNTIME.some((allowed) => allowed.test(name))) continue;
    if (/(?<!")\bDeno\.|["']node:/.test(code(path))) needy.push(name); // a quoted name is a symbol
  }
  assertEquals(needy, []);
});

Deno.test("what needs more than a browser is imported when it is needed, so that pages never load it", () => {
  const naming: string[] = [];
  for (const path of sources(SRC)) {
    const name = relative(SRC, path);
    if (name.startsWith("cluster/") || RUNTIME.some((allowed) => allowed.test(name))) continue; // no page is in a cluster
    const targets = importsAtOnce(path).filter((target) =>
      /^(?:import|export)(?! type\b)[^;]*?from\s+"node:/m.test(code(target))
    );
    naming.push(...targets.map((target) => `${name} → ${relative(SRC, target)}`));
  }
  assertEquals(naming, []);
});

Deno.test("only the registries name formats, and the files of a format", () => {
  const formats = join(SRC, "formats");
  const shared = ["common", "memory", "writers"];
  const homeOf = (path: string) => {
    const [first, ...rest] = relative(formats, path).split("/");
    return rest.length > 0 && !shared.includes(first!) ? first! : undefined;
  };
  const naming: string[] = [];
  for (const path of sources(formats)) {
    if (/(^|\/)registry\.ts$|^readers\.ts$/.test(relative(formats, path))) continue;
    for (const target of importsOf(path)) {
      const home = target.startsWith(formats) ? homeOf(target) : undefined;
      const isMain = /\/(format|reader)\.ts$/.test(target) && home !== undefined;
      if (isMain && homeOf(path) !== home) naming.push(`${relative(SRC, path)} → ${relative(SRC, target)}`);
    }
  }
  assertEquals(naming, []);
});

Deno.test("Zarr, npy and journals are written by the room of targets alone", () => {
  const writers =
    /\bzarr_format:|\bnode_type:|\bdimension_separator:|'descr'|\bJournal\.open\(|\bChunkWriter\.open\(/;
  const all = [...sources(SRC)].filter((path) => writers.test(code(path))).map((path) => relative(SRC, path));
  assertEquals(all.filter((path) => !path.startsWith("sinks/")), ["views/sinks/chunks/store.ts"]); // chunks that workers make
});

/** The files that are loaded with `path`, as far as code asks for them at once: not types, not `await import`. */
function loadedWith(path: string, seen: Set<string> = new Set()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const target of importsAtOnce(path)) loadedWith(target, seen);
  return seen;
}

/** What a file imports at once: not types, not `await import`. */
function importsAtOnce(path: string): string[] {
  const found = code(path).matchAll(/^(?:import|export)(?! type\b)[^;]*?from\s+"(\.[^"]+)";/gm);
  return [...found].map(([, target]) => fromFileUrl(new URL(target!, toFileUrl(path))));
}

Deno.test("workers load neither the bytes of the kernels, nor their declarations and twins, nor UDFs of other runs", () => {
  const builtin = join(SRC, "udf/builtin");
  const heavy = /^kernels\/(packs\/|wasm)/;
  const entries = [
    "executor/worker.ts",
    "udf/worker/job.ts",
    "views/map/job.ts",
    "views/sinks/chunks/job.ts",
    "views/tiles/loaders/job.ts",
    "rime/image/job.ts",
  ];
  const loaded = entries.flatMap((name) => [...loadedWith(join(SRC, name))]);
  assertEquals(
    loaded.map((path) => relative(builtin, path)).filter((path) => !path.startsWith("..")),
    [],
  );
  const all = new Set(loaded);
  const later = ["codecs/filters", "dataset/storage", "views/operations"].map((room) => join(SRC, room));
  const readers = ["frame_samples.ts", "chunk_samples.ts", "plain_samples.ts"].map((name) =>
    join(SRC, "views", name)
  );
  const onDemand = /dataset.storage.chunks.whole\.ts$/;
  for (const path of [...[builtin, ...later].flatMap((room) => [...sources(room)]), ...readers]) {
    if (!onDemand.test(path)) { for (const one of loadedWith(path)) all.add(one); }
  }
  assertEquals([...all].map((path) => relative(SRC, path)).filter((path) => heavy.test(path)), []);
});

Deno.test("workers load the reader of a kind of storage when they read such frames, and nothing for planners", () => {
  const storage = /^dataset\/storage\/(?!common\/)/;
  const entries = [
    "executor/worker.ts",
    "udf/worker/job.ts",
    "views/map/job.ts",
    "views/sinks/chunks/job.ts",
    "views/tiles/loaders/job.ts",
  ];
  const loaded = new Set(entries.flatMap((name) => [...loadedWith(join(SRC, name))]));
  const found = [...loaded].map((path) => relative(SRC, path)).filter((path) => storage.test(path));
  assertEquals(found.sort(), [
    "dataset/storage/reader.ts",
  ]);
});

/** The page, from the ground up. `.` is what starts it; what builds it may use the runtime. */
const PAGE_FLOORS: readonly (readonly string[])[] = [
  ["state"],
  ["draw"],
  ["engine", "pictures", "parts", "open", "served"],
  ["export"],
  ["panels"],
  ["."],
];
const PAGE = join(ROOT, "web/");
const PAGE_BUILD = /^(build\.ts|view\.ts|build\/|dist\/)/;

function* pageFiles(): Generator<string> {
  for (const path of sources(PAGE)) if (!PAGE_BUILD.test(relative(PAGE, path))) yield path;
}

function pageFloor(path: string): number {
  const [top, ...rest] = relative(PAGE, path).split("/");
  const name = rest.length === 0 ? "." : top!;
  return PAGE_FLOORS.findIndex((rooms) => rooms.includes(name));
}

/**
 * What of the library the page may name: rooms that are one file, the entries of rooms, and the reading of what was dropped,
 * which must begin before the library is there.
 */
function isFaceOfRoom(path: string): boolean {
  return /^(\w+\.ts|\w+\/mod\.ts|io\/picked_files\.ts)$/.test(relative(SRC, path));
}

Deno.test("the page imports entries of the library, and its folders stand on floors", () => {
  const odd: string[] = [];
  for (const path of pageFiles()) {
    if (pageFloor(path) < 0) odd.push(`${relative(ROOT, path)} stands on no floor`);
    for (const target of importsOf(path)) {
      const isOwn = target.startsWith(PAGE);
      const isBelow = dirname(path) === dirname(target) || pageFloor(target) < pageFloor(path) ||
        relative(PAGE, path).split("/")[0] === relative(PAGE, target).split("/")[0];
      if (isOwn ? !isBelow : !isFaceOfRoom(target)) {
        odd.push(`${relative(ROOT, path)} → ${relative(ROOT, target)}`);
      }
    }
  }
  assertEquals(odd, []);
});

Deno.test("the page runs in browsers, and reads no text as HTML or as code", () => {
  const odd: string[] = [];
  for (const path of pageFiles()) {
    const found =
      /\bDeno\.|["']node:|\b(inner|outer)HTML\b|insertAdjacentHTML|document\.write|\beval\(|new Function\b|setHTMLUnsafe/
        .exec(code(path));
    if (found) odd.push(`${relative(ROOT, path)}: ${found[0]}`);
  }
  assertEquals(odd, []);
});
